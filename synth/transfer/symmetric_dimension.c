#include "symmetric_dimension.h"

/* The symbol at position `to` from the right if i is at position `from`, and vice versa; i itself if it is at neither; -1 if
 * there is none. */
static int exchanged_symbol(const operator *op, int i, int from, int to)
{
	const role *r = &op->roles[i];
	int right = r->len - 1 - r->pos, wanted = right == from ? to : right == to ? from : right;
	if ((r->kind != ROLE_DIM && r->kind != ROLE_ITEM) || r->len < 2 || wanted == right)
		return i;
	return wanted < r->len ? i + right - wanted : -1;
}

static const expr *exchange_dimensions(solver *s, const expr *e, int from, int to)
{
	const operator *op = s->op;
	bool *used = ARENA_ARRAY(s->scratch, bool, op->nsym + 1);
	int *map = ARENA_ARRAY(s->scratch, int, op->nsym + 1);
	expr_mark_syms(e, used);
	for (int i = 0; i < op->nsym; i++) {
		map[i] = used[i] ? exchanged_symbol(op, i, from, to) : i;
		if (map[i] < 0)
			return NULL;
	}
	return expr_copy(s->pool, e, map);
}

const expr *symmetric_dimension_search(solver *s, int d)
{
	const operator *op = s->op;
	int to = op->out_rank[d] - 1 - op->out_pos[d];
	for (int k = 0; k < op->nodim; k++) {
		const expr *e = s->rule->out[k];
		if (k == d || !e || op->out_tensor[k] != op->out_tensor[d])
			continue;
		const expr *other = exchange_dimensions(s, e, op->out_rank[k] - 1 - op->out_pos[k], to);
		if (!other || other == e || !solver_output_holds(op, d, other))
			continue;
		solver_log(s, "  symmetric: ", other, "  (output %d, dimension %d, of dimension %d)", op->out_tensor[d], op->out_pos[d], op->out_pos[k]);
		return other;
	}
	return NULL;
}
