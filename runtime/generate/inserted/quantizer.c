#include "quantizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "framework.h"

enum {
	THOUSAND = 1000,
	INPUTS = 3, /* the tensor, its scale, its zero point */
	TEXT = 8,   /* an axis as text */
};

/* The operators by their names in the models' operator set, and their records. */
struct quantizers {
	struct {
		const char *api; /* NULL: the table has none */
	} of[2]; /* DequantizeLinear, QuantizeLinear */
	bool has_axis, has_block;
	uint32_t targets[RS_DTYPE_COUNT], sources[RS_DTYPE_COUNT]; /* a set of integer dtypes for each real one */
	const rs_op **forms; /* signatures made so far */
	uint32_t n;
};

static const char *const APIS[] = {"DequantizeLinear", "QuantizeLinear"};
static const char *const NAMES[][2] = {{"x_scale", "x_zero_point"}, {"y_scale", "y_zero_point"}};

/* ---- the table's records */

static uint32_t bit(uint8_t dtype)
{
	return (uint32_t)1 << dtype;
}

/* Adds the dtypes of a signature's rows. */
static void add_rows(quantizers *q, const index_op *o, bool quantize)
{
	for (uint32_t k = 0; k < o->nrows && o->nin > 1; k++) {
		const uint8_t *row = index_row(o, k);
		uint8_t real = row[1], whole = quantize ? row[o->nin] : row[0];
		if (real == (quantize ? row[0] : row[o->nin]) && whole > RS_BOOL && whole <= RS_INT64)
			(quantize ? q->targets : q->sources)[real] |= bit(whole);
	}
}

static void read_index(quantizers *q, const gen_index *x)
{
	bool axis[2] = {false}, block[2] = {false};
	for (uint32_t i = 0; i < x->nops; i++)
		for (int k = 0; k < 2; k++) {
			const rs_op *op = x->ops[i].op;
			if (!framework_is_version(x->table->framework, op->api, APIS[k]))
				continue;
			q->of[k].api = op->api;
			axis[k] |= graph_argument(op, "axis") != NULL;
			block[k] |= graph_argument(op, "block_size") != NULL;
			add_rows(q, &x->ops[i], k);
		}
	q->has_axis = axis[0] && axis[1];
	q->has_block = block[0] && block[1];
	for (int i = 0; i < RS_DTYPE_COUNT; i++)
		q->targets[i] &= q->sources[i];
}

quantizers *quantizers_of(gen *g)
{
	if (!g->quantizers) {
		g->quantizers = calloc(1, sizeof *g->quantizers);
		if (g->quantizers)
			read_index(g->quantizers, &g->index);
	}
	return g->quantizers;
}

void quantizers_close(gen *g)
{
	if (g->quantizers)
		free(g->quantizers->forms);
	free(g->quantizers);
}

uint32_t quantizer_targets(const gen *g, uint8_t real)
{
	return g->quantizers->targets[real];
}

uint32_t quantizer_sources(const gen *g, uint8_t real)
{
	return g->quantizers->sources[real];
}

/* ---- numbers */

static int64_t at_least(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	return at_most(at_least(x, low), high);
}

quantizer_bounds quantizer_limits(const graph_tensor *t)
{
	static const quantizer_bounds CLASSES[] = {[RS_VALUES_UNIT] = {100, 900},
	    [RS_VALUES_POSITIVE] = {100, 5000},
	    [RS_VALUES_SMALL] = {-5000, 5000},
	    [RS_VALUES_LARGE] = {-10000000, 10000000}};
	int64_t divisor = t->divisor ? t->divisor : 1;
	if (t->low || t->high)
		return (quantizer_bounds){t->low * THOUSAND / divisor, (t->high - 1) * THOUSAND / divisor};
	return CLASSES[t->values < RS_VALUES_LARGE ? t->values : RS_VALUES_LARGE];
}

static int64_t magnitude(quantizer_bounds b)
{
	return at_least(at_least(llabs(b.low), llabs(b.high)), 1);
}

/* The number of steps between 0 and the largest magnitude. */
static int64_t draw_steps(quantizer_bounds b, uint8_t dtype, rng *r)
{
	int64_t most = at_most(elements_high(dtype), (INT64_C(1) << 20)), steps;
	switch (rng_below(r, 8)) {
	case 0: /* some elements saturate */
		steps = most * 2;
		break;
	case 1:
	case 2: /* few steps */
		steps = 1 + rng_below(r, 16);
		break;
	default:
		steps = at_least(1, most / (1 + rng_below(r, 3)));
	}
	return b.low > 0 ? at_least(steps, 2 * magnitude(b) / b.low) : steps; /* no element becomes 0 */
}

/* The power of two, or another number, near magnitude / steps. */
static void draw_scale(quantizer *q, quantizer_bounds b, int64_t steps, bool odd, rng *r)
{
	int64_t size = magnitude(b), whole = THOUSAND * steps;
	q->number = q->divisor = 1;
	if (odd) {
		q->number = 3 + 2 * (int64_t)rng_below(r, 48);
		q->divisor = clamp(q->number * whole / size + 1, 1, INT32_MAX / 32);
		return;
	}
	while (size * q->divisor < whole && q->divisor < (1 << 24))
		q->divisor *= 2; /* the largest one that is at most magnitude / steps */
	while (q->divisor == 1 && size >= whole * q->number * 2 && q->number < (1 << 24))
		q->number *= 2;
	if (b.low <= 0 && q->divisor > 1 && rng_below(r, 2))
		q->divisor /= 2;
}

static int64_t draw_zero(const quantizer *q, quantizer_bounds b, rng *r)
{
	int64_t most = elements_high(q->dtype), least = elements_low(q->dtype);
	int64_t below = b.low < 0 ? -b.low * q->divisor / (THOUSAND * q->number) : 0;
	if (least < 0)
		return b.low > 0 || rng_below(r, 3) ? 0 : clamp(rng_range(r, -most / 8, most / 8), least, most);
	if (b.low >= 0)
		return b.low > 0 || rng_below(r, 3) ? 0 : rng_range(r, 0, most / 4);
	switch (rng_below(r, 8)) {
	case 0:
		return 0; /* negative elements become 0 */
	case 1:
		return (most + 1) / 2;
	default:
		return clamp(below, 0, most);
	}
}

static uint8_t draw_dtype(uint32_t among, quantizer_style style, rng *r)
{
	uint8_t all[RS_DTYPE_COUNT], n = 0;
	for (uint8_t i = 0; i < RS_DTYPE_COUNT; i++)
		if (among & bit(i))
			all[n++] = i;
	bool other = rng_below(r, 4) == 0;
	uint8_t drawn = all[rng_below(r, n)];
	return among & bit(style.dtype) && (style.strict || !other) ? style.dtype : drawn;
}

enum { LONG = 16 }; /* the smallest block that compilers have kernels for */

/* An axis for blocks: mostly a long one if there is any. */
static uint8_t draw_axis(const graph_tensor *t, rng *r)
{
	uint8_t drawn = (uint8_t)rng_below(r, t->rank), longest = drawn;
	for (uint8_t i = 0; i < t->rank; i++)
		if (t->shape[i] > t->shape[longest])
			longest = i;
	return t->shape[drawn] < LONG && t->shape[longest] >= LONG && rng_below(r, 4) ? longest : drawn;
}

/* A block of an axis. Most are of a size that compilers have kernels for, and divide the axis if one of these does. */
static int64_t draw_block(int64_t size, rng *r)
{
	static const int64_t BLOCKS[] = {2, 3, 4, 8, LONG, 32, 64, 128};
	enum { NBLOCKS = sizeof BLOCKS / sizeof *BLOCKS };
	int64_t fitting[NBLOCKS + 1];
	uint32_t n = 0;
	for (unsigned i = NBLOCKS; i-- > 0;)
		if (size % BLOCKS[i] == 0 && (!n || BLOCKS[i] >= LONG || fitting[0] < LONG))
			fitting[n++] = BLOCKS[i];
	bool divides = n && fitting[0] >= LONG;
	for (unsigned i = 0; i < NBLOCKS && !divides; i++)
		if (BLOCKS[i] >= LONG && BLOCKS[i] <= size)
			fitting[n++] = BLOCKS[i]; /* the last block is shorter */
	if (!n)
		fitting[n++] = size;
	return rng_below(r, 4) ? fitting[rng_below(r, n)] : at_most(BLOCKS[rng_below(r, NBLOCKS)], size);
}

/* Restricts the grain to one whose scales have the same shape in each shape instance. */
static void fix_grain(quantizer *q, const graph *m, const graph_tensor *t)
{
	for (unsigned i = 0; q->grain == QUANTIZER_BLOCK && i < t->rank; i++)
		if (graph_varies(m, t, i))
			q->grain = QUANTIZER_CHANNEL;
	if (q->grain == QUANTIZER_CHANNEL && graph_varies(m, t, q->axis))
		q->grain = QUANTIZER_TENSOR;
}

/* A grain that the tensor's shape allows. Integers of 4 bits mostly have blocks. */
static void draw_grain(quantizer *q, const graph *m, const graph_tensor *t, const quantizers *all, quantizer_style style, rng *r)
{
	bool in_blocks = elements_packed(q->dtype) && rng_below(r, 4);
	q->grain = in_blocks ? QUANTIZER_BLOCK : style.strict || rng_below(r, 4) ? style.grain : (uint8_t)rng_below(r, 3);
	if (!t->rank || !all->has_axis)
		q->grain = QUANTIZER_TENSOR;
	q->axis = !q->grain ? 0 : q->grain == QUANTIZER_BLOCK ? draw_axis(t, r) : (uint8_t)rng_below(r, t->rank);
	if (q->grain == QUANTIZER_BLOCK && (!all->has_block || t->shape[q->axis] < 2))
		q->grain = QUANTIZER_CHANNEL;
	fix_grain(q, m, t);
	if (q->grain == QUANTIZER_BLOCK) /* one scale of rank 1 cannot be of a block */
		q->block = at_most(draw_block(t->shape[q->axis], r), t->shape[q->axis] - (t->rank == 1));
}

quantizer quantizer_draw(const gen *g, const graph_tensor *t, quantizer_bounds b, uint32_t among, quantizer_style style, rng *r)
{
	quantizer q = {.dtype = draw_dtype(among, style, r), .scale = GRAPH_NONE, .zero_point = GRAPH_NONE};
	draw_grain(&q, g->graph, t, g->quantizers, style, r);
	draw_scale(&q, b, draw_steps(b, q.dtype, r), rng_below(r, 8) ? style.odd : !style.odd, r);
	q.zero = rs_dtype_size((rs_dtype)q.dtype) > 2 ? 0 : draw_zero(&q, b, r); /* the zero point of int32 must be 0 */
	q.has_zero = q.zero || rng_below(r, 2);
	return q;
}

void quantizer_mismatch(quantizer *q, bool positive, rng *r)
{
	uint32_t what = positive ? 0 : rng_below(r, 3);
	q->scale = q->zero_point = GRAPH_NONE;
	if (what < 2) {
		q->number *= rng_below(r, 2) ? 2 : 3;
		q->divisor *= 4;
	}
	if (what > 0 && rs_dtype_size((rs_dtype)q->dtype) <= 2) {
		q->zero = clamp(q->zero + rng_range(r, -3, 3), elements_low(q->dtype), elements_high(q->dtype));
		q->has_zero |= q->zero != 0;
	}
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

bool quantizer_range(const quantizer *q, quantizer_bounds b, int64_t *low, int64_t *high)
{
	int64_t unit = THOUSAND * q->number, first = -floor_divide(-b.low * q->divisor, unit);
	first = b.low > 0 ? at_least(first, 1) : first;
	int64_t last = at_least(floor_divide(b.high * q->divisor, unit), first);
	*low = clamp(first + q->zero, elements_low(q->dtype), elements_high(q->dtype));
	*high = clamp(last + q->zero, elements_low(q->dtype), elements_high(q->dtype)) + 1;
	return b.low <= 0 || *low > q->zero;
}

/* ---- signatures */

/* The symbols of a signature, first of each input; then the block size. */
typedef struct places {
	unsigned scale, zero_point, block, count;
	unsigned rank, inner; /* of the tensor; of scale and zero point */
} places;

static places find_places(const quantizer *q, unsigned rank)
{
	places p = {.rank = rank, .inner = q->grain == QUANTIZER_TENSOR ? 0 : q->grain == QUANTIZER_CHANNEL ? 1 : rank};
	p.scale = rank;
	p.zero_point = p.scale + p.inner;
	p.block = p.zero_point + (q->has_zero ? p.inner : 0);
	p.count = p.block + (q->grain == QUANTIZER_BLOCK);
	return p;
}

static bool is_form(const rs_op *op, const quantizer *q, const char *api, places p, const char *axis)
{
	return op->api == api && op->nin == 2u + q->has_zero && op->nsym == p.count && op->values[0].count == p.rank
	       && op->values[1].count == p.inner && (!p.inner || strcmp(op->values[op->nin].text, axis) == 0)
	       && op->nargs == op->nin + (p.inner > 0) + (q->grain == QUANTIZER_BLOCK);
}

/* Fills a new signature. Its arrays have room for INPUTS + 2 values. */
static void fill_form(rs_op *op, const quantizer *q, bool quantize, places p, const char *axis, rs_arg *args, rs_value *values)
{
	unsigned n = 0;
	values[n] = (rs_value){.kind = RS_TENSOR, .count = (uint16_t)p.rank};
	args[n++] = (rs_arg){.name = "x", .by_position = 1};
	values[n] = (rs_value){.kind = RS_TENSOR, .count = (uint16_t)p.inner, .first = (uint16_t)p.scale};
	args[n++] = (rs_arg){.name = NAMES[quantize][0], .value = 1, .by_position = 1};
	if (q->has_zero) {
		values[n] = (rs_value){.kind = RS_TENSOR, .count = (uint16_t)p.inner, .first = (uint16_t)p.zero_point};
		args[n++] = (rs_arg){.name = NAMES[quantize][1], .value = 2, .by_position = 1};
	}
	op->nin = (uint16_t)n;
	if (p.inner) {
		values[n] = (rs_value){.kind = RS_CONST, .text = axis};
		args[n] = (rs_arg){.name = "axis", .value = (uint16_t)n};
		n++;
	}
	if (q->grain == QUANTIZER_BLOCK) {
		values[n] = (rs_value){.kind = RS_INT, .first = (uint16_t)p.block};
		args[n] = (rs_arg){.name = "block_size", .value = (uint16_t)n};
		n++;
	}
	op->args = args;
	op->values = values;
	op->nargs = op->nvalues = (uint16_t)n;
	op->nsym = (uint16_t)p.count;
	op->nodim = (uint16_t)p.rank;
}

/* Allocates a signature that lives as long as the generator. NULL: out of memory. */
static const rs_op *make_form(gen *g, const quantizer *q, bool quantize, places p, const char *axis)
{
	arena *a = g->index.arena;
	rs_op *op = ARENA_NEW(a, rs_op);
	rs_arg *args = ARENA_ARRAY(a, rs_arg, INPUTS + 2);
	rs_value *values = ARENA_ARRAY(a, rs_value, INPUTS + 2);
	uint8_t *rank = ARENA_NEW(a, uint8_t);
	const char *text = arena_strdup(a, axis);
	if (!op || !args || !values || !rank || !text)
		return NULL;
	*rank = (uint8_t)p.rank;
	*op = (rs_op){.name = g->quantizers->of[quantize].api, .api = g->quantizers->of[quantize].api, .why = "made for a quantized tensor", .out_ranks = rank, .nout = 1};
	fill_form(op, q, quantize, p, text, args, values);
	return op;
}

static bool add_form(quantizers *all, const rs_op *op)
{
	const rs_op **list = all->forms;
	if (all->n % 64 == 0)
		list = realloc(list, (all->n + (size_t)64) * sizeof *list);
	if (!list)
		return false;
	all->forms = list;
	if (op)
		list[all->n++] = op;
	return op;
}

static const rs_op *find_form(gen *g, const quantizer *q, bool quantize, places p)
{
	char axis[TEXT];
	quantizers *all = g->quantizers;
	snprintf(axis, sizeof axis, "%d", q->axis);
	for (uint32_t i = 0; i < all->n; i++)
		if (is_form(all->forms[i], q, all->of[quantize].api, p, axis))
			return all->forms[i];
	const rs_op *op = make_form(g, q, quantize, p, axis);
	return add_form(all, op) ? op : NULL;
}

/* ---- calls */

/* The shape of a scale (at most QUANTIZER_RANK dimensions). */
static void find_shape(const quantizer *q, const int64_t *of, unsigned rank, int64_t *shape)
{
	if (q->grain == QUANTIZER_CHANNEL)
		shape[0] = of[q->axis];
	for (unsigned i = 0; q->grain == QUANTIZER_BLOCK && i < rank; i++)
		shape[i] = i == q->axis ? (of[i] + q->block - 1) / q->block : of[i];
}

static bool make_operands(graph *m, quantizer *q, places p, const int64_t *shape, uint8_t real)
{
	bool several = q->grain != QUANTIZER_TENSOR;
	if (q->scale == GRAPH_NONE) {
		q->scale = graph_input(m, p.inner, shape, (rs_dtype)real);
		if (q->scale == GRAPH_NONE)
			return false;
		graph_tensor *t = &m->tensors[q->scale];
		t->low = several ? q->number * 8 : q->number;
		t->divisor = (uint32_t)(several ? q->divisor * 16 : q->divisor);
		t->high = (several ? 2 * t->low : t->low) + 1;
		t->divisor = t->divisor == 1 ? 0 : t->divisor;
		t->values = RS_VALUES_POSITIVE;
		t->constant = true;
	}
	if (q->zero_point != GRAPH_NONE || !q->has_zero)
		return true;
	q->zero_point = graph_input(m, p.inner, shape, (rs_dtype)q->dtype);
	if (q->zero_point == GRAPH_NONE)
		return false;
	graph_tensor *t = &m->tensors[q->zero_point];
	t->low = q->zero;
	t->high = q->zero + 1;
	t->constant = true;
	return true;
}

uint32_t quantizer_insert(gen *g, quantizer *q, bool quantize, uint32_t tensor, uint8_t real, uint32_t before)
{
	graph *m = g->graph;
	unsigned rank = m->tensors[tensor].rank;
	int64_t symbols[3 * QUANTIZER_RANK + 1], shape[QUANTIZER_RANK];
	places p = find_places(q, rank);
	find_shape(q, m->tensors[tensor].shape, rank, shape);
	if (!make_operands(m, q, p, shape, real))
		return GRAPH_NONE;
	const graph_tensor of = m->tensors[tensor];
	memcpy(symbols, of.shape, rank * sizeof *symbols);
	memcpy(symbols + p.scale, shape, p.inner * sizeof *symbols);
	if (q->has_zero)
		memcpy(symbols + p.zero_point, shape, p.inner * sizeof *symbols);
	if (q->grain == QUANTIZER_BLOCK)
		symbols[p.block] = q->block;
	const rs_op *op = find_form(g, q, quantize, p);
	const uint32_t inputs[] = {tensor, q->scale, q->zero_point};
	const graph_call call = {.op = op, .symbols = symbols, .inputs = inputs, .out = of.shape, .out_dtypes = quantize ? &q->dtype : &real};
	uint32_t node = op ? graph_insert(m, &call, before) : GRAPH_NONE;
	if (node == GRAPH_NONE)
		return node;
	graph_tensor *made = &m->tensors[m->nodes[node].outputs];
	made->also = of.also;
	return m->nodes[node].outputs;
}
