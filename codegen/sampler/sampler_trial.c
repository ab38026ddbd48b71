#include "sampler_trial.h"

#include <string.h>

#include "need.h"

enum {
	FRESH = SAMPLER_FRESH,
	SIDES = 6,     /* of a call: tensors given and outputs wanted at most each */
};

static bool holds_all(const sampler_step *t, const int64_t *v)
{
	for (unsigned i = 0; i < t->nwhen; i++)
		if (!expr_holds(t->when[i], v))
			return false;
	return true;
}

static bool has_needs(const sampler *s, const sampler_step *t, const rs_draw *d)
{
	for (unsigned i = 0; i < t->nneeds; i++) {
		unsigned n = t->needs[i];
		if (n < s->nsym ? !d->known[n] : !d->wanted[n - s->nsym])
			return false;
	}
	return true;
}

static void narrow(const sampler_step *t, const int64_t *v, rs_span *x)
{
	wide value;
	if (!holds_all(t, v) || !expr_eval(t->e, v, &value) || value != (int64_t)value)
		return;
	if (t->kind == STEP_LOW)
		rs_at_least(x, (int64_t)value);
	else if (t->kind == STEP_HIGH)
		rs_at_most(x, (int64_t)value);
	else
		rs_hint(x, (int64_t)value);
}

static bool passes(const sampler *s, const sampler_symbol *y, const rs_draw *d, const int64_t *v)
{
	for (unsigned i = 0; i < y->nsteps; i++)
		if (y->steps[i].kind == STEP_TEST && has_needs(s, &y->steps[i], d)
		    && !expr_holds(y->steps[i].e, v))
			return false;
	return true;
}

static bool find_value(const sampler *s, const sampler_symbol *y, rs_draw *d, int64_t *v)
{
	rs_span x = rs_span_of(d, y->symbol, y->dimension);
	bool tests = false;
	int64_t value;
	for (unsigned i = 0; i < y->nsteps; i++) {
		if (y->steps[i].kind == STEP_TEST)
			tests = true;
		else if (has_needs(s, &y->steps[i], d))
			narrow(&y->steps[i], v, &x);
	}
	if (!tests) {
		bool found = rs_pick(d, y->symbol, &x);
		v[y->symbol] = found ? d->s[y->symbol] : 0;
		return found;
	}
	while (rs_next(d, &x, &value)) {
		v[y->symbol] = value;
		if (passes(s, y, d, v))
			return true;
	}
	return false;
}

bool sampler_run(const sampler *s, const rule_op *op, rs_draw *d)
{
	int64_t v[512];
	memcpy(v, d->s, s->nsym * sizeof *v);
	memcpy(v + s->nsym, d->out, s->nodim * sizeof *v);
	memcpy(v + s->nsym + s->nodim, d->low, s->nsym * sizeof *v);
	for (unsigned i = 0; i < s->nsym; i++) {
		if (d->known[s->order[i].symbol])
			continue;
		if (!find_value(s, &s->order[i], d, v))
			return false;
		d->known[s->order[i].symbol] = 1;
	}
	memcpy(d->s, v, s->nsym * sizeof *v);
	return rule_clauses_hold(&op->rule, v);
}

/* ---- how it fares */

/* Whether the operator was seen with tensors that all have elements; else empty ones are all it takes. */
static bool has_full_record(const rule_op *op, const sampler *s)
{
	unsigned width = op->nsym + op->nodim, i;
	for (unsigned r = 0; r < op->nrecords; r++) {
		for (i = 0; i < op->nsym; i++)
			if (s->order[i].dimension
			    && op->records[(size_t)r * width + s->order[i].symbol] == 0)
				break;
		if (i == op->nsym)
			return true;
	}
	return op->nrecords == 0;
}

static void find_box(
    const rule_op *op, const sampler *s, int64_t dimension, int64_t *low, int64_t *high)
{
	unsigned width = op->nsym + op->nodim;
	bool full = has_full_record(op, s);
	for (unsigned i = 0; i < op->nsym; i++) {
		unsigned symbol = s->order[i].symbol;
		int64_t least = INT64_MAX, most = INT64_MIN;
		for (unsigned r = 0; r < op->nrecords; r++) {
			int64_t x = op->records[(size_t)r * width + symbol];
			least = x < least ? x : least;
			most = x > most ? x : most;
		}
		bool attribute = !s->order[i].dimension && op->nrecords;
		low[symbol] = attribute ? least : full;
		high[symbol] = attribute ? most : dimension;
	}
}

void sampler_trial_open(sampler_trial *t, const rule_op *op, arena *a)
{
	unsigned n = op->nsym, m = op->nodim;
	*t = (sampler_trial){.op = op, .random = rng_seed(n * 31u + m)};
	t->values = need(arena_zalloc(a, (n * 3 + m + 1) * sizeof *t->values), n);
	t->low = t->values + n;
	t->high = t->low + n;
	t->out = t->high + n;
	t->known = need(arena_zalloc(a, n + m + 1), n);
	t->wanted = t->known + n;
	t->calls = NEED_ARRAY(a, int64_t, (size_t)n * SAMPLER_CALLS);
}

static bool run(sampler_trial *t, const sampler *s)
{
	t->asked++;
	rs_draw d = {.s = t->values,
	    .known = t->known,
	    .out = t->out,
	    .wanted = t->wanted,
	    .low = t->low,
	    .high = t->high,
	    .rng = &t->random};
	return sampler_run(s, t->op, &d);
}

static void forget(sampler_trial *t)
{
	memset(t->known, 0, t->op->nsym);
	memset(t->wanted, 0, t->op->nodim);
}

/* Gives the symbols of each tensor again and asks for the others. */
static unsigned try_tensors(sampler_trial *t, const sampler *s, const int64_t *call)
{
	unsigned failed = 0;
	for (unsigned i = 0, n = 0; i < t->op->nvalues && n < SIDES; i++) {
		const rs_value *v = &t->op->values[i];
		if (v->kind != RS_TENSOR)
			continue;
		n++;
		forget(t);
		memset(t->known + v->first, 1, v->count);
		memcpy(t->values, call, t->op->nsym * sizeof *call);
		failed += !run(t, s);
	}
	return failed;
}

unsigned sampler_try(sampler_trial *t, const sampler *s)
{
	unsigned failed = 0;
	size_t size = t->op->nsym * sizeof *t->values;
	static const int64_t DIMENSIONS[] = {8, 5, 3};
	int64_t out[512];
	t->ncalls = t->found = 0;
	for (unsigned i = 0; i < FRESH; i++) {
		find_box(t->op, s, DIMENSIONS[i % 3], t->low, t->high);
		forget(t);
		memset(t->values, 0, size);
		if (!run(t, s) || !rule_propagate(&t->op->rule, t->values, out)) {
			failed++;
			continue;
		}
		t->found++;
		if (t->ncalls == SAMPLER_CALLS)
			continue;
		int64_t *call = t->calls + (size_t)t->ncalls++ * t->op->nsym;
		memcpy(call, t->values, size);
		failed += try_tensors(t, s, call);
	}
	return failed;
}

/* Wants each output of the calls that were found. */
unsigned sampler_try_back(sampler_trial *t, const sampler *s)
{
	int64_t made[512];
	unsigned failed = 0, first;
	find_box(t->op, s, 5, t->low, t->high);
	for (unsigned i = 0; i < t->ncalls; i++) {
		const rule_op *op = t->op;
		first = 0;
		for (unsigned k = 0; k < op->nout && k < SIDES; first += op->outputs[k].rank, k++) {
			unsigned rank = op->outputs[k].rank;
			if (!rule_propagate(&op->rule, t->calls + (size_t)i * op->nsym, t->out))
				break;
			forget(t);
			memset(t->wanted + first, 1, rank);
			memset(t->values, 0, op->nsym * sizeof *t->values);
			failed += !run(t, s) || !rule_propagate(&op->rule, t->values, made)
				  || memcmp(made + first, t->out + first, rank * sizeof *made) != 0;
		}
	}
	return failed;
}
