/* The decoded samplers of an index. Signatures that share a sampler share the program. */
#ifndef INDEX_PROGRAMS_H
#define INDEX_PROGRAMS_H

#include "diag.h"
#include "index_op.h"

typedef struct index_programs {
	arena *arena; /* owns the programs */
	struct index_program {
		const char *sampler; /* NULL: an empty slot */
		const program *program;
	} *slots; /* a hash table, keyed by the sampler */
	uint32_t mask;
} index_programs;

/* For at most that many signatures. False: out of memory. */
bool index_programs_open(index_programs *x, arena *a, uint32_t nops);
void index_programs_close(index_programs *x); /* frees the table; the programs stay valid */

/* Finds the programs of a signature. False and d: a program is malformed, or out of memory. */
bool index_programs_find(index_programs *x, index_op *o, diag *d);

#endif
