/* Models: graphs of operator calls in SSA form. These functions read, walk, check and write them; rulesmith.h generates them.
 *
 *     for (uint32_t n = rs_graph_first(g); n != RS_NONE; n = rs_graph_next(g, n)) {
 *             const rs_op *op = rs_graph_op(g, n);
 *             rs_walk w = rs_graph_walk(g, n);
 *             for (unsigned i = 0; i < op->nargs; i++)
 *                     print(op->args[i].name, &w);  // calls rs_walk_next, again for each item of a list
 *             rs_tensor t = rs_graph_tensor(g, rs_graph_output(g, n, 0));
 *             …
 *     }
 *
 * Nodes and tensors are handles, valid until the model is read or generated again. A tensor's `number` is its id in files.
 */
#ifndef RS_MODEL_H
#define RS_MODEL_H

#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RS_NONE UINT32_MAX /* no node, no tensor */

/* Owned by the caller. Reusing one graph for many models allocates memory only for larger models. One thread at a time. */
typedef struct rs_graph rs_graph;

rs_graph *rs_graph_new(void);	  /* NULL: out of memory */
void rs_graph_free(rs_graph *g); /* accepts NULL */

/* ---- files */

/* Reads a model from a line of JSON (docs/reference/file-formats.md); the old content of g is lost. Signatures are looked up in lib by
 * name; lib must outlive the model. A signature that lib (which may be NULL) lacks, or has with other arguments, is made from
 * the text and has no rule. False and a message (at most `room` bytes) if the text is not a model; g is then empty. */
bool rs_graph_read(rs_graph *g, const char *json, const rs_library *lib, char *message, size_t room);

/* The model as one line of JSON, or as a Python script. Free the string with free(). NULL: out of memory, or the framework has no
 * scripts. */
char *rs_graph_json(const rs_graph *g);
char *rs_graph_python(const rs_graph *g);
/* The model as an ONNX file of *size bytes; free it with free(). NULL and a message (at most `room` bytes) if memory runs out or
 * ONNX cannot express the model: it is of another framework or has superseded operators. */
void *rs_graph_onnx(const rs_graph *g, size_t *size, char *message, size_t room);

/* ---- the whole */

/* Checks a model: each node uses earlier tensors only, and its rule, if it has one, accepts the call and predicts the output
 * shapes. False and a message (at most `room` bytes) otherwise. */
bool rs_graph_check(const rs_graph *g, char *message, size_t room);

uint32_t rs_graph_nodes(const rs_graph *g);
uint64_t rs_graph_hash(const rs_graph *g); /* hash of the content; the same on every machine */
const char *rs_graph_framework(const rs_graph *g); /* "" before the first model */
uint64_t rs_graph_seed(const rs_graph *g); /* seed and index: how it was generated */
uint64_t rs_graph_index(const rs_graph *g);
bool rs_graph_gradients(const rs_graph *g); /* whether gradients of its float inputs are results, too */
bool rs_graph_module(const rs_graph *g);    /* whether it is a module whose parameters are the constants */
unsigned rs_graph_opset(const rs_graph *g); /* the operator set of its file; 0: the oldest that has all of its calls */
uint64_t rs_graph_values(const rs_graph *g); /* the seed of the elements of its inputs */

/* ---- tensors */

typedef struct rs_tensor {
	const int64_t *shape; /* rank dimensions; owned by the model */
	int64_t numel;
	int64_t low, high; /* an input whose elements are integers in low … high - 1; 0 and 0: no bounds */
	uint32_t number;   /* in files: inputs first, then outputs in the order of execution */
	uint32_t producer; /* the node that computes it; RS_NONE: an input of the model */
	uint16_t output;   /* the index among the producer's outputs */
	uint8_t rank;
	uint8_t dtype;	/* rs_dtype */
	uint8_t values; /* enum rs_values: the class of its elements */
	bool result;	/* an output of the model */
	bool random;	/* computed by a random node: rs_graph_random */
	bool constant;	/* an input whose elements (rs_graph_elements) are part of the model */
	const int64_t *strides; /* an input that is not contiguous: rank strides in elements; NULL: contiguous */
	int64_t offset;		/* the offset of its first element, in elements */
	uint32_t same;		/* an earlier input that this one is an alias of; RS_NONE: no alias */
} rs_tensor;

rs_tensor rs_graph_tensor(const rs_graph *g, uint32_t tensor);

/* The inputs of a model (constants included) and its results, in the order of their numbers. Returns the one after `after`, the
 * first if `after` is RS_NONE, and RS_NONE behind the last. */
uint32_t rs_graph_next_input(const rs_graph *g, uint32_t after);
uint32_t rs_graph_next_result(const rs_graph *g, uint32_t after);

/* ---- nodes, in the order of execution */

uint32_t rs_graph_first(const rs_graph *g); /* RS_NONE: the model is empty */
uint32_t rs_graph_next(const rs_graph *g, uint32_t node);

const rs_op *rs_graph_op(const rs_graph *g, uint32_t node);
const int64_t *rs_graph_symbols(const rs_graph *g, uint32_t node); /* op->nsym of them */
uint32_t rs_graph_input(const rs_graph *g, uint32_t node, unsigned i);	/* i < op->nin */
uint32_t rs_graph_output(const rs_graph *g, uint32_t node, unsigned i); /* i < op->nout */
/* Whether two implementations may return different elements: the operator is random (RS_RANDOM), or an input of the node is
 * the result of a random node. Exclude such outputs from comparisons. */
bool rs_graph_random(const rs_graph *g, uint32_t node);

/* ---- the values of a node's arguments */

/* One value of an argument; fields of other kinds are unspecified. The items of a list follow it, each with its own items;
 * RS_ELEMENTS is followed by one value. */
typedef struct rs_item {
	uint8_t kind;	 /* enum rs_kind; RS_RANGED is reported as RS_TENSOR */
	uint8_t dtype;	 /* RS_ELEMENTS: the dtype of the tensor */
	bool copy;	 /* RS_TENSOR: the call gets a contiguous copy */
	uint16_t count;	 /* RS_LIST: number of items */
	uint32_t tensor; /* RS_TENSOR */
	int64_t number;	 /* RS_INT */
	const char *text; /* RS_CONST: a Python literal */
} rs_item;

/* A position among the values of a node, in the order of its arguments. op->args[i] names the i-th value that is not an item of
 * another one. */
typedef struct rs_walk {
	const rs_graph *graph;
	uint32_t node;
	unsigned value, input, constant; /* the index of the next of each */
} rs_walk;

rs_walk rs_graph_walk(const rs_graph *g, uint32_t node);
bool rs_walk_next(rs_walk *w, rs_item *item); /* false: no value is left */

/* ---- elements */

/* Writes the elements of an input of the model to out: numel * rs_dtype_size(dtype) bytes in native byte order, the same that
 * workers and scripts use (docs/reference/file-formats.md, "Elements of inputs"). False: the tensor is not an input. */
bool rs_graph_elements(const rs_graph *g, uint32_t input, void *out);

#ifdef __cplusplus
}
#endif

#endif
