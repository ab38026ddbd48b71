/* The samplers of an index's operators, decoded: each once, however many operators share it. */
#ifndef INDEX_PROGRAMS_H
#define INDEX_PROGRAMS_H

#include "diag.h"
#include "index_op.h"

typedef struct index_programs {
	arena *arena; /* of the programs */
	struct index_program {
		rs_sample_fn *sampler; /* NULL: an empty slot */
		const program *program;
	} *slots; /* a hash table, by the sampler */
	uint32_t mask;
} index_programs;

/* Of at most so many operators. False: out of memory. */
bool index_programs_open(index_programs *x, arena *a, uint32_t nops);
void index_programs_close(index_programs *x); /* the programs stay */

/* Finds the programs of an operator. False and d when one is broken, or memory ran out. */
bool index_programs_find(index_programs *x, index_op *o, diag *d);

#endif
