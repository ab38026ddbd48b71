/* Completes a call with the signature's compiled sampler (sampling.h), if it has one: each unknown number is drawn from the
 * values that the rule allows within the box.
 *
 * Otherwise it uses records. A stored record, which is valid, provides the unknown numbers. They then follow the known
 * ones: a number that equals a known one in all records of the signature takes its value (they are one group), then one
 * that equals it in this record only.
 *
 *   matmul's record  s = 2 3 | 3 4     known: 5 7 | ? ?
 *   overwritten          5 7 | 3 4     s1 and s2 are equal in all records
 *   followed             5 7 | 7 4     valid; out 5 4
 *
 * Then groups without a known number are redrawn, all at once or else one by one, as long as the rule accepts. */
#include "sample.h"

#include <string.h>

#include "lists.h"
#include "run.h"
#include "sizes.h"

enum {
	DRAWS = 3,   /* calls drawn by a compiled sampler until one is small enough */
	RECORDS = 2, /* records tried for a call */
	REPAIRS = 3, /* corrections of a call with a wrong output */
	REDRAWS = 4, /* redraws of free numbers if a record does not fit */
	BEYOND = 7,  /* sizes above the aim that a sampler tries next */
	CHANGES = 4, /* groups redrawn one by one after redrawing all at once failed */
	PLAIN_ONE_IN = 3, /* calls of models of mixed sizes without simplified lists */
};

typedef struct work {
	const index_op *o;
	const sample_box *box;
	rng *rng;
	int64_t *v;
	const int64_t *record;
	const uint8_t *groups; /* as in index_groups, index_dimensions */
	const bool *dimension;
	uint16_t fixes[INDEX_WIDTH_MAX]; /* fixed places: known, or wanted of an output */
	unsigned nfixes;
	uint8_t fixed[INDEX_WIDTH_MAX]; /* 1: fixed */
	uint8_t taken[INDEX_WIDTH_MAX]; /* groups with a fixed member */
	int64_t value[INDEX_WIDTH_MAX]; /* values of these groups */
} work;

static void fix(work *w, unsigned place)
{
	w->fixes[w->nfixes++] = (uint16_t)place;
	w->fixed[place] = 1;
}

/* State for records; compiled samplers do not need it. */
static void find_taken(work *w)
{
	w->groups = index_groups(w->o);
	w->dimension = index_dimensions(w->o);
	index_clear(w->taken, w->o->width);
	for (unsigned i = 0; i < w->nfixes; i++) {
		unsigned place = w->fixes[i], group = w->groups[place];
		if (!w->taken[group])
			w->value[group] = w->v[place];
		w->taken[group] = 1;
	}
}

static void open_work(
    work *w, const index_op *o, int64_t *v, const uint8_t *known, const sample_box *box, rng *r)
{
	w->o = o;
	w->v = v;
	w->box = box;
	w->rng = r;
	w->nfixes = 0;
	index_clear(w->fixed, o->width);
	for (unsigned i = 0; i < o->nsym; i++)
		if (known[i])
			fix(w, i);
}

static const int64_t *draw_record(const index_op *o, bool zero, rng *r)
{
	if (zero && o->nrecords > o->nfull)
		return index_record(o, o->nfull + rng_below(r, o->nrecords - o->nfull));
	return index_record(o, rng_below(r, o->nfull));
}

/* ---- following */

static void follow_groups(work *w)
{
	const index_op *o = w->o;
	for (unsigned j = 0; j < o->nsym; j++)
		if (!w->fixed[j])
			w->v[j] = w->taken[w->groups[j]] ? w->value[w->groups[j]] : w->record[j];
}

/* The fixed number that another one follows: equal in this record and in most others. */
static unsigned leader(const work *w, unsigned j)
{
	unsigned width = w->o->width, best = width, most = 0;
	const uint8_t *ties = index_ties(w->o) + (size_t)j * width;
	for (unsigned i = 0; i < w->nfixes; i++) {
		unsigned k = w->fixes[i];
		if (ties[k] > most && w->record[k] == w->record[j]) {
			most = ties[k];
			best = k;
		}
	}
	return best;
}

static void follow_leaders(work *w)
{
	for (unsigned j = 0; j < w->o->nsym && w->o->width <= INDEX_TIES_MAX; j++) {
		unsigned k = w->fixed[j] ? w->o->width : leader(w, j);
		if (k < w->o->width)
			w->v[j] = w->v[k];
	}
}

/* ---- evaluating the rule */

static bool size_allowed(const work *w, unsigned rank, const int64_t *shape)
{
	int64_t limit = w->box->numel ? w->box->numel : INT64_MAX / 2,
		n = bounded_numel(rank, shape, limit);
	return n <= limit && (n > 0 || w->box->zero);
}

static bool sizes_allowed(const work *w)
{
	const index_op *o = w->o;
	const int64_t *out = w->v + o->nsym;
	for (unsigned i = 0; i < o->nout; out += o->out_ranks[i], i++)
		if (!size_allowed(w, o->out_ranks[i], out))
			return false;
	for (unsigned i = 0; i < o->nin; i++) {
		const index_input *x = &o->inputs[i];
		if (x->rank && !w->fixed[x->first] && !size_allowed(w, x->rank, w->v + x->first))
			return false;
	}
	return true;
}

/* Bounds of a tensor's elements: 0 and 0 for an empty tensor, never equal otherwise. */
static void settle_ranges(work *w, bool narrow)
{
	for (unsigned i = 0; i < w->o->nin; i++) {
		const index_input *x = &w->o->inputs[i];
		int64_t *bounds = w->v + x->first + x->rank;
		if (!x->ranged || w->fixed[x->first + x->rank])
			continue;
		if (bounded_numel(x->rank, w->v + x->first, 1) == 0)
			bounds[0] = bounds[1] = 0;
		else if (narrow)
			bounds[0] = 0, bounds[1] = 1;
		else if (bounds[0] >= bounds[1])
			bounds[1] = bounds[0] + 1;
	}
}

/* Whether the rule accepts the symbols; the output dimensions are then stored behind them. Like rs_eval, but negative
 * dimensions are found by the check of sizes. */
static bool accepted(work *w)
{
	const index_op *o = w->o;
	if (o->ranged)
		settle_ranges(w, false);
	return o->valid(w->v) && o->propagate(w->v, w->v + o->nsym) && sizes_allowed(w);
}

static bool accepted_narrow(work *w)
{
	if (accepted(w))
		return true;
	if (!w->o->ranged)
		return false;
	settle_ranges(w, true);
	return accepted(w);
}

/* ---- drawing free numbers */

static int64_t draw_value(work *w, unsigned group)
{
	const index_op *o = w->o;
	if (w->dimension[group])
		return w->box->mixed ? sizes_draw(w->rng, w->box->mixed) : rng_range(w->rng, w->box->low, w->box->high);
	return rng_range(w->rng, index_low(o, group), index_high(o, group));
}

static void set_group(work *w, unsigned group, int64_t value)
{
	for (unsigned j = group; j < w->o->nsym; j++)
		if (w->groups[j] == group)
			w->v[j] = value;
}

/* The groups without a fixed number. */
static unsigned find_free(const work *w, uint8_t *list)
{
	unsigned n = 0;
	for (unsigned j = 0; j < w->o->nsym; j++)
		if (w->groups[j] == j && !w->taken[j])
			list[n++] = (uint8_t)j;
	return n;
}

static void draw_free(work *w, const uint8_t *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		set_group(w, list[i], draw_value(w, list[i]));
}

/* The record's numbers if they fit the known ones; else others. */
static bool solve(work *w)
{
	uint8_t list[INDEX_WIDTH_MAX];
	follow_groups(w);
	if (accepted_narrow(w))
		return true;
	follow_leaders(w);
	if (accepted_narrow(w))
		return true;
	unsigned n = find_free(w, list);
	for (int i = 0; i < REDRAWS && n; i++) {
		draw_free(w, list, n);
		if (accepted(w))
			return true;
	}
	return false;
}

/* Changes all equal dimensions together, even if they differ in other records. */
static void set_equal(work *w, unsigned group, int64_t value)
{
	const index_op *o = w->o;
	int64_t old = w->v[group];
	for (unsigned j = 0; j < o->nsym; j++)
		if (!w->fixed[j] && w->v[j] == old && w->dimension[w->groups[j]])
			w->v[j] = value;
}

static void change_one(work *w, unsigned group, int64_t *saved)
{
	size_t size = w->o->width * sizeof *saved;
	int64_t value = draw_value(w, group);
	if (value == w->v[group])
		return;
	memcpy(saved, w->v, size);
	set_group(w, group, value);
	if (accepted(w))
		return;
	memcpy(w->v, saved, size);
	if (!w->dimension[group])
		return;
	set_equal(w, group, value);
	if (!accepted(w))
		memcpy(w->v, saved, size);
}

static void vary(work *w)
{
	uint8_t list[INDEX_WIDTH_MAX];
	int64_t saved[INDEX_WIDTH_MAX];
	unsigned n = find_free(w, list);
	if (!n)
		return;
	memcpy(saved, w->v, w->o->width * sizeof *saved);
	draw_free(w, list, n);
	if (accepted(w))
		return;
	memcpy(w->v, saved, w->o->width * sizeof *saved);
	for (unsigned i = 0; i < CHANGES && i < n; i++)
		change_one(w, list[rng_below(w->rng, n)], saved);
}

/* ---- by a record alone */

/* A record that has all fixed numbers. */
static bool take_record(work *w)
{
	const index_op *o = w->o;
	unsigned n = w->box->zero ? o->nrecords : o->nfull, start = rng_below(w->rng, n);
	for (unsigned i = 0, k; i < n; i++) {
		const int64_t *record = index_record(o, (start + i) % n);
		for (k = 0; k < w->nfixes && record[w->fixes[k]] == w->v[w->fixes[k]]; k++)
			;
		if (k < w->nfixes)
			continue;
		memcpy(w->v, record, o->width * sizeof *record);
		return sizes_allowed(w);
	}
	return false;
}

/* ---- by a compiled sampler */

/* The fixed symbols. False: one exceeds the range of samplers. */
static bool find_given(const work *w, uint8_t *given)
{
	index_clear(given, w->o->nsym);
	for (unsigned i = 0; i < w->nfixes; i++) {
		unsigned place = w->fixes[i];
		if (w->v[place] > RS_LIMIT || w->v[place] < -RS_LIMIT)
			return false;
		if (place < w->o->nsym)
			given[place] = 1;
	}
	return true;
}

/* Aims at sizes of the mixture; the preferred interval of a dimension reaches a little beyond its aim, where multiples are. */
static void aim(work *w, const uint8_t *known, int64_t *aims, const int64_t *high, int64_t *highs)
{
	const index_op *o = w->o;
	sizes_aim(o, w->v, known, w->box->numel, w->box->mixed, w->rng, aims);
	for (unsigned i = 0; i < o->nsym; i++)
		highs[i] = aims[i] + BEYOND > high[i] && aims[i] ? aims[i] + BEYOND : high[i];
}

/* Completes v and propagates; out: flags of wanted output dimensions. */
static bool draw_call(
    work *w, const program *sampler, const int64_t *out, const uint8_t *wanted, bool mixed)
{
	const index_op *o = w->o;
	int64_t lows[INDEX_WIDTH_MAX], highs[INDEX_WIDTH_MAX], aims[INDEX_WIDTH_MAX];
	const int64_t *low = o->bounds, *high = low + o->nsym;
	mixed = mixed && w->box->mixed && !w->box->zero;
	uint8_t given[INDEX_WIDTH_MAX];
	if (!w->box->indexed || w->box->zero) {
		index_box(o, w->box->zero ? 0 : w->box->low, w->box->high, lows, highs);
		low = lows, high = highs;
	}
	if (!find_given(w, given))
		return false;
	if (mixed) {
		aim(w, given, aims, high, highs);
		high = highs;
	}
	rs_draw d = {.s = w->v,
	    .aim = mixed ? aims : NULL,
	    .known = given,
	    .out = out,
	    .wanted = wanted,
	    .low = low,
	    .high = high,
	    .rng = w->rng};
	return run_program(sampler, &d) && o->valid(w->v) && o->propagate(w->v, w->v + o->nsym) && sizes_allowed(w);
}

/* ---- forward and backward */

/* Simplifies each list of numbers, if the rule accepts that. */
static void simplify(work *w)
{
	int64_t saved[INDEX_WIDTH_MAX];
	unsigned first, count, value = 0;
	while ((value = lists_find(w->o, value, w->fixed, &first, &count), count)) {
		memcpy(saved, w->v, w->o->width * sizeof *saved);
		lists_simplify(w->o, w->v, first, count, w->rng);
		if (!accepted(w))
			memcpy(w->v, saved, w->o->width * sizeof *saved);
	}
}

/* Completes a call by a rule. */
static bool complete(work *w)
{
	const index_op *o = w->o;
	const int64_t *out = w->v + o->nsym;
	for (int i = 0; o->sample && i < DRAWS; i++)
		if (draw_call(w, o->sample, out, index_none, i + 1 < DRAWS))
			return true;
	find_taken(w);
	for (int i = 0; i < RECORDS; i++) {
		w->record = draw_record(o, w->box->zero, w->rng);
		if (solve(w)) {
			vary(w);
			return true;
		}
	}
	return false;
}

bool sample_forward(const index_op *o, int64_t *v, const uint8_t *known, sample_box box, rng *r)
{
	work w;
	open_work(&w, o, v, known, &box, r);
	if (!o->symbolic)
		return take_record(&w);
	if (w.nfixes == o->nsym)
		return accepted(&w);
	if (!complete(&w))
		return false;
	if (box.mixed && rng_below(r, PLAIN_ONE_IN))
		simplify(&w);
	return true;
}

/* Corrects the first input of the output's rank by the error of the output. */
static bool repair(work *w, unsigned place, unsigned rank, const int64_t *want)
{
	const index_op *o = w->o;
	unsigned i = 0;
	while (i < o->nin && (o->inputs[i].rank != rank || w->fixed[o->inputs[i].first]))
		i++;
	if (i == o->nin)
		return false;
	int64_t limit = w->box->numel ? w->box->numel : INT32_MAX;
	for (unsigned d = 0; d < rank; d++) {
		int64_t off = want[d] - w->v[place + d];
		if (off > limit || off < -limit)
			return false;
		w->v[o->inputs[i].first + d] += off;
	}
	return accepted(w);
}

static bool solve_backward(work *w, unsigned place, unsigned rank, const int64_t *want)
{
	for (int strict = 1; strict >= 0; strict--) {
		memcpy(w->v + place, want, rank * sizeof *want); /* overwritten by the rule */
		follow_groups(w);
		if (!strict)
			follow_leaders(w);
		bool ok = accepted_narrow(w);
		for (int i = 0; ok && i <= REPAIRS; i++) {
			if (memcmp(w->v + place, want, rank * sizeof *want) == 0)
				return true;
			ok = i < REPAIRS && rank && repair(w, place, rank, want);
		}
	}
	return false;
}

/* Only the shape of one output is known. */
static bool by_sampler_back(work *w, unsigned place, unsigned rank, const int64_t *shape)
{
	const index_op *o = w->o;
	int64_t out[INDEX_WIDTH_MAX];
	uint8_t wanted[INDEX_WIDTH_MAX];
	unsigned nodim = o->width - o->nsym, first = place - o->nsym;
	index_clear(wanted, nodim);
	for (unsigned i = 0; i < nodim; i++)
		out[i] = i - first < rank ? shape[i - first] : 0;
	for (unsigned i = 0; i < rank; i++)
		wanted[first + i] = 1;
	for (int i = 0; i < DRAWS && o->back; i++)
		if (draw_call(w, o->back, out, wanted, i + 1 < DRAWS)
		    && memcmp(w->v + place, shape, rank * sizeof *shape) == 0)
			return true;
	return false;
}

bool sample_backward(const index_op *o, int64_t *v, const uint8_t *known, unsigned output,
    const int64_t *shape, sample_box box, rng *r)
{
	work w;
	unsigned place = index_output_place(o, output), rank = o->out_ranks[output];
	memcpy(v + place, shape, rank * sizeof *shape);
	open_work(&w, o, v, known, &box, r);
	for (unsigned i = 0; i < rank; i++)
		fix(&w, place + i);
	if (!o->symbolic)
		return take_record(&w);
	if (w.nfixes == rank && by_sampler_back(&w, place, rank, shape))
		return true;
	memcpy(v + place, shape, rank * sizeof *shape); /* may be overwritten by the sampler */
	find_taken(&w);
	for (int i = 0; i < RECORDS; i++) {
		w.record = draw_record(o, box.zero, r);
		if (solve_backward(&w, place, rank, shape))
			return true;
	}
	return false;
}
