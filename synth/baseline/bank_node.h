/* Nodes, plans and ids: internal to the bank's files.
 *
 * For each number of holes h there is an array of nodes, the classes found so far, in levels by number of operations.
 * A node joins two smaller ones. Each child has its own holes □1…; its mask gives the node's holes that these are, in
 * order: with mask 101 the child's □2 is the node's □3.
 *
 *   nodes[3]: … | (□1 + □3) // □2: op DIV, left: nodes[2][i] is □1 + □2, mask 101; right: □1, mask 010
 *
 * A plan distributes holes and operations over two children; the left one never has fewer operations. A candidate is a
 * plan, two nodes that fit it, and one of ten operations on an unordered pair. Its id packs these, so that ids are in
 * the order of enumeration:
 *
 *   | operations 3 | plan 12 | left node 29 | right node 16 | pair operation 4 |
 */
#ifndef BANK_NODE_H
#define BANK_NODE_H

#include "bank_column.h"
#include "bank_options.h"
#include "bank_table.h"
#include "expr.h"

enum { HOLES = BANK_MAX_HOLES, LEVELS = BANK_MAX_OPS + 1, MAX_PLANS = 1 << 12, PROVED_OPS = 2, MAX_THREADS = 64 };

typedef struct node {
	uint32_t left, right; /* index in nodes[holes of the mask]; leaf: left is the constant, 0: a hole */
	uint8_t op, left_mask, right_mask;
	bool extreme; /* contains a min or max */
} node;

typedef struct node_list {
	node *at;
	size_t count, capacity;
	size_t start[LEVELS + 1]; /* start of each level, then the end of the last */
	uint64_t classes[LEVELS]; /* also of a last level that is only counted */
} node_list;

typedef struct plan {
	uint8_t left_ops, right_ops, left_mask, right_mask;
} plan;

typedef struct plan_list {
	plan *at;
	int count;
} plan_list;

/* A merge sampled for the audit: those with the smallest priorities are kept. */
typedef struct sampled_merge {
	uint64_t priority, id, kept;
	int holes;
} sampled_merge;

typedef struct audit_sample {
	sampled_merge *at; /* a heap, the largest priority first */
	int count, capacity;
} audit_sample;

struct bank {
	bank_options options;
	node_list nodes[HOLES + 1];
	bank_table tables[HOLES + 1];
	plan_list plans[LEVELS][HOLES + 1];
	column holes[BLOCKS][HOLES], constants[2];
	const column_kernels *kernels;
	audit_sample samples;
	uint64_t evaluated;
	size_t most_bytes;
	bank_proofs proofs;
};

typedef struct candidate {
	plan plan;
	uint32_t left, right;
	enum pair_op op;
} candidate;

/* Zeroed and aligned for columns; ends the process if memory runs out. */
void *bank_alloc(size_t bytes);
void *bank_grow(void *array, size_t *capacity, size_t first, size_t size); /* by half */
int bank_threads(const bank *b);
int bank_count_holes(unsigned mask);

size_t bank_plan_lefts(const bank *b, plan p);
size_t bank_plan_rights(const bank *b, plan p);

extern const enum op PAIR_OPERATION[PAIR_OPS]; /* the operation of each pair operation, in either order */

uint64_t bank_candidate_id(int ops, int plan, uint32_t left, uint32_t right, int op);
candidate bank_candidate(const bank *b, int holes, uint64_t id);
node bank_candidate_node(const bank *b, candidate c);
node bank_node_of(const bank *b, int holes, uint64_t id); /* id: also that of a leaf */
void bank_add_node(bank *b, int holes, node n);
const expr *bank_node_expr(const bank *b, int holes, node n, expr_pool *p, const int *symbols);

#endif
