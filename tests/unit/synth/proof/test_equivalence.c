/* A rule's proof level: the weakest among its simplifications. Each is proved by Z3, or else checked on
 * records and a box. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "api_clauses.h"
#include "implied.h"
#include "operators.h"
#include "equivalence.h"

enum { MOST = 400 };

/* A rule of one operator; the test sets all its parts. */
typedef struct bench {
	records r;
	api_solver f;
	prover *prover;
	rule *rule;
} bench;

static const expr *parse(bench *b, const char *text)
{
	diag d = {""};
	const expr *e = expr_parse(b->f.pool, text, 12, "test", 0, &d);
	if (!e)
		fail_msg("%s", d.text);
	return e;
}

/* Two dimensions, s0 and s1, then four integers; one output dimension. The passing records: 1 1 1 1 1 1 to 1
 * and more. */
static bench *open_bench(void)
{
	static bench b;
	static const options NONE = {0};
	int nsym, nodim;
	buf line = {0};
	put_call(&line, "m.f", 0, "x=t2 a=i b=i c=i d=i", "1", &nsym, &nodim);
	buf_puts(&line, ",\"pass\":[[[1,1,1,1,1,1],[1]],[[2,3,4,5,6,7],[2]],[[8,8,1009,1013,8,8],[8]]],\"fail\":[[1,1,-1,0,0,0]]}\n");
	b = (bench){.prover = prover_new()};
	read_lines(&b.r, &line);
	const operator *op = &b.r.ops[0];
	api_solver_start(&b.f, &op, 1, &NONE);
	b.rule = &b.f.rules[0];
	b.rule->out[0] = parse(&b, "s0");
	b.rule->clauses = ARENA_ARRAY(b.f.memory, const expr *, MOST);
	return &b;
}

static void close_bench(bench *b)
{
	prover_free(b->prover);
	api_solver_free(&b->f);
	records_free(&b->r);
}

static void output(bench *b, const char *now, const char *was)
{
	b->rule->out[0] = parse(b, now);
	rule_note(b->rule, b->f.memory, b->rule->out[0], was ? parse(b, was) : NULL);
}

static void clause(bench *b, const char *now, const char *was)
{
	const expr *e = parse(b, now);
	b->rule->clauses[b->rule->nclauses++] = e;
	if (was)
		rule_note(b->rule, b->f.memory, e, parse(b, was));
}

static long queries(const bench *b)
{
	long asked, unknown;
	prover_counts(b->prover, &asked, &unknown);
	return asked;
}

/* Proves the noted simplifications, drops implied clauses, and frees the bench. */
static void expect(bench *b, enum proof want, int clauses)
{
	equivalence_prove(&b->f.solvers[0], b->prover);
	implied_drop(b->f.solvers[0].op, b->f.pool, b->prover, b->rule);
	assert_int_equal(b->rule->proof, want);
	assert_int_equal(b->rule->nclauses, clauses);
	assert_int_equal(b->rule->nnotes, 0);
	close_bench(b);
}

/* A rule that was never simplified has nothing to prove, whatever Z3 was asked. Trying whether a clause is
 * implied is no simplification. */
static void unsimplified_rule_has_no_proof(void **state)
{
	(void)state;
	expect(open_bench(), PROOF_NONE, 0);
	bench *b = open_bench();
	clause(b, "s2 > 0", NULL);
	clause(b, "s3 < s4", NULL);
	expect(b, PROOF_NONE, 2);
}

static void implied_clauses_are_proved(void **state)
{
	(void)state;
	bench *b = open_bench();
	clause(b, "s2 > 1", NULL);
	clause(b, "s2 > 0", NULL);
	expect(b, PROOF_PROVED, 1);
	b = open_bench();
	clause(b, "s2 == s2", NULL); /* says nothing */
	expect(b, PROOF_PROVED, 0);
}

static void each_simplification_is_queried(void **state)
{
	(void)state;
	static const char *const SIMPLIFIED[][2] = {{"s0//s2", "s0*1//s2"}, {"s0//s2", "s0//s2 + 0"}, {"s0", "max(s0, 0)"},
	    {"s2", "s2 if 0 == 0 else s3"}, {"7", "3*2 + 1"}, {"min(s0, s2)", "min(s0, s2) - 1 + 1"}};
	for (size_t k = 0; k < sizeof SIMPLIFIED / sizeof *SIMPLIFIED; k++) {
		bench *b = open_bench();
		output(b, SIMPLIFIED[k][0], SIMPLIFIED[k][1]);
		long before = queries(b);
		equivalence_prove(&b->f.solvers[0], b->prover);
		assert_int_equal(queries(b), before + 1);
		expect(b, PROOF_PROVED, 0);
	}
	bench *b = open_bench();
	clause(b, "s2 > 1", "1 < s2");
	expect(b, PROOF_PROVED, 1);
}

/* x//y*0 is 0 only if y is not 0; the rule's clauses may guarantee that. */
static void detects_lost_values(void **state)
{
	(void)state;
	bench *b = open_bench();
	output(b, "0", "s2//s3*0");
	expect(b, PROOF_UNKNOWN, 0);
	b = open_bench();
	output(b, "0", "s2//s3*0");
	clause(b, "s3 != 0", NULL);
	expect(b, PROOF_PROVED, 1);
	b = open_bench();
	output(b, "0", "s2//s1*0"); /* a dimension may be 0, too */
	expect(b, PROOF_UNKNOWN, 0);
	b = open_bench();
	output(b, "s2", "max(s2, 0)"); /* no dimension */
	expect(b, PROOF_UNKNOWN, 0);
}

/* Equal, but Z3 finds no proof within its budget. */
#define NOW "s2//s3 + 2"
#define WAS "(s2 + 2*s3)//s3"

static void undecided_ones_are_checked(void **state)
{
	(void)state;
	bench *b = open_bench();
	output(b, NOW, WAS);
	expect(b, PROOF_CHECKED, 0);
	b = open_bench();
	output(b, NOW, WAS " + (1 if s2*s2*s2 + s3*s3*s3 == 2066752926 else 0)"); /* a record, outside the box */
	expect(b, PROOF_UNKNOWN, 0);
	b = open_bench();
	output(b, NOW, WAS " + (1 if s2*s2*s2*s2*s2 + s3*s3*s3*s3*s3 == 49575 else 0)"); /* 8 and 7: in the box */
	expect(b, PROOF_UNKNOWN, 0);
	b = open_bench();
	output(b, "s2", "min(s2, 1000000)"); /* right on records and in the box, and refuted */
	expect(b, PROOF_UNKNOWN, 0);
}

static void weakest_result_counts(void **state)
{
	(void)state;
	bench *b = open_bench();
	output(b, NOW, WAS);
	clause(b, "s5 > 1", "1 < s5");
	clause(b, "s5 > 0", NULL);
	expect(b, PROOF_CHECKED, 1);
	b = open_bench();
	output(b, NOW, WAS);
	clause(b, "s5 > 1", "s5 > 2");
	expect(b, PROOF_UNKNOWN, 1);
}

/* Two clauses that exclude each other: if one holds, the other is arbitrary. */
static void clauses_are_exchanged_one_by_one(void **state)
{
	(void)state;
	bench *b = open_bench();
	clause(b, "s2 == 1", "s2 == 3");
	clause(b, "s2 == 2", "s2 == 3");
	expect(b, PROOF_UNKNOWN, 2);
	b = open_bench();
	clause(b, "s2 > 0", NULL);
	clause(b, "s3 != 0", "s2*s3 != 0"); /* where s2 > 0 */
	expect(b, PROOF_PROVED, 2);
}

/* A conjunction that was split is compared as a whole. */
static void conjunctions_are_compared_whole(void **state)
{
	(void)state;
	bench *b = open_bench();
	clause(b, "s2 > 0", NULL);
	clause(b, "s3 > 0", NULL);
	rule_note(b->rule, b->f.memory, parse(b, "s2 > 0 and s3 > 0"), parse(b, "s2 > 0 and 0 < s3"));
	expect(b, PROOF_PROVED, 2);
	b = open_bench();
	clause(b, "s2 > 0", NULL);
	clause(b, "s3 > 0", NULL);
	rule_note(b->rule, b->f.memory, parse(b, "s2 > 0 and s3 > 0"), parse(b, "s2 > 0 and s3 > 5"));
	expect(b, PROOF_UNKNOWN, 2);
}

static void stale_notes_are_ignored(void **state)
{
	(void)state;
	bench *b = open_bench();
	output(b, "s2", "s3");
	output(b, "s4", NULL); /* replaced by another one */
	expect(b, PROOF_NONE, 0);
	b = open_bench();
	output(b, "s2", "s3");
	rule_note(b->rule, b->f.memory, b->rule->out[0], NULL); /* unchanged after all */
	expect(b, PROOF_NONE, 0);
	b = open_bench();
	clause(b, "s2 > 0", "s2 > 5");
	output(b, "s2", "s2 + 0");
	rule_forget_clauses(b->rule);
	expect(b, PROOF_PROVED, 1);
}

static void notes_are_copied(void **state)
{
	(void)state;
	bench *b = open_bench();
	output(b, "s2", "s2*1");
	rule_store store = rule_store_new();
	rule copy = rule_copy(store, b->rule);
	assert_int_equal(copy.nnotes, 1);
	assert_ptr_equal(copy.notes[0].now, copy.out[0]);
	assert_ptr_equal(copy.notes[0].was, expr_parse(store.pool, "s2*1", 12, "test", 0, NULL));
	for (int i = 0; i < 20; i++) /* and there is room for more */
		rule_note(&copy, store.memory, expr_sym(store.pool, i + 20), expr_sym(store.pool, i + 40));
	assert_int_equal(copy.nnotes, 21);
	assert_int_equal(b->rule->nnotes, 1);
	rule_store_free(&store);
	close_bench(b);
}

/* The maximum number of clauses, nonlinear and all different: none implies another. */
static void many_clauses_stay_distinct(void **state)
{
	(void)state;
	bench *b = open_bench();
	char text[64];
	for (int k = 0; k < 300; k++) {
		snprintf(text, sizeof text, "s2*s3 != %d*s4*s5", k + 2);
		clause(b, text, NULL);
	}
	expect(b, PROOF_NONE, 300);
}

/* ---- through the search: an argument of another operator is a constant here */

static void put_rows(buf *b, int nsym, int64_t most)
{
	buf_puts(b, ",\"pass\":[");
	for (int64_t x = 1, n = 0; x <= most; x++)
		for (int64_t k = 1; k <= x && k <= 4; k++)
			for (int64_t pad = 0; pad < (nsym > 2 ? 3 : 1); pad++) {
				buf_puts(b, n++ ? ",[[" : "[[");
				buf_printf(b, "%lld,%lld", (long long)x, (long long)k);
				if (nsym > 2)
					buf_printf(b, ",%lld", (long long)pad);
				buf_printf(b, "],[%lld]]", (long long)(x + 2 * pad - k));
			}
	buf_puts(b, "],\"fail\":[]}\n");
}

static void simplified_templates_are_noted(void **state)
{
	(void)state;
	static const options NONE = {0};
	const operator *ops[2];
	int nsym, nodim;
	buf lines = {0};
	records r;
	api_solver f;
	put_call(&lines, "m.f", 0, "x=t1 k=i pad=i", "1", &nsym, &nodim);
	put_rows(&lines, nsym, 12);
	put_call(&lines, "m.f", 1, "x=t1 k=i pad=#0", "1", &nsym, &nodim);
	buf_puts(&lines, ",\"pass\":[[[9,2],[7]]],\"fail\":[]}\n"); /* alone: 7, or one of many */
	read_lines(&r, &lines);
	for (int i = 0; i < 2; i++)
		ops[i] = &r.ops[i];
	api_solver_start(&f, ops, 2, &NONE);
	api_solver_find_shapes(&f);
	buf said = {0};
	rule_print(&said, &f.rules[1]);
	assert_string_equal(said.text, "s0 - s1; |");
	buf_free(&said);
	assert_int_equal(f.rules[0].nnotes, 0);
	assert_int_equal(f.rules[1].nnotes, 1);
	assert_ptr_equal(f.rules[1].notes[0].now, f.rules[1].out[0]);
	prover *p = prover_new();
	equivalence_prove(&f.solvers[1], p);
	assert_int_equal(f.rules[1].proof, PROOF_PROVED);
	assert_int_equal(queries(&(bench){.prover = p}), 1);
	prover_free(p);
	api_solver_free(&f);
	records_free(&r);
}

/* Passing and failing calls of f(x, k, pad): pad < k. pad < 0: it is a symbol. */
static void put_clause_rows(buf *b, int pad)
{
	buf rows[2] = {{0}, {0}};
	for (int x = 1; x < 6; x++)
		for (int k = -1; k < 9; k++)
			for (int p = pad < 0 ? 0 : pad; p <= (pad < 0 ? 8 : pad); p++) {
				buf *to = &rows[p >= k];
				buf_printf(to, "%s%s%d,%d", to->length ? "," : "", p < k ? "[[" : "[", x, k);
				if (pad < 0)
					buf_printf(to, ",%d", p);
				buf_puts(to, "]");
				if (p < k)
					buf_printf(to, ",[%d]]", x);
			}
	buf_printf(b, ",\"pass\":[%s],\"fail\":[%s]}\n", rows[0].text, rows[1].text);
	buf_free(&rows[0]);
	buf_free(&rows[1]);
}

/* 3 < s1 becomes s1 > 3. */
static void simplified_clauses_are_noted(void **state)
{
	(void)state;
	static const options NONE = {0};
	const operator *ops[2];
	int nsym, nodim;
	buf lines = {0}, said = {0};
	records r;
	api_solver f;
	put_call(&lines, "m.f", 0, "x=t1 k=i pad=i", "1", &nsym, &nodim);
	put_clause_rows(&lines, -1);
	put_call(&lines, "m.f", 1, "x=t1 k=i pad=#3", "1", &nsym, &nodim);
	put_clause_rows(&lines, 3);
	read_lines(&r, &lines);
	for (int i = 0; i < 2; i++)
		ops[i] = &r.ops[i];
	api_solver_start(&f, ops, 2, &NONE);
	api_solver_find_shapes(&f);
	api_clauses_find(&f);
	rule_print(&said, &f.rules[0]);
	assert_string_equal(said.text, "s0; | s2 < s1;");
	buf_clear(&said);
	rule_print(&said, &f.rules[1]);
	assert_string_equal(said.text, "s0; | s1 > 3;");
	buf_free(&said);
	prover *p = prover_new();
	for (int i = 0; i < 2; i++)
		equivalence_prove(&f.solvers[i], p);
	assert_int_equal(f.rules[0].proof, PROOF_NONE);
	assert_int_equal(f.rules[1].proof, PROOF_PROVED);
	prover_free(p);
	api_solver_free(&f);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(unsimplified_rule_has_no_proof), cmocka_unit_test(implied_clauses_are_proved),
	    cmocka_unit_test(each_simplification_is_queried), cmocka_unit_test(detects_lost_values),
	    cmocka_unit_test(undecided_ones_are_checked), cmocka_unit_test(weakest_result_counts),
	    cmocka_unit_test(clauses_are_exchanged_one_by_one), cmocka_unit_test(conjunctions_are_compared_whole),
	    cmocka_unit_test(stale_notes_are_ignored), cmocka_unit_test(notes_are_copied),
	    cmocka_unit_test(many_clauses_stay_distinct), cmocka_unit_test(simplified_templates_are_noted),
	    cmocka_unit_test(simplified_clauses_are_noted)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
