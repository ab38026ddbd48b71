/* NeuRI's hybrid concolic generator (section 3.3) on compiled rules. The public part, rs_gen_new
 * and its like, is in rulesmith.h; this adds what the command and the tests ask. */
#ifndef GEN_NEURI_H
#define GEN_NEURI_H

#include "graph.h"

typedef struct gen gen;

typedef struct gen_stats {
	uint64_t models, nodes;
	uint64_t forward, backward;  /* insertions that consume a tensor, that replace an input */
	uint64_t fresh;		     /* and that need neither */
	uint64_t symbolic, concrete; /* by a rule, by a stored record */
	uint64_t mutated; /* symbolic ones whose attributes or free dimensions are not a record's */
} gen_stats;

typedef struct gen_scope {
	uint32_t apis, operators; /* that take part */
	uint32_t symbolic; /* of these operators: by their rule, the others by records only */
	uint32_t unsafe, dtypes, records; /* left out: constants or names not safe; no dtypes that a
					     model can hold; no record that fits the limits */
	uint32_t elements; /* left out: inputs whose elements must lie in a range, or random outputs */
} gen_scope;

gen_stats gen_get_stats(const rs_gen *g);
gen_scope gen_get_scope(const rs_gen *g);

#endif
