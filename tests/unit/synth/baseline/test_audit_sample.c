/* Sample for the bank's audit: the merges of the smallest priorities, so that a smaller sample is a prefix
 * of a larger one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bank.h"
#include "bank_proof.h"
#include "buf.h"

enum { MOST = 180 };

static void add_line(void *context, const expr *merged, const expr *kept, verdict v)
{
	(void)v;
	expr_print(context, merged);
	buf_puts(context, " = ");
	expr_print(context, kept);
	buf_putc(context, '\n');
}

/* Queries of a sample of this many merges, ordered by priority. */
static bank_proofs sample(prover *p, int holes, int audit, uint64_t seed, buf *lines)
{
	bank *b = bank_new(&(bank_options){.holes = holes, .ops = 3, .threads = 1, .audit = audit, .seed = seed});
	bank_proofs told = bank_audit(b, p, add_line, lines);
	bank_free(b);
	return told;
}

static size_t first_lines(const char *text, int n)
{
	const char *at = text;
	for (; n > 0; n--)
		at = strchr(at, '\n') + 1;
	return (size_t)(at - text);
}

static void samples_are_the_first_of_greater_ones(void **state)
{
	(void)state;
	prover *p = prover_new();
	static const int LESS[] = {0, 1, 2, 3, 5, 24, 60, 150};
	for (uint64_t seed = 1; seed <= 2; seed++) {
		buf all = {0};
		bank_proofs told = sample(p, 1, MOST, seed, &all);
		assert_int_equal(told.refuted, 0);
		assert_int_equal(told.proved + told.unknown, MOST);
		for (size_t i = 0; i < sizeof LESS / sizeof *LESS; i++) {
			buf some = {0};
			told = sample(p, 1, LESS[i], seed, &some);
			assert_int_equal(told.proved + told.unknown, LESS[i]);
			assert_int_equal(some.length, first_lines(all.text, LESS[i]));
			assert_int_equal(strncmp(buf_text(&some), all.text, some.length), 0);
			buf_free(&some);
		}
		buf_free(&all);
	}
	prover_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_the_first_of_greater_ones)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
