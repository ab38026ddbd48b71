/* A campaign: workers run models, and the store gets the findings.
 *
 *   job (a thread)   generate ──► judge ──► count ──► key known? ──yes──► duplicate
 *                                                         └─no──► in budget? ──yes──► triage ──► store
 *                                                                     └─no──► pending (pending.h) ──► triage when there is budget
 *
 * Each job is a thread with its own generator and worker. One lock guards the store and the counters. Each model number is
 * handed out once. The stored `next` is the smallest number that is not done. So a resumed run repeats at most the models that
 * were running.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "beside.h"
#include "learner.h"
#include "rulesmith.h"
#include "runs.h"
#include "setting_table.h"
#include "spent.h"
#include "tiers.h"
#include "verdict.h"

/* State shared by the phases of one command. */
typedef struct campaign_phases {
	double since;	       /* time (clock_seconds) at the start of the command */
	double seconds;	       /* --time; 0: no limit */
	double drawn;	       /* clock of the last progress line; begins as since */
	int64_t found;	       /* new findings */
	int64_t first;	       /* the lowest id of these */
	int64_t duplicates;    /* of stored findings, in the phases before fuzzing */
} campaign_phases;

typedef struct campaign_options {
	const rs_table *table;
	rs_gen_options gen;
	worker_options worker; /* also stop_fd */
	worker_options screen; /* the fast path; argv NULL: none */
	const char *backend;
	int64_t memory_mib;
	enum agree_preset tolerance; /* see judge; */
	bool probing;
	double seconds; /* No model begins later; 0: no limit. worker.deadline ends running models. */
	double reduce_seconds; /* for reducing one finding */
	uint32_t triage_share; /* budget of triage, per mille of the jobs' time; 1000: no budget */
	bool only_pending; /* run no models; triage the failures that wait for this backend */
	const char *phase;   /* "probing", for progress; NULL: no label */
	bool last;	     /* no other phase follows */
	campaign_phases *phases; /* shared by all phases of a command */
	uint64_t count; /* stop at this model number; UINT64_MAX: no limit */
	int64_t jobs;
	int64_t batch; /* models per request to a worker without a fast path; 0 means 1 */
	spent *spent;  /* output: CPU seconds of this campaign; may be NULL */
	tiers *tiers;  /* NULL: every target runs every model */
	const char *save_models; /* a folder, or NULL */
	const char *audit;	 /* the folder of samples of each excuse */
	int64_t audited;	 /* samples of each; 0: none */
	beside *beside; /* nbeside sources of further models, in order of precedence */
	int nbeside;
	learner *learner; /* excludes calls that fail on their own; NULL: none are excluded */
	bool other_versions; /* The rules are of other versions: calls that the reference rejects are excluded, too. */
	judge *warm; /* a judge that the first job borrows, or NULL */
	/* Called with each model and its judgement, one at a time. next: the first model that is not done. False and d end the
	 * campaign. May be NULL. */
	bool (*observe)(void *context, const rs_graph *model, const judgement *j, uint64_t next, diag *d);
	/* Makes the model of a number in place of the generator. NULL: the generator does. */
	bool (*model)(void *context, uint64_t index, rs_graph *to);
	const setting_table *settings; /* drawn for each `batch` of generated models; NULL: all have the default settings */
	uint32_t settings_share;       /* per mille */
	void *context;
	double progress; /* seconds between progress lines; 0: none, below 0: the default (progress.h) */
	uint64_t shard, shards; /* runs the models shard, shard + shards, …; shards 0: all */
} campaign_options;

enum campaign_end {
	CAMPAIGN_DONE,    /* the whole budget was used */
	CAMPAIGN_SHORT,   /* stopped by a signal, or out of time before the count */
	CAMPAIGN_BACKEND, /* no worker starts: d */
	CAMPAIGN_INPUT,   /* the database or a file failed, or memory ran out: d */
};

/* run: begun or resumed in the store; updated there and here. The arena owns its texts. */
enum campaign_end campaign_run(
    const campaign_options *o, store *s, run_row *run, arena *a, diag *d);

/* A phase before fuzzing: a campaign with its own run and this strategy. It begins at model *next. *next becomes the first
 * model that is not done. */
enum campaign_end campaign_phase(
    const campaign_options *o, const char *strategy, uint64_t *next, store *s, arena *a, diag *d);

#endif
