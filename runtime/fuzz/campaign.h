/* A campaign: models through workers, findings into the store.
 *
 *   job (a thread)   generate ──► judge ──► count ──► key known? ──yes──► met again
 *                                                         └─no──► triage ──► store
 *
 * Each job has its own generator and worker; the store and the counters are behind one lock. A
 * model's number is handed out once; what is stored as `next` is the smallest that is not done, so
 * a resumed run repeats at most the models that were being run.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "learner.h"
#include "rulesmith.h"
#include "runs.h"
#include "spent.h"
#include "tiers.h"
#include "verdict.h"

/* Shared by the campaigns of one command, its phases. */
typedef struct campaign_phases {
	double since, seconds; /* clock at the start of the command; its --time, 0: no limit */
	double drawn;	       /* clock of the last line of progress; begins as since */
	int64_t found, first;  /* new findings, and the lowest id of these */
} campaign_phases;

typedef struct campaign_options {
	const rs_table *table;
	rs_gen_options gen;
	worker_options worker; /* stop_fd too */
	worker_options screen; /* argv NULL: there is none */
	const char *backend;
	int64_t memory_mib;
	enum agree_preset tolerance; /* see judge; */
	bool probing;
	double seconds; /* after so many no model is begun; 0: no limit. worker.deadline ends what is at work then */
	double reduce_seconds; /* for making one finding smaller */
	const char *phase;   /* "probing", for progress; NULL: there is one */
	bool last;	     /* no other phase follows */
	campaign_phases *phases; /* shared by all of a command; NULL: there is one */
	uint64_t count; /* stop at this model number; UINT64_MAX: no limit */
	int64_t jobs;
	int64_t batch; /* models that a worker is asked about at a time, where there is no screen; 0 is 1 */
	spent *spent;  /* made that of this campaign; NULL: nobody asks */
	tiers *tiers;  /* counted, and given their turns; NULL: all at each model */
	const char *save_models; /* a folder, or NULL */
	learner *learner; /* takes calls that fail by themselves, which are left out of models then; NULL: none does */
	judge *warm; /* a judge that the first job takes and gives back, or NULL */
	/* Sees each judgement and the model it is of, one at a time; next: the first model that is not done. NULL: nobody.
	 * False and d end the campaign. */
	bool (*observe)(void *context, const rs_graph *model, const judgement *j, uint64_t next, diag *d);
	/* Makes the model of a number in place of the generator; its strategy is then not asked. NULL: the generator does. */
	bool (*model)(void *context, uint64_t index, rs_graph *to);
	void *context;
	double progress; /* seconds between lines of how it goes on standard error; 0: none, below 0: as it fits (progress.h) */
	uint64_t shard, shards; /* only the models shard, shard + shards, shard + 2 shards, …; shards 0: all */
} campaign_options;

enum campaign_end {
	CAMPAIGN_DONE,    /* the whole budget was used */
	CAMPAIGN_SHORT,   /* stopped by a signal, or out of time before the count */
	CAMPAIGN_BACKEND, /* no worker can be started: d */
	CAMPAIGN_INPUT,   /* the database or a file failed, or memory ran out: d */
};

/* run: begun or resumed in the store; kept up to date there and here. Its texts go to the arena. */
enum campaign_end campaign_run(
    const campaign_options *o, store *s, run_row *run, arena *a, diag *d);

#endif
