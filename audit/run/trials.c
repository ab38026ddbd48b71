#include "trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sampling.h"
#include "words.h"

enum { LOW = 1, HIGH = 8, ATTRIBUTE_LOW = -1, ATTRIBUTE_HIGH = 4 };

typedef struct bench {
	sampler_run *run;
	const rs_op *op;
	const audited_rule *r;
	rs_draw draw;
	int64_t *s, *out, *other, *low, *high;
	uint8_t *known, *wanted;
	rng random;
} bench;

/* Dimensions 1 … 8; attributes as recorded. */
static void set_box(bench *b)
{
	unsigned width = rs_record_width(b->op);
	for (unsigned i = 0; i < b->r->nsym; i++) {
		b->low[i] = b->r->dimension[i] ? LOW : b->op->nrecords ? INT64_MAX : ATTRIBUTE_LOW;
		b->high[i] = b->r->dimension[i] ? HIGH : b->op->nrecords ? INT64_MIN : ATTRIBUTE_HIGH;
		for (unsigned k = 0; !b->r->dimension[i] && k < b->op->nrecords; k++) {
			int64_t v = rs_record_number(b->op, (size_t)k * width + i);
			v = v > RS_LIMIT ? RS_LIMIT : v < -RS_LIMIT ? -RS_LIMIT : v;
			b->low[i] = v < b->low[i] ? v : b->low[i];
			b->high[i] = v > b->high[i] ? v : b->high[i];
		}
	}
}

static void tell(trials *t, const char *what, const bench *b)
{
	if (t->wrong++)
		return;
	size_t n = (size_t)snprintf(t->detail, sizeof t->detail, "%s: ", what);
	row_text(t->detail + n, sizeof t->detail - n, b->s, b->r->nsym);
}

static bool draw(bench *b, const char *program)
{
	memset(b->known, 0, b->r->nsym);
	memset(b->s, 0, b->r->nsym * sizeof *b->s);
	return b->run(&b->draw, program) && b->op->valid(b->s);
}

static void forward(bench *b, trials *t)
{
	memset(b->wanted, 0, b->r->nodim);
	t->forward++;
	if (!draw(b, b->op->sample))
		t->dead++;
}

/* Draws calls that give one output of the call in s. */
static void backward(bench *b, trials *t, unsigned which)
{
	if (!b->r->noutputs || !compiled_accepts(b->op, b->r, b->s, b->out))
		return;
	unsigned first = 0, o = which % b->r->noutputs;
	for (unsigned i = 0; i < o; i++)
		first += b->r->ranks[i];
	for (unsigned i = 0; i < b->r->ranks[o]; i++)
		if (b->out[first + i] > RS_LIMIT)
			return;
	memset(b->wanted, 0, b->r->nodim);
	memset(b->wanted + first, 1, b->r->ranks[o]);
	t->back++;
	if (!draw(b, b->op->back))
		t->back_dead++;
	else if (!b->op->propagate(b->s, b->other)
	    || memcmp(b->other + first, b->out + first, b->r->ranks[o] * sizeof *b->out))
		tell(t, "back gave a call without the wanted output", b);
}

static uint64_t seed_of(const char *name)
{
	uint64_t h = 14695981039346656037u;
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 1099511628211u;
	return h;
}

trials trials_run(sampler_run *run, const rs_op *op, const audited_rule *r)
{
	trials t = {0};
	size_t ns = r->nsym + 1u, no = r->nodim + 1u;
	int64_t *numbers = memory_new(3 * ns + 2 * no, sizeof *numbers);
	uint8_t *flags = memory_new(ns + no, 1);
	bench b = {.run = run, .op = op, .r = r, .s = numbers, .low = numbers + ns, .high = numbers + 2 * ns, .out = numbers + 3 * ns,
	    .other = numbers + 3 * ns + no, .known = flags, .wanted = flags + ns, .random = rng_seed(seed_of(op->name))};
	b.draw = (rs_draw){.s = b.s, .known = b.known, .out = b.out, .wanted = b.wanted, .low = b.low, .high = b.high, .rng = &b.random};
	set_box(&b);
	for (unsigned i = 0; op->sample && i < TRIALS_FORWARD; i++) {
		forward(&b, &t);
		if (op->back && i < TRIALS_BACK)
			backward(&b, &t, i);
	}
	free(numbers);
	free(flags);
	return t;
}
