#include "sampler_choose.h"

#include <string.h>

#include "need.h"
#include "sampler_derive.h"
#include "sampler_program.h"
#include "sampler_trial.h"

/* Limits on projections, tried in this order: a sampler with fewer projections is preferred. */
static const unsigned PROJECTIONS[] = {0, 8, 20, 32, 64, 128, 250, 400, 1500};
enum { TIERS = sizeof PROJECTIONS / sizeof *PROJECTIONS };

/* Tolerated dead ends, as a fraction of the attempts: a sampler with that few counts as good as one with none, and
 * is tried again. */
enum { MORE_OF_FAILED = 4, MORE_OF_ASKED = 50 };

/* Parts that trials drop; repetitions of a trial, of the trial of the result, and of the confirming trial. */
enum { PARTS = 32, AGAIN = 2, SURELY = 4, CONFIRMED = 24 };

/* The largest dimension in backward trials, and in confirming trials. */
enum { BACK_BOX = 5, CONFIRMED_BOX = 8 };

typedef struct attempt {
	sampler s;
	unsigned failed, asked;
	bool surely; /* no failure in any attempt */
} attempt;

/* The number of failures; t->asked is the number of attempts. */
static unsigned fails(sampler_trial *t, const sampler *s, enum sampler_way way)
{
	arena_mark mark = arena_save(t->memory);
	const char *program = sampler_program(t->memory, s);
	unsigned failed = 0;
	t->asked = 0;
	if (sampler_is_forward(way))
		failed += sampler_try(t, program);
	if (way != SAMPLER_FORWARD)
		failed += sampler_try_back(t, program, BACK_BOX);
	arena_release(t->memory, mark);
	return failed;
}

/* The number of failures that count as equally good. */
static unsigned as_few_as(unsigned failed, unsigned asked)
{
	return failed ? failed + failed / MORE_OF_FAILED + asked / MORE_OF_ASKED : 0;
}

static bool fails_never(sampler_trial *t, const sampler *s, enum sampler_way way)
{
	for (unsigned i = 1; i < SURELY; i++)
		if (fails(t, s, way))
			return false;
	return true;
}

/* Chooses the sampler of these ways with the fewest projections that never fails; otherwise one that did not fail
 * once, or with nearly the fewest failures. */
static bool choose(const rule_set *rules, sampler_trial *t, enum sampler_way from, enum sampler_way to,
    attempt *chosen)
{
	attempt all[TIERS * 2];
	unsigned n = 0, best = UINT32_MAX, i = 0;
	bool surely = false;
	for (unsigned tier = 0; tier < TIERS && !surely; tier++)
		for (enum sampler_way way = from; way <= to && !surely; way++) {
			attempt *a = &all[n++];
			const attempt *before = tier ? a - (to - from + 1) : NULL; /* the previous attempt of this way */
			if (before && before->s.whole)
				a->s = before->s;
			else if (!sampler_derive(rules, t->op, way, PROJECTIONS[tier], &a->s))
				return false;
			a->failed = fails(t, &a->s, way);
			a->surely = surely = !a->failed && fails_never(t, &a->s, way);
			best = a->failed < best ? a->failed : best;
		}
	unsigned good = as_few_as(best, t->asked);
	while (surely ? !all[i].surely : all[i].failed > good)
		i++;
	*chosen = all[i];
	if (i + 1 < n && from == SAMPLER_FORWARD) { /* its calls are the targets of backward trials */
		unsigned again = fails(t, &chosen->s, from);
		chosen->failed = chosen->failed ? again : 0;
	}
	chosen->asked = t->asked;
	return true;
}

/* ---- unnecessary steps */

/* A sampler without some of its implied steps. */
typedef struct pruning {
	const sampler *whole;
	unsigned n;
	bool *gone, *before; /* n: the dropped ones of the implied steps; and their state before a trial */
	sampler left;
} pruning;

static pruning prune_begin(const rule_set *rules, const sampler *s)
{
	pruning p = {.whole = s, .left = *s};
	p.left.order = NEED_ARRAY(rules->memory, sampler_symbol, s->nsym);
	for (unsigned i = 0; i < s->nsym; i++) {
		p.left.order[i] = s->order[i];
		p.left.order[i].steps = NEED_ARRAY(rules->memory, sampler_step, s->order[i].nsteps);
		for (unsigned k = 0; k < s->order[i].nsteps; k++)
			p.n += s->order[i].steps[k].implied;
	}
	p.gone = need(arena_zalloc(rules->memory, p.n + 1), p.n);
	p.before = NEED_ARRAY(rules->memory, bool, p.n);
	return p;
}

static void prune_apply(pruning *p)
{
	for (unsigned i = 0, at = 0; i < p->whole->nsym; i++) {
		const sampler_symbol *y = &p->whole->order[i];
		sampler_symbol *left = &p->left.order[i];
		left->nsteps = 0;
		for (unsigned k = 0; k < y->nsteps; k++)
			if (!y->steps[k].implied || !p->gone[at++])
				left->steps[left->nsteps++] = y->steps[k];
	}
}

static bool as_good(pruning *p, sampler_trial *t, enum sampler_way way, const attempt *a, unsigned times)
{
	unsigned most = as_few_as(a->failed, a->asked);
	prune_apply(p);
	while (times-- > 0)
		if (fails(t, &p->left, way) > most)
			return false;
	return true;
}

/* Drops implied steps, first halves of them, then quarters and so on, if trials do not get worse. */
static sampler prune(const rule_set *rules, sampler_trial *t, const attempt *a, enum sampler_way way)
{
	pruning p = prune_begin(rules, &a->s);
	for (unsigned parts = 1; parts <= PARTS && parts <= p.n; parts *= 2)
		for (unsigned part = 0; part < parts; part++) {
			unsigned from = p.n * part / parts, to = p.n * (part + 1) / parts, i = from;
			while (i < to && p.gone[i])
				i++;
			if (i == to)
				continue;
			memcpy(p.before, p.gone, p.n * sizeof *p.gone);
			memset(p.gone + from, true, (to - from) * sizeof *p.gone);
			if (!as_good(&p, t, way, a, AGAIN))
				memcpy(p.gone, p.before, p.n * sizeof *p.gone);
		}
	return as_good(&p, t, way, a, SURELY) ? p.left : a->s;
}

sampler_pair sampler_choose(const rule_set *rules, const rule_op *op)
{
	sampler_pair pair = {.kind = RS_SAMPLER_RECORD};
	arena *scratch = arena_new();
	sampler_trial t;
	attempt forward, back, both;
	sampler_trial_open(&t, op, scratch);
	if (choose(rules, &t, SAMPLER_FORWARD, SAMPLER_FORWARD, &forward)
	    && (forward.failed == 0 || t.found * 8 >= SAMPLER_FRESH)
	    && choose(rules, &t, SAMPLER_BACK_FIRST, SAMPLER_BACK_LAST, &back)) {
		unsigned failed = forward.failed + back.failed;
		pair = (sampler_pair){failed ? RS_SAMPLER_BOUNDED : RS_SAMPLER_DIRECT, forward.s, back.s, false};
		choose(rules, &t, SAMPLER_BOTH, SAMPLER_BOTH, &both);
		pair.one = both.failed <= failed && (both.surely || !forward.surely || !back.surely);
		if (pair.one) {
			pair.kind = both.failed ? RS_SAMPLER_BOUNDED : RS_SAMPLER_DIRECT;
			pair.forward = prune(rules, &t, &both, SAMPLER_BOTH);
		} else {
			pair.back = prune(rules, &t, &back, SAMPLER_BACK_FIRST);
			pair.forward = prune(rules, &t, &forward, SAMPLER_FORWARD);
		}
	}
	arena_free(scratch);
	return pair;
}

bool sampler_is_direct(const rule_op *op, const char *forward, const char *back)
{
	arena *scratch = arena_new();
	sampler_trial t;
	bool direct = true;
	sampler_trial_open(&t, op, scratch);
	sampler_trial_confirms(&t);
	t.random = rng_seed(op->nsym * 31u + op->nodim + 1); /* other calls than those it was chosen by */
	for (unsigned i = 0; i < CONFIRMED && direct; i++)
		direct = sampler_try(&t, forward) == 0 && sampler_try_back(&t, back, i % 2 ? BACK_BOX : CONFIRMED_BOX) == 0;
	arena_free(scratch);
	return direct;
}
