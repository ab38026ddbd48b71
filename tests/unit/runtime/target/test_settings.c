/* Tables of settings: read as text, joined, drawn from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "buf.h"
#include "draw_settings.h"

static const char TEXT[] = "\"\"\"About.\"\"\"\n\nOTHER = {\n    \"no\": (\"1\", \"2\"),\n}\nSETTINGS = {\n    \"threads\": (\"1\", \"2\", \"4\"),\n"
			   "    # \"comment\"\n    \"alone\": (\"x\",),\n    \"a.b\": (\"0\", \"1\"),\n    \"a.b\": (\"5\", \"6\"),\n}\n"
			   "MORE = {\n    \"later\": (\"1\", \"2\"),\n}\n";

static void read_text(setting_table *t, const char *text)
{
	char folder[] = "/tmp/rulefuzz-settings-XXXXXX", path[128], command[128];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/settings", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof path, "%s/settings/x_y.py", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	snprintf(path, sizeof path, "%s/targets/x_y.py", folder);
	setting_table_read(t, path);
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	assert_int_equal(system(command), 0);
}

static void tables_are_read(void **state)
{
	(void)state;
	setting_table t;
	read_text(&t, TEXT);
	assert_int_equal(t.n, 2);
	assert_string_equal(t.rows[0].name, "threads");
	assert_int_equal(t.rows[0].nvalues, 3);
	assert_string_equal(t.rows[0].values[2], "4");
	assert_string_equal(t.rows[1].name, "a.b");
	assert_string_equal(t.rows[1].values[1], "1");
	static const char *const NONE[] = {"/nowhere/targets/x.py", "/nowhere/x.py", "x.py", ""};
	for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
		setting_table_read(&t, NONE[i]);
		assert_int_equal(t.n, 0);
	}
	char line[4096] = "SETTINGS = {\n";
	for (int i = 0; i < 40; i++)
		sprintf(line + strlen(line), "    \"n%d\": (\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"),\n", i);
	read_text(&t, line);
	assert_int_equal(t.n, SETTINGS_MOST);
	assert_int_equal(t.rows[0].nvalues, SETTING_VALUES);
}

/* The share of models, before or after the table, 300 if it is not there; the maximum of joined tables. */
static void shares(void **state)
{
	(void)state;
	setting_table t, more;
	read_text(&more, "SHARE = 700\nSETTINGS = {\n    \"a\": (\"1\", \"2\"),\n}\n");
	assert_int_equal(more.share, 700);
	assert_int_equal(more.n, 1);
	read_text(&t, "LARGE_SHARE = 900\nSETTINGS = {\n    \"b\": (\"1\", \"2\"),\n}\nSHARE = \n");
	assert_int_equal(t.share, SETTINGS_SHARE);
	setting_table_join(&t, &more);
	assert_int_equal(t.share, 700);
	assert_int_equal(t.n, 2);
	setting_table_join(&t, &(setting_table){.share = 10});
	assert_int_equal(t.share, 700);
	setting_table_read(&t, "/nowhere/targets/x.py");
	assert_int_equal(t.share, SETTINGS_SHARE);
}

static void tables_are_joined(void **state)
{
	(void)state;
	setting_table t, more;
	read_text(&t, "SETTINGS = {\n    \"a\": (\"1\", \"2\"),\n}\n");
	read_text(&more, "SETTINGS = {\n    \"a\": (\"3\", \"4\"),\n    \"b\": (\"1\", \"2\"),\n}\n");
	setting_table_join(&t, &more);
	assert_int_equal(t.n, 2);
	assert_string_equal(t.rows[0].values[0], "1");
	assert_string_equal(t.rows[1].name, "b");
}

/* The share, one to three each, never a default, every value, and the same again. */
static void settings_are_drawn(void **state)
{
	(void)state;
	enum { MODELS = 4000 };
	setting_table t;
	graph g, again;
	unsigned with = 0, counts[GRAPH_SETTINGS_MAX] = {0}, fours = 0, others[2] = {0};
	read_text(&t, TEXT);
	setting_table_join(&t, &(setting_table){.rows = {{"c", {"0", "1"}, 2}, {"d", {"0", "1"}, 2}}, .n = 2});
	assert_true(graph_init(&g) && graph_init(&again));
	for (uint64_t i = 0; i < MODELS; i++) {
		graph_reset(&g);
		graph_reset(&again);
		assert_true(draw_settings(&t, 300, 7, i, &g) && draw_settings(&t, 300, 7, i, &again));
		assert_int_equal(g.nsettings, again.nsettings);
		with += g.nsettings > 0;
		counts[g.nsettings]++;
		for (unsigned k = 0; k < g.nsettings; k++) {
			assert_string_equal(g.settings[k].name, again.settings[k].name);
			assert_string_equal(g.settings[k].value, again.settings[k].value);
			assert_true(strcmp(g.settings[k].value, "0") != 0);
			assert_true(strcmp(g.settings[k].name, "threads") != 0 || strcmp(g.settings[k].value, "1") != 0);
			fours += strcmp(g.settings[k].value, "4") == 0;
			others[0] += strcmp(g.settings[k].name, "threads") == 0;
			others[1] += strcmp(g.settings[k].name, "d") == 0;
		}
	}
	assert_in_range(with, MODELS * 26 / 100, MODELS * 34 / 100);
	for (unsigned n = 1; n <= 3; n++)
		assert_in_range(counts[n], with * 26 / 100, with * 41 / 100);
	assert_in_range(fours, others[0] * 2 / 5, others[0] * 3 / 5);
	assert_in_range(others[0], others[1] * 3 / 4, others[1] * 4 / 3); /* rows are as probable */
	graph_reset(&g);
	assert_true(draw_settings(&(setting_table){.n = 0}, 1000, 7, 1, &g) && g.nsettings == 0);
	assert_true(draw_settings(&t, 0, 7, 1, &g) && g.nsettings == 0);
	graph_destroy(&again);
	graph_destroy(&g);
}

/* One in sixteen of the draws of a costly setting is kept. The line follows the table. */
static void costly_settings_are_rare(void **state)
{
	(void)state;
	enum { MODELS = 16000 };
	setting_table t;
	graph g;
	unsigned cheap = 0, costly = 0;
	read_text(&t, "SETTINGS = {\n    \"a\": (\"0\", \"1\"),\n    \"b\": (\"0\", \"1\"),\n}\nCOSTLY = (\"b\", \"none\")  # why\n");
	assert_true(t.n == 2 && !t.rows[0].costly && t.rows[1].costly);
	assert_true(graph_init(&g));
	for (uint64_t i = 0; i < MODELS; i++) {
		graph_reset(&g);
		assert_true(draw_settings(&t, 1000, 7, i, &g));
		for (unsigned k = 0; k < g.nsettings; k++)
			*(strcmp(g.settings[k].name, "a") == 0 ? &cheap : &costly) += 1;
	}
	assert_in_range(cheap, MODELS * 70 / 100, MODELS * 80 / 100); /* three in four models draw it */
	assert_in_range(costly, cheap / 20, cheap / 13);
	graph_destroy(&g);
}

/* Half of the models get a frequent setting besides the drawn ones, which are as frequent as before. */
static void some_settings_are_frequent(void **state)
{
	(void)state;
	enum { MODELS = 8000, ROWS = 8 };
	setting_table t;
	graph g;
	unsigned counts[ROWS] = {0};
	buf text = {0};
	buf_puts(&text, "SETTINGS = {\n");
	for (char c = 'a'; c < 'a' + ROWS; c++)
		buf_printf(&text, "    \"%c\": (\"0\", \"1\"),\n", c);
	buf_puts(&text, "}\nOFTEN = (\"b\", \"h\")\n");
	read_text(&t, buf_text(&text));
	assert_true(graph_init(&g));
	for (uint64_t i = 0; i < MODELS; i++) {
		graph_reset(&g);
		assert_true(draw_settings(&t, 1000, 7, i, &g));
		assert_in_range(g.nsettings, 1, 5);
		for (unsigned k = 0; k < g.nsettings; k++)
			counts[g.settings[k].name[0] - 'a']++;
	}
	for (unsigned k = 0; k < ROWS; k++) /* 2 of 8 rows on average, and half of the rest */
		assert_in_range(counts[k], MODELS * (k == 1 || k == 7 ? 58 : 22) / 100, MODELS * (k == 1 || k == 7 ? 67 : 28) / 100);
	buf_free(&text);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tables_are_read), cmocka_unit_test(shares), cmocka_unit_test(tables_are_joined),
	    cmocka_unit_test(settings_are_drawn), cmocka_unit_test(costly_settings_are_rare), cmocka_unit_test(some_settings_are_frequent)};
	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
