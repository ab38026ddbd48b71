/* Calls of the operators that exporters compute shapes with, such as Shape, Gather and Concat, in the model's operator set. A
 * signature is made for each number of operands and elements, since the operators accept all of them. */
#ifndef SHAPE_CALLS_H
#define SHAPE_CALLS_H

#include "gen.h"

enum shape_op {
	SHAPE_SHAPE,
	SHAPE_SIZE,
	SHAPE_GATHER,
	SHAPE_SLICE,
	SHAPE_UNSQUEEZE,
	SHAPE_SQUEEZE,
	SHAPE_RESHAPE,
	SHAPE_CONCAT,
	SHAPE_ADD,
	SHAPE_SUB,
	SHAPE_MUL,
	SHAPE_DIV,
	SHAPE_MOD,
	SHAPE_MIN,
	SHAPE_MAX,
	SHAPE_PRODUCT,
	SHAPE_CAST,
	SHAPE_WHERE,
	SHAPE_EQUAL,
	SHAPE_CONSTANT,
	SHAPE_SCALE, /* Mul and Div of floats */
	SHAPE_RATIO,
	SHAPE_FLOOR,
	SHAPE_CEIL,
	SHAPE_OPS
};

enum { SHAPE_OPERANDS = 16 /* of a call, and elements of an operand */ };

/* An operand: a tensor, or written numbers. */
typedef struct shape_operand {
	uint32_t tensor; /* GRAPH_NONE: the numbers */
	uint8_t rank, count;
	uint8_t dtype;
	int64_t n[SHAPE_OPERANDS];
} shape_operand;

/* A call. Attributes that an operator does not have are ignored. */
typedef struct shape_call {
	enum shape_op op;
	unsigned count; /* operands */
	shape_operand operands[SHAPE_OPERANDS];
	bool ranged; /* Shape: only the elements from start to end, as in Slice */
	int64_t start, end;
	bool keeps;	    /* ReduceProd: the result has the rank of its operand */
	uint8_t dtype, rank; /* of the result */
	unsigned elements;
} shape_call;

/* The operators of the generator's index, read on first use. NULL: out of memory. The other functions need it. */
typedef struct shape_operators shape_operators;
shape_operators *shape_operators_of(gen *g);
void shape_operators_close(gen *g);

/* Whether the models' operator set has the operator for 64-bit integers (from SCALE on: for float32), and the target
 * accepts it. */
bool shape_has(const gen *g, enum shape_op op);
/* Whether Shape takes tensors of a dtype: older versions lack some. */
bool shape_takes(const gen *g, uint8_t dtype);
/* Whether Shape takes a range. */
bool shape_has_range(const gen *g);

/* Whether this file made a signature. */
bool shape_is_made(const rs_op *op);

/* A signature with a tensor for an argument (computed_make), and the new symbol of each of its symbols. */
typedef struct shape_form {
	const rs_op *of, *op;
	const uint16_t *map;
	unsigned arg;
	struct shape_form *next;
} shape_form;
const shape_form *shape_form_of(gen *g, const rs_op *op, unsigned arg); /* NULL: out of memory */

/* Inserts a call before a node; its result, GRAPH_NONE: out of memory. */
uint32_t shape_insert(gen *g, const shape_call *call, uint32_t before);

#endif
