/* The numbers of a model that may change: dimensions of its inputs, ranges of their elements, attributes of its
 * calls.
 *
 *   numbers_read ──► some are changed ──► numbers_apply: call by call, by its rule
 *                                           └─► a model with other shapes, or the node that rejects
 *
 * NeuRI section 2: input constraints and shape propagation. A call without a rule keeps its numbers.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "graph.h"

enum number_kind {
	NUMBER_DIMENSION, /* of a model input; place is the dimension */
	NUMBER_LOW,	  /* of the range that some call requires of an input */
	NUMBER_HIGH,
	NUMBER_ATTRIBUTE, /* of a node; place is the symbol */
};

typedef struct number {
	int64_t value;
	uint32_t owner; /* a tensor or a node */
	uint16_t place;
	uint8_t kind;
} number;

typedef struct numbers {
	number *items;
	size_t n, room;
	const rs_table *table; /* of the rules of calls with computed arguments; NULL: the model has none */
} numbers;

/* Lists all numbers of a model, inputs first, into ns, which is cleared. False: out of memory. */
bool numbers_read(const graph *g, numbers *ns);
bool numbers_copy(numbers *to, const numbers *from); /* as numbers_read */
void numbers_free(numbers *ns);
/* The total size: dimensions and attributes by their distance from 0. */
double numbers_size(const numbers *ns);

/* Makes `to` (initialized) the model `from` with these numbers. False: *rejecting is the node whose rule rejects it or
 * whose results became empty, or GRAPH_NONE if the model is invalid for another reason. */
bool numbers_apply(graph *to, const graph *from, const numbers *ns, uint32_t *rejecting);

/* Whether a number belongs to a node's call: an attribute, or a number of a model input that it uses. */
bool number_is_of(const graph *g, const number *one, uint32_t node);

/* The symbol of a node for a number of one of its inputs, minus the number's place: the first dimension of the input,
 * or its bound. -1: none. */
int numbers_symbol(const graph *g, const graph_node *n, const number *one);

#endif
