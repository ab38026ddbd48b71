#include "chains.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "model_read.h"
#include "op_versions.h"

static const struct chain_line {
	const char *framework, *text;
} LINES[] = {
#include "chains.def.h"
    {"", ""}};
enum { NLINES = sizeof LINES / sizeof *LINES - 1 };

/* ---- what the index has */

/* Whether a signature of an API has these dtypes as first input and output. */
static bool has_call(const gen_index *x, const graph *g, const graph_node *n)
{
	const graph_tensor *in = n->nin ? &g->tensors[graph_node_input(g, n, 0)] : NULL, *out = &g->tensors[n->outputs];
	for (uint32_t a = 0; a < x->napis; a++) {
		const index_api *api = &x->apis[a];
		if (strcmp(x->ops[api->first].op->api, n->op->api) != 0)
			continue;
		for (uint32_t i = api->first; i < api->first + api->count; i++)
			for (uint32_t r = 0; r < x->ops[i].nrows; r++) {
				const uint8_t *row = index_row(&x->ops[i], r);
				if ((!in || !x->ops[i].nin || row[0] == in->dtype) && row[x->ops[i].nin] == out->dtype)
					return true;
			}
		return false;
	}
	return false;
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

static bool fits(const chain *c, const gen_index *x, int64_t max_numel, unsigned rank_max)
{
	const graph *g = &c->model;
	if (g->ntensors > CHAIN_TENSORS)
		return false;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].numel > max_numel || g->tensors[i].rank > rank_max)
			return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (g->nodes[i].op->nodim > CHAIN_NUMBERS || !has_call(x, g, &g->nodes[i]) || !in_set(x, g, &g->nodes[i]))
			return false;
	return true;
}

/* ---- reading */

static bool find_forms(chain *c, diag *d)
{
	graph *g = &c->model;
	c->forms = arena_alloc(g->arena, (g->nnodes + (size_t)1) * sizeof *c->forms);
	for (uint32_t i = 0; c->forms && i < g->nnodes; i++)
		if (!graph_find_form(&c->forms[i], g->nodes[i].op, g->arena))
			c->forms = NULL;
	for (uint32_t i = 0; i < g->ntensors; i++)
		c->elements += g->tensors[i].numel;
	return c->forms || diag_set(d, "out of memory");
}

/* The number of models that had the chain. */
static bool read_weight(const char *line, uint32_t *weight, diag *d)
{
	int64_t n = 0;
	cJSON *model = json_parse(line, "CHAINS.models", 0, d);
	if (!model)
		return false;
	bool ok = json_int64(cJSON_GetObjectItemCaseSensitive(model, "count"), &n) == JSON_INT && n > 0 && n < 1 << 20;
	cJSON_Delete(model);
	*weight = (uint32_t)n;
	return ok || diag_set(d, "a chain without a count: %.60s", line);
}

static int by_length(const void *a, const void *b)
{
	const chain *x = a, *y = b;
	uint32_t m = x->model.live_nodes, n = y->model.live_nodes;
	return m != n ? (m > n) - (m < n) : (x->upto > y->upto) - (x->upto < y->upto);
}

/* Adds the chain of a line if all of its calls are in the index. */
static bool add(chains *c, const char *line, const gen_index *x, int64_t max_numel, unsigned rank_max, diag *d)
{
	uint32_t weight;
	chain *new = &c->list[c->n];
	*new = (chain){0};
	if (!graph_init(&new->model))
		return diag_set(d, "out of memory");
	if (read_weight(line, &weight, d) && graph_read_json(&new->model, line, "CHAINS.models", 0, NULL, d) && find_forms(new, d)) {
		if (fits(new, x, max_numel, rank_max)) {
			new->upto = c->n++ ? new[-1].upto + weight : weight;
			return true;
		}
		graph_destroy(&new->model);
		return true;
	}
	graph_destroy(&new->model);
	return false;
}

/* Cumulative weights, in the new order. */
static void sort(chains *c)
{
	uint32_t sum = 0;
	for (uint32_t i = c->n; i-- > 1;)
		c->list[i].upto -= c->list[i - 1].upto;
	for (uint32_t i = 0; i < c->n; i++)
		c->list[i].upto = c->list[i].upto << 12 | i; /* no two are equal, so every sort gives the same order */
	if (c->n)
		qsort(c->list, c->n, sizeof *c->list, by_length);
	for (uint32_t i = 0; i < c->n; i++)
		c->list[i].upto = sum += c->list[i].upto >> 12;
}

bool chains_open(chains *c, const gen_index *x, int64_t max_numel, unsigned rank_max, diag *d)
{
	*c = (chains){.list = malloc((NLINES + (size_t)1) * sizeof *c->list)};
	if (!c->list)
		return diag_set(d, "out of memory");
	for (size_t i = 0; i < NLINES; i++)
		if (strcmp(LINES[i].framework, x->table->framework) == 0
		    && !add(c, LINES[i].text, x, max_numel, rank_max, d))
			return false;
	sort(c);
	return true;
}

void chains_close(chains *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		graph_destroy(&c->list[i].model);
	free(c->list);
	*c = (chains){0};
}
