/* rulesmith explain without a search: the reasons for the rules in rules.jsonl. */
#ifndef EXPLAIN_RULE_H
#define EXPLAIN_RULE_H

#include <stdbool.h>

typedef struct explain_input {
	const char *glob;	   /* a signature, an API or a glob */
	const char *rules;	   /* rules.jsonl */
	const char *const *traces; /* files of records, and folders of API.jsonl */
	int ntraces;
} explain_input;

/* Whether the pattern selects a signature: by its name, its API or a glob. */
bool explain_is_asked(const char *glob, const char *op, const char *api);

/* Prints the rule of each selected signature and the reasons for its parts, from the records of its API alone, then the page of
 * the API.
 * Returns the exit status; 1 and *found = false if no rule matches, and prints nothing then. */
int explain_rules(const explain_input *in, bool *found);

#endif
