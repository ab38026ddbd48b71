/* Functions and subgraphs of ONNX files: written, then unpacked. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bodies.h"
#include "model_read.h"
#include "no_memory.h"
#include "onnx.pb-c.h"
#include "op_versions.h"
#include "onnx_bodies.h"
#include "write_onnx.h"

#define FLOAT ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT
#define BOOL ONNX__TENSOR_PROTO__DATA_TYPE__BOOL
#define T(id, more) "{\"id\":" #id ",\"shape\":[2],\"dtype\":\"float32\"" more "}"
#define CALL(api, from, to, alpha)                                                                                    \
	"{\"op\":\"onnx." api "-0\",\"api\":\"onnx." api "\",\"args\":[{\"name\":\"X\",\"pos\":true,\"value\":{\"ref\":" #from   \
	"}},{\"name\":\"alpha\",\"pos\":false,\"value\":{\"const\":\"" alpha "\"}}],\"outputs\":[" T(to, "") "]}"
#define CONTROL(dtype, low, high) "{\"id\":1,\"shape\":[],\"dtype\":\"" dtype "\",\"range\":[" #low "," #high "]}"

/* 0 is a constant if a body says where it has its own.
 *
 * 0 ─► Elu ─► 2 ─► Elu ─► 3 ─► Celu ─► 4 */
static void read_chain(graph *g, const char *control, const char *bodies)
{
	char line[4096];
	diag d = {""};
	snprintf(line, sizeof line,
	    "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":2,\"values\":3,\"inputs\":[" T(0, "%s") ",%s],\"nodes\":["
	    CALL("Elu", 0, 2, "0.5") "," CALL("Elu", 2, 3, "0.25") "," CALL("Celu", 3, 4, "2.0") "],\"outputs\":[4],\"bodies\":[%s]}",
	    strstr(bodies, "constants") ? ",\"constant\":true" : "", control, bodies);
	assert_true(graph_init(g));
	if (!graph_read_json(g, line, "m", 1, NULL, &d))
		fail_msg("%s", d.text);
}

static Onnx__ModelProto *written(const char *control, const char *bodies, bool to_run, bool all)
{
	graph g;
	diag d = {""};
	buf b = {0};
	arena *a = arena_new();
	assert_non_null(a);
	read_chain(&g, control, bodies);
	if (!(to_run ? graph_write_onnx_to_run(&g, all, !all, (file_limits){0}, a, &b, &d) : graph_write_onnx(&g, a, &b, &d)))
		fail_msg("%s", d.text);
	Onnx__ModelProto *m = onnx__model_proto__unpack(NULL, b.length, (const uint8_t *)b.text);
	assert_non_null(m);
	buf_free(&b);
	arena_free(a);
	graph_destroy(&g);
	return m;
}

static void assert_node(const Onnx__NodeProto *m, const char *op, const char *inputs, const char *outputs)
{
	char text[256] = "";
	assert_string_equal(m->op_type, op);
	for (size_t i = 0; i < m->n_input; i++)
		strcat(strcat(text, m->input[i]), " ");
	assert_string_equal(text, inputs);
	*text = '\0';
	for (size_t i = 0; i < m->n_output; i++)
		strcat(strcat(text, m->output[i]), " ");
	assert_string_equal(text, outputs);
}

static void one_function_called_twice(void **state)
{
	(void)state;
	Onnx__ModelProto *m = written(CONTROL("bool", 1, 2), "{\"kind\":\"function\",\"first\":0,\"last\":0},{\"kind\":\"function\",\"first\":1,\"last\":1}", false, false);
	assert_int_equal(m->n_functions, 1);
	assert_int_equal(m->graph->n_node, 3);
	assert_int_equal(m->n_opset_import, 2);
	assert_string_equal(m->opset_import[1]->domain, "rulefuzz");
	const Onnx__FunctionProto *f = m->functions[0];
	assert_string_equal(f->name, "f0");
	assert_int_equal(f->n_input + f->n_output + f->n_node + f->n_attribute, 4);
	assert_node(f->node[0], "Elu", "x0 ", "y0 ");
	assert_string_equal(f->node[0]->attribute[0]->ref_attr_name, "a0");
	assert_string_equal(f->node[0]->attribute[0]->name, "alpha");
	assert_node(m->graph->node[0], "f0", "t0 ", "t2 ");
	assert_node(m->graph->node[1], "f0", "t2 ", "t3 ");
	assert_string_equal(m->graph->node[1]->domain, "rulefuzz");
	assert_true(m->graph->node[0]->attribute[0]->f == 0.5f && m->graph->node[1]->attribute[0]->f == 0.25f);
	onnx__model_proto__free_unpacked(m, NULL);
}

static const Onnx__GraphProto *graph_of(const Onnx__NodeProto *m, const char *name)
{
	for (size_t i = 0; i < m->n_attribute; i++)
		if (strcmp(m->attribute[i]->name, name) == 0)
			return m->attribute[i]->g;
	fail_msg("no %s", name);
	return NULL;
}

/* An output whose element type is given, since tools cannot infer those of other domains' operators. */
static void assert_output(const Onnx__GraphProto *m, size_t place, const char *name, int element_type)
{
	const Onnx__ValueInfoProto *info = m->output[place];
	assert_string_equal(info->name, name);
	assert_non_null(info->type);
	assert_int_equal(info->type->value_case, ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE);
	assert_int_equal(info->type->tensor_type->elem_type, element_type);
	assert_null(info->type->tensor_type->shape);
}

static void branches(void **state)
{
	(void)state;
	for (int then = 0; then < 2; then++) {
		Onnx__ModelProto *m = written(then ? CONTROL("bool", 1, 2) : CONTROL("bool", 0, 1), "{\"kind\":\"if\",\"first\":1,\"last\":2,\"control\":1}", true, false);
		assert_int_equal(m->graph->n_node, 2);
		assert_node(m->graph->node[1], "If", "t1 ", "t4 ");
		const Onnx__GraphProto *run = graph_of(m->graph->node[1], then ? "then_branch" : "else_branch"),
				       *other = graph_of(m->graph->node[1], then ? "else_branch" : "then_branch");
		assert_int_equal(run->n_node, 2);
		assert_node(run->node[0], "Elu", "t2 ", "b0_t3 ");
		assert_node(run->node[1], "Celu", "b0_t3 ", "b0_t4 ");
		assert_output(run, 0, "b0_t4", FLOAT);
		assert_node(other->node[0], "Identity", "t2 ", "e0_t4 ");
		assert_output(other, 0, "e0_t4", FLOAT);
		assert_true(m->opset_import[0]->version >= OP_SET_BODIES);
		onnx__model_proto__free_unpacked(m, NULL);
	}
}

static void loops(void **state)
{
	(void)state;
	Onnx__ModelProto *m = written(CONTROL("int64", 3, 4), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1}", true, false);
	assert_int_equal(m->graph->n_node, 3);
	assert_node(m->graph->node[0], "Mul", "t0 h0_0 ", "r0_0 ");
	assert_node(m->graph->node[1], "Loop", "t1 k0 t0 r0_0 r0_0 ", "t3 v0_0_0 v0_0_1 ");
	const Onnx__GraphProto *body = graph_of(m->graph->node[1], "body");
	assert_int_equal(body->n_input, 5);
	assert_int_equal(body->n_output, 4);
	assert_node(body->node[0], "Identity", "c0_in ", "c0_out ");
	assert_node(body->node[1], "Elu", "s0_0_1 ", "b0_t2 ");
	assert_node(body->node[2], "Elu", "b0_t2 ", "b0_t3 ");
	assert_node(body->node[3], "Identity", "t0 ", "u0_0_0 ");
	assert_node(body->node[4], "Identity", "s0_0_0 ", "u0_0_1 ");
	assert_output(body, 0, "c0_out", BOOL);
	assert_output(body, 1, "b0_t3", FLOAT);
	assert_output(body, 2, "u0_0_0", FLOAT);
	assert_output(body, 3, "u0_0_1", FLOAT);
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("int64", 1, 2), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1}", true, false);
	assert_int_equal(m->graph->n_node, 2); /* one trip: carried values are not returned */
	onnx__model_proto__free_unpacked(m, NULL);
}

static int64_t integer_of(const Onnx__NodeProto *m, const char *name)
{
	for (size_t i = 0; i < m->n_attribute; i++)
		if (strcmp(m->attribute[i]->name, name) == 0)
			return m->attribute[i]->n_ints ? m->attribute[i]->ints[0] : m->attribute[i]->i;
	fail_msg("no %s", name);
	return 0;
}

/* How a loop ends: by a trip count alone, by a condition alone, or by both. */
static void ends_of_loops(void **state)
{
	(void)state;
	Onnx__ModelProto *m = written(CONTROL("int64", 1, 2), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"count\"}", true, false);
	assert_node(m->graph->node[0], "Loop", "t1  t0 ", "t3 ");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("int64", 1, 2), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"condition\"}", true, false);
	assert_node(m->graph->node[0], "Less", "a0 t1 ", "g0 ");
	assert_node(m->graph->node[1], "Loop", " g0 t0 ", "t3 ");
	const Onnx__GraphProto *body = graph_of(m->graph->node[1], "body");
	assert_node(body->node[0], "Add", "i0 d0 ", "n0 ");
	assert_node(body->node[1], "Less", "n0 t1 ", "c0_out ");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("int64", 1, 2), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"while\"}", true, false);
	assert_node(m->graph->node[1], "Loop", "m0 g0 t0 ", "t3 ");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("int64", 2, 3), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"stacked\"}", true, false);
	assert_node(m->graph->node[1], "Loop", "t1 k0 r0_0 ", "v0_0_0 y0_t3 ");
	assert_node(m->graph->node[2], "Gather", "y0_t3 j0 ", "t3 ");
	onnx__model_proto__free_unpacked(m, NULL);
}

/* A loop without trips returns what the calls before it make. */
static void empty_loop(void **state)
{
	(void)state;
	Onnx__ModelProto *m = written(CONTROL("int64", 0, 1), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1}", true, false);
	assert_int_equal(m->graph->n_node, 4);
	assert_node(m->graph->node[1], "Elu", "b0_t2 ", "b0_t3 ");
	assert_node(m->graph->node[2], "Loop", "t1 k0 b0_t3 ", "t3 ");
	const Onnx__GraphProto *body = graph_of(m->graph->node[2], "body");
	assert_node(body->node[1], "Identity", "z0_t3 ", "e0_t3 ");
	assert_node(m->graph->node[3], "Celu", "t3 ", "t4 ");
	assert_string_equal(m->graph->value_info[m->graph->n_value_info - 1]->name, "b0_t3");
	onnx__model_proto__free_unpacked(m, NULL);
}

/* What a scan takes is the last slice that it reaches, and what it makes the last of its results. */
static void scans(void **state)
{
	(void)state;
	for (int reverse = 0; reverse < 2; reverse++) {
		char bodies[256];
		snprintf(bodies, sizeof bodies, "{\"kind\":\"scan\",\"first\":0,\"last\":1,\"trips\":3,\"axis\":-1%s}", reverse ? ",\"reverse\":true" : "");
		Onnx__ModelProto *m = written(CONTROL("bool", 1, 2), bodies, true, false);
		assert_node(m->graph->node[0], "Mul", "t0 h0_0 ", "r0_0 ");
		assert_node(m->graph->node[3], "Concat", reverse ? "y0_0 w0_0 w0_0 " : "w0_0 w0_0 y0_0 ", "v0_0 ");
		const Onnx__NodeProto *scan = m->graph->node[4];
		assert_node(scan, "Scan", "v0_0 ", "y0_t3 ");
		assert_int_equal(integer_of(scan, "num_scan_inputs"), 1);
		assert_int_equal(integer_of(scan, "scan_input_axes"), -1); /* 1 of 2 axes, from the end */
		assert_int_equal(integer_of(scan, "scan_input_directions"), reverse);
		assert_int_equal(integer_of(scan, "scan_output_directions"), reverse);
		assert_node(graph_of(scan, "body")->node[0], "Elu", "s0_0 ", "b0_t2 ");
		assert_node(m->graph->node[5], "Gather", "y0_t3 j0 ", "t3 ");
		int64_t at;
		for (size_t i = 0; i < m->graph->n_initializer; i++)
			if (strcmp(m->graph->initializer[i]->name, "j0") == 0)
				memcpy(&at, m->graph->initializer[i]->raw_data.data, sizeof at);
		assert_int_equal(at, reverse ? 0 : 2);
		onnx__model_proto__free_unpacked(m, NULL);
	}
	Onnx__ModelProto *m = written(CONTROL("bool", 1, 2),
	    "{\"kind\":\"scan\",\"first\":0,\"last\":1,\"trips\":1,\"axis\":0,\"form\":\"states\"}", true, false);
	assert_node(m->graph->node[0], "Unsqueeze", "t0 x0_0 ", "v0_0 ");
	assert_node(m->graph->node[1], "Scan", "t0 v0_0 ", "t3 ");
	assert_int_equal(m->graph->node[1]->n_attribute, 4);
	onnx__model_proto__free_unpacked(m, NULL);
}

/* An inner body takes tensors of the outer one by the names that these have there. */
static void within_each_other(void **state)
{
	(void)state;
	const char *both = "{\"kind\":\"scan\",\"first\":0,\"last\":2,\"trips\":2,\"axis\":0},"
			   "{\"kind\":\"if\",\"first\":1,\"last\":1,\"control\":1,\"form\":\"computed\",\"constants\":\"nodes\"}";
	Onnx__ModelProto *m = written(CONTROL("bool", 1, 2), both, true, false);
	const Onnx__GraphProto *body = graph_of(m->graph->node[m->graph->n_node - 2], "body");
	assert_int_equal(body->n_node, 5);
	assert_node(body->node[0], "Elu", "s0_0 ", "b0_t2 ");
	assert_node(body->node[1], "Not", "s0_1 ", "b0_q1 ");
	assert_node(body->node[3], "If", "b0_w1 ", "b0_t3 ");
	assert_node(graph_of(body->node[3], "then_branch")->node[0], "Elu", "b0_t2 ", "b1_t3 ");
	assert_node(graph_of(body->node[3], "else_branch")->node[0], "Constant", "", "e1_t3 ");
	assert_node(body->node[4], "Celu", "b0_t3 ", "b0_t4 ");
	assert_int_equal(body->n_value_info, 2); /* types of tensors that are not its results */
	assert_string_equal(body->value_info[0]->name, "b0_t2");
	assert_string_equal(body->value_info[1]->name, "b0_t3");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written("{\"id\":1,\"shape\":[],\"dtype\":\"bool\",\"range\":[1,2],\"constant\":true}", both, true, false);
	body = graph_of(m->graph->node[m->graph->n_node - 2], "body");
	assert_node(body->node[1], "Constant", "", "b0_t1 "); /* a constant control that only it uses */
	onnx__model_proto__free_unpacked(m, NULL);
}

/* A constant that only a body uses is within it, unless a call outside uses it, too. */
static void own_constants(void **state)
{
	(void)state;
	Onnx__ModelProto *m = written(CONTROL("bool", 1, 2),
	    "{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":1,\"constants\":\"initializers\"}", true, false);
	const Onnx__GraphProto *run = graph_of(m->graph->node[0], "then_branch"), *other = graph_of(m->graph->node[0], "else_branch");
	assert_int_equal(m->graph->n_initializer, 0);
	assert_int_equal(run->n_initializer, 1);
	assert_string_equal(run->initializer[0]->name, "t0");
	assert_node(run->node[0], "Elu", "t0 ", "b0_t2 ");
	assert_int_equal(other->n_node, 0); /* its result is a constant, too */
	assert_string_equal(other->initializer[0]->name, "e0_t3");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("int64", 3, 4), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"constants\":\"nodes\"}", true, false);
	const Onnx__GraphProto *body = graph_of(m->graph->node[0], "body");
	assert_int_equal(body->n_initializer, 0);
	assert_node(body->node[1], "Constant", "", "t0 ");
	assert_string_equal(body->node[1]->attribute[0]->t->name, "t0");
	assert_node(body->node[2], "Elu", "t0 ", "b0_t2 ");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("int64", 3, 4), "{\"kind\":\"loop\",\"first\":1,\"last\":2,\"control\":1,\"constants\":\"nodes\"}", true, false);
	assert_string_equal(m->graph->initializer[0]->name, "t0");
	onnx__model_proto__free_unpacked(m, NULL);
}

static void nested_and_plain(void **state)
{
	(void)state;
	const char *both = "{\"kind\":\"if\",\"first\":0,\"last\":2,\"control\":1},{\"kind\":\"function\",\"first\":1,\"last\":2}";
	Onnx__ModelProto *m = written(CONTROL("bool", 1, 2), both, true, false);
	assert_int_equal(m->graph->n_node, 1);
	assert_node(graph_of(m->graph->node[0], "then_branch")->node[1], "f0", "b0_t2 ", "b0_t4 ");
	onnx__model_proto__free_unpacked(m, NULL);
	m = written(CONTROL("bool", 1, 2), both, true, true); /* the reference's */
	assert_int_equal(m->graph->n_node, 3);
	assert_int_equal(m->n_functions, 0);
	onnx__model_proto__free_unpacked(m, NULL);
}

typedef struct filed {
	graph g;
	buf whole; /* the file */
} filed;

static bool writes(void *context)
{
	filed *f = context;
	arena *a = arena_new();
	buf b = {0};
	diag d = {""};
	bool done = diag_memory(&d, a != NULL) && graph_write_onnx_to_run(&f->g, false, true, (file_limits){0}, a, &b, &d);
	if (done) {
		assert_int_equal(b.length, f->whole.length);
		assert_memory_equal(b.text, f->whole.text, b.length);
	} else {
		assert_string_equal(d.text, "error: out of memory");
	}
	buf_free(&b);
	arena_free(a);
	return done;
}

/* Each kind of body: the whole file is written, or nothing. */
static void without_memory(void **state)
{
	(void)state;
	static const char *const CASES[][2] = {{CONTROL("bool", 1, 2), "{\"kind\":\"function\",\"first\":0,\"last\":0},{\"kind\":\"function\",\"first\":1,\"last\":1}"},
	    {CONTROL("bool", 1, 2), "{\"kind\":\"if\",\"first\":1,\"last\":2,\"control\":1}"},
	    {CONTROL("bool", 0, 1), "{\"kind\":\"if\",\"first\":0,\"last\":2,\"control\":1},{\"kind\":\"function\",\"first\":1,\"last\":2}"},
	    {CONTROL("int64", 3, 4), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1}"},
	    {CONTROL("int64", 3, 4), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"constants\":\"nodes\"}"},
	    {CONTROL("int64", 0, 1), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"while\"}"},
	    {CONTROL("int64", 2, 3), "{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"stacked\"}"},
	    {CONTROL("bool", 0, 1), "{\"kind\":\"scan\",\"first\":0,\"last\":2,\"trips\":2,\"axis\":0},{\"kind\":\"if\",\"first\":1,\"last\":1,\"control\":1,\"form\":\"computed\"}"},
	    {CONTROL("bool", 0, 1), "{\"kind\":\"scan\",\"first\":0,\"last\":2,\"trips\":1,\"axis\":0,\"form\":\"states\"}"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		filed f = {.whole = {0}};
		arena *a = arena_new();
		read_chain(&f.g, CASES[i][0], CASES[i][1]);
		assert_true(graph_write_onnx_to_run(&f.g, false, true, (file_limits){0}, a, &f.whole, NULL));
		lack_memory(writes, &f);
		buf_free(&f.whole);
		arena_free(a);
		graph_destroy(&f.g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_function_called_twice), cmocka_unit_test(branches), cmocka_unit_test(loops),
	    cmocka_unit_test(ends_of_loops), cmocka_unit_test(empty_loop), cmocka_unit_test(scans), cmocka_unit_test(within_each_other),
	    cmocka_unit_test(own_constants),
	    cmocka_unit_test(nested_and_plain), cmocka_unit_test(without_memory)};
	return cmocka_run_group_tests_name("onnx bodies", tests, NULL, NULL);
}
