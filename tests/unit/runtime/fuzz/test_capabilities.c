/* Capabilities: noted, written, read back; malformed files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "capabilities.h"
#include "file.h"
#include "model_read.h"
#include "models.h"
#include "no_memory.h"
#include "toy_table.h"

static char folder[64], path[96];

static int set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/rulefuzz-capabilities-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/new/t.tsv", folder);
	return 0;
}

static int tear_down(void **state)
{
	char new[80];
	(void)state;
	snprintf(new, sizeof new, "%s/new", folder);
	unlink(path);
	rmdir(new);
	return rmdir(folder);
}

/* Judges every call of the table: every second is rejected, the first is wrong. Returns the number of calls. */
static uint64_t note_all(capabilities *c)
{
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS});
	rs_graph *g = rs_graph_new();
	uint64_t n = rs_gen_count(gen);
	for (uint64_t i = 0; i < n; i++) {
		assert_true(rs_gen_model(gen, 1, i, g));
		assert_true(capabilities_note(c, g, i == 0 ? VERDICT_inconsistency : i % 2 ? VERDICT_unsupported : VERDICT_ok,
		    "cannot\tlower\n\"é\""));
	}
	*capabilities_next(c) = n;
	rs_graph_free(g);
	rs_gen_free(gen);
	return n;
}

static capabilities *reread(const char *backend, const char *versions)
{
	diag d = {""};
	capabilities *c = capabilities_new(&TOY_TABLE, backend, versions);
	if (!capabilities_read(c, path, &d))
		fail_msg("%s", d.text);
	return c;
}

static void what_is_noted_is_read_back_and_left_out(void **state)
{
	(void)state;
	diag d = {""};
	size_t n, m;
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{\"toy\":\"1\"}");
	uint64_t calls = note_all(c);
	assert_true(calls > 8);
	assert_int_equal(note_all(c), calls); /* what is tried again counts once */
	assert_true(capabilities_write(c, path, &d));
	capabilities *back = reread("toy", "{\"toy\":\"1\"}");
	const uint64_t *one = capabilities_without(c, &n), *two = capabilities_without(back, &m);
	assert_int_equal(n, 1 + calls / 2);
	assert_int_equal(m, n);
	assert_memory_equal(one, two, n * sizeof *one);
	assert_int_equal(capabilities_count(back, CAPABILITY_wrong), 1);
	assert_int_equal(capabilities_count(back, CAPABILITY_rejects), calls / 2);
	assert_int_equal(*capabilities_next(back), calls);
	rs_gen *left = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS, .without = two, .nwithout = m});
	assert_int_equal(rs_gen_count(left), calls - n);
	rs_gen_free(left);
	capabilities_free(back);
	capabilities_free(c);
}

/* A call rejected with any dtypes: one line, and all rows of its signature are excluded. */
static void what_is_refused_with_any_dtypes(void **state)
{
	(void)state;
	diag d = {""};
	size_t n, length;
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS});
	rs_graph *g = rs_graph_new();
	uint64_t i = 0;
	do
		assert_true(rs_gen_model(gen, 1, i++, g));
	while (g->nodes[g->first].op->ndtypes < 2);
	const rs_op *op = g->nodes[g->first].op;
	assert_true(capabilities_note(c, g, VERDICT_inconsistency, "1 instead of 2"));
	for (int times = 0; times < 2; times++)
		assert_true(capabilities_refuse(c, g, "no"));
	assert_true(capabilities_write(c, path, &d));
	char *text = file_read(path, &length, &d), line[128];
	snprintf(line, sizeof line, "\n%s\t*\t*\trejects\tno\n", op->name);
	assert_non_null(strstr(text, line));
	capabilities *back = reread("toy", "{}");
	capabilities_without(back, &n);
	assert_int_equal(n, op->ndtypes);
	assert_int_equal(capabilities_count(back, CAPABILITY_wrong), 1);
	assert_int_equal(capabilities_count(back, CAPABILITY_rejects), 1);
	assert_int_equal(capabilities_presumed(back), 0);
	capabilities_free(back);
	capabilities_free(c);
	free(text);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* Of another backend, version or rules: learned anew. */
static void what_is_of_another_says_nothing(void **state)
{
	(void)state;
	diag d = {""};
	size_t n;
	const char *const others[][2] = {{"toy", "{\"toy\":\"2\"}"}, {"joy", "{\"toy\":\"1\"}"}};
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{\"toy\":\"1\"}");
	note_all(c);
	assert_true(capabilities_write(c, path, &d));
	capabilities_free(c);
	for (int i = 0; i < 2; i++) {
		c = reread(others[i][0], others[i][1]);
		capabilities_without(c, &n);
		assert_int_equal(n, 0);
		assert_int_equal(*capabilities_next(c), 0);
		capabilities_free(c);
	}
	c = reread(NULL, NULL);
	capabilities_without(c, &n);
	assert_true(n > 0);
	capabilities_free(c);
}

static void refuse(const char *text, const char *why)
{
	diag d = {""};
	capabilities *c = capabilities_new(&TOY_TABLE, NULL, NULL);
	assert_true(make_directories(folder, &d));
	char file[96];
	snprintf(file, sizeof file, "%s/bad.tsv", folder);
	assert_true(file_write(file, text, strlen(text), &d));
	assert_false(capabilities_read(c, file, &d));
	if (!strstr(d.text, why))
		fail_msg("'%s' does not say '%s'", d.text, why);
	unlink(file);
	capabilities_free(c);
}

static void bad_files(void **state)
{
	(void)state;
	char head[128], text[512];
	snprintf(head, sizeof head, "# backend toy rules %s next 3 versions {}\n", TOY_TABLE.fingerprint);
	const char *const bad[][2] = {{"torch.add-0\tfloat32\n", "bad.tsv:2: error: expected operator"},
	    {"torch.add-0\tfloat32,float32\tfloat32\tsings\tno\n", ":2: error: no capability 'sings'"},
	    {"torch.none-0\t-\tfloat32\trejects\tno\n", ":2: error: no operator 'torch.none-0'"},
	    {"torch.add-0\tfloat32\tfloat32\trejects\tno\n", ":2: error: not the dtypes of 2 inputs and 1 outputs"},
	    {"torch.add-0\t*\tfloat32\trejects\tno\n", ":2: error: not the dtypes of 2 inputs and 1 outputs"},
	    {"torch.add-0\t*\t*\twrong\tno\n", ":2: error: not the dtypes of 2 inputs and 1 outputs"},
	    {"torch.add-0\t-\tfloat32\trejects\tno\n", ":2: error: not the dtypes of 2 inputs and 1 outputs"},
	    {"torch.add-0\tfloat32,float31\tfloat32\trejects\tno\n", ":2: error: not the dtypes"},
	    {"torch.add-0\tfloat32,float32\tfloat32\trejects\tno", ":2: error: the last line is incomplete"}};
	refuse("", ":1: error: expected '# backend");
	refuse("torch.add-0\tfloat32\n", ":1: error: expected '# backend");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(text, sizeof text, "%s%s", head, bad[i][0]);
		refuse(text, bad[i][1]);
	}
}

static void only_models_of_one_call_tell(void **state)
{
	(void)state;
	size_t n;
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){0});
	rs_graph *g = rs_graph_new();
	assert_true(capabilities_note(c, g, VERDICT_crash, ""));
	assert_true(rs_gen_model(gen, 1, 1, g));
	assert_true(capabilities_note(c, g, VERDICT_crash, ""));
	capabilities_without(c, &n);
	assert_int_equal(n, 0);
	rs_graph_free(g);
	rs_gen_free(gen);
	capabilities_free(c);
}

/* Reads a model of one call, with this operator. */
static void read_call(rs_graph *g, const char *op)
{
	static const char LINE[] = "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":2,\"values\":3,"
				   "\"inputs\":[{\"id\":0,\"shape\":[],\"dtype\":\"float32\"}],\"nodes\":[{\"op\":\"%s\",\"api\":\"torch.u\","
				   "\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}}],"
				   "\"outputs\":[{\"id\":1,\"shape\":[],\"dtype\":\"float32\"}]}],\"outputs\":[1]}";
	char line[sizeof LINE + 100];
	diag d = {""};
	snprintf(line, sizeof line, LINE, op);
	if (!graph_read_json(g, line, "m", 1, NULL, &d))
		fail_msg("%s", d.text);
}

/* The first signature of the table with so many inputs and one output. */
static const char *with_inputs(const rs_table *t, unsigned n)
{
	uint32_t i = 0;
	while (t->ops[i].nin != n || t->ops[i].nout != 1)
		i++;
	return t->ops[i].name;
}

/* A call that was made for one model: no signature has its name and inputs. One of a recorded chain is excluded like those of the
 * table. */
static void calls_of_no_operator_do_not_tell(void **state)
{
	(void)state;
	size_t n;
	capabilities *c = capabilities_new(rs_library_table(&rs_rules, "onnx"), "toy", "{}");
	rs_graph *g = rs_graph_new();
	read_call(g, "torch.u");
	assert_true(capabilities_note(c, g, VERDICT_unsupported, "no"));
	capabilities_without(c, &n);
	assert_int_equal(n, 0);
	read_call(g, with_inputs(rs_library_table(&rs_rules, "onnx"), 2));
	assert_true(capabilities_note(c, g, VERDICT_unsupported, "no"));
	capabilities_without(c, &n);
	assert_int_equal(n, 0);
	read_call(g, with_inputs(rs_library_table(&rs_forms, "onnx"), 1));
	assert_true(capabilities_note(c, g, VERDICT_unsupported, "no"));
	capabilities_without(c, &n);
	assert_int_equal(n, 1);
	rs_graph_free(g);
	capabilities_free(c);
}

/* Capabilities survive writing and reading; without memory both fail and the file stays intact. */
static bool notes(void *context)
{
	rs_graph *const *models = context;
	diag d = {""};
	size_t n = 0, m = 0;
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{}"), *back = capabilities_new(&TOY_TABLE, "toy", "{}");
	bool done = c && back;
	for (int i = 0; done && models[i]; i++)
		done = capabilities_note(c, models[i], i % 2 ? VERDICT_unsupported : VERDICT_crash, "a\tmessage");
	done = done && capabilities_presume(c, 7);
	if (done) {
		done = capabilities_write(c, path, &d) && capabilities_read(back, path, &d);
		assert_true(done || *d.text);
	}
	const uint64_t *one = done ? capabilities_without(c, &n) : NULL, *two = one ? capabilities_without(back, &m) : NULL;
	if (two) {
		assert_int_equal(capabilities_count(c, CAPABILITY_rejects), capabilities_count(back, CAPABILITY_rejects));
		assert_int_equal(n, m + 1); /* presumed ones are forgotten */
	}
	capabilities_free(c), capabilities_free(back);
	return done && two;
}

static void without_memory(void **state)
{
	(void)state;
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS});
	rs_graph *models[9] = {NULL};
	for (uint64_t i = 0; i < 8; i++) {
		models[i] = rs_graph_new();
		assert_true(rs_gen_model(gen, 1, i, models[i]));
	}
	lack_memory(notes, models);
	for (int i = 0; i < 8; i++)
		rs_graph_free(models[i]);
	rs_gen_free(gen);
}

static int finds(void *context, const char *key, diag *d)
{
	(void)d;
	return context && strcmp(context, key) == 0;
}

/* A call that is a finding is excluded where its finding is known; elsewhere it is retried, and stays in the file. */
static void findings_belong_to_databases(void **state)
{
	(void)state;
	diag d = {""};
	size_t n, all;
	char *key;
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS});
	rs_graph *g = rs_graph_new();
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{}");
	note_all(c); /* the first call is wrong */
	capabilities_without(c, &all);
	assert_true(rs_gen_model(gen, 1, 0, g));
	assert_true(capability_key("toy", g, &key));
	assert_true(capabilities_keep(c, finds, key, &d));
	assert_int_equal(capabilities_retries(c), 0);
	assert_true(capabilities_keep(c, finds, NULL, &d));
	assert_int_equal(capabilities_retries(c), 1);
	assert_int_equal(capabilities_count(c, CAPABILITY_wrong), 0);
	capabilities_without(c, &n);
	assert_int_equal(n, all - 1); /* what is not supported stays excluded */
	assert_true(capabilities_write(c, path, &d));
	capabilities *back = reread("toy", "{}");
	assert_int_equal(capabilities_count(back, CAPABILITY_wrong), 1);
	assert_true(capabilities_note(c, g, VERDICT_ok, "")); /* the retry settles it */
	assert_int_equal(capabilities_retries(c), 0);
	capabilities_free(back);
	capabilities_free(c);
	free(key);
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void each_version_has_a_file(void **state)
{
	(void)state;
	char one[128], two[128], tiers[128];
	capabilities_name("onnxruntime-basic", "{\"onnx\":\"1.23.2\",\"onnxruntime\":\"1.32.0\"}", one);
	capabilities_name("onnxruntime-basic", "{\"onnx\":\"1.23.2\",\"onnxruntime\":\"1.32.0\"}", two);
	assert_memory_equal(one, "onnxruntime-basic-1.32.0-", 25);
	assert_memory_equal(two, "onnxruntime-basic-1.32.0-", 25);
	capabilities_name("onnxruntime-basic", "{\"onnx\":\"1.23.3\",\"onnxruntime\":\"1.32.0\"}", two);
	assert_string_not_equal(one, two); /* by all versions */
	capabilities_name("a/b,c", "no json", tiers);
	assert_memory_equal(tiers, "a_b_c-", 6);
}

/* An invalid call that a target accepts says nothing of the valid one. */
static void invalid_calls_are_not_noted(void **state)
{
	(void)state;
	size_t n;
	char *key;
	capabilities *c = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS});
	rs_graph *g = rs_graph_new();
	assert_true(rs_gen_model(gen, 1, 0, g));
	g->near_miss = true;
	assert_true(capabilities_note(c, g, VERDICT_accepts_invalid, "") && capability_key("toy", g, &key));
	assert_null(key);
	capabilities_without(c, &n);
	assert_int_equal(n, 0);
	g->near_miss = false;
	assert_true(capabilities_note(c, g, VERDICT_error, ""));
	capabilities_without(c, &n);
	assert_int_equal(n, 1);
	rs_graph_free(g);
	rs_gen_free(gen);
	capabilities_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(invalid_calls_are_not_noted), 
	    cmocka_unit_test_setup_teardown(what_is_noted_is_read_back_and_left_out, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_is_refused_with_any_dtypes, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_is_of_another_says_nothing, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(bad_files, set_up, tear_down), cmocka_unit_test(only_models_of_one_call_tell),
	    cmocka_unit_test(calls_of_no_operator_do_not_tell), cmocka_unit_test(each_version_has_a_file),
	    cmocka_unit_test_setup_teardown(findings_belong_to_databases, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(without_memory, set_up, tear_down)};
	return cmocka_run_group_tests_name("capabilities", tests, NULL, NULL);
}
