/* Skipped candidates. With A the child of more operations and B the other:
 *   A + (b1 + b2) and likewise * min max: equals (A + b1) + b2          associativity
 *   A + (b1 - b2), A - (b1 + b2), A - (b1 - b2), B - (a1 + a2), B - (a1 - a2): likewise
 * The replacement has a smaller second operand or fewer operations, so replacing ends and one candidate of each class is
 * evaluated. It never joins two constants, since a child with an operation has a hole. bank_prove_schemes proves each
 * rewrite, and the tests compare with an enumeration without skips.
 */
#include "bank_visit.h"

#include <stdlib.h>

#include "bank_program.h"

/* ---- plans */

/* Whether masks and operations are a valid plan. If both children have equal size, each unordered pair of masks
 * counts once. */
static bool plan_fits(const bank *b, plan p, int holes)
{
	unsigned all = (1u << holes) - 1;
	if ((p.left_mask | p.right_mask) != all)
		return false;
	if (b->options.rarity != RARE_NONE && (p.left_mask & p.right_mask))
		return false;
	if (p.left_ops == p.right_ops && p.left_mask < p.right_mask)
		return false;
	return bank_plan_lefts(b, p) && bank_plan_rights(b, p);
}

void bank_make_plans(bank *b, int ops, int holes)
{
	plan_list *list = &b->plans[ops][holes];
	list->at = bank_alloc(MAX_PLANS * sizeof *list->at);
	unsigned masks = 1u << holes;
	for (int right_ops = 0; 2 * right_ops <= ops - 1; right_ops++)
		for (unsigned pair = 0; pair < masks * masks; pair++) {
			plan p = {.left_ops = (uint8_t)(ops - 1 - right_ops), .right_ops = (uint8_t)right_ops,
			    .left_mask = (uint8_t)(pair / masks), .right_mask = (uint8_t)(pair % masks)};
			if (plan_fits(b, p, holes))
				list->at[list->count++] = p;
		}
}

size_t bank_plan_candidates(const bank *b, plan p)
{
	return bank_plan_lefts(b, p) * bank_plan_rights(b, p) * PAIR_OPS;
}

/* ---- skips */

static bool is_sum(int op)
{
	return op == OP_ADD || op == OP_SUB;
}

/* Whether the candidate can be skipped, because another one is equal. The left child is the larger one. */
static bool is_redundant(const node *left, const node *right, enum pair_op op)
{
	switch ((int)op) {
	case PAIR_ADD:
	case PAIR_SUB:
		return is_sum(right->op);
	case PAIR_MUL:
	case PAIR_MIN:
	case PAIR_MAX:
		return right->op == PAIR_OPERATION[op];
	case PAIR_SUB_BACK:
		return is_sum(left->op);
	default:
		return false;
	}
}

/* What the published figures exclude beyond the paper's text: a second min or max; constants other than in x + c, x
 * - c, 2*x, x//2, min and max. A constant is always the right child. */
static bool is_rare(const node *left, const node *right, enum pair_op op)
{
	bool extreme = op == PAIR_MIN || op == PAIR_MAX;
	if (left->extreme + right->extreme + extreme > 1)
		return true;
	if (right->op != OP_CONST)
		return false;
	if (op == PAIR_MUL || op == PAIR_DIV)
		return right->left != 2;
	return !(extreme || op == PAIR_ADD || op == PAIR_SUB);
}

/* The operations to evaluate on a pair, as bits. */
static unsigned wanted_ops(const bank *b, const node *left, const node *right)
{
	unsigned wanted = 0;
	for (int op = 0; op < PAIR_OPS; op++) {
		bool redundant = !b->options.no_skips && is_redundant(left, right, op);
		bool rare = b->options.rarity == RARE_PUBLISHED && is_rare(left, right, op);
		wanted |= (unsigned)!(redundant || rare) << op;
	}
	return wanted;
}

static void fill_column(const bank *b, unsigned mask, const node *n, column *out)
{
	program p = {0};
	column results[MAX_STEPS];
	int value = bank_compile(b, mask, n, &p);
	bank_run(b, &p, 0, results);
	*out = *bank_value(b, 0, results, value);
}

column *bank_right_columns(const bank *b, plan p)
{
	const node_list *list = &b->nodes[bank_count_holes(p.right_mask)];
	size_t n = bank_plan_rights(b, p);
	column *columns = bank_alloc(n * sizeof *columns);
	for (size_t i = 0; i < n; i++)
		fill_column(b, p.right_mask, &list->at[list->start[p.right_ops] + i], &columns[i]);
	return columns;
}

void bank_visit_candidates(const bank *b, int ops, int holes, int index, const column *right_columns,
    uint32_t begin, uint32_t end, bank_visit *visit, void *context)
{
	plan p = b->plans[ops][holes].at[index];
	const node_list *lefts = &b->nodes[bank_count_holes(p.left_mask)];
	const node_list *rights = &b->nodes[bank_count_holes(p.right_mask)];
	uint32_t n_right = (uint32_t)bank_plan_rights(b, p);
	size_t left_start = lefts->start[p.left_ops], right_start = rights->start[p.right_ops];
	bool same = p.left_ops == p.right_ops && p.left_mask == p.right_mask;
	for (uint32_t i = begin; i < end; i++) {
		column column_of_left;
		node left = lefts->at[left_start + i]; /* a copy: visit may add nodes and move the list */
		fill_column(b, p.left_mask, &left, &column_of_left);
		for (uint32_t j = 0; j < (same ? i + 1 : n_right); j++) {
			uint64_t fingerprints[PAIR_OPS];
			unsigned wanted = wanted_ops(b, &left, &rights->at[right_start + j]);
			b->kernels->fingerprints(&column_of_left, &right_columns[j], wanted, fingerprints);
			for (int op = 0; op < PAIR_OPS; op++)
				if (wanted >> op & 1)
					visit(context, bank_candidate_id(ops, index, i, j, op), fingerprints[op]);
		}
	}
}
