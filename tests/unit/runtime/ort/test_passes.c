/* The log of onnxruntime's optimizer, and a model that one pass alone changes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model_read.h"
#include "passes.h"
#include "venv.h"

static void lines(void **state)
{
	(void)state;
	static passes_counts c;
	buf text = {0};
	passes_hear(&c, "GraphTransformer B modified: 1 with status: OK");
	passes_hear(&c, "GraphTransformer B modified: 1 with status: OK"); /* the same model */
	passes_hear(&c, "GraphTransformer A modified: 0 with status: OK");
	passes_hear(&c, "GraphTransformer A modified: ");
	passes_hear(&c, "Initializing session.");
	assert_int_equal(c.n, 2);
	assert_int_equal(passes_fired(&c), 1);
	c.models = 3, c.rejected = 1;
	passes_print_json(&c, &text);
	assert_string_equal(text.text,
	    "{\"models\":3,\"rejected\":1,\"died\":0,\"fired\":1,\"logged\":2,\"changed\":{\"B\":1,\"A\":0}}");
	buf_clear(&text);
	passes_print_text(&c, &text);
	assert_string_equal(text.text,
	    "\npasses      1 of 2 changed a model, of 3 models; 1 rejected, 0 died\n       1  B\n       0  A\n");
	for (int i = 0; i < 2 * PASSES_MAX; i++) { /* more than there is room for */
		char line[64];
		snprintf(line, sizeof line, "GraphTransformer P%d modified: 1", i);
		passes_hear(&c, line);
	}
	assert_int_equal(c.n, PASSES_MAX);
	buf_free(&text);
}

#define T(id, shape) "{\"id\":" #id ",\"shape\":[" shape "],\"dtype\":\"float32\""
#define X(ref) "{\"name\":\"X\",\"pos\":true,\"value\":{\"ref\":" #ref "}}"

/* A product, and a sum with a constant, or with an input. */
static void read(graph *g, bool constant, const char *api)
{
	char line[1024];
	diag d = {""};
	snprintf(line, sizeof line,
	    "{\"model\":1,\"framework\":\"onnx\",\"inputs\":[" T(0, "2,3") "}," T(1, "3,4") ",\"constant\":true}," T(2, "4")
	    "%s}],\"nodes\":[{\"op\":\"m\",\"api\":\"onnx.MatMul\",\"args\":[" X(0) "," X(1) "],\"outputs\":[" T(3, "2,4") "}]},"
	    "{\"op\":\"a\",\"api\":\"%s\",\"args\":[" X(3) "," X(2) "],\"outputs\":[" T(4, "2,4") "}]}],\"outputs\":[4]}",
	    constant ? ",\"constant\":true" : "", api);
	if (!graph_read_json(g, line, "model", 1, NULL, &d))
		fail_msg("%s: %s", d.text, line);
}

static uint64_t count(const passes *p, const char *name)
{
	for (uint32_t i = 0; i < p->counts->n; i++)
		if (strcmp(p->counts->pass[i].name, name) == 0)
			return p->counts->pass[i].models;
	return 99;
}

static void fusion(void **state)
{
	(void)state;
	char python[PATH_MAX], library[PATH_MAX];
	diag d = {""};
	graph g;
	passes p;
	assert_false(passes_open(&p, "/nonexistent/libonnxruntime.so.1", &d));
	if (!venv_python(python, "onnx", NULL) || !ort_find(library, python))
		skip();
	assert_true(graph_init(&g));
	if (!passes_open(&p, library, &d))
		fail_msg("%s", d.text);
	read(&g, false, "onnx.Sub");
	assert_true(passes_add(&p, &g, &d));
	assert_int_equal(count(&p, "MatMulAddFusion"), 0);
	read(&g, true, "onnx.Add");
	assert_true(passes_add(&p, &g, &d) && passes_add(&p, &g, &d));
	assert_int_equal(count(&p, "MatMulAddFusion"), 2);
	read(&g, true, "onnx.Compress"); /* takes no floats there */
	assert_true(passes_add(&p, &g, &d));
	assert_true(p.counts->models == 4 && p.counts->rejected == 1 && p.counts->died == 0);
	read(&g, true, "onnx.Add_5"); /* there is no such version */
	assert_false(passes_add(&p, &g, &d));
	passes_close(&p);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(fusion)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
