/* The numbers of a model that may be others: dimensions of its inputs, ranges of their elements, attributes of its calls.
 *
 *   numbers_read ──► some are changed ──► numbers_apply: call by call, what its rule says of them
 *                                           └─► a model with other shapes, or the node that refuses
 *
 * NeuRI section 2: input constraints and shape propagation. A call whose operator has no rule keeps its numbers.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "graph.h"

enum number_kind {
	NUMBER_DIMENSION, /* of an input of the model: place is the dimension */
	NUMBER_LOW,	  /* of a range that some call asks of an input */
	NUMBER_HIGH,
	NUMBER_ATTRIBUTE, /* of a node: place is the symbol */
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
} numbers;

/* All of a model, inputs first. What ns held is forgotten. False: out of memory. */
bool numbers_read(const graph *g, numbers *ns);
bool numbers_copy(numbers *to, const numbers *from); /* likewise */
void numbers_free(numbers *ns);
/* How large they are together: dimensions and attributes by their distance from 0. */
double numbers_size(const numbers *ns);

/* Makes `to` (initialised) the model `from` with these numbers. False: *refused is the node whose rule says no or whose
 * results would have no elements where they had some, or GRAPH_NONE when it is no model for another reason. */
bool numbers_apply(graph *to, const graph *from, const numbers *ns, uint32_t *refused);

/* Whether a number is one of what a node takes: its attribute, or of an input of the model that it is called on. */
bool number_is_of(const graph *g, const number *one, uint32_t node);

/* The symbol of a node that a number of one of its inputs is, less its place: the first of the input's dimensions, or its
 * bound. -1: it is of none. */
int numbers_symbol(const graph *g, const graph_node *n, const number *one);

#endif
