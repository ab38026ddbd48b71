/* The data of the reports: findings, the most important first, runs, and the changes of a job.
 *
 *   digest_take ──► a job works on the database ──► digest_make: which findings are new, regressed, fixed, unchanged, closed
 */
#ifndef DIGEST_H
#define DIGEST_H

#include "buf.h"
#include "runs.h"
#include "status.h"
#include "store.h"

/* The state of a database before a job. */
typedef struct digest_mark {
	int64_t last_run;
	struct digest_status {
		int64_t id;
		enum status status;
	} *findings; /* by id */
	int nfindings;
	bool baseline; /* the job accepts its findings: nothing is new or regressed */
} digest_mark;

bool digest_take(digest_mark *m, store *s, arena *a, diag *d);

typedef struct digest_entry {
	finding f; /* texts of several lines are ""; digest_whole has them */
	enum change change;
} digest_entry;

typedef struct digest_run {
	int64_t id, models, valid, unsupported, fresh, duplicates;
	double seconds;
	const char *backend, *versions;
	bool now; /* of this job */
} digest_run;

typedef struct digest_day {
	char day[12]; /* 2026-11-23 */
	int found, total; /* findings first seen that day, and until its end */
} digest_day;

typedef struct digest {
	store *store;
	const char *db;
	digest_entry *entries; /* by change, then by id */
	int nentries, counts[CHANGE_COUNT];
	int64_t statuses[STATUS_NONE + 1]; /* the number of findings with each */
	bool job; /* changes are those of a job; else every finding that is not closed is unchanged */
	digest_run *runs; /* by id */
	int nruns;
	digest_day *days; /* by day */
	int ndays;
	/* About the job, set by the caller: */
	const char *backends;	/* as given, "" for a report alone */
	const char *trouble;	/* why the job failed, "" */
	const char *scripts;	/* the folder of scripts, relative to the reports' folder; "" if there is none */
	const char *written;	/* UTC */
	int exit_code;
} digest;

/* since NULL: there is no job, and no changes. */
bool digest_make(digest *g, store *s, const digest_mark *since, arena *a, diag *d);

/* "2 new findings, 1 regressed, 7 unchanged" */
void digest_changes(const digest *g, buf *out);

/* An entry with all its texts, in the arena; false and d, also if it was deleted meanwhile. */
bool digest_whole(const digest *g, int entry, finding *f, arena *a, diag *d);

/* The path of an entry's script, relative to the reports' folder; "" without scripts. */
void digest_script_path(const digest *g, const finding *f, buf *out);

/* A name of a finding that is the same in all databases: 16 hexadecimal digits of a hash of its bucket. */
void digest_fingerprint(const finding *f, char text[17]);

#endif
