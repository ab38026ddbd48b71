/* rules.jsonl as the audit reads it (docs/formats.md): an operator's call, its rule's texts, what its records said. */
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
	uint8_t ranks[256], *dimension; /* [nsym] whether a tensor's */
	uint64_t hash;		       /* of the line */
	unsigned passed, failed; /* how many records it agrees with */
	unsigned empty, outside; /* how many it refuses though they passed: of empty tensors, and others that stand apart */
	int64_t *record; /* nrecords rows of nsym + nodim */
	unsigned nrecords;
} audited_rule;

typedef struct rules {
	audited_rule *rule;
	unsigned n;
} rules;

/* False: the file cannot be read, with `path:line: error: what` on stderr. */
bool rules_read(const char *path, rules *into);
audited_rule *rules_find(const rules *r, const char *op);

/* A whole file with a 0 behind it; NULL where it cannot be read. */
char *rules_file(const char *path, size_t *length);

#endif
