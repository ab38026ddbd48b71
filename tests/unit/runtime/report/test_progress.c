/* The progress line: time left in the unit that fits, phases, and when the line is drawn. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "graph.h"
#include "progress.h"
#include "rng.h"
#include "toy_table.h"

static const run_row RUN = {.models = 200, .valid = 100, .unsupported = 25};

/* The remaining time, by the limit of time or models that ends first; none without a limit. */
static void what_is_left(void **state)
{
	(void)state;
	static const struct {
		progress_goal goal;
		const char *line;
	} CASES[] = {
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .seconds = 100, .models = 5, .ran = 50, .all_models = UINT64_MAX},
		"10 s: 200 models (5.0/s), target accepts 75.0 %, reference 50.0 %, 3 new findings, 90 s left"},
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .models = 50, .all_models = UINT64_MAX}, "3 new findings"},
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .models = 50, .all_models = 100, .last = true}, ", 10 s left"},
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .models = 50, .all_models = 100}, "3 new findings"}, /* another phase follows */
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .models = 0, .all_models = 100, .last = true}, "3 new findings"}, /* it has no speed yet */
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .models = 101, .all_models = 100, .last = true}, "3 new findings"},
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .models = 100, .all_models = 100, .last = true}, ", 0 s left"},
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .seconds = 100, .models = 50, .all_models = 100, .last = true}, ", 10 s left"},
	    {{.found = 3, .phase_elapsed = 10, .elapsed = 10, .seconds = 15, .models = 50, .all_models = 100, .last = true}, ", 5 s left"},
	    /* The first hour's: probing takes long, of 40,000 calls few are done, and the command ends by its --time. */
	    {{.found = 3, .phase_elapsed = 267, .elapsed = 267, .seconds = 600, .models = 570, .all_models = 43000}, ", 6 min left"},
	    {{.found = 3, .phase_elapsed = 20, .elapsed = 20, .seconds = 10, .models = 1, .all_models = 100}, ", 0 s left"}, /* it ends late */
	    {{.found = 3, .elapsed = 1, .seconds = 120, .models = 1, .all_models = UINT64_MAX}, ", 119 s left"},
	    {{.found = 3, .elapsed = 0, .seconds = 120, .models = 1, .ran = 1, .all_models = UINT64_MAX}, "0 s: 200 models (0.0/s), target accepts 75.0 %, reference 50.0 %, 3 new findings, 2 min left"},
	    {{.found = 3, .elapsed = 1, .seconds = 3600, .models = 1, .all_models = UINT64_MAX}, ", 60 min left"},
	    {{.found = 3, .elapsed = 0, .seconds = 3600, .models = 1, .all_models = UINT64_MAX}, ", 1.0 h left"},
	    /* The phase, and the findings of those before it. */
	    {{.phase = "fuzzing", .phase_elapsed = 5, .elapsed = 20, .seconds = 60, .models = 50, .ran = 50, .all_models = UINT64_MAX, .found = 12, .work = "reducing model 12"},
		"fuzzing, 20 s: 200 models (10.0/s), target accepts 75.0 %, reference 50.0 %, 12 new findings, reducing model 12, 40 s left"},
	};
	progress p;
	progress_open(&p, 0, NULL, NULL);
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		buf b = {0};
		progress_line(&p, &RUN, &CASES[i].goal, &b);
		size_t n = strlen(CASES[i].line);
		if (b.length < n || strcmp(b.text + b.length - n, CASES[i].line) != 0)
			fail_msg("%zu: '%s', not '%s'", i, b.text, CASES[i].line);
		buf_free(&b);
	}
	buf b = {0};
	progress_line(&p, &(run_row){.models = 0}, &(progress_goal){.elapsed = 10, .phase_elapsed = 10, .models = 50, .ran = 50, .all_models = UINT64_MAX}, &b);
	assert_string_equal(b.text, "10 s: 0 models (5.0/s), target accepts 0.0 %, reference 0.0 %, 0 new findings");
	buf_free(&b);
	progress_close(&p);
}

static void operators_are_counted_once(void **state)
{
	(void)state;
	progress p;
	graph g;
	assert_true(graph_init(&g));
	progress_open(&p, 0, &TOY_TABLE, NULL);
	const int64_t shape[] = {2, 3};
	uint32_t a = graph_input(&g, 2, shape, RS_FLOAT32);
	rs_op foreign = TOY_OPS[TOY_THIN];
	const rs_op *const OPS[] = {&TOY_OPS[TOY_SCALE], &TOY_OPS[TOY_THIN], &TOY_OPS[TOY_SCALE], &foreign};
	for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++)
		graph_insert(&g, &(graph_call){.op = OPS[i], .symbols = shape, .inputs = &a, .out = shape, .out_dtypes = TOY_FLOATS}, GRAPH_NONE);
	progress_see(&p, &g);
	progress_see(&p, &g);
	assert_int_equal(p.signatures, 2);
	buf b = {0};
	progress_line(&p, &RUN, &(progress_goal){.elapsed = 1, .models = 1, .all_models = UINT64_MAX}, &b);
	assert_non_null(strstr(b.text, ", 20.0 % of 10 signatures"));
	buf_free(&b);
	progress_close(&p);
	progress_see(&p, &g); /* nothing is counted any more */
	graph_destroy(&g);
}

/* What is drawn on standard error, which is a file, at each second up to `seconds`. */
static void draw(progress *p, int seconds, char text[4096])
{
	FILE *f = tmpfile();
	int before = dup(STDERR_FILENO);
	dup2(fileno(f), STDERR_FILENO);
	for (int now = 1; now <= seconds; now++)
		progress_draw(p, &RUN, &(progress_goal){.elapsed = now, .models = 1, .all_models = UINT64_MAX}, now);
	progress_close(p);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(f);
	text[fread(text, 1, 4095, f)] = '\0';
	fclose(f);
}

static void it_is_drawn_now_and_then(void **state)
{
	(void)state;
	char text[4096];
	progress p;
	progress_open(&p, 10, NULL, NULL);
	p.rewrite = false;
	draw(&p, 25, text); /* a log: at 10 there is nothing to say, at 20 there is */
	assert_memory_equal(text, "20 s: ", 6);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	progress_open(&p, 10, NULL, NULL);
	p.rewrite = true;
	draw(&p, 25, text); /* a terminal: each in place of the last, and none at the end */
	assert_memory_equal(text, "\r\033[K10 s: ", 10);
	assert_non_null(strstr(text, "\r\033[K20 s: "));
	assert_null(strchr(text, '\n'));
	assert_string_equal(text + strlen(text) - 4, "\r\033[K");
	progress_open(&p, 0, NULL, NULL);
	p.rewrite = true;
	draw(&p, 25, text);
	assert_string_equal(text, "");
}

/* A phase that begins goes on with the time of the one before: its first line is not late. */
static void phases_share_the_time(void **state)
{
	(void)state;
	char text[4096];
	progress p;
	double drawn = 0.5;
	progress_open(&p, 10, NULL, &drawn);
	p.rewrite = false;
	draw(&p, 8, text);
	assert_string_equal(text, "");
	progress_open(&p, 10, NULL, &drawn);
	p.rewrite = false;
	draw(&p, 25, text);
	assert_memory_equal(text, "11 s: ", 6);
	assert_non_null(strstr(text, "\n21 s: "));
}

static void it_fits_standard_error(void **state)
{
	(void)state;
	progress p;
	FILE *f = tmpfile();
	int before = dup(STDERR_FILENO);
	dup2(fileno(f), STDERR_FILENO);
	progress_open(&p, -1, NULL, NULL);
	dup2(before, STDERR_FILENO);
	close(before);
	fclose(f);
	assert_false(p.rewrite);
	assert_true(p.every == PROGRESS_SECONDS);
}

/* Of a table of any length, in any order and however often: as many as there were others of. */
static void operators_are_told_apart(void **state)
{
	(void)state;
	enum { MOST = 70, CALLS = 25 };
	rng r = rng_seed(4);
	const int64_t shape[] = {2, 3};
	rs_op ops[MOST];
	for (int i = 0; i < MOST; i++)
		ops[i] = TOY_OPS[TOY_THIN];
	for (uint32_t nops = 1; nops <= MOST; nops++) {
		const rs_table table = {.ops = ops, .nops = nops};
		bool seen[MOST] = {false};
		uint32_t distinct = 0;
		progress p;
		graph g;
		progress_open(&p, 0, &table, NULL);
		for (int model = 0; model < 6; model++) {
			assert_true(graph_init(&g));
			uint32_t a = graph_input(&g, 2, shape, RS_FLOAT32);
			for (int i = 0; i < CALLS; i++) {
				uint32_t at = rng_below(&r, nops);
				graph_insert(&g, &(graph_call){.op = &ops[at], .symbols = shape, .inputs = &a, .out = shape, .out_dtypes = TOY_FLOATS}, GRAPH_NONE);
				distinct += !seen[at];
				seen[at] = true;
			}
			progress_see(&p, &g);
			assert_int_equal(p.signatures, distinct);
			graph_destroy(&g);
		}
		progress_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_left), cmocka_unit_test(operators_are_counted_once), cmocka_unit_test(operators_are_told_apart),
	    cmocka_unit_test(it_is_drawn_now_and_then), cmocka_unit_test(phases_share_the_time), cmocka_unit_test(it_fits_standard_error)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
