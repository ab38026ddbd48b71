/* Samplers' programs: invalid ones are rejected, searches with leaps find the same as without, and the
 * programs of all linked tables are decoded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "leap.h"
#include "rulesmith.h"
#include "run.h"
#include "samplercode.h"

enum { NSYM = 3, NODIM = 2 };

static const struct broken {
	const char *text, *why;
} BROKEN[] = {
    {"", "character 0 of 0: it has no end"},
    {"F#$", "character 3 of 3: it has no end"},
    {".F#$", "character 0 of 4: it ends early"},
    {"\xff.", "character 0 of 2: no instruction"},
    {"#.", "no instruction"},
    {"F#", "an operand is missing"},
    {"F#\x7f.", "an operand is missing"},
    {"F#~1.", "expected a number"},
    {"F#~;.", "expected a number"},
    {"F#~99999;.", "an operand is too large"},
    {"D~9223372036854775808;", "expected a number"},
    {"D~44400000000000000000000000000000000000000000000000000000000000000", "expected a number"},
    {"F#~-1;.", "an operand is too large"},
    {"F~18446744073709551617;$.", "expected a number"},
    {"F$&.", "no such symbol"},
    {"D&$P.", "no such symbol"},
    {"R'D#$P.", "no such symbol"},
    {"R%D#&S%eP.", "no such symbol"},
    {"R#D#$P.", "a row without a symbol"},
    {"R%.", "it ends early"},
    {"R%F#$.", "a row without a symbol"},
    {"R%R%D#$P.", "a row without a symbol"},
    {"D#%v%P.", "no such output dimension"},
    {"D#~200;P.", "a symbol without an end"},
    {"D#%PF#$.", "a symbol ends elsewhere"},
    {"P.", "an instruction out of place"},
    {"c-.", "an instruction out of place"},
    {"D#%gP.", "the stack is empty"},
    {"D#&c-P.", "something is left on the stack"},
    {"D#(c-k$#P.", "something is left on the stack"},
    {"D#&D#&P.", "an instruction out of place"},
    {"D#$E.", "an instruction out of place"},
    {"D#%tP.", "a test without a search"},
    {"D#&Tc-gE.", "a bound that stands before no search"},
    {"D#&TTE.", "an instruction out of place"},
    {"D#*s$s%=z&c-gP.", "a jump out of its symbol"},
    {"D#.s$s%=z$Tc-B-tE.", "a jump out of its part"},
    {"D#/s$s%=z&Ts$B-tE.", "a jump out of its part"},
    {"D#,s$s%=z#gP.", "the stack is empty"},
    {"D#-s$s%=z%c-gP.", "jumps meet with different numbers on the stack"},
    {"D#)J$c-gP.", "nothing leads here"},
    {"D#.s$s%=z$c-gP.", "a jump into an instruction"},
    {"D#)s$s%pgP.", "nowhere to go without a value"},
    {"D#0f#*s$s%pgs%gP.", "a jump into an instruction"},
    {"D#,f$&s$s%pgP.", "the stack is empty"},
    {"D#)s$s%/gP.", "a divisor that may be 0"},
    {"D#(s$Y-gP.", "a divisor that may be 0"},
    {"D#(s$Z,gP.", "a divisor that may be 0"},
    {"D#1s$c~-99999;%gP.", "a divisor that may be 0"},
};

static void broken_programs_are_refused(void **state)
{
	(void)state;
	arena *a = arena_new();
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++) {
		diag d = {""};
		if (program_decode(a, BROKEN[i].text, NSYM, NODIM, &d) || !strstr(d.text, BROKEN[i].why)) {
			print_message("%s: %s, not %s\n", BROKEN[i].text, *d.text ? d.text : "taken", BROKEN[i].why);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
	arena_free(a);
}

static void what_fills_the_stack_is_refused(void **state)
{
	(void)state;
	arena *a = arena_new();
	for (unsigned n = RS_CODE_STACK - 1; n <= RS_CODE_STACK + 1; n++) {
		char text[512] = "", *at = text + sprintf(text, "D#~%u;", 3 * n + 1);
		for (unsigned i = 0; i < n; i++)
			at = strcpy(at, "s$") + 2;
		for (unsigned i = 1; i < n; i++)
			*at++ = '+';
		strcpy(at, "gP.");
		diag d = {""};
		assert_true(!program_decode(a, text, NSYM, NODIM, &d) == (n > RS_CODE_STACK));
		assert_true(!*d.text || strstr(d.text, "the stack is full"));
	}
	arena_free(a);
}

/* Instructions in any order are a program or rejected, and a program terminates. */
static void any_instructions_are_safe(void **state)
{
	(void)state;
	static const char *const PARTS[] = {"s#", "s$", "s%", "o#", "l$", "c-", "c3", "c~99999;", "+", "-", "m", "p", "d", "Y.",
	    "_$", "=", "<", "q$", "B-", "G/", "z#", "z$", "z'", "z.", "j%", "J%", "J+", "f#'", "f$*", "k$&", "w#(", "g", "g",
	    "h", "e", "i", "n$", "v#", "T", "t", "t", "t"};
	rng r = rng_seed(5);
	unsigned decoded = 0, found = 0;
	for (int i = 0; i < 400000; i++) {
		char body[200] = "", text[240];
		for (unsigned k = rng_below(&r, 12); k; k--)
			strcat(body, PARTS[rng_below(&r, sizeof PARTS / sizeof *PARTS)]);
		sprintf(text, "D#%c%s%c.", (int)('#' + strlen(body) + 1), body, strchr(body, 'T') ? 'E' : 'P');
		arena *a = arena_new();
		const program *p = program_decode(a, text, NSYM, NODIM, NULL);
		int64_t s[NSYM] = {0, -3, 7}, out[NODIM] = {2, 4}, low[NSYM] = {1, 1, 1}, high[NSYM] = {5, 5, 5};
		uint8_t known[NSYM] = {0, 1, 1}, wanted[NODIM] = {1, 0};
		rs_draw d = {s, known, out, wanted, low, high, &r, NULL};
		decoded += p != NULL;
		found += p && run_program(p, &d);
		arena_free(a);
	}
	print_message("%u programs, %u found a value\n", decoded, found);
	assert_true(decoded > 10000);
}

/* ---- leaps */

/* A program text under construction; a jump is at most as long as an operand's one character allows. */
typedef struct written {
	char text[400];
	unsigned n;
} written;

static void put(written *w, const char *text)
{
	w->n += (unsigned)sprintf(w->text + w->n, "%s", text);
}

static void put_operand(written *w, unsigned value)
{
	w->n += (unsigned)sprintf(w->text + w->n, value < 90 ? "%.0d%c" : "~%u;", value < 90 ? 0 : value, (int)(value + '#'));
}

static void put_number(written *w, rng *r)
{
	static const char *const NUMBERS[] = {"c-", "c.", "c,", "c/", "c3", "c(", "c~100;", "c~-1000;", "c~9223372036854775807;",
	    "c~-9223372036854775808;", "c~4611686018427387904;"};
	put(w, NUMBERS[rng_below(r, rng_below(r, 6) ? 8 : 11)]);
}

static void put_value(written *w, rng *r, int depth);

static void put_choice(written *w, rng *r, int depth)
{
	written a = {.n = 0}, b = {.n = 0};
	put_value(&a, r, depth);
	put_value(&b, r, depth);
	put(w, "s#");
	put_number(w, r);
	put(w, rng_below(r, 2) ? "<z" : "=z");
	put_operand(w, a.n + 1 + (b.n < 90 ? 1 : b.n < 100 ? 4 : 5));
	put(w, a.text);
	put(w, "J");
	put_operand(w, b.n);
	put(w, b.text);
}

static void put_value(written *w, rng *r, int depth)
{
	static const char *const LEAVES[] = {"s#", "s#", "s$", "s$"};
	static const char *const OPERATIONS[] = {"+", "-", "*", "a", "b", "p", "p", "d", "r", "m", "x"};
	if (depth == 0 || rng_below(r, 5) == 0) {
		if (rng_below(r, 3))
			put(w, LEAVES[rng_below(r, 4)]);
		else
			put_number(w, r);
	} else if (rng_below(r, 8) == 0 && depth < 3) {
		put_choice(w, r, depth - 1);
	} else {
		put_value(w, r, depth - 1);
		put_value(w, r, depth - 1);
		put(w, OPERATIONS[rng_below(r, 11)]);
	}
}

/* A symbol that equals s2 if a test passes: a comparison, or one under the condition of another. */
static void put_program(written *w, rng *r)
{
	static const char *const COMPARISONS[] = {"=", "!", "<", ">", "{", "}"};
	written test = {.n = 0}, body = {.n = 0};
	put_value(&body, r, 3);
	put_value(&body, r, 2);
	put(&test, "f#");
	put_operand(&test, body.n + 1);
	put(&test, body.text);
	put(&test, COMPARISONS[rng_below(r, 6)]);
	put(&test, "t");
	put(w, "D#");
	put_operand(w, test.n + 5);
	put(w, "s%eT");
	put(w, test.text);
	put(w, "E.");
}

static void leaps_leave_out_what_fails(void **state)
{
	(void)state;
	enum { MOST = 40 };
	rng r = rng_seed(17);
	unsigned leaps = 0, far = 0;
	for (int i = 0; i < 40000; i++) {
		written w = {.n = 0};
		put_program(&w, &r);
		arena *a = arena_new();
		diag g = {""};
		const program *p = program_decode(a, w.text, NSYM, NODIM, &g);
		if (!p)
			fail_msg("%s: %s", w.text, g.text);
		int64_t at = (int64_t)rng_below(&r, 60) - 30, low[NSYM] = {-RS_LIMIT, 0, 0}, high[NSYM] = {RS_LIMIT, 0, 0};
		int64_t s[NSYM] = {0, (int64_t)rng_below(&r, 40) - 10, 0};
		uint8_t known[NSYM] = {0, 1, 1};
		rs_draw d = {s, known, NULL, NULL, low, high, &r, NULL};
		const instruction *c = p->code;
		while (c->code != PROGRAM_SEARCH_)
			c++;
		unsigned n = leap(&d, c + 1, 0, 0, at, MOST);
		assert_in_range(n, 0, MOST);
		for (unsigned k = 0; k < n; k++) {
			s[2] = at + k;
			known[0] = 0;
			if (run_program(p, &d))
				fail_msg("%s: %d passes, of %u from %d on", w.text, (int)s[2], n, (int)at);
		}
		leaps += n > 0;
		far += n > 3;
		arena_free(a);
	}
	print_message("%u leaps, %u of them far\n", leaps, far);
	assert_true(far > 1000);
}

/* ---- tables */

static void programs_of_all_tables_are_decoded(void **state)
{
	(void)state;
	arena *a = arena_new();
	for (uint32_t t = 0; t < rs_rules.ntables; t++)
		for (uint32_t i = 0; i < rs_rules.tables[t]->nops; i++) {
			const rs_op *op = &rs_rules.tables[t]->ops[i];
			const char *samplers[] = {op->sample, op->back};
			for (unsigned k = 0; k < 2 && op->sample; k++) {
				diag d = {""};
				if (!program_decode(a, samplers[k], op->nsym, op->nodim, &d))
					fail_msg("%s: %s", op->name, d.text);
			}
		}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(broken_programs_are_refused),
	    cmocka_unit_test(what_fills_the_stack_is_refused),
	    cmocka_unit_test(any_instructions_are_safe),
	    cmocka_unit_test(leaps_leave_out_what_fails),
	    cmocka_unit_test(programs_of_all_tables_are_decoded),
	};
	return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
