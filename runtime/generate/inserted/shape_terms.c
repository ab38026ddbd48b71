#include "shape_terms.h"

enum {
	DEPTH = 3,		   /* of arithmetic within arithmetic */
	LARGEST = 1 << 20,	   /* magnitude of computed integers; larger ones, such as the end of a slice, are written */
	WRITTEN_ONE_IN = 3,	   /* of the elements that are a dimension */
	COMPUTED_ONE_IN = 4,	   /* of other elements */
	OTHER_ONE_IN = 4,	   /* of elements that are a dimension, but are computed nevertheless */
	TRIES = 12,
};

/* ---- calls */

static uint32_t checked(shape_terms *t, uint32_t tensor)
{
	t->failed |= tensor == GRAPH_NONE;
	return tensor;
}

static shape_operand tensor_operand(uint32_t tensor)
{
	return (shape_operand){.tensor = tensor};
}

static shape_operand scalar_operand(int64_t n)
{
	return (shape_operand){.tensor = GRAPH_NONE, .count = 1, .dtype = RS_INT64, .n = {n}};
}

static shape_operand vector_operand(const int64_t *n, unsigned count)
{
	shape_operand o = {.tensor = GRAPH_NONE, .rank = 1, .count = (uint8_t)count, .dtype = RS_INT64};
	for (unsigned i = 0; i < count; i++)
		o.n[i] = n[i];
	return o;
}

/* Inserts a call; nothing once memory ran out. */
static uint32_t insert(shape_terms *t, const shape_call *call)
{
	return t->failed ? GRAPH_NONE : checked(t, shape_insert(t->g, call, t->before));
}

static uint32_t unary(shape_terms *t, enum shape_op op, uint32_t of, uint8_t dtype, unsigned rank, unsigned count)
{
	const shape_call call = {.op = op, .count = 1, .operands = {tensor_operand(of)}, .dtype = dtype, .rank = (uint8_t)rank,
	    .elements = count};
	return t->failed ? GRAPH_NONE : insert(t, &call);
}

static uint32_t binary(shape_terms *t, enum shape_op op, shape_operand a, shape_operand b, uint8_t dtype, unsigned rank, unsigned count)
{
	const shape_call call = {.op = op, .count = 2, .operands = {a, b}, .dtype = dtype, .rank = (uint8_t)rank, .elements = count};
	return t->failed ? GRAPH_NONE : insert(t, &call);
}

uint32_t shape_terms_cast(shape_terms *t, uint32_t tensor, uint8_t dtype)
{
	if (t->failed)
		return GRAPH_NONE;
	const graph_tensor of = t->g->graph->tensors[tensor];
	return unary(t, SHAPE_CAST, tensor, dtype, of.rank, of.rank ? (unsigned)of.shape[0] : 1);
}

static bool has(const shape_terms *t, enum shape_op op)
{
	return shape_has(t->g, op);
}

static bool one_in(shape_terms *t, uint32_t n)
{
	return rng_below(t->r, n) == 0;
}

/* ---- dimensions */

static unsigned rank_of(const shape_terms *t, uint32_t tensor)
{
	return t->g->graph->tensors[tensor].rank;
}

/* The shape of a dimension's tensor; half of the time an earlier call's result. */
static uint32_t take_shape(shape_terms *t, const shape_dim *d)
{
	unsigned at = (unsigned)(d - t->dims) - d->axis; /* the first dimension of the tensor */
	if (t->shapes[at] == GRAPH_NONE || one_in(t, 2)) {
		const shape_call call = {.op = SHAPE_SHAPE, .count = 1, .operands = {tensor_operand(d->tensor)}, .dtype = RS_INT64,
		    .rank = 1, .elements = rank_of(t, d->tensor)};
		t->shapes[at] = insert(t, &call);
	}
	return t->shapes[at];
}

/* Some dimensions of a tensor in a row, as a vector. */
static uint32_t take_range(shape_terms *t, const shape_dim *d, unsigned count)
{
	shape_call call = {.count = 1, .start = d->axis, .end = d->axis + count, .dtype = RS_INT64, .rank = 1, .elements = count};
	int64_t axes[SHAPE_OPERANDS];
	bool all = count == rank_of(t, d->tensor);
	uint32_t way = rng_below(t->r, 3);
	if (all && !one_in(t, 4))
		return take_shape(t, d);
	if (way == 0 && shape_has_range(t->g)) {
		call.op = SHAPE_SHAPE;
		call.ranged = true;
		call.operands[0] = tensor_operand(d->tensor);
		return insert(t, &call);
	}
	uint32_t shape = take_shape(t, d);
	if (way == 1 || !has(t, SHAPE_SLICE)) {
		for (unsigned i = 0; i < count; i++)
			axes[i] = d->axis + i;
		return binary(t, SHAPE_GATHER, tensor_operand(shape), vector_operand(axes, count), RS_INT64, 1, count);
	}
	call.op = SHAPE_SLICE;
	call.operands[0] = tensor_operand(shape);
	return insert(t, &call);
}

static uint32_t squeeze(shape_terms *t, uint32_t vector)
{
	return unary(t, SHAPE_SQUEEZE, vector, RS_INT64, 0, 1);
}

static uint32_t take_dim(shape_terms *t, const shape_dim *d)
{
	if (has(t, SHAPE_SQUEEZE) && one_in(t, 4))
		return squeeze(t, take_range(t, d, 1));
	int64_t axis = one_in(t, 4) ? (int64_t)d->axis - rank_of(t, d->tensor) : d->axis;
	if (t->g->graph->opset && t->g->graph->opset < 11)
		axis = d->axis; /* older indices count from the front only */
	return binary(t, SHAPE_GATHER, tensor_operand(take_shape(t, d)), scalar_operand(axis), RS_INT64, 0, 1);
}

/* A vector of one element. */
static uint32_t unsqueeze(shape_terms *t, uint32_t scalar)
{
	const int64_t one[] = {one_in(t, 2) ? 1 : -1};
	if (has(t, SHAPE_RESHAPE) && (!has(t, SHAPE_UNSQUEEZE) || one_in(t, 4)))
		return binary(t, SHAPE_RESHAPE, tensor_operand(scalar), vector_operand(one, 1), RS_INT64, 1, 1);
	return unary(t, SHAPE_UNSQUEEZE, scalar, RS_INT64, 1, 1);
}

/* A random dimension; mostly of an operand of the call. */
static const shape_dim *draw_dim(shape_terms *t)
{
	unsigned n = t->near && !one_in(t, 4) ? t->near : t->ndims;
	return &t->dims[rng_below(t->r, n)];
}

/* A random dimension of that size, of the call's own operands if they have one. NULL: there is none. */
static const shape_dim *find_dim(shape_terms *t, int64_t size)
{
	for (int near = 1; near >= 0; near--) {
		unsigned n = near ? t->near : t->ndims, start = n ? rng_below(t->r, n) : 0;
		for (unsigned i = 0; i < n; i++)
			if (t->dims[(start + i) % n].size == size)
				return &t->dims[(start + i) % n];
	}
	return NULL;
}

/* ---- arithmetic */

static uint32_t make_scalar(shape_terms *t, int64_t n, unsigned depth);

/* A call of a term and a number; in any order if it commutes. */
static uint32_t with_number(shape_terms *t, enum shape_op op, uint32_t term, int64_t n)
{
	bool swaps = (op == SHAPE_ADD || op == SHAPE_MUL || op == SHAPE_MIN || op == SHAPE_MAX) && one_in(t, 3);
	shape_operand a = tensor_operand(term), b = scalar_operand(n);
	return t->failed ? GRAPH_NONE : binary(t, op, swaps ? b : a, swaps ? a : b, RS_INT64, 0, 1);
}

/* Floor or Ceil of twice or half a term, in floats. */
static uint32_t scaled(shape_terms *t, uint32_t term, bool up, bool twice)
{
	shape_operand two = scalar_operand(2);
	two.dtype = RS_FLOAT32;
	uint32_t real = shape_terms_cast(t, term, RS_FLOAT32);
	real = binary(t, twice ? SHAPE_SCALE : SHAPE_RATIO, tensor_operand(real), two, RS_FLOAT32, 0, 1);
	real = unary(t, up ? SHAPE_CEIL : SHAPE_FLOOR, real, RS_FLOAT32, 0, 1);
	return shape_terms_cast(t, real, RS_INT64);
}

/* A way to compute n from a dimension of size s; GRAPH_NONE: it is none for these. */
static uint32_t combine(shape_terms *t, unsigned way, uint32_t term, int64_t s, int64_t n)
{
	int64_t by = 2 + (int64_t)rng_below(t->r, 3), more = n * by - s + (int64_t)rng_below(t->r, (uint32_t)by);
	switch (way) {
	case 0:
		return n < s ? with_number(t, SHAPE_SUB, term, s - n) : with_number(t, SHAPE_ADD, term, n - s);
	case 1:
		return with_number(t, SHAPE_MUL, term, n / s);
	case 2:
		return with_number(t, SHAPE_DIV, term, s / n);
	case 3:
		term = more < 0 ? with_number(t, SHAPE_SUB, term, -more) : with_number(t, SHAPE_ADD, term, more);
		return with_number(t, SHAPE_DIV, term, by);
	case 4:
		return with_number(t, SHAPE_MOD, term, s - n);
	case 5:
		return with_number(t, s < n ? SHAPE_MAX : SHAPE_MIN, term, n);
	case 6:
		return scaled(t, term, s / 2 != n, s * 2 == n);
	default:
		return shape_terms_cast(t, shape_terms_cast(t, term, RS_INT32), RS_INT64);
	}
}

enum { WAYS = 8 };

/* Whether a way computes n from s > 0. */
static bool may_combine(const shape_terms *t, unsigned way, int64_t s, int64_t n)
{
	switch (way) {
	case 0:
		return has(t, SHAPE_ADD) && has(t, SHAPE_SUB);
	case 1:
		return has(t, SHAPE_MUL) && n % s == 0;
	case 2:
		return has(t, SHAPE_DIV) && n > 0 && s >= n && s / (s / n) == n;
	case 3:
		return has(t, SHAPE_DIV) && has(t, SHAPE_ADD) && has(t, SHAPE_SUB) && n >= 0;
	case 4:
		return has(t, SHAPE_MOD) && n >= 0 && s - n > n;
	case 5:
		return has(t, s < n ? SHAPE_MAX : SHAPE_MIN);
	case 6:
		return has(t, SHAPE_CAST) && has(t, SHAPE_SCALE) && has(t, SHAPE_RATIO) && has(t, SHAPE_FLOOR) && has(t, SHAPE_CEIL)
		       && (s / 2 == n || (s + 1) / 2 == n || s * 2 == n);
	default:
		return has(t, SHAPE_CAST) && s == n;
	}
}

static uint32_t compute(shape_terms *t, int64_t n, unsigned depth)
{
	const shape_dim *d = draw_dim(t), *same;
	unsigned way = rng_below(t->r, WAYS);
	for (int i = 0; i < TRIES && !may_combine(t, way, d->size, n); i++) {
		same = one_in(t, 4) ? find_dim(t, n) : NULL;
		d = same ? same : draw_dim(t);
		way = rng_below(t->r, WAYS);
	}
	if (!may_combine(t, way, d->size, n))
		way = 0; /* Add and Sub serve all */
	uint32_t term = depth && one_in(t, 4) ? make_scalar(t, d->size, depth - 1) : take_dim(t, d);
	return t->failed ? GRAPH_NONE : combine(t, way, term, d->size, n);
}

/* ---- products of dimensions */

/* The product of a range of dimensions; saturating. */
static int64_t product_of(const shape_dim *d, unsigned count)
{
	int64_t n = 1;
	while (count--)
		if (__builtin_mul_overflow(n, d[count].size, &n))
			return INT64_MAX;
	return n;
}

/* n as the product of several dimensions of a tensor, or its size. *found: whether there is one. */
static uint32_t multiply_dims(shape_terms *t, int64_t n, bool *found)
{
	for (int i = 0; i < TRIES; i++) {
		const shape_dim *d = draw_dim(t);
		unsigned left = rank_of(t, d->tensor) - d->axis, count = left ? 1 + rng_below(t->r, left) : 1;
		bool all = count == rank_of(t, d->tensor);
		*found = product_of(d, count) == n && (all ? has(t, SHAPE_SIZE) : has(t, SHAPE_PRODUCT)) && count > 1;
		if (!*found)
			continue;
		return all ? unary(t, SHAPE_SIZE, d->tensor, RS_INT64, 0, 1)
			   : unary(t, SHAPE_PRODUCT, take_range(t, d, count), RS_INT64, 0, 1);
	}
	return GRAPH_NONE;
}

static uint32_t make_scalar(shape_terms *t, int64_t n, unsigned depth)
{
	bool found = false;
	const shape_dim *d = one_in(t, OTHER_ONE_IN) ? NULL : find_dim(t, n);
	if (d)
		return take_dim(t, d);
	uint32_t tensor = multiply_dims(t, n, &found);
	return found ? tensor : compute(t, n, depth);
}

/* ---- vectors */

bool shape_term_exists(int64_t n)
{
	return n >= -LARGEST && n <= LARGEST;
}

static bool all_computable(const int64_t *n, unsigned count)
{
	while (count && shape_term_exists(n[count - 1]))
		count--;
	return !count;
}

/* The number of these integers that are the sizes of consecutive dimensions. */
static unsigned run_of(const shape_terms *t, const shape_dim *d, const int64_t *n, unsigned count)
{
	unsigned run = 0;
	while (run < count && d + run < t->dims + t->ndims && d[run].tensor == d->tensor && d[run].size == n[run])
		run++;
	return run;
}

/* A vector of one or several of the integers; *count: how many. */
static uint32_t make_piece(shape_terms *t, const int64_t *n, unsigned *count)
{
	const shape_dim *d = find_dim(t, *n);
	unsigned run = d ? run_of(t, d, n, *count) : 0;
	if (run && one_in(t, 2)) {
		*count = run;
		return take_range(t, d, run);
	}
	*count = 1;
	uint32_t scalar = make_scalar(t, *n, DEPTH);
	return t->failed ? GRAPH_NONE : unsqueeze(t, scalar);
}

static bool is_written(shape_terms *t, int64_t n)
{
	if (!shape_term_exists(n))
		return true;
	return find_dim(t, n) ? one_in(t, WRITTEN_ONE_IN) : !one_in(t, COMPUTED_ONE_IN);
}

/* An element that is computed in any case. */
static unsigned draw_forced(shape_terms *t, const int64_t *n, unsigned count)
{
	unsigned at = rng_below(t->r, count);
	for (unsigned i = 0; i < count; i++) /* mostly a dimension */
		if (find_dim(t, n[(at + i) % count]))
			return (at + i) % count;
	while (!shape_term_exists(n[at]))
		at = (at + 1) % count;
	return at;
}

static uint32_t concatenate(shape_terms *t, const int64_t *n, unsigned count)
{
	shape_call call = {.op = SHAPE_CONCAT, .dtype = RS_INT64, .rank = 1, .elements = count};
	unsigned forced = draw_forced(t, n, count), size;
	for (unsigned i = 0; i < count && !t->failed; i += size) {
		shape_operand *o = &call.operands[call.count++];
		size = count - i;
		if (i != forced && is_written(t, n[i])) {
			size = 1;
			bool joins = call.count > 1 && o[-1].tensor == GRAPH_NONE && !one_in(t, 4);
			if (joins) {
				call.count--;
				o[-1].n[o[-1].count++] = n[i];
			} else {
				*o = vector_operand(n + i, 1);
			}
			continue;
		}
		size = i < forced ? forced - i : size; /* a run ends before it, or begins with it */
		*o = tensor_operand(make_piece(t, n + i, &size));
	}
	return call.count == 1 && !one_in(t, 8) ? call.operands[0].tensor : insert(t, &call);
}

/* ---- calls around a vector */

/* With Where, as torch exports expand: elements of -1 become 1. */
static uint32_t choose_ones(shape_terms *t, const int64_t *n, unsigned count)
{
	int64_t inner[SHAPE_OPERANDS];
	for (unsigned i = 0; i < count; i++)
		inner[i] = n[i] == 1 && one_in(t, 2) ? -1 : n[i];
	uint32_t vector = concatenate(t, inner, count), shape = unary(t, SHAPE_SHAPE, vector, RS_INT64, 1, 1);
	uint32_t ones = unary(t, SHAPE_CONSTANT, shape, RS_INT64, 1, count);
	if (t->failed)
		return GRAPH_NONE;
	uint32_t minus = binary(t, SHAPE_MUL, tensor_operand(ones), scalar_operand(-1), RS_INT64, 1, count);
	uint32_t is = binary(t, SHAPE_EQUAL, tensor_operand(vector), tensor_operand(minus), RS_BOOL, 1, count);
	const shape_call call = {.op = SHAPE_WHERE, .count = 3, .operands = {tensor_operand(is), tensor_operand(ones), tensor_operand(vector)},
	    .dtype = RS_INT64, .rank = 1, .elements = count};
	return insert(t, &call);
}

/* With an operator for each element. */
static uint32_t for_each(shape_terms *t, enum shape_op op, const int64_t *n, unsigned count)
{
	int64_t inner[SHAPE_OPERANDS], other[SHAPE_OPERANDS];
	for (unsigned i = 0; i < count; i++) {
		int64_t by = rng_below(t->r, 3);
		bool computable = shape_term_exists(n[i]);
		inner[i] = n[i];
		switch (op) {
		case SHAPE_ADD:
		case SHAPE_SUB:
			other[i] = computable ? by : 0;
			inner[i] = op == SHAPE_ADD ? n[i] - other[i] : n[i] + other[i];
			break;
		case SHAPE_MIN:
			other[i] = computable ? n[i] + by : n[i];
			break;
		case SHAPE_MAX:
			other[i] = computable ? n[i] - by : n[i];
			break;
		default: /* a product */
			other[i] = computable && by && n[i] % by == 0 ? by : 1;
			inner[i] = n[i] / other[i];
		}
	}
	uint32_t vector = concatenate(t, inner, count);
	return t->failed ? GRAPH_NONE : binary(t, op, tensor_operand(vector), vector_operand(other, count), RS_INT64, 1, count);
}

static bool may_choose_ones(const shape_terms *t, const int64_t *n, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (n[i] == -1)
			return false;
	return has(t, SHAPE_WHERE) && has(t, SHAPE_EQUAL) && has(t, SHAPE_CONSTANT) && has(t, SHAPE_MUL);
}

static uint32_t make_vector(shape_terms *t, const int64_t *n, unsigned count)
{
	static const enum shape_op EACH[] = {SHAPE_ADD, SHAPE_SUB, SHAPE_MUL, SHAPE_MIN, SHAPE_MAX};
	enum shape_op op = EACH[rng_below(t->r, sizeof EACH / sizeof *EACH)];
	switch (rng_below(t->r, 12)) {
	case 0:
		if (may_choose_ones(t, n, count))
			return choose_ones(t, n, count);
		break;
	case 1:
		if (has(t, op))
			return for_each(t, op, n, count);
		break;
	case 2:
		if (has(t, SHAPE_CAST) && all_computable(n, count))
			return shape_terms_cast(t, shape_terms_cast(t, concatenate(t, n, count), RS_INT32), RS_INT64);
		break;
	default:
		break;
	}
	return concatenate(t, n, count);
}

uint32_t shape_terms_make(shape_terms *t, const int64_t *n, unsigned count, unsigned rank)
{
	return rank ? make_vector(t, n, count) : make_scalar(t, n[0], DEPTH);
}

/* ---- tensors that terms start from */

/* Whether a tensor's shape can be read there. The shape of a random tensor is not random, but results computed from it would be
 * marked random. */
static bool serves(const shape_terms *t, uint32_t tensor)
{
	const graph *m = t->g->graph;
	const graph_tensor *x = &m->tensors[tensor];
	return x->live && x->rank && x->rank <= SHAPE_OPERANDS && x->numel > 0 && graph_precedes(m, tensor, t->before)
	       && (x->producer == GRAPH_NONE || (!m->random && !shape_is_made(m->nodes[x->producer].op)));
}

static void add_dims(shape_terms *t, uint32_t tensor)
{
	const graph_tensor *x = &t->g->graph->tensors[tensor];
	if (!serves(t, tensor) || !shape_takes(t->g, x->dtype) || t->ndims + x->rank > SHAPE_SOURCES)
		return;
	for (unsigned i = 0; i < t->ndims; i++)
		if (t->dims[i].tensor == tensor)
			return;
	for (unsigned i = 0; i < x->rank; i++) {
		t->shapes[t->ndims] = GRAPH_NONE;
		t->dims[t->ndims++] = (shape_dim){tensor, (uint8_t)i, x->shape[i]};
	}
}

static bool has_operators(const shape_terms *t)
{
	return has(t, SHAPE_SHAPE) && has(t, SHAPE_GATHER) && has(t, SHAPE_CONCAT) && has(t, SHAPE_ADD) && has(t, SHAPE_SUB)
	       && (has(t, SHAPE_UNSQUEEZE) || has(t, SHAPE_RESHAPE));
}

bool shape_terms_begin(shape_terms *t, gen *g, rng *r, uint32_t before)
{
	const graph *m = g->graph;
	const graph_node *n = &m->nodes[before];
	*t = (shape_terms){.g = g, .r = r, .before = before};
	if (!has_operators(t))
		return false;
	for (unsigned i = 0; i < n->nin; i++)
		add_dims(t, graph_node_input(m, n, i));
	t->near = t->ndims;
	for (uint32_t i = m->ntensors; i-- > 0;)
		add_dims(t, i);
	return t->ndims;
}
