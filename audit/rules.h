/* rules.jsonl as the audit reads it (docs/reference/file-formats.md): a signature's call, its rule's text,
 * its record counts. */
#ifndef AUDIT_RULES_H
#define AUDIT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct audited_rule {
	char *op, *api, *framework, *id, *why; /* id: NULL without a rule */
	char *call; /* "input=T:f32,s0,s1|*dim=I:s2|": `*`: by name; T tensor, R with bounds, I integer, C constant,
		       E elements, [ a list; ] */
	char **valid, **out;
	unsigned nvalid, nout, nsym, nin, nodim, noutputs; /* nin: tensors in the call */
	uint8_t ranks[256], *dimension; /* [nsym] whether it is a tensor's dimension */
	uint64_t hash;		       /* of the line */
	unsigned passed, failed; /* number of records it agrees with */
	unsigned empty, outside; /* accepted records that it rejects: with empty tensors, and other outliers */
	int64_t *record; /* [nrecords][nsym + nodim] */
	unsigned nrecords;
} audited_rule;

typedef struct rules {
	audited_rule *rule;
	unsigned n;
} rules;

/* Prints `path:line: error: what` to stderr and returns false if the file cannot be read. */
bool rules_read(const char *path, rules *into);
audited_rule *rules_find(const rules *r, const char *op);

/* Reads a whole file, with a 0 after it, to free(). NULL if it cannot be read. */
char *rules_file(const char *path, size_t *length);

#endif
