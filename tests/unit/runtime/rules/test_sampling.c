/* Compiled samplers of all linked tables: the calls they find are valid, known numbers stay, requested
 * outputs result, and direct samplers meet no dead end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arena.h"
#include "gen_index.h"
#include "sampling.h"
#include "span.h"

enum { DRAWS = 6, MOST_DIMENSION = 5, NUMEL = 1 << 20 };

typedef struct bench {
	const rs_op *op;
	index_op form;
	rng rng;
	rs_draw draw;
	int64_t s[INDEX_WIDTH_MAX], out[INDEX_WIDTH_MAX], low[INDEX_WIDTH_MAX],
	    high[INDEX_WIDTH_MAX], call[INDEX_WIDTH_MAX];
	uint8_t known[INDEX_WIDTH_MAX], wanted[INDEX_WIDTH_MAX];
	unsigned asked, dead;
} bench;

static void open_bench(bench *b, const rs_op *op, arena *a)
{
	memset(b, 0, sizeof *b);
	b->op = op;
	b->rng = rng_seed(op->nsym * 7u + op->nodim);
	assert_true(index_describe(a, op, NUMEL, &b->form));
	index_box(&b->form, 1, MOST_DIMENSION, b->low, b->high);
	b->draw = (rs_draw){b->s, b->known, b->out, b->wanted, b->low, b->high, &b->rng, NULL};
}

static bool ask(bench *b, const char *program)
{
	int64_t out[INDEX_WIDTH_MAX];
	b->asked++;
	if (!rs_run(&b->draw, program) || !b->op->valid(b->s)) {
		b->dead++;
		return false;
	}
	return b->op->propagate(b->s, out);
}

static void forget(bench *b)
{
	memset(b->known, 0, b->op->nsym);
	memset(b->wanted, 0, b->op->nodim);
	memset(b->s, 0, b->op->nsym * sizeof *b->s);
}

static void give_tensors(bench *b)
{
	for (unsigned i = 0; i < b->op->nin && i < 4; i++) {
		const index_input *x = &b->form.inputs[i];
		if (x->ranged)
			continue;
		forget(b);
		memset(b->known + x->first, 1, x->rank);
		memcpy(b->s + x->first, b->call + x->first, x->rank * sizeof *b->s);
		if (ask(b, b->op->sample)
		    && memcmp(b->s + x->first, b->call + x->first, x->rank * sizeof *b->s) != 0)
			fail_msg("%s: the sampler changed input %u", b->op->name, i);
	}
}

static void want_outputs(bench *b)
{
	int64_t made[INDEX_WIDTH_MAX];
	unsigned first = 0;
	if (!b->op->propagate(b->call, b->out))
		return;
	for (unsigned i = 0; i < b->op->nout && i < 4; first += b->op->out_ranks[i], i++) {
		unsigned rank = b->op->out_ranks[i];
		forget(b);
		memset(b->wanted + first, 1, rank);
		if (ask(b, b->op->back) && b->op->propagate(b->s, made)
		    && memcmp(made + first, b->out + first, rank * sizeof *made) != 0)
			b->dead++;
	}
}

/* The number of operators marked direct that meet a dead end. */
static unsigned check_table(const rs_table *t, unsigned *direct)
{
	unsigned bad = 0;
	*direct = 0;
	for (uint32_t i = 0; i < t->nops; i++) {
		const rs_op *op = &t->ops[i];
		arena *a = arena_new();
		bench b;
		if (!op->sample || op->nsym + op->nodim > INDEX_WIDTH_MAX) {
			arena_free(a);
			continue;
		}
		open_bench(&b, op, a);
		for (unsigned n = 0; n < DRAWS; n++) {
			forget(&b);
			if (!ask(&b, op->sample))
				continue;
			memcpy(b.call, b.s, op->nsym * sizeof *b.s);
			give_tensors(&b);
			want_outputs(&b);
		}
		*direct += op->sampler == RS_SAMPLER_DIRECT;
		bad += op->sampler == RS_SAMPLER_DIRECT && b.dead;
		arena_free(a);
	}
	return bad;
}

static void samplers_find_valid_calls(void **state)
{
	(void)state;
	unsigned all = 0, dead = 0;
	for (uint32_t i = 0; i < rs_rules.ntables; i++) {
		unsigned direct, bad = check_table(rs_rules.tables[i], &direct);
		print_message("%s: %u direct, %u of these met a dead end\n",
		    rs_rules.tables[i]->framework, direct, bad);
		assert_true(direct > 0);
		all += direct;
		dead += bad;
	}
	assert_true(dead * 100 < all);
}

static void most_samplers_are_direct(void **state)
{
	(void)state;
	unsigned rules = 0, direct = 0;
	for (uint32_t i = 0; i < rs_rules.ntables; i++)
		for (uint32_t k = 0; k < rs_rules.tables[i]->nops; k++) {
			const rs_op *op = &rs_rules.tables[i]->ops[k];
			rules += op->valid != NULL;
			direct += op->sampler == RS_SAMPLER_DIRECT;
			assert_true(!op->sample == (op->sampler == RS_SAMPLER_RECORD));
			assert_true(!op->sample == !op->back);
		}
	assert_true(direct * 100 >= rules * 92); /* each confirmed in its own operator's box */
}

/* One dimension of 1 to 5 without bounds. */
typedef struct lone {
	int64_t s, low, high;
	uint8_t known;
	rng rng;
} lone;

static lone lone_symbol(void)
{
	return (lone){.low = 1, .high = 5, .rng = rng_seed(3)};
}

static rs_draw draw_of(lone *l)
{
	return (rs_draw){&l->s, &l->known, NULL, &l->known, &l->low, &l->high, &l->rng, NULL};
}

/* The aim if the interval has it; near the minimum if that is above the aim; anywhere if the maximum is below it. */
static void picks_and_searches_aim(void **state)
{
	(void)state;
	lone l = lone_symbol();
	const int64_t aim = 4;
	int64_t value;
	rs_draw d = draw_of(&l);
	d.aim = &aim;
	for (int i = 0; i < 50; i++) {
		span x = {.low = 0};
		span_begin(&x, &d, 0, true);
		assert_true(span_pick(&d, 0, &x));
		assert_int_equal(l.s, aim);
		assert_true(span_next(&d, &x, &value));
		assert_int_equal(value, aim);
		span_begin(&x, &d, 0, true);
		span_at_least(&x, 5);
		assert_true(span_pick(&d, 0, &x));
		assert_int_equal(l.s, 5);
		span_begin(&x, &d, 0, true);
		span_at_most(&x, 3);
		assert_true(span_pick(&d, 0, &x));
		assert_in_range(l.s, 1, 3);
	}
}

static void picks_are_within_the_span(void **state)
{
	(void)state;
	lone l = lone_symbol();
	rs_draw d = draw_of(&l);
	bool seen[6] = {false};
	for (int i = 0; i < 200; i++) {
		span x = {.low = 0};
		span_begin(&x, &d, 0, true);
		span_at_least(&x, 2);
		span_at_most(&x, 4);
		assert_true(span_pick(&d, 0, &x));
		assert_in_range(l.s, 2, 4);
		seen[l.s] = true;
	}
	assert_true(seen[2] && seen[3] && seen[4]);
	span x = {.low = 0};
	span_begin(&x, &d, 0, true);
	span_at_least(&x, 9); /* outside the bounds: next to them */
	assert_true(span_pick(&d, 0, &x));
	assert_in_range(l.s, 9, 12);
	span_at_most(&x, 8);
	assert_false(span_pick(&d, 0, &x));
}

static void sweeps_end_and_see_every_value_once_in_the_bounds(void **state)
{
	(void)state;
	lone l = lone_symbol();
	rs_draw d = draw_of(&l);
	int64_t value;
	span x = {.low = 0};
	span_begin(&x, &d, 0, true);
	unsigned within[6] = {0}, n = 0;
	span_at_most(&x, 30);
	while (span_next(&d, &x, &value)) {
		assert_in_range(value, 1, 30);
		if (value <= 5)
			within[value]++;
		assert_true(++n < 1000);
	}
	for (int i = 1; i <= 5; i++)
		assert_int_equal(within[i], 1);
	assert_int_equal(n, 30);
}

/* The minimum value searched for an unbounded number that is no dimension; its records start at low. */
static int64_t least_found(int64_t low)
{
	lone l = lone_symbol();
	l.low = low;
	rs_draw d = draw_of(&l);
	int64_t value, least = INT64_MAX;
	span x = {.low = 0};
	span_begin(&x, &d, 0, false);
	while (span_next(&d, &x, &value))
		least = value < least ? value : least;
	return least;
}

static void numbers_of_one_sign_keep_it(void **state)
{
	(void)state;
	assert_int_equal(least_found(3), 1);
	assert_int_equal(least_found(1), 1);
	assert_int_equal(least_found(0), 0);
	assert_true(least_found(-1) < -10);
	lone l = lone_symbol();
	rs_draw d = draw_of(&l);
	span x = {.low = 0};
	span_begin(&x, &d, 0, false);
	span_only(&x, -2); /* a value from a clause */
	assert_true(span_pick(&d, 0, &x));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_of_one_sign_keep_it),
	    cmocka_unit_test(picks_and_searches_aim),
	    cmocka_unit_test(picks_are_within_the_span),
	    cmocka_unit_test(sweeps_end_and_see_every_value_once_in_the_bounds),
	    cmocka_unit_test(samplers_find_valid_calls),
	    cmocka_unit_test(most_samplers_are_direct),
	};
	return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
