/* Index ranges of a clause: the text for any set of positions, counted from either end, names exactly these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "notation.h"
#include "operators.h"

enum { RANK = 5 };

typedef struct place_set {
	records r;
	expr_pool *pool;
	const operator *op;
	quantified_clause s;
} place_set;

/* Two shapes of one length: s0 … s4 and s5 … s9; equal at the positions where the clause holds. */
static void open_set(place_set *p)
{
	buf b = {0};
	int nsym, nodim;
	*p = (place_set){.pool = expr_pool_new(), .s.nranges = 1};
	put_call(&b, "m.f", 0, "x=t5 y=t5", "0", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&p->r, &b);
	p->op = &p->r.ops[0];
	const expr *clause = expr_parse(p->pool, "s2 == s7", p->op->nsym, "test", 1, NULL);
	assert_true(expr_template_of(&p->s.f, p->pool, p->op, clause, NULL, NULL, false));
}

static void close_set(place_set *p)
{
	expr_pool_free(p->pool);
	records_free(&p->r);
}

/* The positions, as bits from the left, that a text names. */
static uint32_t named(const char *text)
{
	uint32_t found = 0;
	int n;
	const char *where = strstr(text, " for ");
	if (!where) { /* one, in brackets */
		const char *x = strchr(text, '['), *y = strrchr(text, '[');
		assert_true(x && y && x != y);
		assert_string_equal(y, strstr(x + 1, "["));
		int i = atoi(x + 1);
		assert_int_equal(i, atoi(y + 1));
		return 1u << (i < 0 ? RANK + i : i);
	}
	assert_int_equal(strncmp(text, "x[i] == y[i] for ", 17), 0);
	if (strcmp(where, " for each i") == 0)
		return (1u << RANK) - 1;
	if (sscanf(where, " for the first %d i", &n) == 1)
		return (1u << n) - 1;
	if (sscanf(where, " for the last %d i", &n) == 1)
		return ((1u << n) - 1) << (RANK - n);
	assert_int_equal(strncmp(where, " for i = ", 9), 0);
	for (const char *at = where + 9; at; at = strchr(at, ',') ? strchr(at, ',') + 2 : NULL) {
		int i = atoi(at);
		uint32_t bit = 1u << (i < 0 ? RANK + i : i);
		assert_true(bit > found); /* each once, in order */
		found |= bit;
	}
	return found;
}

static void all_sets_are_named(void **state)
{
	(void)state;
	place_set p;
	open_set(&p);
	for (int left = 0; left < 2; left++)
		for (uint32_t set = 1; set < 1u << RANK; set++) {
			buf said = {0};
			uint32_t mirrored = 0; /* bit k from the right is position -1 - k */
			for (int k = 0; k < RANK; k++)
				mirrored |= (set >> k & 1) << (RANK - 1 - k);
			uint8_t how = left ? FROM_LEFT : FROM_RIGHT;
			p.s.ranges[0] = (clause_range){.positions = set, .from_left = left};
			notation_clause(&said, &(notation){.ops = &p.op, .n = 1}, &p.s, (instantiation){.dims = how, .values = how});
			if (named(said.text) != (left ? set : mirrored))
				fail_msg("%u from the %s: %s", set, left ? "left" : "right", said.text);
			bool run = set & (set - 1) && !(set & (set + 1)); /* several, from that end on */
			assert_int_equal(run, strstr(said.text, left ? " for the first " : " for the last ") != NULL);
			buf_free(&said);
		}
	buf said = {0};
	p.s.ranges[0] = (clause_range){.positions = EVERYWHERE};
	notation_clause(&said, &(notation){.ops = &p.op, .n = 1}, &p.s, (instantiation){.dims = FROM_RIGHT, .values = FROM_RIGHT});
	assert_int_equal(named(said.text), (1u << RANK) - 1);
	buf_free(&said);
	close_set(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_sets_are_named)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
