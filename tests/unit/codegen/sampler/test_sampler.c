/* Samplers: derived from a rule, they find all calls, without a dead end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "condition.h"
#include "need.h"
#include "sampler_choose.h"
#include "sampler_derive.h"
#include "sampler_program.h"
#include "sampler_trial.h"

/* A rule with its tensors, each a run of symbols from the first one on; attributes come last. */
typedef struct made {
	rule_set rules;
	rule_op op;
	rs_value values[8];
	rule_tensor outputs[4];
	const expr *valid[16], *out[16];
	sampler forward, back;
} made;

static const expr *parse(made *m, const char *text)
{
	diag d = {""};
	const expr *e = expr_parse(m->rules.exprs, text, (int)m->op.nsym, "test", 1, &d);
	if (!e)
		fail_msg("%s", d.text);
	return e;
}

/* ranks: of inputs, then of outputs, each list ended by -1; texts are ended by NULL. */
static void make(made *m, const int *in, unsigned attributes, const int *out,
    const char *const *dims, const char *const *clauses)
{
	memset(m, 0, sizeof *m);
	m->rules.memory = arena_new();
	m->rules.exprs = expr_pool_new();
	m->op.name = "test-0";
	for (; *in >= 0; in++) {
		m->values[m->op.nvalues++] = (rs_value){
		    .kind = RS_TENSOR, .first = (uint16_t)m->op.nsym, .count = (uint16_t)*in};
		m->op.nsym += (unsigned)*in;
		m->op.nin++;
	}
	for (unsigned i = 0; i < attributes; i++)
		m->values[m->op.nvalues++] =
		    (rs_value){.kind = RS_INT, .first = (uint16_t)m->op.nsym++};
	for (; *out >= 0; out++)
		m->outputs[m->op.nout++].rank = (uint8_t)*out;
	for (; *dims; dims++)
		m->out[m->op.nodim++] = parse(m, *dims);
	for (; *clauses; clauses++)
		m->valid[m->op.rule.nclauses++] = parse(m, *clauses);
	m->op.values = m->values;
	m->op.outputs = m->outputs;
	m->op.rule.clauses = m->valid;
	m->op.rule.out = m->out;
	m->op.rule.nodim = (int)m->op.nodim;
}

static void drop(made *m)
{
	expr_pool_free(m->rules.exprs);
	arena_free(m->rules.memory);
}

static void derive(made *m, enum sampler_way back)
{
	assert_true(sampler_derive(&m->rules, &m->op, SAMPLER_FORWARD, 128, &m->forward));
	assert_true(sampler_derive(&m->rules, &m->op, back, 128, &m->back));
}

static const char *program_of(made *m, const sampler *s)
{
	return sampler_program(m->rules.memory, s);
}

static unsigned failures(made *m)
{
	sampler_trial t = {.op = &m->op};
	sampler_trial_open(&t, &m->op, m->rules.memory);
	const char *forward = program_of(m, &m->forward), *back = program_of(m, &m->back);
	unsigned n = 0;
	for (int i = 0; i < 20; i++)
		n += sampler_try(&t, forward) + sampler_try_back(&t, back, 5);
	assert_true(t.ncalls > 0);
	return n;
}

static unsigned implied(const sampler *s)
{
	unsigned n = 0;
	for (unsigned i = 0; i < s->nsym; i++)
		for (unsigned k = 0; k < s->order[i].nsteps; k++)
			n += s->order[i].steps[k].implied;
	return n;
}

static const int NO[] = {-1};

static void matmul_has_no_dead_end(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, 2, -1}, 0, (int[]){2, -1}, (const char *[]){"s0", "s3", NULL},
	    (const char *[]){"s1 == s2", NULL});
	derive(&m, SAMPLER_BACK_FIRST);
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

static void broadcasting_has_no_dead_end(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, 2, -1}, 0, (int[]){2, -1},
	    (const char *[]){"s2 if s0 == 1 else s0", "s3 if s1 == 1 else s1", NULL},
	    (const char *[]){"s0 == s2 or s0 == 1 or s2 == 1", "s1 == s3 or s1 == 1 or s3 == 1",
		NULL});
	derive(&m, SAMPLER_BACK_FIRST);
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

static void convolution_has_no_dead_end(void **state)
{
	(void)state;
	made m; /* input s0…s3, weight s4…s7, stride s8, padding s9, groups s10 */
	make(&m, (int[]){4, 4, -1}, 3, (int[]){4, -1},
	    (const char *[]){"s0", "s4", "(s2 + 2*s9 - s6)//s8 + 1", "(s3 + 2*s9 - s7)//s8 + 1",
		NULL},
	    (const char *[]){"s8 > 0", "s9 >= 0", "s10 > 0", "s5*s10 == s1", "s4%s10 == 0",
		"(s2 + 2*s9 - s6)//s8 + 1 > 0", "(s3 + 2*s9 - s7)//s8 + 1 > 0", NULL});
	derive(&m, SAMPLER_BACK_LAST);
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

static void reshape_has_no_dead_end(void **state)
{
	(void)state;
	made m; /* two tensors have equally many elements */
	make(&m, (int[]){3, -1}, 2, (int[]){2, -1}, (const char *[]){"s3", "s4", NULL},
	    (const char *[]){"s0*s1*s2 == s3*s4", "s3 > 0", "s4 > 0", NULL});
	derive(&m, SAMPLER_BACK_LAST);
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

static void a_list_that_sums_up_has_no_dead_end(void **state)
{
	(void)state;
	made m; /* split: sizes s2, s3, s4 */
	make(&m, (int[]){2, -1}, 3, (int[]){2, -1}, (const char *[]){"s2", "s1", NULL},
	    (const char *[]){
		"s0 == s2 + s3 + s4", "s2 >= 0", "s3 >= 0", "s4 >= 0", NULL});
	derive(&m, SAMPLER_BACK_LAST);
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

static void nothing_is_found_where_nothing_is(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){1, -1}, 0, NO, (const char *[]){NULL},
	    (const char *[]){"s0 > 3", "s0 < 2", NULL});
	derive(&m, SAMPLER_BACK_FIRST);
	sampler_trial t = {.op = &m.op};
	sampler_trial_open(&t, &m.op, m.rules.memory);
	assert_int_equal(sampler_try(&t, program_of(&m, &m.forward)), SAMPLER_FRESH);
	drop(&m);
}

/* Every call that the rule accepts within the box is found (Isra section 3.4: complete). */
static void all_calls_are_found(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, 2, -1}, 0, (int[]){2, -1},
	    (const char *[]){"s2 if s0 == 1 else s0", "s3", NULL},
	    (const char *[]){"s0 == s2 or s0 == 1 or s2 == 1", "s1%s3 == 0", NULL});
	derive(&m, SAMPLER_BACK_FIRST);
	enum { MOST = 4 };
	bool seen[MOST][MOST][MOST][MOST] = {{{{false}}}};
	int64_t s[4], low[4] = {1, 1, 1, 1}, high[4] = {MOST, MOST, MOST, MOST}, out[2] = {0};
	uint8_t known[4], wanted[2] = {0};
	rng r = rng_seed(5);
	const char *program = program_of(&m, &m.forward);
	for (int i = 0; i < 40000; i++) {
		memset(known, 0, sizeof known);
		memset(s, 0, sizeof s);
		rs_draw d = {s, known, out, wanted, low, high, &r, NULL};
		assert_true(sampler_run(program, &m.op, &d));
		bool inside = true;
		for (int k = 0; k < 4; k++)
			inside &= s[k] >= 1 && s[k] <= MOST;
		if (inside)
			seen[s[0] - 1][s[1] - 1][s[2] - 1][s[3] - 1] = true;
	}
	for (int64_t i = 0; i < MOST * MOST * MOST * MOST; i++) {
		int64_t v[4] = {i % MOST + 1, i / MOST % MOST + 1, i / MOST / MOST % MOST + 1,
		    i / MOST / MOST / MOST + 1};
		bool valid = expr_holds(m.valid[0], v) && expr_holds(m.valid[1], v);
		if (valid != seen[v[0] - 1][v[1] - 1][v[2] - 1][v[3] - 1])
			fail_msg("%d %d %d %d: %s", (int)v[0], (int)v[1], (int)v[2], (int)v[3],
			    valid ? "never found" : "found, and not valid");
	}
	drop(&m);
}

static void one_sampler_serves_both_ways(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, 2, -1}, 0, (int[]){2, -1}, (const char *[]){"s0", "s3", NULL},
	    (const char *[]){"s1 == s2", NULL});
	sampler_pair pair = sampler_choose(&m.rules, &m.op);
	assert_int_equal(pair.kind, RS_SAMPLER_DIRECT);
	assert_true(pair.one);
	m.forward = m.back = pair.forward;
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

/* A direct sampler meets no dead end in the box that callers use, in which tensors have elements, for any
 * requested output. */
static void direct_is_said_of_tensors_with_elements(void **state)
{
	(void)state;
	static const int64_t EMPTY[] = {0, 3, 0, 3, 4, 0, 4, 0}, FULL[] = {2, 3, 2, 3, 4, 1, 4, 1};
	static const struct {
		const int64_t *records;
		const char *clause;
		bool direct;
	} EACH[] = {{EMPTY, "s0*s1 == 0", false}, {FULL, "s0 > 0", true}, {EMPTY, "s0 >= 0", true}};
	for (int i = 0; i < 3; i++) {
		made m;
		make(&m, (int[]){2, -1}, 0, (int[]){2, -1}, (const char *[]){"s0", "s1", NULL}, (const char *[]){EACH[i].clause, NULL});
		m.op.records = EACH[i].records;
		m.op.nrecords = 2;
		sampler_pair pair = sampler_choose(&m.rules, &m.op);
		assert_int_equal(pair.kind, RS_SAMPLER_DIRECT);
		const char *forward = program_of(&m, &pair.forward), *back = pair.one ? forward : program_of(&m, &pair.back);
		assert_int_equal(sampler_is_direct(&m.op, forward, back), EACH[i].direct);
		drop(&m);
	}
}

/* That s0, s1 and s2 are at least 3 must be known early; that s4 and s5 are at least s6 need not. */
static void what_serves_no_purpose_is_left_out(void **state)
{
	(void)state;
	made m;
	sampler all;
	make(&m, (int[]){4, 3, -1}, 0, NO, (const char *[]){NULL},
	    (const char *[]){"s1 <= s0", "s2 <= s1", "s3 <= s2", "s3 >= 3", "s4 >= 0 - s5", "s4 >= 0 - s6",
		"s5 >= 0 - s6", "s6 <= s4 + s5 + 100", NULL});
	sampler_pair pair = sampler_choose(&m.rules, &m.op);
	assert_int_equal(pair.kind, RS_SAMPLER_DIRECT);
	assert_true(sampler_derive(&m.rules, &m.op, SAMPLER_BOTH, 8, &all));
	assert_in_range(implied(&pair.forward), 3, implied(&all) - 1);
	m.forward = m.back = pair.forward;
	assert_int_equal(failures(&m), 0);
	drop(&m);
}

static void alike_symbols_are_one_statement(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){3, 3, 2, -1}, 4, (int[]){3, -1}, (const char *[]){"s0", "s1", "s2", NULL},
	    (const char *[]){"s0 == s3", "s1 == s4", "s2 == s5", "s8 >= 1", "s9 >= 2", "s10 >= s0", "s11 >= s2",
		NULL});
	assert_true(sampler_derive(&m.rules, &m.op, SAMPLER_BOTH, 0, &m.forward));
	assert_string_equal(program_of(&m, &m.forward),
	    "R&D#(N&V#P" /* s0 to s2: s3 to s5 if known, o0 to o2 if requested */
	    "A+'c.gP"	 /* s8: at least 1 */
	    "A,'c/gP"
	    "A-'s#gP"
	    "A.'s%gP"
	    "R&D&'S#eP" /* s3 to s5: s0 to s2 */
	    "F)%.");	/* s6, s7 */
	drop(&m);
}

static void known_symbols_stay(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, 2, -1}, 0, NO, (const char *[]){NULL},
	    (const char *[]){"s1 == s2", NULL});
	derive(&m, SAMPLER_BACK_FIRST);
	int64_t s[4] = {0, 0, 41, 7}, low[4] = {1, 1, 1, 1}, high[4] = {5, 5, 5, 5}, out[1] = {0};
	uint8_t known[4] = {0, 0, 1, 1}, wanted[1] = {0};
	const char *program = program_of(&m, &m.forward);
	rng r = rng_seed(1);
	rs_draw d = {s, known, out, wanted, low, high, &r, NULL};
	assert_true(sampler_run(program, &m.op, &d));
	assert_int_equal(s[1], 41);
	assert_int_equal(s[2], 41);
	assert_int_equal(s[3], 7);
	drop(&m);
}

static void sums_are_put_in_order(void **state)
{
	(void)state;
	made m;
	buf text = {0};
	make(&m, (int[]){4, -1}, 0, NO, (const char *[]){NULL}, (const char *[]){NULL});
	linear l = linear_of(parse(&m, "s1 + 2*(s0 - s1) - 3 + s2*(s0 + 1)"));
	expr_print(&text, linear_expr(m.rules.exprs, &l));
	assert_string_equal(text.text, "2*s0 + s0*s2 + s2 - s1 - 3");
	buf_free(&text);
	linear zero = linear_of(parse(&m, "s0 - s0"));
	int64_t number;
	assert_true(linear_is_number(&zero, &number));
	assert_int_equal(number, 0);
	drop(&m);
}

static void sums_that_do_not_fit_are_refused(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, -1}, 0, NO, (const char *[]){NULL}, (const char *[]){NULL});
	static const char *const SUMS[] = {"4611686018427387904*s0 + 4611686018427387904*s0",
	    "0 - 4611686018427387904*s0 - s0", "4611686018427387904*(s0 + s1)*2",
	    "9223372036854775807 + s0", "-9223372036854775808 - s0"};
	for (size_t i = 0; i < sizeof SUMS / sizeof *SUMS; i++) {
		linear l = linear_of(parse(&m, SUMS[i]));
		assert_false(l.ok);
	}
	linear l = linear_of(parse(&m, "4611686018427387904*s0 - 4611686018427387904*s0 + 1"));
	assert_true(l.ok && l.n == 1);
	assert_false(linear_number(INT64_MIN).ok);
	drop(&m);
}

/* Numbers at the ends of 64 bits, in clauses of every form: their bounds are omitted, and drawn calls fail
 * the check. */
static void numbers_that_do_not_fit_say_nothing(void **state)
{
	(void)state;
	made m;
	make(&m, (int[]){2, 2, -1}, 2, (int[]){2, -1},
	    (const char *[]){"s0 + 4611686018427387904 - 4611686018427387904", "s3", NULL},
	    (const char *[]){"s0 > -9223372036854775808", "s1 - 9223372036854775807 < s3",
		"s4*4611686018427387904 + s4*4611686018427387904 >= 0",
		"s5 >= -4611686018427387904 or s2 == 9223372036854775807",
		"(s2 + 4611686018427387904)//s3 >= -4611686018427387904",
		"4611686018427387904*min(s0, s5) <= 4611686018427387904*max(s2, s5 + 8)", NULL});
	derive(&m, SAMPLER_BACK_LAST);
	sampler_trial t = {.op = &m.op};
	sampler_trial_open(&t, &m.op, m.rules.memory);
	assert_int_equal(sampler_try(&t, program_of(&m, &m.forward)), SAMPLER_FRESH); /* rejected, although the rule accepts it */
	drop(&m);
}

/* The conjunction and the disjunction of two conditions on one sum. "": always; 0 != 0: never. */
static void conditions_of_one_sum_are_joined(void **state)
{
	(void)state;
	static const struct joined {
		const char *a, *b, *either, *both;
	} CASES[] = {
	    {"s0 >= 0", "s0 <= 0", "", NULL},
	    {"s0 >= 0", "s0 < 0", "", "0 != 0"},
	    {"s0 > 1", "s0 < 2", "", "0 != 0"},
	    {"s0 > 1", "2 > s0", "", "0 != 0"},
	    {"s0 > 2", "s0 < 2", NULL, "0 != 0"},
	    {"s0 >= 0", "s0 >= -3", "s0 >= -3", "s0 >= 0"},
	    {"s0 - s1 >= 0", "s1 <= s0 + 3", "s1 <= s0 + 3", "s0 - s1 >= 0"},
	    {"s0 - s1 >= 0", "s1 + 3 <= s0", "s0 - s1 >= 0", "s1 + 3 <= s0"},
	    {"s0 - s1 >= 0", "s1 >= s0 + 3", NULL, "0 != 0"},
	    {"s0 == 1", "s0 >= 1", "s0 >= 1", "s0 == 1"},
	    {"s0 == 1", "s0 > 1", NULL, "0 != 0"},
	    {"s0 == 1", "s0 != 2", "s0 != 2", "s0 == 1"},
	    {"s0 == 1", "s0 == 2", NULL, "0 != 0"},
	    {"s0 != 1", "s0 != 2", "", NULL},
	    {"s0 != 1", "s0 >= 1", "", NULL},
	    {"s0 != 1", "s0 > 1", "s0 != 1", "s0 > 1"},
	    {"s0 >= 0", "s1 >= 0", NULL, NULL},
	    {"s0 >= 0", "2*s0 >= 0", NULL, NULL},
	    {"s0//s1 >= 2", "s0//s1 >= 1", "s0//s1 >= 1", "s0//s1 >= 2"},
	    /* a quotient that cancels may have no value */
	    {"s0//s1 - s0//s1 + s1 >= 2", "s1 >= 2", NULL, NULL},
	    {"s0 >= 5", "s0 >= 3 and s1 > 0", NULL, "s0 >= 5 and s1 > 0"},
	    {"s0 < 5", "s0 >= 3 and s1 > 0", "s0 < 5 or s1 > 0", NULL},
	    {"s0 < 2", "s0 >= 3 and s1 > 0", NULL, "0 != 0"},
	    {"s0 >= 2", "s0 >= 3 and s1 > 0", "s0 >= 2", "s0 >= 3 and s1 > 0"},
	    {"s0 < 2", "s0 >= 3 or s1 > 0", NULL, "s0 < 2 and s1 > 0"},
	    {"s0 < 5 or s1 > 0", "s1 >= 1 or s0 < 3", "s0 < 5 or s1 >= 1",
		"s1 >= 1 or s0 < 3"},
	    {"s0 < 5 or s1 > 0", "s1 > 7 or s0 >= 5", "", NULL},
	    {"4611686018427387904 >= s0", "s0 >= 4611686018427387904", "", NULL},
	    {"s0 > 9223372036854775807", "s0 > 0", NULL, NULL},
	};
	made m;
	make(&m, (int[]){2, -1}, 0, NO, (const char *[]){NULL}, (const char *[]){NULL});
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const struct joined *c = &CASES[i];
		const expr *a = parse(&m, c->a), *b = parse(&m, c->b);
		const expr *(*const join[])(expr_pool *, const expr *, const expr *) = {
		    condition_or, condition_and};
		const char *const expected[] = {c->either, c->both};
		for (int k = 0; k < 2; k++) {
			buf text = {0}, plain = {0};
			const expr *e = join[k](m.rules.exprs, a, b);
			expr_print(&plain, expr_make(m.rules.exprs, k ? OP_AND : OP_OR, a, b));
			buf_puts(&text, "");
			if (e)
				expr_print(&text, e);
			assert_string_equal(e ? text.text : "", expected[k] ? expected[k] : plain.text);
			buf_free(&text);
			buf_free(&plain);
		}
	}
	drop(&m);
}

static const expr *any_comparison(made *m, rng *r)
{
	static const enum op OPS[] = {OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE};
	expr_pool *p = m->rules.exprs;
	const expr *x = expr_sym(p, (int)rng_below(r, 2)), *k = expr_const(p, rng_below(r, 5));
	if (rng_below(r, 3) == 0)
		x = expr_make(p, OP_SUB, expr_sym(p, 0), expr_sym(p, 1));
	enum op op = OPS[rng_below(r, 6)];
	return rng_below(r, 2) ? expr_make(p, op, x, k) : expr_make(p, op, k, x);
}

static const expr *any_condition(made *m, rng *r, int depth)
{
	if (depth == 0 || rng_below(r, 4) == 0)
		return any_comparison(m, r);
	const expr *a = any_condition(m, r, depth - 1), *b = any_condition(m, r, depth - 1);
	return expr_make(m->rules.exprs, rng_below(r, 2) ? OP_OR : OP_AND, a, b);
}

/* Joined conditions keep their meaning, whatever they consist of. */
static void joined_conditions_mean_the_same(void **state)
{
	(void)state;
	made m;
	rng r = rng_seed(11);
	make(&m, (int[]){2, -1}, 0, NO, (const char *[]){NULL}, (const char *[]){NULL});
	for (int i = 0; i < 20000; i++) {
		const expr *a = any_condition(&m, &r, 3), *b = any_condition(&m, &r, 3);
		const expr *or = condition_or(m.rules.exprs, a, b);
		const expr *and = condition_and(m.rules.exprs, a, b);
		for (int64_t k = 0; k < 121; k++) {
			int64_t s[] = {k % 11 - 3, k / 11 - 3};
			bool x = expr_holds(a, s), y = expr_holds(b, s);
			if ((x || y) != (!or || expr_holds(or, s))
			    || (x && y) != (!and || expr_holds(and, s))) {
				buf text = {0};
				expr_print(&text, expr_make(m.rules.exprs, OP_OR, a, b));
				fail_msg("s0 = %d, s1 = %d: %s", (int)s[0], (int)s[1], text.text);
			}
		}
	}
	drop(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(matmul_has_no_dead_end),
	    cmocka_unit_test(broadcasting_has_no_dead_end),
	    cmocka_unit_test(convolution_has_no_dead_end),
	    cmocka_unit_test(reshape_has_no_dead_end),
	    cmocka_unit_test(a_list_that_sums_up_has_no_dead_end),
	    cmocka_unit_test(nothing_is_found_where_nothing_is),
	    cmocka_unit_test(all_calls_are_found),
	    cmocka_unit_test(one_sampler_serves_both_ways),
	    cmocka_unit_test(direct_is_said_of_tensors_with_elements),
	    cmocka_unit_test(what_serves_no_purpose_is_left_out),
	    cmocka_unit_test(alike_symbols_are_one_statement),
	    cmocka_unit_test(known_symbols_stay),
	    cmocka_unit_test(sums_are_put_in_order),
	    cmocka_unit_test(sums_that_do_not_fit_are_refused),
	    cmocka_unit_test(numbers_that_do_not_fit_say_nothing),
	    cmocka_unit_test(conditions_of_one_sum_are_joined),
	    cmocka_unit_test(joined_conditions_mean_the_same),
	};
	return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
