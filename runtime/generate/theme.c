#include "theme.h"

#include <stdlib.h>

#include "stream.h"

enum {
	QUANTIZED = 5, /* Quantized models: two of five keep elements, two have weights. */
	WEIGHT = 300, /* Per mille of calls in real models whose operand is constant: a weight. */
	WEIGHT_RANK = 2, /* Minimum rank of a weight. */
	SHARE = 700,  /* Per mille of calls that are of the theme. */
	ROWS = 6,     /* Dtype rows drawn until one is of the theme. */
	PLACES = 4,   /* Signatures drawn. The one whose weight has the fewest dimensions is chosen. */
	CHAINS_ONE_IN = 4, /* Steps of models of integers that may insert a chain. */
	WIDE = 850,   /* Per mille of inputs of models of integers. */
	MODES = 8,    /* Maximum times that an API of quantized models is listed. */
	STRINGS = 8,  /* Maximum signatures drawn for rare string attributes. */
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
static bool computes_integers(const gen *g, const index_api *api)
{
	bool some = false, moves = false, converts = false;
	for (uint32_t k = api->first; k < api->first + api->count; k++) {
		const index_op *o = &g->index.ops[k];
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

static bool has_keeping(const gen *g, const index_api *api)
{
	bool any = false;
	for (uint32_t k = api->first; k < api->first + api->count && !any; k++)
		any = g->index.ops[k].symbolic && is_keeping(&g->index.ops[k]);
	return any;
}

/* Whether a record has the shape of an input among the last dimensions of the first output, or 1 instead of them. */
static bool broadcasts(const index_op *o, const int64_t *record, unsigned input)
{
	const index_input *x = &o->inputs[input];
	const int64_t *out = record + o->nsym;
	bool fits = x->rank <= o->out_ranks[0];
	for (unsigned i = 1; fits && i <= x->rank; i++) {
		int64_t size = record[x->first + x->rank - i];
		fits = size == 1 || size == out[o->out_ranks[0] - i];
	}
	return fits;
}

/* Whether an operand is mostly constant in real models and does not broadcast to the result: kernels and matrices. */
static bool is_weight(const weights *w, const index_op *o, unsigned input)
{
	bool all = true;
	if (o->inputs[input].rank < WEIGHT_RANK || !weights_calls(w, o->op) || weights_share(w, o->op, input) < WEIGHT)
		return false;
	for (unsigned i = 0; i < o->nfull && all; i++)
		all = broadcasts(o, index_record(o, i), input);
	return !all;
}

static bool takes_real(const index_op *o, unsigned input)
{
	bool any = false;
	for (uint32_t i = 0; i < o->nrows && !any; i++) {
		const uint8_t *row = index_row(o, i);
		any = row[0] == RS_FLOAT32 && row[input] == RS_FLOAT32 && row[o->nin] == RS_FLOAT32;
	}
	return any;
}

static bool has_weights(const gen *g, const index_api *api)
{
	bool any = false;
	for (uint32_t k = api->first; k < api->first + api->count; k++) {
		const index_op *o = &g->index.ops[k];
		for (unsigned i = 1; o->symbolic && o->nout && i < o->nin && !any; i++)
			any = takes_real(o, i) && is_weight(&g->weights, o, i);
	}
	return any;
}

/* ---- the lists */

/* In quantized models, an API with string attributes is listed once for each value: optimizers treat them differently. */
static bool list(const gen *g, enum gen_theme theme, bool (*is)(const gen *, const index_api *))
{
	themes *t = g->themes;
	const gen_index *x = &g->index;
	t->apis[theme] = malloc((x->napis * (size_t)MODES + 1) * sizeof **t->apis);
	if (!t->apis[theme])
		return false;
	for (uint32_t a = 0; a < x->napis; a++) {
		uint32_t times = theme != GEN_KEEPING ? 1 : x->apis[a].strings < MODES ? x->apis[a].strings : MODES;
		for (uint32_t i = 0; i < times && is(g, &x->apis[a]); i++)
			t->apis[theme][t->n[theme]++] = a;
	}
	return true;
}

bool themes_open(gen *g)
{
	g->themes = calloc(1, sizeof *g->themes);
	return g->themes && list(g, GEN_INTEGERS, computes_integers) && list(g, GEN_KEEPING, has_keeping) && list(g, GEN_WEIGHTED, has_weights);
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
	static const uint8_t OF_QUANTIZED[QUANTIZED] = {GEN_KEEPING, GEN_KEEPING, GEN_WEIGHTED, GEN_WEIGHTED, GEN_ANY};
	rng r = stream_rng(seed, index, STREAM_THEME), quantized = stream_rng(seed, index, STREAM_quantized);
	g->theme = GEN_ANY;
	g->wide = g->features.wide_integers;
	if (!g->themes)
		return;
	if (rng_below(&quantized, 1000) < g->features.quantized) /* as gen_quantize decides */
		g->theme = OF_QUANTIZED[rng_below(&r, QUANTIZED)];
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

/* The rank of a call's second operand if its first one is the tensor; else a high one. */
static unsigned weight_rank(const index_op *o, unsigned slot)
{
	return slot == 0 && o->nin > 1 && o->inputs[1].rank >= WEIGHT_RANK ? o->inputs[1].rank : INDEX_RANK_MAX + 1;
}

/* Whether a drawn signature is kept, so that the values of string attributes become equally frequent. */
static bool keeps_strings(gen *g, const index_op *o)
{
	return !g->themes || o->crowd < 2 || gen_chance(g, o->crowd);
}

static const index_place *draw_place(gen *g, const index_place *all, uint32_t count)
{
	const index_place *found = all + rng_below(&g->rng, count);
	for (int i = 1; i < STRINGS && !keeps_strings(g, &g->index.ops[found->op]); i++)
		found = all + rng_below(&g->rng, count);
	return found;
}

const index_place *theme_draw_place(gen *g, const index_place *all, uint32_t count)
{
	const index_place *found = draw_place(g, all, count);
	for (int i = 1; i < PLACES && g->theme == GEN_WEIGHTED; i++) {
		const index_place *other = draw_place(g, all, count);
		if (weight_rank(&g->index.ops[other->op], other->slot) < weight_rank(&g->index.ops[found->op], found->slot))
			found = other;
	}
	return found;
}

static const index_op *draw_signature(gen *g, const index_api *a)
{
	const index_op *found = &g->index.ops[a->first + rng_below(&g->rng, a->count)];
	for (int i = 1; i < STRINGS && !keeps_strings(g, found); i++)
		found = &g->index.ops[a->first + rng_below(&g->rng, a->count)];
	return found;
}

const index_op *theme_draw_signature(gen *g, const index_api *a)
{
	const index_op *found = draw_signature(g, a);
	for (int i = 1; i < PLACES && g->theme == GEN_WEIGHTED; i++) {
		const index_op *other = draw_signature(g, a);
		if (weight_rank(other, 0) < weight_rank(found, 0))
			found = other;
	}
	return found;
}

const uint8_t *theme_draw_row(gen *g, const index_op *o)
{
	const uint8_t *row = index_row(o, rng_below(&g->rng, o->nrows));
	size_t size = g->theme != GEN_INTEGERS ? 0 : gen_chance(g, 2) ? 8 : 4;
	for (int i = 0; i < ROWS && g->theme == GEN_WEIGHTED && o->nin && row[0] != RS_FLOAT32; i++)
		row = index_row(o, rng_below(&g->rng, o->nrows));
	for (int i = 0; i < ROWS && size && !(gives_integers(o, row) && has_size(o, row, size)); i++)
		row = index_row(o, rng_below(&g->rng, o->nrows));
	return row;
}

bool theme_takes_chain(gen *g)
{
	return g->theme != GEN_INTEGERS || gen_chance(g, CHAINS_ONE_IN);
}
