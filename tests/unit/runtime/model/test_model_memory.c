/* Models of every feature, read and written without memory: nothing leaks, and written files are whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gen.h"
#include "model_read.h"
#include "models.h"
#include "no_memory.h"
#include "write_python.h"

/* A model in each output format; NULL: its framework lacks the format. */
typedef struct written {
	char *json, *python;
	void *onnx;
	size_t size; /* of onnx */
} written;

static void forget(written *w)
{
	free(w->json), free(w->python), free(w->onnx);
}

static bool says_memory(const char *message)
{
	if (!strstr(message, "memory"))
		fail_msg("a model is rejected: %s", message);
	return false;
}

/* True if a text was made and equals `wanted`. NULL: nothing is made. */
static bool is_made(char *text, const char *wanted)
{
	if (text)
		assert_string_equal(text, wanted);
	free(text);
	return text;
}

static bool is_filed(const rs_graph *g, const written *w)
{
	char message[256];
	size_t size = 0;
	void *file = rs_graph_onnx(g, &size, message, sizeof message);
	if (!file)
		return says_memory(message);
	assert_true(size == w->size && memcmp(file, w->onnx, size) == 0);
	free(file);
	return true;
}

static bool reads_and_writes(void *context)
{
	const written *w = context;
	rs_graph *g = rs_graph_new();
	char message[256];
	if (!g)
		return false;
	bool done = (rs_graph_read(g, w->json, &rs_rules, message, sizeof message)
			&& rs_graph_check(g, message, sizeof message)) || says_memory(message);
	done = done && is_made(rs_graph_json(g), w->json);
	done = done && (!w->python || is_made(rs_graph_python(g), w->python));
	done = done && (!w->onnx || is_filed(g, w));
	rs_graph_free(g);
	return done;
}

static void try_models(const char *framework, rs_gen_options options, uint64_t count)
{
	rs_gen *gen = open_models(rs_library_table(&rs_rules, framework), options);
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < count; i++) {
		char message[256];
		written w = {0};
		assert_true(rs_gen_model(gen, 5, i, g));
		w.json = rs_graph_json(g), w.python = rs_graph_python(g);
		w.onnx = rs_graph_onnx(g, &w.size, message, sizeof message);
		lack_memory(reads_and_writes, &w);
		forget(&w);
	}
	rs_graph_free(g);
	rs_gen_free(gen);
}

static const rs_gen_options SYMBOLIC = {.symbolic = 1000, .nodes_low = 3, .nodes_high = 6, .initializers = 500};

static void scripts(void **state)
{
	(void)state;
	rs_gen_options all = SYMBOLIC;
	all.features = (rs_features){.layouts = 1000, .gradients = 500, .modules = 500, .repeats = 500};
	try_models("torch", all, 4);
	try_models("tensorflow", SYMBOLIC, 3);
}

static void files(void **state)
{
	(void)state;
	rs_gen_options all = SYMBOLIC;
	all.features = (rs_features){.functions = 1000, .subgraphs = 1000};
	try_models("onnx", all, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(scripts), cmocka_unit_test(files)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
