#include "chain_lines.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "model_read.h"

typedef struct line_row {
	const char *framework;
	uint32_t models, calls, code; /* code: its first byte in CODES; it ends before that of the next row */
} line_row;

typedef struct line_pass {
	uint32_t first, shortest; /* its first line in FIRED; calls of the shortest one */
} line_pass;

#include "chain_lines.def.h"

enum { NLINES = sizeof ROWS / sizeof *ROWS - 1, NPAIRS = sizeof PAIRS / sizeof *PAIRS - 1, NAPIS = sizeof APIS / sizeof *APIS - 1, NPASSES = sizeof PASSES / sizeof *PASSES - 1 };

struct chain_lines {
	unsigned users;
	arena *arena;
	chain_line *read[NLINES + 1]; /* NULL: not read yet */
	const char *phrases[NPHRASES];
	uint64_t *kinds; /* the hash of each kind of calls */
	uint32_t nkinds, room;
};

uint32_t chain_lines_count(void)
{
	return NLINES;
}

const char *chain_line_framework(uint32_t line)
{
	return ROWS[line].framework;
}

uint32_t chain_line_models(uint32_t line)
{
	return ROWS[line].models;
}

uint32_t chain_line_calls(uint32_t line)
{
	return ROWS[line].calls;
}

uint32_t chain_apis_count(void)
{
	return NAPIS;
}

const char *chain_api_name(uint32_t api)
{
	return APIS[api];
}

uint32_t chain_pairs_count(void)
{
	return NPAIRS;
}

const chain_pair *chain_pair_at(uint32_t pair)
{
	return &PAIRS[pair];
}

chain_edge chain_edge_at(uint32_t edge)
{
	return EDGES[edge];
}

uint32_t chain_passes_count(void)
{
	return NPASSES;
}

uint32_t chain_pass_lines(uint32_t pass)
{
	return PASSES[pass + 1].first - PASSES[pass].first;
}

uint32_t chain_pass_shortest(uint32_t pass)
{
	return PASSES[pass].shortest;
}

uint32_t chain_pass_line(uint32_t pass, uint32_t i)
{
	return FIRED[PASSES[pass].first + i];
}

uint32_t chain_lines_kinds(const chain_lines *l)
{
	return l->nkinds;
}

/* ---- text */

chain_lines *chain_lines_new(void)
{
	const char *phrase = PHRASES;
	chain_lines *l = calloc(1, sizeof *l);
	if (!l || !(l->arena = arena_new())) {
		free(l);
		return NULL;
	}
	l->users = 1;
	for (int i = 0; i < NPHRASES; i++) {
		l->phrases[i] = phrase;
		phrase += strlen(phrase) + 1;
	}
	return l;
}

chain_lines *chain_lines_share(chain_lines *l)
{
	l->users++;
	return l;
}

void chain_lines_free(chain_lines *l)
{
	if (!l || --l->users)
		return;
	for (int i = 0; i < NLINES; i++)
		if (l->read[i])
			graph_destroy(&l->read[i]->model);
	arena_free(l->arena);
	free(l->kinds);
	free(l);
}

static void add_text(const chain_lines *l, uint32_t line, buf *to)
{
	const uint8_t *code = CODES + ROWS[line].code, *end = CODES + ROWS[line + 1].code;
	while (code < end) {
		uint32_t phrase = 0;
		unsigned shift = 0;
		do
			phrase |= (*code & 127u) << shift, shift += 7;
		while (*code++ > 127);
		buf_puts(to, l->phrases[phrase]);
	}
}

/* ---- calls */

/* The hash of a call without its tensors. */
static uint64_t hash_call(const graph *g, const graph_node *n)
{
	const rs_op *op = n->op;
	uint64_t hash = graph_name_hash(op->api), step = UINT64_C(0x9e3779b97f4a7c15);
	for (unsigned i = 0; i < n->nin; i++)
		hash = hash * step + 1 + (g->tensors[graph_node_input(g, n, i)].producer != GRAPH_NONE);
	for (unsigned i = 0; i < op->nargs; i++)
		hash = (hash ^ graph_name_hash(op->args[i].name)) * step + op->args[i].value;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		hash = (hash ^ (v->kind == RS_CONST ? graph_name_hash(v->text) : v->kind == RS_LIST ? v->count : 0)) * step + v->kind;
	}
	return hash * step + n->nout;
}

/* False: out of memory. */
static bool find_kind(chain_lines *l, uint64_t hash, uint32_t *kind)
{
	for (*kind = 0; *kind < l->nkinds; ++*kind)
		if (l->kinds[*kind] == hash)
			return true;
	if (l->nkinds == l->room) {
		uint32_t room = l->room ? l->room * 2 : 256;
		uint64_t *more = realloc(l->kinds, room * sizeof *more);
		if (!more)
			return false;
		l->kinds = more;
		l->room = room;
	}
	l->kinds[l->nkinds++] = hash;
	return true;
}

static void connect(chain_line *to, uint32_t node)
{
	const graph *g = &to->model;
	const graph_node *n = &g->nodes[node];
	for (unsigned i = 0; i < n->nin; i++) {
		const graph_tensor *t = &g->tensors[graph_node_input(g, n, i)];
		if (i < CHAIN_INPUTS)
			to->nodes[node].recorded |= (uint64_t)t->rank << 4 * i;
		if (t->producer == GRAPH_NONE)
			continue;
		to->nodes[node].near |= UINT64_C(1) << t->producer;
		to->nodes[t->producer].near |= UINT64_C(1) << node;
	}
}

/* False: out of memory. */
static bool describe(chain_lines *l, chain_line *to)
{
	const graph *g = &to->model;
	to->forms = ARENA_ARRAY(g->arena, graph_form, g->nnodes + 1);
	to->nodes = ARENA_ARRAY(g->arena, chain_node, g->nnodes + 1);
	bool ok = to->forms && to->nodes;
	for (uint32_t i = 0; ok && i < g->nnodes; i++) {
		connect(to, i);
		ok = graph_find_form(&to->forms[i], g->nodes[i].op, g->arena) && find_kind(l, hash_call(g, &g->nodes[i]), &to->nodes[i].kind);
	}
	for (uint32_t i = 0; i < g->ntensors; i++)
		to->elements += g->tensors[i].numel;
	return ok;
}

static bool read_line(chain_lines *l, uint32_t line, chain_line *to, diag *d)
{
	buf text = {0};
	add_text(l, line, &text);
	bool ok = diag_memory(d, !text.failed) && graph_read_json(&to->model, buf_text(&text), "CHAINS.models", 0, NULL, d)
		  && (to->model.nnodes <= CHAIN_CALLS || diag_set(d, "CHAINS.models: a line has too many calls"))
		  && diag_memory(d, describe(l, to));
	buf_free(&text);
	return ok;
}

const chain_line *chain_lines_read(chain_lines *l, uint32_t line, diag *d)
{
	if (l->read[line])
		return l->read[line];
	chain_line *to = ARENA_NEW(l->arena, chain_line);
	if (!diag_memory(d, to && graph_init(&to->model)))
		return NULL;
	if (!read_line(l, line, to, d)) {
		graph_destroy(&to->model);
		return NULL;
	}
	return l->read[line] = to;
}
