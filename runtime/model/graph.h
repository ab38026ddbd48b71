/* A model: a graph of operator calls in SSA form (NeuRI section 4, "Fuzzer").
 *
 *   nodes    a doubly linked list in the order of execution; ids never move
 *   tensors  values: inputs of the model (producer GRAPH_NONE) and outputs of nodes
 *   uses     one a node's input: a node's are contiguous, a tensor's form a chain
 *
 *   node 2: op ── symbols ── consts            tensor 7: float32[2,3] by node 1, output 0
 *     uses 4, 5 ──► tensor 7, tensor 3           └─► use 4 (node 2) ─► use 9 (node 5)
 *     outputs: tensors 8, 9
 *
 * All is addressed by index. What has a length of its own (shapes, symbols) lies in one arena,
 * which graph_reset empties for the next model: building models one after another asks the system
 * for no memory once the largest has been seen. Every primitive costs the size of what it touches,
 * except graph_remove_unused and graph_number, which walk the graph once.
 *
 * A node's `order` grows along the list, so "does this value exist before that node" is one
 * comparison; where two neighbours leave no number between them, the list is numbered anew.
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

/* How an input lies in memory; layout.h says more, and makes them. */
typedef struct graph_layout {
	uint32_t same;	/* an earlier input, of the same shape, dtype and elements, whose very tensor this is; GRAPH_NONE: a
			   tensor of its own, of which the rest is said */
	int64_t offset; /* where the first element lies */
	int64_t strides[]; /* a dimension each */
} graph_layout;

typedef struct graph_tensor {
	const int64_t *shape; /* rank dimensions */
	const int64_t *also; /* its shapes in the further assignments, one after another; NULL: as shape in all */
	int64_t numel;
	uint32_t producer; /* a node, or GRAPH_NONE: an input of the model */
	uint32_t uses;     /* the first of its uses, or GRAPH_NONE */
	uint32_t nuses;
	uint32_t number; /* in the written model, by graph_number */
	int64_t low, high; /* an input of the model whose elements lie in low..high-1; 0, 0: no such */
	uint16_t output; /* which of the producer's outputs */
	uint8_t rank, dtype;
	uint8_t values; /* enum rs_values: the class of its elements */
	bool live; /* false once removed */
	bool kept; /* an output of the model */
	bool constant; /* an input of the model whose elements are part of it: an initializer, a buffer */
	const graph_layout *layout; /* of an input; NULL: without gaps, in the usual order, a tensor of its own */
} graph_tensor;

typedef struct graph_use {
	uint32_t tensor, node;
	uint32_t next, previous; /* uses of the same tensor */
} graph_use;

/* What a graph asks of an operator. Whoever inserts many calls finds it out once: what the table says
 * is spread over its memory, and following that takes longer than all the rest. */
typedef struct graph_form {
	uint64_t name;		/* graph_name_hash */
	const uint64_t *consts; /* nconsts: of its own constants, in preorder */
	const uint8_t *out_ranks;
	uint16_t nsym, nin, nout, nodim, nconsts;
	bool random; /* RS_RANDOM */
} graph_form;

typedef struct graph_node {
	const rs_op *op;
	const int64_t *symbols; /* nsym */
	const char *const *consts; /* each RS_CONST's text in preorder; NULL: the operator's own, and */
	const uint64_t *hashes;	   /* the graph_name_hash of each of these */
	uint64_t name_hash; /* graph_name_hash of the operator's name */
	uint64_t order;
	uint32_t inputs;  /* its first use; nin in all */
	uint32_t outputs; /* its first output tensor; nout in all */
	uint32_t previous, next;
	uint16_t nsym, nin, nout, nconsts; /* as in op */
	uint8_t function, subgraph; /* which of the model's bodies it is in, from 1; 0: none */
	bool live;
	bool random; /* by graph_number: two implementations need not agree on what it returns */
} graph_node;

/* A run of nodes that a file has as one: bodies.h says more, and makes them. */
typedef struct graph_body {
	uint8_t kind;	  /* enum body_kind */
	uint32_t control; /* an input that no node takes; GRAPH_NONE: none */
} graph_body;

typedef struct rs_graph {
	arena *arena;
	graph_tensor *tensors;
	graph_node *nodes;
	graph_use *uses;
	uint32_t ntensors, nnodes, nuses; /* handed out, dead ones included */
	uint32_t ctensors, cnodes, cuses; /* room */
	uint32_t first, last;             /* node */
	uint32_t live_nodes;
	const char *framework; /* "torch"; not owned */
	uint64_t seed, index;  /* where the model came from */
	uint64_t values;       /* seed of the inputs' values */
	bool random;	       /* some node was inserted whose operator is RS_RANDOM */
	uint32_t assignments;  /* of shapes for which the model holds, that of the tensors' `shape` first; 0: only that */
	bool near_miss;	       /* the rule of the last node refuses it, by one number */
	bool gradients; /* the gradients of its float inputs are results of it, too */
	bool module;	/* its constants are the parameters of an object that it is */
	uint8_t nbodies;
	graph_body bodies[GRAPH_BODIES_MAX];
} graph;

/* ---- create, destroy */

bool graph_init(graph *g); /* false when out of memory */
void graph_destroy(graph *g);
void graph_reset(graph *g);                    /* no nodes, no tensors; memory kept */
bool graph_copy(graph *to, const graph *from); /* to: initialised; same ids */

/* ---- build. All return GRAPH_NONE when out of memory; the graph is then as before. */

/* A new input of the model, with elements of the class RS_VALUES_SMALL in no range. */
uint32_t graph_input(graph *g, unsigned rank, const int64_t *shape, rs_dtype dtype);

typedef struct graph_call {
	const rs_op *op;
	const int64_t *symbols;    /* op->nsym */
	const uint32_t *inputs;    /* op->nin tensors */
	const char *const *consts; /* as in graph_node; the array is copied, the texts are not */
	const int64_t *out;        /* op->nodim */
	const uint8_t *out_dtypes; /* op->nout */
	const graph_form *form; /* of op, copied; NULL: to be found out */
} graph_call;

/* insert: a node before another one, at the end where that is GRAPH_NONE. Its inputs must exist
 * before that place. Symbols and shapes are copied. */
uint32_t graph_insert(graph *g, const graph_call *call, uint32_t before);

/* replace_alluse: whoever used one tensor uses the other, which must exist before the first of
 * them. The old one stays, unused; if it was an output of the model, the new one is. */
void graph_replace_alluse(graph *g, uint32_t old, uint32_t new);

/* One use of a tensor becomes one of another, which must exist before the user. */
void graph_retarget(graph *g, uint32_t use, uint32_t tensor);

/* A node whose outputs nothing takes goes to the end of the list. */
void graph_move_last(graph *g, uint32_t node);

/* remove_unused: nodes none of whose outputs is used or kept, and then the nodes and inputs that
 * only they used; what bodies are told by stays. Returns how many nodes went. */
uint32_t graph_remove_unused(graph *g);
/* One unused input; constant time. */
void graph_remove_input(graph *g, uint32_t tensor);

/* Gives an input of the model another shape of the same rank: one that a single call takes, whose rule accepts the
 * shape and says the same outputs. False: not so, or out of memory, which `failed` tells; and nothing changed. */
bool graph_reshape_input(graph *g, uint32_t tensor, const int64_t *shape, bool *failed);

void graph_keep_unused(graph *g); /* node outputs that nothing uses become the model's outputs */
/* Numbers the live tensors as they are written: inputs first, then outputs in the order of
 * execution; and marks the nodes that are random, by their operator or by what they take. Call it after
 * the last change and before a writer or graph_hash. */
void graph_number(graph *g);

/* ---- ask */

static inline uint32_t graph_node_input(const graph *g, const graph_node *n, unsigned i)
{
	return g->uses[n->inputs + i].tensor;
}

/* A tensor's shape in one of the assignments. */
static inline const int64_t *graph_shape_in(const graph_tensor *t, uint32_t assignment)
{
	return assignment && t->also ? t->also + (size_t)(assignment - 1) * t->rank : t->shape;
}

/* The dtypes of a node's inputs, then of its outputs: nin + nout, as a row of rs_op.dtypes. */
static inline void graph_row(const graph *g, const graph_node *n, uint8_t *row)
{
	for (unsigned i = 0; i < n->nin; i++)
		row[i] = g->tensors[graph_node_input(g, n, i)].dtype;
	for (unsigned i = 0; i < n->nout; i++)
		row[n->nin + i] = g->tensors[n->outputs + i].dtype;
}

/* Whether a tensor exists before a node runs (always, where node is GRAPH_NONE). */
bool graph_precedes(const graph *g, uint32_t tensor, uint32_t node);
uint32_t graph_first_user(const graph *g, uint32_t tensor); /* GRAPH_NONE: unused */
/* A node's symbols (nsym) in one of the assignments. */
void graph_symbols_in(const graph *g, const graph_node *n, uint32_t assignment, int64_t *symbols);
/* Of all that a written model says but its seeds; the same on every machine. */
uint64_t graph_hash(const graph *g);
uint64_t graph_name_hash(const char *name);
/* What it points to is the arena's or the table's. False: out of memory. */
bool graph_find_form(graph_form *f, const rs_op *op, arena *a);

/* Whether the graph is a model: SSA order, chains of uses, ranks, and each node with a rule
 * evaluated again by it, in each assignment. False and d otherwise. For tests and for what was read from a file. */
bool graph_check(const graph *g, diag *d);

#endif
