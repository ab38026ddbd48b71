/* All rules of a run by the compiled table, in processes of their own: what a function does to its process is an answer. */
#ifndef AUDIT_JUDGE_H
#define AUDIT_JUDGE_H

#include "replay.h"
#include "trials.h"

typedef struct judged {
	enum { JUDGED_NONE, JUDGED_BEGUN, JUDGED_MISFIT, JUDGED_DONE } state; /* misfit: the library's row is of another rule */
	replayed records;
	trials samplers;
} judged;

/* One of each rule, in their order; `only`: whether a rule is to be asked. NULL: a file of records cannot be read. */
judged *judge_all(const rules *all, const compiled *c, const char *const *folders, unsigned nfolders, int jobs,
    bool (*only)(const audited_rule *r, const void *user), const void *user);

#endif
