#include "bank_node.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "need.h"

void *bank_alloc(size_t bytes)
{
	void *memory = NULL;
	if (posix_memalign(&memory, _Alignof(column), bytes ? bytes : 1) != 0)
		out_of_memory(bytes);
	return memset(memory, 0, bytes);
}

void *bank_grow(void *array, size_t *capacity, size_t first, size_t size)
{
	*capacity = *capacity ? *capacity * 3 / 2 : first;
	return need(realloc(array, *capacity * size), *capacity * size);
}

int bank_threads(const bank *b)
{
	long n = b->options.threads > 0 ? b->options.threads : sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (int)n;
}

/* A table, since processors without a popcount instruction would need a loop over the bits. */
int bank_count_holes(unsigned mask)
{
#define FOUR(n) n, n + 1, n + 1, n + 2
#define SIXTEEN(n) FOUR(n), FOUR(n + 1), FOUR(n + 1), FOUR(n + 2)
	static const uint8_t COUNT[1 << HOLES] = {SIXTEEN(0), SIXTEEN(1), SIXTEEN(1), SIXTEEN(2)};
	return COUNT[mask];
}

static size_t level_size(const bank *b, unsigned mask, int ops)
{
	const node_list *list = &b->nodes[bank_count_holes(mask)];
	return list->start[ops + 1] - list->start[ops];
}

size_t bank_plan_lefts(const bank *b, plan p)
{
	return level_size(b, p.left_mask, p.left_ops);
}

size_t bank_plan_rights(const bank *b, plan p)
{
	return level_size(b, p.right_mask, p.right_ops);
}

/* ---- candidates and nodes */

const enum op PAIR_OPERATION[PAIR_OPS] = {
    [PAIR_ADD] = OP_ADD, [PAIR_MUL] = OP_MUL, [PAIR_MIN] = OP_MIN, [PAIR_MAX] = OP_MAX,
    [PAIR_SUB] = OP_SUB, [PAIR_DIV] = OP_DIV, [PAIR_MOD] = OP_MOD,
    [PAIR_SUB_BACK] = OP_SUB, [PAIR_DIV_BACK] = OP_DIV, [PAIR_MOD_BACK] = OP_MOD,
};

node bank_node_of(const bank *b, int holes, uint64_t id)
{
	if (id >> 61 == 0) /* a leaf */
		return b->nodes[holes].at[id];
	return bank_candidate_node(b, bank_candidate(b, holes, id));
}

static const node *child(const bank *b, unsigned mask, uint32_t index)
{
	return &b->nodes[bank_count_holes(mask)].at[index];
}

uint64_t bank_candidate_id(int ops, int plan, uint32_t left, uint32_t right, int op)
{
	return (uint64_t)ops << 61 | (uint64_t)plan << 49 | (uint64_t)left << 20 | (uint64_t)right << 4
	    | (uint64_t)op;
}

candidate bank_candidate(const bank *b, int holes, uint64_t id)
{
	candidate c = {.op = (enum pair_op)(id & 15)};
	c.plan = b->plans[id >> 61][holes].at[id >> 49 & (MAX_PLANS - 1)];
	c.left = (uint32_t)(id >> 20 & ((1u << 29) - 1));
	c.right = (uint32_t)(id >> 4 & 0xffff);
	c.left += (uint32_t)b->nodes[bank_count_holes(c.plan.left_mask)].start[c.plan.left_ops];
	c.right += (uint32_t)b->nodes[bank_count_holes(c.plan.right_mask)].start[c.plan.right_ops];
	return c;
}

node bank_candidate_node(const bank *b, candidate c)
{
	node n = {c.left, c.right, PAIR_OPERATION[c.op], c.plan.left_mask, c.plan.right_mask, false};
	if (c.op >= PAIR_SUB_BACK)
		n = (node){c.right, c.left, PAIR_OPERATION[c.op], c.plan.right_mask, c.plan.left_mask, false};
	n.extreme = n.op == OP_MIN || n.op == OP_MAX || child(b, c.plan.left_mask, c.left)->extreme
	    || child(b, c.plan.right_mask, c.right)->extreme;
	return n;
}

void bank_add_node(bank *b, int holes, node n)
{
	node_list *list = &b->nodes[holes];
	if (list->count == list->capacity)
		list->at = bank_grow(list->at, &list->capacity, 64, sizeof *list->at);
	list->at[list->count++] = n;
}

const expr *bank_node_expr(const bank *b, int holes, node n, expr_pool *p, const int *symbols)
{
	if (n.op == OP_CONST)
		return expr_const(p, n.left);
	if (n.op == OP_SYM)
		return expr_sym(p, symbols[0]);
	const expr *child[2];
	for (int side = 0; side < 2; side++) {
		unsigned mask = side ? n.right_mask : n.left_mask;
		int own[HOLES], count = 0;
		for (int h = 0; h < holes; h++)
			if (mask >> h & 1)
				own[count++] = symbols[h];
		node next = b->nodes[count].at[side ? n.right : n.left];
		child[side] = bank_node_expr(b, count, next, p, own);
	}
	return expr_make(p, n.op, child[0], child[1]);
}
