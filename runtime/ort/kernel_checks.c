#include "kernel_checks.h"

#include "elements.h"
#include "op_versions.h"
#include "write_onnx.h"

/* Whether a newer version of the operator exists. */
static bool is_old(const char *api)
{
	int newest = op_newest_set(api);
	return newest > 0 && newest < OP_SET_LAST;
}

bool kernel_checks_due(kernel_checks *k, const graph_node *n)
{
	if (!n->live || n->random || !is_old(n->op->api))
		return false;
	uint32_t met = ++k->met[graph_name_hash(n->op->name) % KERNEL_CHECKS_SLOTS];
	bool due = (met <= KERNEL_CHECKS_FIRST || (met & (met - 1)) == 0) && (uint64_t)k->chosen * KERNEL_CHECKS_ONE_IN < k->models;
	k->chosen += due;
	return due;
}

static const engine_port *find_port(const engine_ports *p, const graph_tensor *t)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].tensor == t)
			return &p->list[i];
	return NULL;
}

/* The operands and results of a call; the data of the results are those of the run. */
static bool find_operands(const graph *g, const graph_node *n, const engine_ports *inputs, const engine_ports *made,
    engine_ports *fed, engine_ports *results, arena *scratch)
{
	fed->list = ARENA_ARRAY(scratch, engine_port, n->nin + (size_t)1);
	results->list = ARENA_ARRAY(scratch, engine_port, n->nout + (size_t)1);
	if (!fed->list || !results->list)
		return false;
	for (unsigned i = 0; i < n->nin; i++) {
		const graph_tensor *t = &g->tensors[graph_node_input(g, n, i)];
		const engine_port *from = find_port(inputs, t);
		from = from ? from : find_port(made, t);
		if (from && !find_port(fed, t))
			fed->list[fed->count++] = (engine_port){.name = from->name, .tensor = t, .data = from->data};
	}
	for (unsigned i = 0; i < n->nout; i++) {
		const engine_port *of = find_port(made, &g->tensors[n->outputs + i]);
		if (of)
			results->list[results->count++] = (engine_port){.name = of->name, .tensor = of->tensor};
	}
	return true;
}

static bool same_results(const engine_ports *results, const engine_ports *made)
{
	for (size_t i = 0; i < results->count; i++) {
		const graph_tensor *t = results->list[i].tensor;
		if (!elements_same(t->dtype, (size_t)t->numel, results->list[i].data, find_port(made, t)->data))
			return false;
	}
	return true;
}

/* Whether the newest version of a call returns the same, or rejects it. */
static bool newest_agrees(engine *e, const graph *g, uint32_t node, const engine_ports *inputs, const engine_ports *made, arena *scratch, diag *d)
{
	buf file = {0};
	engine_ports fed = {0}, results = {0};
	diag why = {""};
	if (!diag_memory(d, find_operands(g, &g->nodes[node], inputs, made, &fed, &results, scratch)))
		return false;
	ort_session *session = graph_write_onnx_newest(g, node, e->limits, scratch, &file, &why)
				   ? engine_load(e, &file, false, NULL, NULL, &why)
				   : NULL;
	buf_free(&file);
	bool same = session && engine_run(e, session, &fed, &results, scratch, &why) && same_results(&results, made);
	bool differs = !same && results.count > 0 && results.list[0].value; /* it ran */
	engine_forget(e, &results);
	engine_unload(e, session);
	return !differs || diag_set(d, "the newest version of %s differs", g->nodes[node].op->api);
}

bool kernel_checks_run(
    kernel_checks *k, engine *e, const graph *g, const engine_ports *inputs, const engine_ports *made, arena *scratch, diag *d)
{
	k->models++;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (kernel_checks_due(k, &g->nodes[i]) && !newest_agrees(e, g, i, inputs, made, scratch, d))
			return false;
	return true;
}
