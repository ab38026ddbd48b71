#include "chains.h"

#include <stdlib.h>
#include <string.h>

#include "model_read.h"
#include "op_versions.h"

static const struct chain_line {
	const char *framework;
	uint32_t count; /* models that had the chain */
	uint16_t calls;
	const char *text;
} LINES[] = {
#include "chain_lines.def.h"
    {"", 0, 0, ""}};
enum { NLINES = sizeof LINES / sizeof *LINES - 1 };

/* ---- one chain */

static bool has_call(const gen_index *x, const graph *g, const graph_node *n)
{
	const index_api *api = gen_index_api(x, n->op->api);
	unsigned in = n->nin ? g->tensors[graph_node_input(g, n, 0)].dtype : RS_DTYPE_COUNT;
	return api && gen_index_has_call(x, api, in, g->tensors[n->outputs].dtype);
}

/* Whether the operator set of the index, if it is of one, has the call. */
static bool in_set(const gen_index *x, const graph *g, const graph_node *n)
{
	uint8_t row[CHAIN_TENSORS * 2];
	if (!x->opset)
		return true;
	if (n->nin + n->nout > (int)sizeof row)
		return false;
	graph_row(g, n, row);
	return op_in_set(n->op, row, x->opset);
}

static bool fits(const chain *c, const gen_index *x, const index_filter *limits)
{
	const graph *g = &c->model;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].numel > limits->max_numel || g->tensors[i].rank > limits->rank_max)
			return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (g->nodes[i].op->nodim > CHAIN_NUMBERS || !has_call(x, g, &g->nodes[i]) || !in_set(x, g, &g->nodes[i]))
			return false;
	return true;
}

/* The signatures of a call, and its recorded form. */
static bool describe(chains *all, chain *c, const gen_index *x)
{
	graph *g = &c->model;
	c->forms = ARENA_ARRAY(g->arena, graph_form, g->nnodes + 1);
	c->calls = ARENA_ARRAY(g->arena, chain_call, g->nnodes + 1);
	bool ok = c->forms && c->calls;
	for (uint32_t i = 0; ok && i < g->nnodes; i++)
		ok = graph_find_form(&c->forms[i], g->nodes[i].op, g->arena)
		     && chain_match_call(&c->calls[i], g, i, &all->places, g->arena);
	for (uint32_t i = 0; i < g->ntensors; i++)
		c->elements += g->tensors[i].numel;
	c->exact = fits(c, x, &all->limits);
	return ok;
}

const chain *chains_read(chains *all, uint32_t entry, const gen_index *x, diag *d)
{
	chain_entry *e = &all->list[entry];
	if (e->chain)
		return e->chain;
	chain *c = ARENA_NEW(all->arena, chain);
	if (!c || !graph_init(&c->model)) {
		diag_set(d, "out of memory");
		return NULL;
	}
	if (!graph_read_json(&c->model, LINES[e->line].text, "CHAINS.models", 0, NULL, d) || !diag_memory(d, describe(all, c, x))) {
		graph_destroy(&c->model);
		return NULL;
	}
	e->chain = c;
	return c;
}

/* ---- all of them */

static int by_length(const void *a, const void *b)
{
	const chain_entry *x = a, *y = b;
	if (x->calls != y->calls)
		return (x->calls > y->calls) - (x->calls < y->calls);
	return (x->line > y->line) - (x->line < y->line);
}

/* The number of binary digits of a count: a chain of many models differs little between them. Long chains weigh more, since few
 * draws have room for them. */
static uint32_t weight(uint32_t count)
{
	uint32_t n = 0;
	for (; count; count >>= 1)
		n++;
	return n;
}

static bool add_entries(chains *c, const char *framework)
{
	uint32_t sum = 0;
	c->list = malloc((NLINES + (size_t)1) * sizeof *c->list);
	for (size_t i = 0; c->list && i < NLINES; i++)
		if (strcmp(LINES[i].framework, framework) == 0)
			c->list[c->n++] = (chain_entry){.line = (uint32_t)i, .calls = LINES[i].calls, .upto = LINES[i].count};
	if (c->n)
		qsort(c->list, c->n, sizeof *c->list, by_length);
	for (uint32_t i = 0; i < c->n; i++)
		c->list[i].upto = sum += weight(c->list[i].upto) * c->list[i].calls;
	return c->list;
}

/* The index of signatures for chains alone; empty if the framework or the filter leaves none. */
static bool open_forms(chains *c, const gen_index *x, const index_filter *filter, diag *d)
{
	diag none = {""};
	const rs_table *t = rs_library_table(&rs_forms, x->table->framework);
	index_filter limits = *filter;
	limits.within = x;
	limits.without = NULL; /* told by x */
	limits.nwithout = 0;
	if (t && !gen_index_build(&c->forms, t, &limits, &none)) {
		gen_index_free(&c->forms);
		if (diag_is_memory(&none))
			return diag_memory(d, false);
	}
	c->literals = literals_new();
	return diag_memory(d, c->literals && chain_find_places(&c->places, x, &c->forms, c->arena));
}

bool chains_open(chains *c, const gen_index *x, const index_filter *filter, diag *d)
{
	*c = (chains){.arena = arena_new(), .limits = *filter};
	return diag_memory(d, c->arena && add_entries(c, x->table->framework)) && (!c->n || open_forms(c, x, filter, d));
}

void chains_close(chains *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->list[i].chain)
			graph_destroy(&c->list[i].chain->model);
	free(c->list);
	if (c->arena)
		gen_index_free(&c->forms);
	arena_free(c->arena);
	literals_free(c->literals);
	*c = (chains){0};
}
