/* Signatures that write to an input or return an alias of one (effects/aliases.h), and calls of them on tensors of a model. */
#ifndef EFFECT_CALLS_H
#define EFFECT_CALLS_H

#include "gen.h"

/* A signature of the index, and the input that it writes to or that its first result is an alias of. */
typedef struct effect_call {
	uint32_t op;
	uint16_t slot;
} effect_call;

typedef struct effect_calls {
	effect_call *views, *writes;
	uint32_t nviews, nwrites;
} effect_calls;

/* Finds them in the generator's index. False: out of memory. */
bool effect_calls_open(gen *g);
void effect_calls_close(gen *g);

/* A call on a tensor. */
typedef struct effect_place {
	uint32_t tensor;
	uint32_t before;       /* the node that it is inserted before; GRAPH_NONE: at the end */
	const uint32_t *group; /* by effects_group, of `ngroup` tensors: other operands share no memory with the tensor */
	uint32_t ngroup;
} effect_place;

/* Prepares a call of a signature in g->trial, with the tensor as one operand and existing tensors or new inputs as others.
 * False: the rule accepts none, or the tensor's elements or layout do not suit it. */
bool effect_call_begin(gen *g, const effect_call *c, const effect_place *p);
/* Inserts that call. direct: its operands are not copies. The node; GRAPH_NONE: out of memory. */
uint32_t effect_call_commit(gen *g, bool direct);
/* Draws a signature for the tensor; NULL: none was found. */
const effect_call *effect_call_draw(gen *g, const effect_call *list, uint32_t count, uint32_t tensor);
/* Whether a call may get a tensor itself instead of a copy: it writes to it, or it is dense. */
bool effect_call_may_be_direct(const gen *g, const rs_op *op, const uint32_t *inputs, unsigned nin);

#endif
