#include "chains.h"

#include <stdlib.h>
#include <string.h>

#include "op_versions.h"

enum { YES = 1, NO };

/* ---- as recorded */

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

static bool fits(const graph *g, const gen_index *x, const index_filter *limits)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].numel > limits->max_numel || g->tensors[i].rank > limits->rank_max)
			return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (g->nodes[i].op->nodim > CHAIN_NUMBERS || !has_call(x, g, &g->nodes[i]) || !in_set(x, g, &g->nodes[i]))
			return false;
	return true;
}

bool chains_exact(chains *c, uint32_t line, const gen_index *x)
{
	diag d = {""};
	if (!c->exact[line]) {
		const chain_line *read = chain_lines_read(c->lines, line, &d);
		c->exact[line] = read && fits(&read->model, x, &c->limits) ? YES : NO;
	}
	return c->exact[line] == YES;
}

/* ---- as patterns */

/* False: out of memory. */
static bool make_room(chains *c)
{
	uint32_t n = chain_lines_kinds(c->lines);
	if (n <= c->ncalls)
		return true;
	n += n / 2;
	const chain_call **more = realloc(c->calls, n * sizeof *more);
	if (!more)
		return false;
	memset(more + c->ncalls, 0, (n - c->ncalls) * sizeof *more);
	c->calls = more;
	c->ncalls = n;
	return true;
}

const chain_call *chains_call(chains *c, const chain_line *line, uint32_t node)
{
	uint32_t kind = line->nodes[node].kind;
	if (!make_room(c))
		return NULL;
	if (!c->calls[kind])
		c->calls[kind] = chain_match_call(&line->model, node, &c->places, c->arena);
	return c->calls[kind];
}

/* ---- all of them */

/* Orders the second APIs of the pairs by the first. of: the API in the index for each name number. */
static bool find_consumers(chains *c, const gen_index *x, const index_api *const *of)
{
	c->consumers = ARENA_ARRAY(c->arena, uint32_t, c->npairs + 1);
	c->after = ARENA_ARRAY(c->arena, uint32_t, x->napis + 2);
	if (!c->consumers || !c->after)
		return false;
	for (uint32_t i = 0; i < c->npairs; i++)
		c->after[of[chain_pair_at(c->pairs[i])->from] - x->apis + 2]++;
	for (uint32_t i = 1; i < x->napis + 2; i++)
		c->after[i] += c->after[i - 1];
	for (uint32_t i = 0; i < c->npairs; i++) {
		const chain_pair *p = chain_pair_at(c->pairs[i]);
		c->consumers[c->after[of[p->from] - x->apis + 1]++] = (uint32_t)(of[p->to] - x->apis);
	}
	return true;
}

uint32_t chains_draw_consumer(const chains *c, uint32_t api, rng *r)
{
	uint32_t first = c->after[api], n = c->after[api + 1] - first;
	return n ? c->consumers[first + rng_below(r, n)] : GRAPH_NONE;
}

/* False: out of memory. */
static bool find_pairs(chains *c, const gen_index *x)
{
	uint32_t n = chain_pairs_count(), napis = chain_apis_count();
	const index_api **of = ARENA_ARRAY(c->arena, const index_api *, napis + 1);
	c->pairs = ARENA_ARRAY(c->arena, uint32_t, n + 1);
	if (!of || !c->pairs)
		return false;
	for (uint32_t i = 0; i < napis; i++)
		of[i] = chain_find_api(&c->places, chain_api_name(i));
	for (int changed = 1; changed >= 0; changed--)
		for (uint32_t i = 0; i < n; i++) {
			const chain_pair *p = chain_pair_at(i);
			if (p->changed != changed || !of[p->from] || !of[p->to])
				continue;
			c->pairs[c->npairs++] = i;
			c->nchanged += p->changed;
		}
	return find_consumers(c, x, of);
}

static bool count_lines(chains *c, const char *framework)
{
	uint32_t n = chain_lines_count();
	c->exact = ARENA_ARRAY(c->arena, uint8_t, n + 1);
	for (uint32_t i = 0; i < n; i++)
		c->nlines += strcmp(chain_line_framework(i), framework) == 0;
	return c->exact;
}

/* The index of signatures for chains alone; empty if the framework or the filter leaves none. */
static bool open_forms(chains *c, const gen_index *x, const index_filter *filter, diag *d)
{
	diag none = {""};
	const rs_table *t = rs_library_table(&rs_forms, x->table->framework);
	index_filter limits = *filter;
	limits.within = x;
	limits.bases = x->bases;
	if (t && !gen_index_build(&c->forms, t, &limits, &none)) {
		gen_index_free(&c->forms);
		if (diag_is_memory(&none))
			return diag_memory(d, false);
	}
	c->literals = literals_new();
	return diag_memory(d, c->literals && chain_find_places(&c->places, x, &c->forms, c->arena) && find_pairs(c, x));
}

bool chains_open(chains *c, const gen_index *x, const index_filter *filter, chain_lines *lines, diag *d)
{
	*c = (chains){.arena = arena_new(), .lines = lines ? chain_lines_share(lines) : chain_lines_new(), .limits = *filter};
	return diag_memory(d, c->arena && c->lines && count_lines(c, x->table->framework)) && (!c->nlines || open_forms(c, x, filter, d));
}

void chains_close(chains *c)
{
	if (!c)
		return;
	free(c->calls);
	if (c->arena)
		gen_index_free(&c->forms);
	arena_free(c->arena);
	literals_free(c->literals);
	chain_lines_free(c->lines);
	*c = (chains){0};
}
