/* Runs all rules of the compiled table, in child processes: a function that kills its process is an
 * answer, too. */
#ifndef AUDIT_JUDGE_H
#define AUDIT_JUDGE_H

#include "replay.h"
#include "trials.h"

typedef struct judged {
	enum { JUDGED_NONE, JUDGED_BEGUN, JUDGED_MISFIT, JUDGED_DONE } state; /* misfit: the library's row belongs to another rule */
	replayed records;
	trials samplers;
} judged;

/* Results in the order of the rules; `only` selects rules. NULL if a file of records cannot be read. */
judged *judge_all(const rules *all, const compiled *c, const char *const *folders, unsigned nfolders, int jobs,
    bool (*only)(const audited_rule *r, const void *user), const void *user);

#endif
