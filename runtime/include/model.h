/* Models: graphs of operator calls in SSA form, which a C user reads, walks, checks and writes; rulesmith.h
 * generates them.
 *
 *     for (uint32_t n = rs_graph_first(g); n != RS_NONE; n = rs_graph_next(g, n)) {
 *             const rs_op *op = rs_graph_op(g, n);
 *             rs_walk w = rs_graph_walk(g, n);
 *             for (unsigned i = 0; i < op->nargs; i++)
 *                     print(op->args[i].name, &w);  // calls rs_walk_next, for the items of a list again
 *             rs_tensor t = rs_graph_tensor(g, rs_graph_output(g, n, 0));
 *             …
 *     }
 *
 * Nodes and tensors are handles, good until the model changes (is read or generated anew); a tensor's
 * `number` is the id that it has in files.
 */
#ifndef RS_MODEL_H
#define RS_MODEL_H

#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RS_NONE UINT32_MAX /* no node, no tensor */

/* Owned by the caller; reused from model to model it needs no new memory. One thread at a time. */
typedef struct rs_graph rs_graph;

rs_graph *rs_graph_new(void);	  /* NULL when out of memory */
void rs_graph_free(rs_graph *g); /* NULL is fine */

/* ---- files */

/* Reads a model from a line of JSON (docs/reference/file-formats.md); what g held is forgotten. Operators are
 * looked up in lib by name, which must outlive the model; one that lib (NULL is fine) does not have, or has
 * with other arguments, is made from the text and has no rule. False and a message (at most `room` bytes)
 * for what is no model; g is then empty. */
bool rs_graph_read(rs_graph *g, const char *json, const rs_library *lib, char *message, size_t room);

/* The model as one line of JSON or as a Python script: a string to free(), NULL when out of memory, and for
 * scripts of a framework that has none. */
char *rs_graph_json(const rs_graph *g);
char *rs_graph_python(const rs_graph *g);
/* The model as an ONNX file of *size bytes to free(). NULL and a message (at most `room` bytes) when out of
 * memory, or for what such a file cannot hold: a model of another framework, operators of an earlier operator
 * set. */
void *rs_graph_onnx(const rs_graph *g, size_t *size, char *message, size_t room);

/* ---- the whole */

/* Whether it is a model: each node uses earlier tensors only, and its rule, where it has one, accepts it and
 * says the shapes that it has. False and a message otherwise. */
bool rs_graph_check(const rs_graph *g, char *message, size_t room);

uint32_t rs_graph_nodes(const rs_graph *g);
uint64_t rs_graph_hash(const rs_graph *g); /* of its content; the same on every machine */
const char *rs_graph_framework(const rs_graph *g); /* "" before the first model */
uint64_t rs_graph_seed(const rs_graph *g); /* and index: where it came from */
uint64_t rs_graph_index(const rs_graph *g);
bool rs_graph_gradients(const rs_graph *g); /* whether gradients of its float inputs are results as well */
bool rs_graph_module(const rs_graph *g);    /* whether it is an object whose parameters its constants are */
uint64_t rs_graph_values(const rs_graph *g); /* the seed of its inputs' elements */

/* ---- tensors */

typedef struct rs_tensor {
	const int64_t *shape; /* rank dimensions, the model's */
	int64_t numel;
	int64_t low, high; /* an input whose elements are integers in low … high - 1; 0 and 0: not so */
	uint32_t number;   /* in files: inputs first, then outputs in the order of execution */
	uint32_t producer; /* the node that makes it; RS_NONE: an input of the model */
	uint16_t output;   /* which of the producer's outputs */
	uint8_t rank;
	uint8_t dtype;	/* rs_dtype */
	uint8_t values; /* enum rs_values: the class of its elements */
	bool result;	/* an output of the model */
	bool random;	/* made by a node that is: rs_graph_random */
	bool constant;	/* an input whose elements (rs_graph_elements) are part of the model: nobody feeds it */
	const int64_t *strides; /* an input that does not lie in memory without gaps and in order: rank of them, in elements, */
	int64_t offset;		/* and where its first element is; NULL: without gaps */
	uint32_t same;		/* an earlier input, whose very tensor this one is; RS_NONE: it is one of its own */
} rs_tensor;

rs_tensor rs_graph_tensor(const rs_graph *g, uint32_t tensor);

/* The model's inputs, constants among them, and its outputs, one after another in the order of their numbers: the one behind
 * `after`, the first where that is RS_NONE; RS_NONE: no more. */
uint32_t rs_graph_next_input(const rs_graph *g, uint32_t after);
uint32_t rs_graph_next_result(const rs_graph *g, uint32_t after);

/* ---- nodes, in the order of execution */

uint32_t rs_graph_first(const rs_graph *g); /* RS_NONE: there is none */
uint32_t rs_graph_next(const rs_graph *g, uint32_t node);

const rs_op *rs_graph_op(const rs_graph *g, uint32_t node);
const int64_t *rs_graph_symbols(const rs_graph *g, uint32_t node); /* op->nsym */
uint32_t rs_graph_input(const rs_graph *g, uint32_t node, unsigned i);	/* i < op->nin */
uint32_t rs_graph_output(const rs_graph *g, uint32_t node, unsigned i); /* i < op->nout */
/* Whether two implementations need not agree on the elements that a node returns: its operator draws them
 * (RS_RANDOM), or it takes what such a node made. A comparison leaves them out. */
bool rs_graph_random(const rs_graph *g, uint32_t node);

/* ---- the values of a node's arguments */

/* One value; the fields that are not of its kind are unspecified. A list is followed by its items, each with
 * its own; RS_ELEMENTS by its only one. */
typedef struct rs_item {
	uint8_t kind;	 /* enum rs_kind, but RS_TENSOR for RS_RANGED */
	uint8_t dtype;	 /* RS_ELEMENTS: of the tensor that its value is */
	bool copy;	 /* RS_TENSOR: the call takes a copy without gaps in memory */
	uint16_t count;	 /* RS_LIST: items */
	uint32_t tensor; /* RS_TENSOR */
	int64_t number;	 /* RS_INT */
	const char *text; /* RS_CONST: a Python literal */
} rs_item;

/* A place in a node's values, in the order of its arguments; op->args[i] is the name of the i-th value that
 * is not within another. */
typedef struct rs_walk {
	const rs_graph *graph;
	uint32_t node;
	unsigned value, input, constant; /* the next of each */
} rs_walk;

rs_walk rs_graph_walk(const rs_graph *g, uint32_t node);
bool rs_walk_next(rs_walk *w, rs_item *item); /* false: there is none left */

/* ---- elements */

/* Fills out with the elements of an input of the model, numel times rs_dtype_size(dtype) bytes in the
 * machine's order: what workers and scripts feed it (docs/reference/file-formats.md, "Elements of inputs"). False for
 * another tensor. */
bool rs_graph_elements(const rs_graph *g, uint32_t input, void *out);

#ifdef __cplusplus
}
#endif

#endif
