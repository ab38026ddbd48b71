#include "theme.h"

#include <stdlib.h>

#include "stream.h"

enum {
	KEEPING_ONE_IN = 2, /* Fraction of quantized models. */
	SHARE = 700,  /* Per mille of calls that are of the theme. */
	ROWS = 6,     /* Dtype rows drawn until one is of the theme. */
	CHAINS_ONE_IN = 4, /* Steps of models of integers that may insert a chain. */
	WIDE = 850,   /* Per mille of inputs of models of integers. */
};

typedef struct themes {
	uint32_t *apis[GEN_THEMES], n[GEN_THEMES];
} themes;

/* ---- kinds of calls */

static bool is_integer(uint8_t dtype)
{
	return dtype > RS_BOOL && dtype <= RS_INT64;
}

static bool gives_integers(const index_op *o, const uint8_t *row)
{
	bool all = o->nout > 0;
	for (unsigned i = 0; i < o->nout; i++)
		all &= is_integer(row[o->nin + i]);
	return all;
}

/* Whether a row has integers of this size or more. */
static bool has_size(const index_op *o, const uint8_t *row, size_t size)
{
	for (unsigned i = 0; i < o->nin + o->nout; i++)
		if (is_integer(row[i]) && rs_dtype_size((rs_dtype)row[i]) >= size)
			return true;
	return false;
}

/* Whether all tensors hold booleans, as calls can that only move data. */
static bool takes_booleans(const index_op *o, const uint8_t *row)
{
	bool all = o->nin > 0;
	for (unsigned i = 0; i < o->nin + o->nout; i++)
		all &= row[i] == RS_BOOL;
	return all;
}

/* Whether some calls of an API give integers, and none moves booleans; or some convert floats. */
static bool computes_integers(const gen_index *x, const index_api *api)
{
	bool some = false, moves = false, converts = false;
	for (uint32_t k = api->first; k < api->first + api->count; k++) {
		const index_op *o = &x->ops[k];
		for (uint32_t i = 0; o->symbolic && o->nin && i < o->nrows; i++) {
			const uint8_t *row = index_row(o, i);
			bool gives = gives_integers(o, row);
			some |= gives;
			moves |= takes_booleans(o, row);
			converts |= gives && o->nin == 1 && row[0] > RS_INT64;
		}
	}
	return some && (converts || !moves);
}

static bool keeps_classes(const index_op *o)
{
	bool keeps = o->classes;
	for (uint8_t c = RS_VALUES_UNIT; keeps && c <= RS_VALUES_LARGE; c++)
		keeps = o->classes[o->nin + c] <= c;
	return keeps;
}

static bool is_keeping(const index_op *o)
{
	bool real = false, whole = false;
	if (o->nin != 1 || o->nout != 1 || !keeps_classes(o))
		return false;
	for (uint32_t i = 0; i < o->nrows; i++) {
		const uint8_t *row = index_row(o, i);
		if (row[0] != row[1])
			return false;
		real |= row[0] == RS_FLOAT32;
		whole |= row[0] == RS_INT8 || row[0] == RS_UINT8;
	}
	return real && whole;
}

static bool has_keeping(const gen_index *x, const index_api *api)
{
	bool any = false;
	for (uint32_t k = api->first; k < api->first + api->count && !any; k++)
		any = x->ops[k].symbolic && is_keeping(&x->ops[k]);
	return any;
}

/* ---- the lists */

static bool list(themes *t, enum gen_theme theme, const gen_index *x, bool (*is)(const gen_index *, const index_api *))
{
	t->apis[theme] = malloc((x->napis + (size_t)1) * sizeof **t->apis);
	if (!t->apis[theme])
		return false;
	for (uint32_t a = 0; a < x->napis; a++)
		if (is(x, &x->apis[a]))
			t->apis[theme][t->n[theme]++] = a;
	return true;
}

bool themes_open(gen *g)
{
	g->themes = calloc(1, sizeof *g->themes);
	return g->themes && list(g->themes, GEN_INTEGERS, &g->index, computes_integers) && list(g->themes, GEN_KEEPING, &g->index, has_keeping);
}

void themes_close(gen *g)
{
	for (unsigned i = 0; g->themes && i < GEN_THEMES; i++)
		free(g->themes->apis[i]);
	free(g->themes);
}

/* ---- a model */

void theme_begin(gen *g, uint64_t seed, uint64_t index)
{
	rng r = stream_rng(seed, index, STREAM_THEME), quantized = stream_rng(seed, index, STREAM_quantized);
	g->theme = GEN_ANY;
	g->wide = g->features.wide_integers;
	if (!g->themes)
		return;
	if (rng_below(&quantized, 1000) < g->features.quantized) /* as gen_quantize decides */
		g->theme = rng_below(&r, KEEPING_ONE_IN) ? GEN_ANY : GEN_KEEPING;
	else if (rng_below(&r, 1000) < g->features.wide_integers)
		g->theme = GEN_INTEGERS, g->wide = WIDE;
}

uint32_t theme_draw_api(gen *g)
{
	uint32_t n = g->theme ? g->themes->n[g->theme] : 0;
	if (n && gen_per_mille(g, SHARE))
		return g->themes->apis[g->theme][rng_below(&g->rng, n)];
	if (g->uses.n && gen_per_mille(g, g->features.weights))
		return uses_draw_api(&g->uses, &g->rng);
	return rng_below(&g->rng, g->index.napis);
}

const uint8_t *theme_draw_row(gen *g, const index_op *o)
{
	const uint8_t *row = index_row(o, rng_below(&g->rng, o->nrows));
	size_t size = g->theme != GEN_INTEGERS ? 0 : gen_chance(g, 2) ? 8 : 4;
	for (int i = 0; i < ROWS && size && !(gives_integers(o, row) && has_size(o, row, size)); i++)
		row = index_row(o, rng_below(&g->rng, o->nrows));
	return row;
}

bool theme_takes_chain(gen *g)
{
	return g->theme != GEN_INTEGERS || gen_chance(g, CHAINS_ONE_IN);
}
