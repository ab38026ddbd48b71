/* A model: a graph of operator calls in SSA form (NeuRI, section 4).
 *
 *   nodes    a doubly linked list in the order of execution; ids never change
 *   tensors  values: inputs of the model (producer GRAPH_NONE) and outputs of nodes
 *   uses     one per input of a node: those of a node are contiguous, those of a tensor form a chain
 *
 *   node 2: op ── symbols ── consts            tensor 7: float32[2,3] by node 1, output 0
 *     uses 4, 5 ──► tensor 7, tensor 3           └─► use 4 (node 2) ─► use 9 (node 5)
 *     outputs: tensors 8, 9
 *
 * All references are indices. Arrays of variable length (shapes, symbols) are in one arena, which graph_reset empties for
 * the next model: building many models needs no new memory once the largest has been built. Each primitive takes time
 * proportional to the data it touches; graph_remove_unused and graph_number walk the graph once.
 *
 * The `order` of nodes grows along the list, so "does this value exist before that node" is one comparison. If there is no gap
 * left between two neighbours, the list is renumbered.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"
#include "rulesmith.h"

#define GRAPH_NONE RS_NONE
#define GRAPH_RANK_MAX 255
#define GRAPH_ASSIGNMENTS_MAX 16
#define GRAPH_BODIES_MAX 8
#define GRAPH_SETTINGS_MAX 8

/* The memory layout of an input; see layout.h. */
typedef struct graph_layout {
	uint32_t same;	/* an earlier input with the same shape, dtype and elements that this one is an alias of; GRAPH_NONE: no alias */
	int64_t offset; /* offset of the first element, in elements */
	int64_t strides[]; /* one per dimension, in elements */
} graph_layout;

typedef struct graph_tensor {
	const int64_t *shape; /* rank dimensions */
	const int64_t *also; /* the shapes in the further shape instances, one after another; NULL: `shape` in all */
	int64_t numel;
	uint32_t producer; /* a node, or GRAPH_NONE: an input of the model */
	uint32_t uses;     /* the first use, or GRAPH_NONE */
	uint32_t nuses;
	uint32_t number; /* id in written models, set by graph_number */
	int64_t low, high; /* an input whose elements lie in low..high-1; 0, 0: no bounds */
	uint32_t divisor; /* of a float input with bounds: its elements are these integers divided by it; 0: by 1 */
	uint16_t output; /* index among the producer's outputs */
	uint8_t rank, dtype;
	uint8_t values; /* enum rs_values: the class of the elements */
	bool live; /* false once removed */
	bool kept; /* an output of the model */
	bool constant; /* an input whose elements are part of the model: an initializer, a buffer */
	const graph_layout *layout; /* of an input; NULL: contiguous, no alias */
} graph_tensor;

typedef struct graph_use {
	uint32_t tensor, node;
	uint32_t next, previous; /* uses of the same tensor */
} graph_use;

/* Data about a signature that the graph needs. Callers that insert many calls compute it once: the data is spread over the
 * table's memory, and reading it takes longer than the rest. */
typedef struct graph_form {
	uint64_t name;		/* graph_name_hash */
	const uint64_t *consts; /* nconsts hashes of its own constants, in preorder */
	const uint8_t *out_ranks;
	uint16_t nsym, nin, nout, nodim, nconsts;
	bool random; /* RS_RANDOM */
} graph_form;

typedef struct graph_node {
	const rs_op *op;
	const int64_t *symbols; /* nsym */
	const char *const *consts; /* the text of each RS_CONST in preorder; NULL: the signature's own */
	const uint64_t *hashes;	   /* the graph_name_hash of each of these */
	uint64_t name_hash; /* graph_name_hash of the signature's name */
	uint64_t order;
	uint32_t inputs;  /* the first use; nin in all */
	uint32_t outputs; /* the first output tensor; nout in all */
	uint32_t previous, next;
	uint16_t nsym, nin, nout, nconsts; /* as in op */
	uint8_t function, subgraph; /* number of its innermost body, from 1; 0: none */
	bool live;
	bool direct; /* operands that the signature writes to, or needs dense, are the tensors themselves: no copies (effects.h) */
	bool random; /* set by graph_number: two implementations may return different elements */
} graph_node;

/* A group of nodes that a file turns into one; see bodies.h. */
typedef struct graph_body {
	uint8_t kind;	  /* enum body_kind */
	uint8_t constants; /* enum body_constants */
	uint8_t form;	  /* enum body_form */
	uint8_t parent;	  /* number of the subgraph that this subgraph is in, from 1; 0: none */
	uint8_t trips;	  /* of a scan */
	int8_t axis;	  /* of a scan: modulo rank + 1 */
	bool reverse;	  /* of a scan: from the last slice on */
	uint32_t control; /* its control, an input that no node uses; GRAPH_NONE: none */
} graph_body;

/* A change to an argument of the last call that frameworks mostly reject; see generate/call/change.h. */
enum change_kind { CHANGE_NONE, CHANGE_NUMBER, CHANGE_DTYPE, CHANGE_RANK, CHANGE_ELEMENTS, CHANGE_MISSING, CHANGE_KINDS };

typedef struct graph_change {
	uint8_t kind; /* enum change_kind */
	unsigned item;	      /* index among the tensors of the argument; of CHANGE_NUMBER: among its constant numbers */
	const char *argument; /* its name; not owned */
	const char *to;	      /* not owned */
} graph_change;

const char *graph_change_name(uint8_t kind); /* in a model's JSON: "dtype"; "" for CHANGE_NONE */

/* A setting of the target; see settings.h. */
typedef struct graph_setting {
	const char *name, *value;
} graph_setting;

/* An item of a session; see sessions.h. */
typedef struct graph_session_item {
	const char *name;
	uint16_t pick;
} graph_session_item;

#define GRAPH_SESSION_MAX 8
typedef struct graph_session {
	uint8_t n;
	graph_session_item items[GRAPH_SESSION_MAX];
} graph_session;

typedef struct rs_graph {
	arena *arena;
	graph_tensor *tensors;
	graph_node *nodes;
	graph_use *uses;
	uint32_t ntensors, nnodes, nuses; /* ids in use, including removed ones */
	uint32_t ctensors, cnodes, cuses; /* capacity */
	uint32_t first, last;             /* node */
	uint32_t live_nodes;
	const char *framework; /* such as "torch"; not owned */
	uint64_t seed, index;  /* how the model was generated */
	uint64_t values;       /* seed of the elements of its inputs */
	bool random;	       /* a node with RS_RANDOM was inserted */
	uint32_t assignments;  /* number of shape instances, the one in `shape` included; 0: only that one */
	bool near_miss;	       /* invalid model: the last call violates one constraint */
	graph_change change;   /* of an invalid model: how its last call changes, if not by its numbers */
	bool gradients; /* the gradients of its float inputs are results, too */
	bool module;	/* the model is a module whose parameters are the constants */
	uint8_t opset; /* the operator set of its file; 0: the oldest one that has all of its calls */
	uint8_t nbodies;
	graph_body bodies[GRAPH_BODIES_MAX];
	uint8_t nsettings;
	graph_setting settings[GRAPH_SETTINGS_MAX];
	graph_session session[2]; /* by enum session_list */
} graph;

/* ---- create, destroy */

bool graph_init(graph *g); /* false: out of memory */
void graph_destroy(graph *g);
void graph_reset(graph *g);                    /* removes nodes and tensors; keeps memory */
bool graph_copy(graph *to, const graph *from); /* `to` must be initialized; ids stay the same */

/* ---- build. All return GRAPH_NONE when out of memory; the graph is then as before. */

/* A new input with elements of class RS_VALUES_SMALL and no range. */
uint32_t graph_input(graph *g, unsigned rank, const int64_t *shape, rs_dtype dtype);

typedef struct graph_call {
	const rs_op *op;
	const int64_t *symbols;    /* op->nsym */
	const uint32_t *inputs;    /* op->nin tensors */
	const char *const *consts; /* as in graph_node; the array is copied, the texts are not */
	const int64_t *out;        /* op->nodim */
	const uint8_t *out_dtypes; /* op->nout */
	const graph_form *form; /* data about op, copied; NULL: to be computed */
} graph_call;

/* insert: adds a node before another one, or at the end (GRAPH_NONE). Its inputs must exist before that place. Symbols and
 * shapes are copied. */
uint32_t graph_insert(graph *g, const graph_call *call, uint32_t before);

/* replace_alluse: replaces a tensor by another one in all uses; the other must exist before the first use. The old tensor
 * stays, unused; if it was a result of the model, the new one becomes it. */
void graph_replace_alluse(graph *g, uint32_t old, uint32_t new);
/* replace_node: inserts a call before a node, with results of the same dtypes and shapes, in the same bodies, and replaces the
 * node's results by them. `call` needs no out and out_dtypes. The node stays, unused. GRAPH_NONE: out of memory. */
uint32_t graph_replace_node(graph *g, uint32_t node, graph_call call);

/* Replaces a tensor in one use; the new tensor must exist before the user. */
void graph_retarget(graph *g, uint32_t use, uint32_t tensor);

/* Moves a node whose outputs are unused to the end of the list. */
void graph_move_last(graph *g, uint32_t node);

/* remove_unused: removes nodes whose outputs are neither used nor kept, then the nodes and inputs that only they used.
 * Controls of bodies stay. Returns the number of removed nodes. For models whose calls write to memory: effects_remove_unused. */
uint32_t graph_remove_unused(graph *g);
void graph_remove_unused_inputs(graph *g);
void graph_remove_node(graph *g, uint32_t node); /* nothing may use its outputs */
/* Removes one unused input in constant time. */
void graph_remove_input(graph *g, uint32_t tensor);

/* Gives an input another shape of the same rank. It must have one use, in a call whose rule accepts the shape and predicts
 * the same outputs. False: it does not, or out of memory (`failed` is set); nothing changed. */
bool graph_reshape_input(graph *g, uint32_t tensor, const int64_t *shape, bool *failed);

void graph_keep_unused(graph *g); /* makes unused outputs of nodes the results of the model */
/* Numbers the live tensors: inputs first, then outputs in the order of execution; and marks random nodes. Call it after the
 * last change, before a writer or graph_hash. */
void graph_number(graph *g);

/* ---- ask */

static inline uint32_t graph_node_input(const graph *g, const graph_node *n, unsigned i)
{
	return g->uses[n->inputs + i].tensor;
}

/* The shape of a tensor in a shape instance. */
static inline const int64_t *graph_shape_in(const graph_tensor *t, uint32_t assignment)
{
	return assignment && t->also ? t->also + (size_t)(assignment - 1) * t->rank : t->shape;
}
/* Whether a dimension has several sizes. */
static inline bool graph_varies(const graph *g, const graph_tensor *t, unsigned axis)
{
	for (uint32_t i = 1; t->also && i < g->assignments; i++)
		if (graph_shape_in(t, i)[axis] != t->shape[axis])
			return true;
	return false;
}

enum { GRAPH_ROW_MAX = UINT8_MAX };

/* Whether a row has room for the dtypes of a node. */
static inline bool graph_has_row(const graph_node *n)
{
	return (unsigned)n->nin + n->nout <= GRAPH_ROW_MAX;
}

/* The dtypes of a node's inputs, then outputs: nin + nout, like a row of rs_op.dtypes. */
static inline void graph_row(const graph *g, const graph_node *n, uint8_t *row)
{
	for (unsigned i = 0; i < n->nin; i++)
		row[i] = g->tensors[graph_node_input(g, n, i)].dtype;
	for (unsigned i = 0; i < n->nout; i++)
		row[n->nin + i] = g->tensors[n->outputs + i].dtype;
}

/* Whether a tensor exists before a node runs; always true for GRAPH_NONE. */
bool graph_precedes(const graph *g, uint32_t tensor, uint32_t node);
uint32_t graph_first_user(const graph *g, uint32_t tensor); /* GRAPH_NONE: unused */
/* The number of values in the tree that begins at a value of a signature. */
static inline unsigned graph_value_size(const rs_value *v)
{
	unsigned n = 0;
	for (unsigned left = 1; left; left--, n++)
		left += v[n].kind == RS_LIST ? v[n].count : v[n].kind == RS_ELEMENTS;
	return n;
}
/* The value of a signature that is its input-th tensor; NULL: it has fewer. */
const rs_value *graph_input_value(const rs_op *op, unsigned input);
/* The value of a signature's argument; NULL: it has no argument of that name. */
const rs_value *graph_argument(const rs_op *op, const char *name);
/* Whether calls of a signature bound the elements of an input, and whether a call bounds those of a tensor. */
bool graph_has_ranges(const rs_op *op);
bool graph_is_ranged(const graph *g, uint32_t tensor);
/* The symbols of a node (nsym) in a shape instance. */
void graph_symbols_in(const graph *g, const graph_node *n, uint32_t assignment, int64_t *symbols);
/* Hash of all content of a written model except its seeds; the same on every machine. */
uint64_t graph_hash(const graph *g);
uint64_t graph_name_hash(const char *name);
/* The result points into the arena or the table. False: out of memory. */
bool graph_find_form(graph_form *f, const rs_op *op, arena *a);

/* Checks a graph: SSA order, chains of uses, ranks, and each node by its rule in each shape instance. False and d
 * otherwise. For tests and for models read from files. */
bool graph_check(const graph *g, diag *d);

#endif
