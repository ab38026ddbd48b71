#include "sampler_trial.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "need.h"
#include "run.h"

enum {
	FRESH = SAMPLER_FRESH,
	SIDES = 6, /* of a call: at most so many tensors given and outputs wanted while a sampler is chosen */
};

bool sampler_run(const char *text, const rule_op *op, rs_draw *d)
{
	return text && rs_run(d, text) && rule_clauses_hold(&op->rule, d->s);
}

/* ---- trials */

static void find_dimensions(sampler_trial *t)
{
	for (unsigned i = 0; i < t->op->nvalues; i++) {
		const rs_value *v = &t->op->values[i];
		if (rs_is_tensor(v->kind))
			memset(t->dimension + v->first, true, v->count);
	}
}

/* Whether some record has no empty tensor; otherwise the signature accepts empty tensors only. */
static bool has_full_record(const sampler_trial *t)
{
	const rule_op *op = t->op;
	unsigned width = op->nsym + op->nodim, i;
	for (unsigned r = 0; r < op->nrecords; r++) {
		for (i = 0; i < op->nsym; i++)
			if (t->dimension[i] && op->records[(size_t)r * width + i] == 0)
				break;
		if (i == op->nsym)
			return true;
	}
	return op->nrecords == 0;
}

/* Sets the box of attributes, as recorded, and where dimensions begin. */
static void find_box(sampler_trial *t)
{
	const rule_op *op = t->op;
	unsigned width = op->nsym + op->nodim;
	bool full = has_full_record(t);
	for (unsigned i = 0; i < op->nsym; i++) {
		int64_t least = INT64_MAX, most = INT64_MIN;
		for (unsigned r = 0; r < op->nrecords; r++) {
			int64_t x = op->records[(size_t)r * width + i];
			least = x < least ? x : least;
			most = x > most ? x : most;
		}
		t->low[i] = t->dimension[i] || !op->nrecords ? full : least;
		t->high[i] = most;
	}
}

static void set_box(sampler_trial *t, int64_t dimension)
{
	for (unsigned i = 0; i < t->op->nsym; i++)
		if (t->dimension[i] || !t->op->nrecords)
			t->high[i] = dimension;
}

void sampler_trial_open(sampler_trial *t, const rule_op *op, arena *a)
{
	unsigned n = op->nsym, m = op->nodim;
	*t = (sampler_trial){.op = op, .memory = a, .sides = SIDES, .random = rng_seed(n * 31u + m)};
	t->values = need(arena_zalloc(a, (n * 3 + m + 1) * sizeof *t->values), n);
	t->low = t->values + n;
	t->high = t->low + n;
	t->out = t->high + n;
	t->known = need(arena_zalloc(a, n + m + 1), n);
	t->wanted = t->known + n;
	t->calls = NEED_ARRAY(a, int64_t, (size_t)n * SAMPLER_CALLS);
	t->dimension = NEED_ARRAY(a, bool, n);
	find_dimensions(t);
	find_box(t);
}

void sampler_trial_confirms(sampler_trial *t)
{
	t->sides = UINT_MAX;
	for (unsigned i = 0; i < t->op->nsym; i++)
		if (t->dimension[i])
			t->low[i] = 1;
}

void sampler_trial_box(buf *to, const rule_op *op)
{
	arena *scratch = arena_new();
	sampler_trial t;
	sampler_trial_open(&t, op, scratch);
	for (unsigned i = 0; i < op->nsym; i++)
		if (!t.dimension[i])
			buf_printf(to, "%" PRId64 ":%" PRId64 " ", t.low[i], t.high[i]);
	arena_free(scratch);
}

static bool run(sampler_trial *t, const program *p)
{
	t->asked++;
	rs_draw d = {.s = t->values,
	    .known = t->known,
	    .out = t->out,
	    .wanted = t->wanted,
	    .low = t->low,
	    .high = t->high,
	    .rng = &t->random};
	return p && run_program(p, &d) && rule_clauses_hold(&t->op->rule, t->values);
}

static void forget(sampler_trial *t)
{
	memset(t->known, 0, t->op->nsym);
	memset(t->wanted, 0, t->op->nodim);
}

/* Gives the symbols of each tensor in turn and samples the others; returns the failures. */
static unsigned try_tensors(sampler_trial *t, const program *p, const int64_t *call)
{
	unsigned failed = 0;
	for (unsigned i = 0, n = 0; i < t->op->nvalues && n < t->sides; i++) {
		const rs_value *v = &t->op->values[i];
		if (v->kind != RS_TENSOR)
			continue;
		n++;
		forget(t);
		memset(t->known + v->first, 1, v->count);
		memcpy(t->values, call, t->op->nsym * sizeof *call);
		failed += !run(t, p);
	}
	return failed;
}

/* NULL if there is no text, or it is too long: such a sampler finds nothing. */
static const program *decode(sampler_trial *t, const char *text)
{
	return text ? program_decode(t->memory, text, t->op->nsym, t->op->nodim, NULL) : NULL;
}

unsigned sampler_try(sampler_trial *t, const char *text)
{
	const program *p = decode(t, text);
	unsigned failed = 0;
	size_t size = t->op->nsym * sizeof *t->values;
	static const int64_t DIMENSIONS[] = {8, 5, 3};
	int64_t out[512];
	t->ncalls = t->found = 0;
	for (unsigned i = 0; i < FRESH; i++) {
		set_box(t, DIMENSIONS[i % 3]);
		forget(t);
		memset(t->values, 0, size);
		if (!run(t, p) || !rule_propagate(&t->op->rule, t->values, out)) {
			failed++;
			continue;
		}
		t->found++;
		if (t->ncalls == SAMPLER_CALLS)
			continue;
		int64_t *call = t->calls + (size_t)t->ncalls++ * t->op->nsym;
		memcpy(call, t->values, size);
		failed += try_tensors(t, p, call);
	}
	return failed;
}

/* Samples backward from each output of the calls that were found; returns the failures. */
unsigned sampler_try_back(sampler_trial *t, const char *text, int64_t dimension)
{
	const program *p = decode(t, text);
	int64_t made[512];
	unsigned failed = 0, first;
	set_box(t, dimension);
	for (unsigned i = 0; i < t->ncalls; i++) {
		const rule_op *op = t->op;
		first = 0;
		for (unsigned k = 0; k < op->nout && k < t->sides; first += op->outputs[k].rank, k++) {
			unsigned rank = op->outputs[k].rank;
			if (!rule_propagate(&op->rule, t->calls + (size_t)i * op->nsym, t->out))
				break;
			forget(t);
			memset(t->wanted + first, 1, rank);
			memset(t->values, 0, op->nsym * sizeof *t->values);
			failed += !run(t, p) || !rule_propagate(&op->rule, t->values, made)
				  || memcmp(made + first, t->out + first, rank * sizeof *made) != 0;
		}
	}
	return failed;
}
