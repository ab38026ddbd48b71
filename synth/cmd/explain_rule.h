/* rulesmith explain without a search: the reasons for the rules that `rulesmith synth` wrote. */
#ifndef EXPLAIN_RULE_H
#define EXPLAIN_RULE_H

#include <stdbool.h>

#include "page.h"

typedef struct explain_input {
	const char *glob;	   /* a signature, an API or a glob */
	const char *rules;	   /* rules.jsonl */
	const char *const *traces; /* files of records, and folders of API.jsonl */
	int ntraces;
} explain_input;

/* Whether a signature is asked for: by its name, its API or a glob. */
bool explain_is_asked(const char *glob, const char *op, const char *api);

/* Prints the API rule that a signature represents. */
void explain_page(const char *leader, const page *p);

/* Prints the rule of each signature that is asked for and the reasons for its parts, from the records of its API alone. The exit
 * status; 1 and *found = false: no rule matches, and nothing was printed. */
int explain_rules(const explain_input *in, bool *found);

#endif
