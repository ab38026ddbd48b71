#include "index_op.h"

#define CHEAP 4096 /* maximum elements of a call that is inserted as a fallback */
#define TIES_COUNTED 255 /* records; a count is a byte */

const uint8_t index_none[INDEX_WIDTH_MAX];

/* ---- queries */

bool index_is_dimension(const index_op *o, unsigned symbol)
{
	for (unsigned i = 0; i < o->nin; i++)
		if (symbol - o->inputs[i].first < o->inputs[i].rank)
			return true;
	return false;
}

unsigned index_output_place(const index_op *o, unsigned output)
{
	unsigned at = o->nsym;
	for (unsigned i = 0; i < output; i++)
		at += o->out_ranks[i];
	return at;
}

void index_box(const index_op *o, int64_t low, int64_t high, int64_t *lows, int64_t *highs)
{
	memcpy(lows, o->bounds, o->nsym * sizeof *lows);
	memcpy(highs, o->bounds + o->nsym, o->nsym * sizeof *highs);
	for (unsigned i = 0; i < o->nin; i++)
		for (unsigned d = 0; d < o->inputs[i].rank; d++) {
			lows[o->inputs[i].first + d] = low;
			highs[o->inputs[i].first + d] = high;
		}
}

/* ---- descriptions */

static void find_inputs(const rs_op *op, index_input *inputs)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind))
			*inputs++ = (index_input){op->values[i].first,
			    (uint8_t)op->values[i].count, op->values[i].kind == RS_RANGED};
}

/* The elements of all tensors of a record, -1 if one has too many; *zero: whether one is empty. */
static int64_t record_size(const index_op *o, const int64_t *record, int64_t limit, bool *zero)
{
	int64_t sum = 0;
	const int64_t *out = record + o->nsym;
	*zero = false;
	for (unsigned i = 0; i < o->nin + o->nout; i++) {
		bool in = i < o->nin;
		unsigned rank = in ? o->inputs[i].rank : o->out_ranks[i - o->nin];
		int64_t n = bounded_numel(rank, in ? record + o->inputs[i].first : out, limit);
		if (n > limit)
			return -1;
		*zero |= n == 0;
		sum += n;
		out += in ? 0 : rank;
	}
	return sum;
}

static bool find_records(arena *a, index_op *o, int64_t max_numel)
{
	size_t ties = o->width <= INDEX_TIES_MAX ? (size_t)o->width * o->width : 0; /* output dimensions behind them */
	int64_t *records = /* one more: the current record stands behind the accepted ones, where ties will be */
	    arena_zalloc(a, ((o->op->nrecords + 1u) * (size_t)o->width + 1) * sizeof *records + ties);
	int64_t least = INT64_MAX;
	bool zero;
	if (!records)
		return false;
	for (unsigned pass = 0; pass < 2; pass++) /* non-empty ones first */
		for (unsigned i = 0; i < o->op->nrecords; i++) {
			int64_t *record = records + (size_t)o->nrecords * o->width;
			rs_record(o->op, i, record);
			if (o->op->propagate && !o->op->propagate(record, record + o->nsym))
				continue;
			int64_t size = record_size(o, record, max_numel, &zero);
			if (size < 0 || zero != pass)
				continue;
			if (size < least && !zero) {
				least = size;
				o->small = o->nrecords;
			}
			o->nrecords++;
			o->nfull += !zero;
		}
	memset(records + (size_t)o->nrecords * o->width, 0, o->width * sizeof *records);
	o->records = records;
	o->cheap = o->nfull && least <= CHEAP;
	return true;
}

static void find_ties(index_op *o)
{
	unsigned w = o->width;
	uint8_t *ties = (uint8_t *)index_ties(o);
	for (unsigned r = 0; ties && r < o->nrecords && r < TIES_COUNTED; r++) {
		const int64_t *x = index_record(o, r);
		uint8_t *row = ties;
		for (unsigned i = 0; i < w; i++, row += w) {
			int64_t number = x[i];
			for (unsigned j = 0; j <= i; j++)
				row[j] += x[j] == number;
		}
	}
	for (unsigned i = 0; ties && i < w; i++)
		for (unsigned j = 0; j < i; j++)
			ties[j * w + i] = ties[i * w + j];
}

/* An attribute with one value in all records. A dimension that equals it is a coincidence. */
static bool is_constant(const index_op *o, unsigned i)
{
	if (i >= o->nsym || index_is_dimension(o, i))
		return false;
	for (unsigned r = 1; r < o->nrecords; r++)
		if (index_record(o, r)[i] != index_record(o, 0)[i])
			return false;
	return true;
}

/* The first place with the same number as this one in every record. */
static unsigned find_group(const index_op *o, unsigned i, const bool *constant)
{
	const uint8_t *ties = o->nrecords <= TIES_COUNTED ? index_ties(o) : NULL;
	for (unsigned j = 0, r; !constant[i] && j < i; j++) {
		if (constant[j])
			continue;
		if (ties && ties[(size_t)i * o->width + j] == o->nrecords)
			return j;
		if (ties)
			continue;
		for (r = 0; r < o->nrecords; r++)
			if (index_record(o, r)[i] != index_record(o, r)[j])
				break;
		if (r == o->nrecords)
			return j;
	}
	return i;
}

static void find_groups(const index_op *o, uint8_t *groups, bool *dimension)
{
	bool constant[INDEX_WIDTH_MAX];
	for (unsigned i = 0; i < o->width; i++) {
		constant[i] = is_constant(o, i);
		groups[i] = (uint8_t)find_group(o, i, constant);
	}
	for (unsigned i = 0; i < o->nin; i++)
		for (unsigned d = 0; d < o->inputs[i].rank; d++)
			dimension[groups[o->inputs[i].first + d]] = true;
	for (unsigned i = 0; i < o->nsym; i++)
		dimension[i] |= dimension[groups[i]];
}

/* Samplers compute with numbers within RS_LIMIT, but models also slice to INT64_MAX. */
static int64_t in_limit(int64_t x)
{
	return x > RS_LIMIT ? RS_LIMIT : x < -RS_LIMIT ? -RS_LIMIT : x;
}

static bool find_bounds(arena *a, index_op *o)
{
	int64_t *low = ARENA_ARRAY(a, int64_t, o->nsym * 2u + 1), *high = low + o->nsym;
	if (!low)
		return false;
	for (unsigned i = 0; i < o->nsym; i++)
		for (unsigned r = 0; r < o->nfull; r++) {
			int64_t x = in_limit(index_record(o, r)[i]);
			low[i] = !r || x < low[i] ? x : low[i];
			high[i] = !r || x > high[i] ? x : high[i];
		}
	o->bounds = low;
	return true;
}

/* The parts that depend on the signature only; groups are added later. */
static bool lay_out(arena *a, const rs_op *op, index_op *o)
{
	unsigned width = op->nsym + op->nodim;
	size_t size = (op->nin + (size_t)1) * sizeof *o->inputs + op->nout + 2 * (size_t)width;
	index_input *inputs = arena_zalloc(a, size);
	if (!inputs)
		return false;
	uint8_t *bytes = (uint8_t *)(inputs + op->nin + 1);
	*o = (index_op){.op = op,
	    .valid = op->valid,
	    .propagate = op->propagate,
	    .inputs = inputs,
	    .out_ranks = bytes,
	    .rows = bytes + op->nout, /* none yet; groups are stored behind them */
	    .nsym = op->nsym,
	    .nin = op->nin,
	    .nout = op->nout,
	    .width = (uint16_t)width};
	find_inputs(op, inputs);
	memcpy(bytes, op->out_ranks, op->nout);
	for (unsigned i = 0; i < op->nin; i++)
		o->ranged |= inputs[i].ranged;
	return true;
}

bool index_describe(arena *a, const rs_op *op, int64_t max_numel, index_op *o)
{
	if (!lay_out(a, op, o) || !find_records(a, o, max_numel) || !find_bounds(a, o))
		return false;
	find_ties(o);
	if (o->width <= INDEX_WIDTH_MAX)
		find_groups(o, (uint8_t *)index_groups(o), (bool *)index_dimensions(o));
	return true;
}
