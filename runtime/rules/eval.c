#include "rulesmith.h"

/* No tensor has a negative dimension. Rules do not repeat this, since it holds for every operator. */
static bool dimensions_exist(const rs_op *op, const int64_t *s)
{
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		for (unsigned j = 0; rs_is_tensor(v->kind) && j < v->count; j++)
			if (s[v->first + j] < 0)
				return false;
	}
	return true;
}

bool rs_eval(const rs_op *op, const int64_t *s, int64_t *out)
{
	return op->valid && dimensions_exist(op, s) && op->valid(s) && op->propagate(s, out);
}
