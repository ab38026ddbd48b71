/* Sessions of generated models: reproducible, of all constructs and changes, and without effect on the rest of a model. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gen.h"
#include "gen_session.h"
#include "models.h"
#include "sessions.h"
#include "toy_table.h"

enum { MODELS = 2000, SEED = 5, KINDS = 128 };

static void count(const graph *g, unsigned *seen)
{
	for (unsigned list = 0; list < 2; list++)
		for (unsigned i = 0; i < g->session[list].n; i++)
			for (unsigned k = 0; gen_session_name(k); k++)
				seen[k] += strcmp(gen_session_name(k), g->session[list].items[i].name) == 0;
}

static void drawn_in_a_share_of_models(void **state)
{
	(void)state;
	rs_features on = {.sessions = 500, .gradients = 300};
	rs_gen *with = open_models(&TOY_TABLE, (rs_gen_options){.features = on}), *without = open_models(&TOY_TABLE, (rs_gen_options){0});
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned seen[KINDS] = {0}, sessions = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(with, SEED, i, g) && rs_gen_model(without, SEED, i, plain));
		check_model(g);
		if (!session_any(g))
			continue;
		sessions++;
		assert_false(g->gradients || g->module);
		assert_in_range(g->session[SESSION_CONSTRUCTS].n, 1, 4);
		assert_in_range(g->session[SESSION_CHANGES].n, 1, 4);
		count(g, seen);
		assert_true(rs_graph_hash(g) != rs_graph_hash(plain));
		session_clear(g);
		assert_true(rs_graph_hash(g) == rs_graph_hash(plain));
	}
	assert_in_range(sessions, MODELS * 2 / 5, MODELS * 3 / 5);
	assert_null(gen_session_name(KINDS));
	for (unsigned k = 0; gen_session_name(k); k++)
		assert_true(seen[k] > 0);
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(with), rs_gen_free(without);
}

static void equal_seeds_give_equal_sessions(void **state)
{
	(void)state;
	uint64_t digest[2];
	for (int i = 0; i < 2; i++) {
		rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.features.sessions = 300});
		rs_graph *g = rs_graph_new();
		digest[i] = digest_models(gen, g, SEED, 0, 200);
		rs_graph_free(g);
		rs_gen_free(gen);
	}
	assert_true(digest[0] == digest[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_in_a_share_of_models), cmocka_unit_test(equal_seeds_give_equal_sessions)};
	return cmocka_run_group_tests_name("sessions", tests, NULL, NULL);
}
