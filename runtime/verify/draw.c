#include "draw.h"

#include <string.h>
#include <xxhash.h>

#include "sampling.h"
#include "tally.h"

enum {
	SAMPLE_TRIES = 16, /* attempts to draw a new sample */
	SAMPLE_STEPS = 8,  /* maximum changes of a record */
	MUTANT_TRIES = 48, /* attempts to draw a mutant on the wanted side */
	JOINT_TRIES = 32,  /* attempts to draw a new joint move */
	JOINT_MOST = 8,	   /* maximum of a new shared value, unless it is a neighbour or multiple of the old one */
	ZERO_ONE_IN = 8,   /* one in this many samples starts from a record with an empty tensor */
	RECORD_ONE_IN = 4, /* one in this many samples starts from a record although the rule can be sampled */
	SAMPLE_DIMENSION = 8, /* maximum of dimensions, unless records have larger ones */
	KINDS = 10,        /* kinds of change; see change() */
};

const char *const DRAWN_NAMES[DRAWN_KINDS] = {"sample", "mutant", "joint"};

/* ---- inputs drawn before */

static void place(uint64_t *seen, uint32_t mask, uint64_t hash)
{
	uint32_t at = (uint32_t)hash & mask;
	while (seen[at] && seen[at] != hash)
		at = (at + 1) & mask;
	seen[at] = hash;
}

static bool grow(drawer *d, arena *a)
{
	uint32_t mask = d->mask * 2 + 1;
	uint64_t *wider = ARENA_ARRAY(a, uint64_t, mask + (size_t)1);
	if (!wider)
		return false;
	for (uint32_t i = 0; i <= d->mask; i++)
		if (d->seen[i])
			place(wider, mask, d->seen[i]);
	d->seen = wider;
	d->mask = mask;
	return true;
}

static uint64_t hash_of(const drawer *d, const int64_t *s)
{
	uint64_t hash = XXH3_64bits(s, d->op->nsym * sizeof *s);
	return hash ? hash : 1;
}

static bool is_new(const drawer *d, const int64_t *s)
{
	uint64_t hash = hash_of(d, s);
	for (uint32_t at = (uint32_t)hash & d->mask; d->seen[at]; at = (at + 1) & d->mask)
		if (d->seen[at] == hash)
			return false;
	return true;
}

static bool note(drawer *d, arena *a, const int64_t *s)
{
	if (2 * (d->nseen + 1) > d->mask && !grow(d, a))
		return false;
	place(d->seen, d->mask, hash_of(d, s));
	d->nseen++;
	return true;
}

/* ---- permitted inputs */

static int64_t input_numel(const drawer *d, const int64_t *s, unsigned input)
{
	const index_input *x = &d->form.inputs[input];
	return bounded_numel(x->rank, s + x->first, d->numel);
}

static bool can_be(const drawer *d, const int64_t *s)
{
	for (unsigned i = 0; i < d->op->nsym; i++)
		if (s[i] < d->low[i] || s[i] > d->high[i])
			return false;
	for (unsigned i = 0; i < d->op->nin; i++)
		if (input_numel(d, s, i) > d->numel)
			return false;
	return true;
}

/* Bounds of a tensor's elements: 0 and 0 for an empty tensor, never equal otherwise. */
static void settle_ranges(drawer *d)
{
	for (unsigned i = 0; i < d->op->nvalues; i++) {
		const rs_value *v = &d->op->values[i];
		int64_t *dims = d->s + v->first, *bounds = dims + v->count;
		bool empty = false;
		if (v->kind != RS_RANGED)
			continue;
		for (unsigned j = 0; j < v->count; j++)
			empty |= dims[j] == 0;
		if (empty)
			bounds[0] = bounds[1] = 0;
		else if (bounds[0] == bounds[1])
			bounds[1]++;
	}
}

/* Evaluates the rule. False: a predicted output is too large to be computed. */
static bool predict(drawer *d, const int64_t *s)
{
	const int64_t *out = d->out;
	d->valid = rs_eval(d->op, s, d->out);
	for (unsigned i = 0; d->valid && i < d->op->nout; out += d->op->out_ranks[i], i++)
		if (bounded_numel(d->op->out_ranks[i], out, DRAW_OUT_NUMEL) > DRAW_OUT_NUMEL)
			return false;
	return true;
}

static void find_limits(drawer *d)
{
	unsigned nsym = d->op->nsym;
	d->numel = DRAW_NUMEL;
	for (unsigned i = 0; i < nsym; i++) {
		bool dim = index_is_dimension(&d->form, i);
		d->low[i] = dim ? 0 : DRAW_LOW;
		d->high[i] = DRAW_HIGH;
	}
	for (unsigned r = 0; r < d->form.nrecords; r++) {
		const int64_t *record = index_record(&d->form, r);
		for (unsigned i = 0; i < nsym; i++) {
			d->low[i] = record[i] < d->low[i] ? record[i] : d->low[i];
			d->high[i] = record[i] + 2 > d->high[i] ? record[i] + 2 : d->high[i];
		}
		for (unsigned i = 0; i < d->op->nin; i++) {
			const index_input *x = &d->form.inputs[i];
			int64_t n = bounded_numel(x->rank, record + x->first, DRAW_OUT_NUMEL);
			d->numel = n > d->numel ? n : d->numel;
		}
	}
}

bool drawer_open(drawer *d, const rs_op *op, uint64_t seed, arena *a)
{
	unsigned nsym = op->nsym;
	uint64_t name = XXH3_64bits(op->name, strlen(op->name));
	*d = (drawer){.op = op, .mask = 63, .side = name & 1};
	d->rng = rng_seed(rng_mix(&seed) ^ name);
	d->low = ARENA_ARRAY(a, int64_t, nsym * 6u + op->nodim + 1);
	d->known = arena_alloc(a, nsym + op->nodim + 1u);
	d->seen = ARENA_ARRAY(a, uint64_t, d->mask + (size_t)1);
	if (!d->low || !d->known || !d->seen || !index_describe(a, op, DRAW_OUT_NUMEL, &d->form))
		return false;
	d->high = d->low + nsym;
	d->s = d->high + nsym;
	d->best = d->s + nsym;
	d->from = d->best + nsym;
	d->to = d->from + nsym;
	d->out = d->to + nsym;
	find_limits(d);
	for (unsigned r = 0; r < d->form.nrecords; r++)
		if (!note(d, a, index_record(&d->form, r)))
			return false;
	return true;
}

static bool take(drawer *d, arena *a, int64_t *s)
{
	memcpy(s, d->s, d->op->nsym * sizeof *s);
	return note(d, a, s);
}

/* ---- samples */

static const int64_t *draw_record(drawer *d)
{
	unsigned full = d->form.nfull, all = d->form.nrecords;
	if (all > full && (!full || rng_below(&d->rng, ZERO_ONE_IN) == 0))
		return index_record(&d->form, full + rng_below(&d->rng, all - full));
	return index_record(&d->form, rng_below(&d->rng, full));
}

/* Samples a valid input into d->s, like generators (sampling.h): dimensions in their range, attributes in their recorded
 * range. False: the signature has no sampler, or it met a dead end. */
static bool sample_rule(drawer *d)
{
	bool zero = rng_below(&d->rng, ZERO_ONE_IN) == 0;
	if (!d->op->sample || !rng_below(&d->rng, RECORD_ONE_IN))
		return false;
	index_box(&d->form, !zero, SAMPLE_DIMENSION, d->from, d->to);
	memset(d->known, 0, d->op->nsym);
	rs_draw call = {.s = d->s,
	    .known = d->known,
	    .out = d->out,
	    .wanted = index_none,
	    .low = d->from,
	    .high = d->to,
	    .rng = &d->rng};
	return rs_run(&call, d->op->sample) && can_be(d, d->s) && predict(d, d->s) && d->valid;
}

/* A number between the minimum and maximum of the records without empty tensors. */
static int64_t draw_value(drawer *d, unsigned symbol)
{
	int64_t low = index_low(&d->form, symbol), high = index_high(&d->form, symbol);
	if (!d->form.nfull)
		return 0;
	if (index_is_dimension(&d->form, symbol)) {
		low = 1;
		high = high > SAMPLE_DIMENSION ? high : SAMPLE_DIMENSION;
	}
	return rng_range(&d->rng, low, high);
}

/* Sets a symbol and all symbols that equal it in every record. */
static void set_tied(drawer *d, unsigned symbol, int64_t value)
{
	const index_op *o = &d->form;
	const uint8_t *ties = index_ties(o);
	for (unsigned j = 0; j < o->nsym; j++)
		if (j == symbol || (ties && ties[(size_t)symbol * o->width + j] == o->nrecords))
			d->s[j] = value;
}

/* A valid input from a record whose numbers are changed one by one, as long as the rule accepts. */
static void sample_record(drawer *d)
{
	unsigned nsym = d->op->nsym;
	size_t size = nsym * sizeof *d->s;
	memcpy(d->s, draw_record(d), size);
	for (uint32_t n = 1 + rng_below(&d->rng, nsym < SAMPLE_STEPS ? nsym : SAMPLE_STEPS); n; n--) {
		unsigned symbol = rng_below(&d->rng, nsym);
		memcpy(d->best, d->s, size);
		set_tied(d, symbol, draw_value(d, symbol));
		settle_ranges(d);
		if (!can_be(d, d->s) || !predict(d, d->s) || !d->valid)
			memcpy(d->s, d->best, size);
	}
}

bool draw_sample(drawer *d, arena *a, int64_t *s)
{
	if (!d->op->nsym || !d->form.nrecords)
		return false;
	for (int i = 0; i < SAMPLE_TRIES; i++) {
		if (!sample_rule(d))
			sample_record(d);
		if (is_new(d, d->s) && predict(d, d->s) && d->valid)
			return take(d, a, s);
	}
	return false;
}

/* ---- mutants */

/* Changes all equal symbols of one kind together. */
static void change_group(drawer *d, unsigned i)
{
	static const int64_t TIMES[] = {2, 3, 4};
	int64_t old = d->s[i], new = rng_below(&d->rng, 2) ? old * TIMES[rng_below(&d->rng, 3)]
							    : rng_range(&d->rng, 0, 8);
	bool dim = index_is_dimension(&d->form, i), any = rng_below(&d->rng, 4) == 0;
	for (unsigned j = 0; j < d->op->nsym; j++)
		if (d->s[j] == old && (any || index_is_dimension(&d->form, j) == dim))
			d->s[j] = new;
}

static void change(drawer *d)
{
	rng *r = &d->rng;
	unsigned i = rng_below(r, d->op->nsym), j = rng_below(r, d->op->nsym);
	bool dim = index_is_dimension(&d->form, i);
	int64_t old = d->s[i];
	switch (rng_below(r, KINDS)) {
	case 0:
	case 1:
		d->s[i] += rng_below(r, 2) ? 1 : -1;
		break;
	case 2:
		d->s[i] += rng_below(r, 2) ? 2 : -2;
		break;
	case 3:
		d->s[i] = 0;
		break;
	case 4:
		d->s[i] = 1;
		break;
	case 5:
		d->s[i] = dim ? rng_range(r, 2, 5) : -1;
		break;
	case 6:
		d->s[i] = d->s[j] + rng_range(r, -1, 1);
		break;
	case 7:
		d->s[i] = d->s[j];
		d->s[j] = old;
		break;
	case 8:
		change_group(d, i);
		break;
	default:
		d->s[i] = rng_range(r, dim ? 2 : DRAW_LOW, DRAW_HIGH);
	}
}

/* A record with one to three changes, in d->s. */
static void mutate(drawer *d)
{
	const int64_t *record = index_record(&d->form, rng_below(&d->rng, d->form.nrecords));
	memcpy(d->s, record, d->op->nsym * sizeof *record);
	for (uint32_t n = 1 + rng_below(&d->rng, 3); n; n--)
		change(d);
	settle_ranges(d);
}

bool draw_mutant(drawer *d, arena *a, int64_t *s)
{
	size_t size = d->op->nsym * sizeof *s;
	bool found = false, want = d->side;
	if (!d->op->nsym || !d->form.nrecords)
		return false;
	d->side = !want;
	for (int i = 0; i < MUTANT_TRIES; i++) {
		mutate(d);
		if (!can_be(d, d->s) || !is_new(d, d->s) || !predict(d, d->s))
			continue;
		if (d->valid == want)
			return take(d, a, s);
		if (!found)
			memcpy(d->best, d->s, size);
		found = true;
	}
	if (!found) /* the rule has one side only, or all inputs near it were drawn */
		return false;
	memcpy(d->s, d->best, size);
	predict(d, d->s);
	return take(d, a, s);
}

/* ---- joint moves */

static bool moves(int64_t value, int64_t shared, bool multiples)
{
	return value == shared || (multiples && value > 0 && value % shared == 0);
}

static int64_t new_value(rng *r, int64_t old)
{
	switch (rng_below(r, 4)) {
	case 0:
		return old + (rng_below(r, 2) ? 1 : -1);
	case 1:
		return old * rng_range(r, 2, 3);
	default:
		return rng_range(r, 1, JOINT_MOST);
	}
}

/* Moves all symbols that share symbol i's value, in d->s; false if i would move alone. */
static bool move_together(drawer *d, unsigned i)
{
	int64_t old = d->s[i], new = new_value(&d->rng, old);
	bool multiples = rng_below(&d->rng, 2);
	unsigned moved = 0;
	if (old < 2 || new == old)
		return false;
	for (unsigned j = 0; j < d->op->nsym; j++)
		if (moves(d->s[j], old, multiples)) {
			d->s[j] = d->s[j] / old * new;
			moved++;
		}
	return moved > 1;
}

/* The starting point of a joint move, in d->s. */
static void start_joint(drawer *d)
{
	if (rng_below(&d->rng, 2))
		memcpy(d->s, draw_record(d), d->op->nsym * sizeof *d->s);
	else if (!sample_rule(d))
		sample_record(d);
}

bool draw_joint(drawer *d, arena *a, int64_t *s)
{
	if (!d->op->nsym || !d->form.nrecords)
		return false;
	for (int i = 0; i < JOINT_TRIES; i++) {
		start_joint(d);
		if (!move_together(d, rng_below(&d->rng, d->op->nsym)))
			continue;
		settle_ranges(d);
		if (can_be(d, d->s) && is_new(d, d->s) && predict(d, d->s))
			return take(d, a, s);
	}
	return false;
}

/* ---- invalid calls */

/* Changes one number of d->s a little. */
static void move_one(drawer *d)
{
	static const int64_t STEPS[] = {1, -1, 1, -1, 2, -2, 5};
	unsigned i = rng_below(&d->rng, d->op->nsym);
	uint32_t step = rng_below(&d->rng, 9);
	d->s[i] = step < 7 ? d->s[i] + STEPS[step] : step == 7 ? 0 : -d->s[i];
}

bool draw_near(drawer *d, arena *a, int64_t *s)
{
	if (!d->op->nsym || !d->form.nrecords)
		return false;
	for (int i = 0; i < JOINT_TRIES; i++) {
		start_joint(d);
		move_one(d);
		if (can_be(d, d->s) && is_new(d, d->s) && predict(d, d->s) && !d->valid)
			return take(d, a, s);
	}
	return false;
}

bool draw_input(drawer *d, arena *a, enum drawn kind, int64_t *s)
{
	switch (kind) {
	case DRAWN_SAMPLE: return draw_sample(d, a, s);
	case DRAWN_MUTANT: return draw_mutant(d, a, s);
	default: return draw_joint(d, a, s);
	}
}

/* ---- strata */

unsigned draw_strata(const rs_op *op, enum drawn kind, const int64_t *s)
{
	unsigned strata = 0;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (!rs_is_tensor(v->kind))
			continue;
		for (unsigned j = 0; j < v->count; j++)
			if (s[v->first + j] == 0)
				strata |= 1u << STRATUM_ZERO;
		if (v->count >= 4)
			strata |= 1u << STRATUM_RANK4;
		if (v->count == 0)
			strata |= 1u << STRATUM_RANK0;
	}
	if (!strata)
		strata = 1u << STRATUM_ORDINARY;
	if (op->flags & RS_THIN)
		strata |= 1u << STRATUM_THIN;
	strata |= 1u << (kind == DRAWN_JOINT ? STRATUM_JOINT : STRATUM_PLAIN);
	return strata | 1u << STRATUM_TOTAL;
}
