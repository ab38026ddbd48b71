#include "corpus.h"

#include <string.h>

/* A published subgraph: operators by name, without the framework's module. */
typedef struct pattern {
	const char *framework;
	const char *names[BLOCK_NODES_MAX];
	uint8_t edges[BLOCK_EDGES_MAX][2]; /* ends with 0, 0 */
} pattern;

static const pattern PATTERNS[] = {
#define NAMES(...) {__VA_ARGS__}
#define EDGES(...) {__VA_ARGS__}
#define EDGE(from, to) {from, to}
#define BLOCK(framework, names, edges) {framework, names, edges},
#include "blocks.def"
};

#define NPATTERNS (sizeof PATTERNS / sizeof *PATTERNS)

bool block_entry(const block *b, unsigned node)
{
	for (unsigned e = 0; e < b->nedges; e++)
		if (b->edges[e].to == node)
			return false;
	return true;
}

/* ---- operators */

static const char *api_name(const gen_index *x, uint32_t api)
{
	return x->ops[x->apis[api].first].op->api;
}

static void add_operators(corpus *c, const gen_index *x)
{
	for (uint32_t i = 0; i < x->napis; i++) {
		block *b = &c->blocks[i];
		b->name = api_name(x, i);
		b->nnodes = 1;
		b->apis[0] = i;
		for (uint32_t k = 0; k < x->apis[i].count; k++) {
			uint32_t nin = x->ops[x->apis[i].first + k].nin;
			c->in_degrees[i] |= nin < 64 ? (uint64_t)1 << nin : 0;
			b->in_high = nin > b->in_high ? nin : b->in_high;
		}
	}
	c->nblocks = c->napis = x->napis;
}

/* ---- subgraphs */

/* UINT32_MAX: not in the index. */
static uint32_t find_api(const gen_index *x, const char *module, const char *name)
{
	size_t n = strlen(module);
	uint32_t low = 0, high = x->napis;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const char *api = api_name(x, middle); /* all names begin with the module and a dot */
		int order = strcmp(name, api + n + 1);
		if (!order)
			return middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return UINT32_MAX;
}

static const char *join_names(arena *a, const pattern *p)
{
	char *name = arena_strdup(a, p->names[0]);
	for (unsigned i = 1; name && i < BLOCK_NODES_MAX && p->names[i]; i++)
		name = arena_printf(a, "%s+%s", name, p->names[i]);
	return name;
}

/* Adds a block if all of its operators are in the index. False: out of memory. */
static bool add_pattern(corpus *c, const gen_index *x, const pattern *p)
{
	block b = {0};
	const char *module = rs_framework_module(x->table->framework);
	while (b.nnodes < BLOCK_NODES_MAX && p->names[b.nnodes]) {
		uint32_t api = find_api(x, module, p->names[b.nnodes]);
		if (api == UINT32_MAX)
			return true;
		b.apis[b.nnodes++] = api;
	}
	for (; b.nedges < BLOCK_EDGES_MAX && p->edges[b.nedges][1]; b.nedges++) {
		b.edges[b.nedges].from = p->edges[b.nedges][0];
		b.edges[b.nedges].to = p->edges[b.nedges][1];
	}
	for (unsigned i = 0; i < b.nnodes; i++)
		b.in_high += block_entry(&b, i);
	b.name = join_names(c->arena, p);
	c->blocks[c->nblocks++] = b;
	return b.name != NULL;
}

bool corpus_build(corpus *c, const gen_index *x)
{
	*c = (corpus){.arena = arena_new()};
	if (!c->arena)
		return false;
	c->blocks = ARENA_ARRAY(c->arena, block, x->napis + NPATTERNS);
	c->in_degrees = ARENA_ARRAY(c->arena, uint64_t, x->napis + 1u);
	bool ok = c->blocks && c->in_degrees;
	if (ok)
		add_operators(c, x);
	for (unsigned i = 0; ok && i < NPATTERNS; i++)
		if (strcmp(PATTERNS[i].framework, x->table->framework) == 0)
			ok = add_pattern(c, x, &PATTERNS[i]);
	if (!ok)
		corpus_free(c);
	return ok;
}

void corpus_free(corpus *c)
{
	arena_free(c->arena);
	*c = (corpus){0};
}
