#include "kernel_checks.h"

#include "op_versions.h"

/* Whether a newer version of the operator exists. */
static bool is_old(const char *api)
{
	int newest = op_newest_set(api);
	return newest > 0 && newest < OP_SET_LAST;
}

bool kernel_checks_choose(kernel_checks *k, const graph *model)
{
	bool due = false;
	if ((uint64_t)k->chosen * KERNEL_CHECKS_ONE_IN > k->models++)
		return false;
	for (uint32_t i = model->first; i != GRAPH_NONE; i = model->nodes[i].next) {
		const graph_node *n = &model->nodes[i];
		if (!n->live || !is_old(n->op->api))
			continue;
		uint32_t met = ++k->met[graph_name_hash(n->op->name) % KERNEL_CHECKS_SLOTS];
		due |= met <= KERNEL_CHECKS_FIRST || (met & (met - 1)) == 0;
	}
	k->chosen += due;
	return due;
}
