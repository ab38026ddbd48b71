#include "lists.h"

enum {
	LAST = 2,    /* maximum dimensions that keep their numbers */
	EQUAL = 3,   /* maximum number that all of these get */
	EQUAL_ONE_IN = 2,
};

/* Whether a record without empty tensors has 0 in this place. A rule may be wrong about numbers that no record has, such as 0 in
 * the shape of a Reshape. */
static bool may_be_zero(const index_op *o, unsigned symbol)
{
	bool found = false;
	for (unsigned i = 0; i < o->nfull && !found; i++)
		found = index_record(o, i)[symbol] == 0;
	return found;
}

/* Whether a value is a list of at least two numbers, none of them fixed. */
static bool is_list(const rs_value *v, const uint8_t *fixed)
{
	if (v->kind != RS_LIST || v->count < 2)
		return false;
	for (unsigned i = 1; i <= v->count; i++)
		if (v[i].kind != RS_INT || v[i].first != v[1].first + i - 1 || fixed[v[i].first])
			return false;
	return true;
}

unsigned lists_find(const index_op *o, unsigned value, const uint8_t *fixed, unsigned *first, unsigned *count)
{
	const rs_value *v = o->op->values;
	*count = 0;
	for (; value < o->op->nvalues && !*count; value++)
		if (is_list(&v[value], fixed)) {
			*first = v[value + 1].first;
			*count = v[value].count;
		}
	return value;
}

/* The list has one number for each dimension, or two; then all first numbers precede all second ones. */
void lists_simplify(const index_op *o, int64_t *v, unsigned first, unsigned count, rng *r)
{
	unsigned sides = count % 2 ? 1 : 2, each = count / sides;
	unsigned kept = 1 + rng_below(r, each < LAST ? each : LAST);
	int64_t equal = rng_below(r, EQUAL_ONE_IN) ? 0 : 1 + (int64_t)rng_below(r, EQUAL);
	for (unsigned i = 0; i < count; i++) {
		int64_t *number = &v[first + i], size = *number < 0 ? -*number : *number;
		bool last = i % each + kept >= each;
		if (last || may_be_zero(o, first + i))
			*number = !last ? 0 : equal ? equal : size;
	}
}
