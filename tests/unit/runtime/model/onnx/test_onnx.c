/* ONNX files: written, then unpacked. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "onnx.pb-c.h"
#include "onnx_types.h"
#include "write_onnx.h"

/* A call with each kind of ONNX argument: two tensors in a list, a gap, elements, attributes. */
static const rs_value VALUES[] = {
    {.kind = RS_LIST, .count = 2}, {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2, .first = 0},
    {.kind = RS_TENSOR, .dtype = RS_INT64, .count = 0, .first = 2}, {.kind = RS_CONST, .text = "None"},
    {.kind = RS_ELEMENTS, .dtype = RS_INT64}, {.kind = RS_LIST, .count = 3}, {.kind = RS_INT, .first = 2},
    {.kind = RS_CONST, .text = "-1"}, {.kind = RS_INT, .first = 3}, {.kind = RS_ELEMENTS, .dtype = RS_FLOAT32},
    {.kind = RS_CONST, .text = "2"}, {.kind = RS_CONST, .text = "1.0"}, {.kind = RS_INT, .first = 4},
    {.kind = RS_CONST, .text = "'same'"}, {.kind = RS_LIST, .count = 2}, {.kind = RS_INT, .first = 5},
    {.kind = RS_CONST, .text = "7"}, {.kind = RS_LIST, .count = 2}, {.kind = RS_CONST, .text = "-inf"},
    {.kind = RS_CONST, .text = "0.25"}, {.kind = RS_LIST, .count = 1}, {.kind = RS_CONST, .text = "\"it's\""},
    {.kind = RS_LIST, .count = 0}, {.kind = RS_CONST, .text = "('int32', [2], [1, -2])"},
    {.kind = RS_CONST, .text = "2"}};
static const rs_arg ARGS[] = {{"xs", 0, 1}, {"gap", 3, 1}, {"shape", 4, 1}, {"scale", 9, 1}, {"alpha", 11, 0},
    {"axis", 12, 0}, {"mode", 13, 0}, {"pads", 14, 0}, {"cuts", 17, 0}, {"names", 20, 0}, {"none", 22, 0},
    {"value", 23, 0}, {"outputs", 24, 0}};
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define OP(title, dotted, arguments, vals, in, out)                                                \
	{.name = title, .api = dotted, .args = arguments, .values = vals, .nargs = COUNT(arguments),   \
	    .nvalues = COUNT(vals), .nin = in, .nout = out, .nsym = 6, .nodim = out, .out_ranks = RANKS}
static const uint8_t RANKS[] = {1, 1};
static const rs_op ALL = OP("onnx.All-0", "onnx.All", ARGS, VALUES, 2, 2);
static const rs_value UNARY[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 0}};
static const rs_arg X[] = {{"X", 0, 1}};
static const rs_op ONE = OP("onnx.One-0", "onnx.One", X, UNARY, 1, 1);
static const rs_op OLD = OP("onnx.One_7-0", "onnx.One_7", X, UNARY, 1, 1);
static const rs_op CONTRIB = OP("onnx.com_microsoft.One-0", "onnx.com_microsoft.One", X, UNARY, 1, 1);
static const rs_op ML = OP("onnx.ai_onnx_ml.One-0", "onnx.ai_onnx_ml.One", X, UNARY, 1, 1);
static const rs_op OTHER = OP("own.One-0", "own.One", X, UNARY, 1, 1);

static uint32_t insert(graph *g, const rs_op *op, const int64_t *symbols, const uint32_t *inputs,
    const char *const *consts, const int64_t *out, const uint8_t *dtypes)
{
	graph_call call = {op, symbols, inputs, consts, out, dtypes, NULL};
	uint32_t node = graph_insert(g, &call, GRAPH_NONE);
	assert_true(node != GRAPH_NONE);
	return g->nodes[node].outputs;
}

static const int64_t SYMBOLS[] = {2, 3, 4, 5, -6, 8};

static void build(graph *g, const char *const *consts, const rs_op *second)
{
	const int64_t shape[] = {2, 3};
	assert_true(graph_init(g));
	g->framework = "onnx", g->seed = 1, g->index = 2, g->values = 3;
	uint32_t in[] = {graph_input(g, 2, shape, RS_FLOAT32), graph_input(g, 0, NULL, RS_INT64)};
	uint32_t two = insert(g, &ALL, SYMBOLS, in, consts, (const int64_t[]){7, 0},
	    (const uint8_t[]){RS_BOOL, RS_FLOAT64});
	insert(g, second, (const int64_t[]){0, 0, 0, 0, 0, 0}, (const uint32_t[]){two + 1}, NULL,
	    (const int64_t[]){9}, (const uint8_t[]){RS_BFLOAT16});
	graph_keep_unused(g);
	graph_number(g);
}

static Onnx__ModelProto *written(const graph *g)
{
	buf b = {0};
	diag d = {""};
	arena *a = arena_new();
	if (!graph_write_onnx(g, a, &b, &d))
		fail_msg("%s", d.text);
	Onnx__ModelProto *m = onnx__model_proto__unpack(NULL, b.length, (const uint8_t *)b.text);
	assert_non_null(m);
	buf_free(&b);
	arena_free(a);
	return m;
}

static void model_and_tensors(void **state)
{
	(void)state;
	graph g;
	build(&g, NULL, &ONE);
	g.tensors[0].values = RS_VALUES_UNIT;
	g.tensors[1].low = -2, g.tensors[1].high = 5;
	Onnx__ModelProto *m = written(&g);
	assert_string_equal(m->graph->input[0]->doc_string, "values=unit");
	assert_int_equal(m->opset_import[0]->version, 26);
	assert_string_equal(m->opset_import[0]->domain, "");
	assert_string_equal(m->metadata_props[2]->key, "values");
	assert_string_equal(m->metadata_props[2]->value, "3");
	Onnx__GraphProto *to = m->graph;
	assert_int_equal(to->n_input, 1);
	assert_int_equal(to->n_value_info, 1);
	assert_int_equal(to->n_output, 2);
	assert_string_equal(to->input[0]->name, "t0");
	assert_int_equal(to->input[0]->type->tensor_type->elem_type, 1);
	assert_int_equal(to->input[0]->type->tensor_type->shape->n_dim, 2);
	assert_int_equal(to->input[0]->type->tensor_type->shape->dim[1]->dim_value, 3);
	const Onnx__TensorProto *pinned = to->initializer[2];
	assert_int_equal(to->n_initializer, 3);
	assert_string_equal(pinned->name, "t1");
	assert_string_equal(pinned->doc_string, "range=-2,5");
	assert_int_equal(pinned->data_type, 7);
	assert_int_equal(pinned->n_dims, 0);
	assert_int_equal(pinned->raw_data.len, 8);
	for (int i = 0; i < 8; i++) /* elements((), "int64", seed_of(3, 1), span=(-2, 5)) is -1 */
		assert_int_equal(pinned->raw_data.data[i], 0xff);
	assert_string_equal(to->value_info[0]->name, "t3");
	assert_int_equal(to->value_info[0]->type->tensor_type->shape->dim[0]->dim_value, 0);
	assert_string_equal(to->output[0]->name, "t2");
	assert_string_equal(to->output[1]->name, "t4");
	assert_int_equal(to->output[1]->type->tensor_type->elem_type, 16);
	onnx__model_proto__free_unpacked(m, NULL);
	graph_destroy(&g);
}

static const rs_value INTEGER[] = {{.kind = RS_TENSOR, .dtype = RS_INT64, .count = 1, .first = 0}};
static const rs_value FLOAT[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 0}};
#define ANY RS_VALUES_ANY, RS_VALUES_ANY, RS_VALUES_ANY, RS_VALUES_ANY, RS_VALUES_ANY, RS_VALUES_ANY
static const uint8_t NO_ZERO[] = {RS_VALUES_POSITIVE, ANY}, ALL_TAKEN[] = {RS_VALUES_ANY, ANY};

/* Elements of 4 bits are two in a byte, in constants and in elements of a call. */
static void integers_of_four_bits(void **state)
{
	(void)state;
	static const rs_value values[] = {{.kind = RS_TENSOR, .dtype = RS_INT4, .count = 1}, {.kind = RS_ELEMENTS, .dtype = RS_UINT4},
	    {.kind = RS_LIST, .count = 3}, {.kind = RS_CONST, .text = "15"}, {.kind = RS_CONST, .text = "1"}, {.kind = RS_CONST, .text = "2"}};
	static const rs_arg args[] = {{"X", 0, 1}, {"Y", 1, 1}};
	const rs_op pair = {.name = "onnx.ai_onnx_ml.Pair-0", .api = "onnx.ai_onnx_ml.Pair", .args = args, .values = values, .nargs = 2,
	    .nvalues = 6, .nsym = 1, .nin = 1, .nout = 1, .nodim = 1, .out_ranks = (const uint8_t[]){1}};
	graph g;
	assert_true(graph_init(&g));
	g.framework = "onnx";
	uint32_t in = graph_input(&g, 1, (const int64_t[]){3}, RS_INT4);
	g.tensors[in].low = -2, g.tensors[in].high = -1, g.tensors[in].constant = true;
	insert(&g, &pair, (const int64_t[]){3}, &in, NULL, (const int64_t[]){3}, (const uint8_t[]){RS_UINT4});
	graph_keep_unused(&g);
	graph_number(&g);
	Onnx__ModelProto *m = written(&g);
	const Onnx__TensorProto *listed = m->graph->initializer[0], *constant = m->graph->initializer[1];
	assert_int_equal(m->graph->n_initializer, 2);
	assert_true(listed->data_type == 21 && listed->raw_data.len == 2 && listed->raw_data.data[0] == 0x1f && listed->raw_data.data[1] == 2);
	assert_true(constant->data_type == 22 && constant->raw_data.len == 2 && constant->raw_data.data[0] == 0xee && constant->raw_data.data[1] == 0x0e);
	assert_int_equal(m->graph->output[0]->type->tensor_type->elem_type, 21);
	onnx__model_proto__free_unpacked(m, NULL);
	graph_destroy(&g);
}

/* True if the input of a chain of two calls is pinned by the second one's classes. */
static bool is_pinned(const rs_value *value, const uint8_t *classes, uint16_t flags)
{
	graph g;
	rs_op first = OP("onnx.First-0", "onnx.First", X, UNARY, 1, 1), second = OP("onnx.Second-0", "onnx.Second", X, UNARY, 1, 1);
	const int64_t shape[] = {2}, symbols[] = {2, 0, 0, 0, 0, 0};
	first.nodim = second.nodim = first.nsym = second.nsym = 1;
	second.values = value, second.classes = classes, second.flags = flags;
	assert_true(graph_init(&g));
	uint32_t in = graph_input(&g, 1, shape, RS_FLOAT32),
		 one = insert(&g, &first, symbols, &in, NULL, shape, &value->dtype);
	insert(&g, &second, symbols, &one, NULL, shape, &value->dtype);
	graph_keep_unused(&g);
	graph_number(&g);
	Onnx__ModelProto *m = written(&g);
	assert_int_equal(m->graph->n_input + m->graph->n_initializer, 1);
	bool pinned = m->graph->n_initializer;
	onnx__model_proto__free_unpacked(m, NULL);
	graph_destroy(&g);
	return pinned;
}

/* The inputs of a call that fails on some elements keep their elements, and so do the tensors they are
 * computed from. */
static void pinned_inputs(void **state)
{
	(void)state;
	assert_true(is_pinned(INTEGER, NO_ZERO, 0));
	assert_false(is_pinned(INTEGER, ALL_TAKEN, 0));
	assert_false(is_pinned(INTEGER, NULL, 0));
	assert_false(is_pinned(FLOAT, NO_ZERO, 0)); /* not finite, but it continues */
	assert_true(is_pinned(FLOAT, NULL, RS_DELICATE));
	assert_false(is_pinned(FLOAT, ALL_TAKEN, RS_DELICATE));
}

static void inputs_and_outputs(void **state)
{
	(void)state;
	static const char *const names[] = {"t0", "t1", "", "c0", "c1"};
	graph g;
	build(&g, NULL, &ONE);
	Onnx__ModelProto *m = written(&g);
	Onnx__NodeProto *n = m->graph->node[0];
	assert_string_equal(n->op_type, "All");
	assert_string_equal(n->name, "n0");
	assert_string_equal(n->doc_string, "onnx.All-0");
	assert_int_equal(n->n_input, 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(n->input[i], names[i]);
	assert_int_equal(n->n_output, 2);
	assert_string_equal(n->output[1], "t3");
	assert_string_equal(m->graph->node[1]->input[0], "t3");
	Onnx__TensorProto **c = m->graph->initializer;
	assert_int_equal(m->graph->n_initializer, 2);
	assert_string_equal(c[0]->name, "c0");
	assert_int_equal(c[0]->n_dims, 1);
	assert_int_equal(c[0]->dims[0], 3);
	assert_int_equal(c[0]->n_int64_data, 3);
	assert_true(c[0]->int64_data[0] == 4 && c[0]->int64_data[1] == -1 && c[0]->int64_data[2] == 5);
	assert_int_equal(c[1]->n_dims, 0);
	assert_int_equal(c[1]->data_type, 1);
	assert_true(c[1]->n_float_data == 1 && c[1]->float_data[0] == 2);
	onnx__model_proto__free_unpacked(m, NULL);
	graph_destroy(&g);
}

/* A constant is an initializer of a file that is to be run, and an input if every tensor is an output. */
static void constants(void **state)
{
	(void)state;
	graph g;
	diag d;
	build(&g, NULL, &ONE);
	g.tensors[1].constant = true;
	for (int all = 0; all < 2; all++) {
		buf b = {0};
		arena *a = arena_new();
		assert_true(graph_write_onnx_to_run(&g, all, false, (file_limits){0}, a, &b, &d));
		Onnx__ModelProto *m = onnx__model_proto__unpack(NULL, b.length, (const uint8_t *)b.text);
		assert_int_equal(m->graph->n_input, all ? 2 : 1);
		assert_int_equal(m->graph->n_initializer, all ? 2 : 3);
		if (!all)
			assert_string_equal(m->graph->initializer[2]->name, "t1");
		onnx__model_proto__free_unpacked(m, NULL);
		arena_free(a);
		buf_free(&b);
	}
	Onnx__ModelProto *m = written(&g); /* the other input is open */
	assert_int_equal(m->graph->n_input, 1);
	onnx__model_proto__free_unpacked(m, NULL);
	graph_destroy(&g);
}

static void attributes(void **state)
{
	(void)state;
	graph g;
	build(&g, NULL, &ONE);
	Onnx__ModelProto *m = written(&g);
	Onnx__AttributeProto **a = m->graph->node[0]->attribute;
	assert_int_equal(m->graph->node[0]->n_attribute, 8); /* "outputs" is not among them */
	static const struct {
		const char *name;
		int type;
	} want[] = {{"alpha", 1}, {"axis", 2}, {"mode", 3}, {"pads", 7}, {"cuts", 6}, {"names", 8}, {"none", 7},
	    {"value", 4}};
	for (int i = 0; i < 8; i++) {
		assert_string_equal(a[i]->name, want[i].name);
		assert_int_equal(a[i]->type, want[i].type);
	}
	assert_true(a[0]->has_f && a[0]->f == 1);
	assert_true(a[1]->has_i && a[1]->i == -6);
	assert_true(a[2]->s.len == 4 && memcmp(a[2]->s.data, "same", 4) == 0);
	assert_true(a[3]->n_ints == 2 && a[3]->ints[0] == 8 && a[3]->ints[1] == 7);
	assert_true(a[4]->n_floats == 2 && a[4]->floats[0] == -__builtin_inff() && a[4]->floats[1] == 0.25f);
	assert_true(a[5]->n_strings == 1 && a[5]->strings[0].len == 4);
	assert_int_equal(a[6]->n_ints, 0);
	assert_true(a[7]->t->data_type == 6 && a[7]->t->n_int32_data == 2 && a[7]->t->int32_data[1] == -2);
	onnx__model_proto__free_unpacked(m, NULL);
	graph_destroy(&g);
}

static void refuse(const char *const *consts, const rs_op *second, const char *why)
{
	graph g;
	buf b = {0};
	diag d = {""};
	arena *a = arena_new();
	build(&g, consts, second);
	assert_false(graph_write_onnx(&g, a, &b, &d));
	if (!strstr(d.text, why))
		fail_msg("'%s' does not contain '%s'", d.text, why);
	assert_int_equal(b.length, 0);
	buf_free(&b);
	arena_free(a);
	graph_destroy(&g);
}

/* The constants in preorder; the one at `at` is replaced by `text`. */
static void refuse_constant(int at, const char *text, const char *why)
{
	const char *consts[] = {"None", "-1", "2", "1.0", "'same'", "7", "-inf", "0.25", "\"it's\"",
	    "('int32', [2], [1, -2])", "2"};
	consts[at] = text;
	refuse(consts, &ONE, why);
}

/* Nodes name their domains, and the file imports each once. */
static void other_domains(void **state)
{
	(void)state;
	static const struct {
		const rs_op *op;
		const char *domain;
		int64_t version;
	} CASES[] = {{&CONTRIB, "com.microsoft", 1}, {&ML, "ai.onnx.ml", 5}, {&ONE, "", 26}};
	for (size_t i = 0; i < COUNT(CASES); i++) {
		graph g;
		build(&g, NULL, CASES[i].op);
		insert(&g, CASES[i].op, (const int64_t[]){0, 0, 0, 0, 0, 0}, (const uint32_t[]){0}, NULL, (const int64_t[]){9},
		    (const uint8_t[]){RS_FLOAT32});
		graph_number(&g);
		Onnx__ModelProto *m = written(&g);
		assert_string_equal(m->graph->node[1]->op_type, "One");
		const char *domain = m->graph->node[1]->domain;
		assert_string_equal(domain ? domain : "", CASES[i].domain);
		assert_null(m->graph->node[0]->domain);
		assert_int_equal(m->n_opset_import, *CASES[i].domain ? 2 : 1);
		assert_string_equal(m->opset_import[m->n_opset_import - 1]->domain, CASES[i].domain);
		assert_int_equal(m->opset_import[m->n_opset_import - 1]->version, CASES[i].version);
		onnx__model_proto__free_unpacked(m, NULL);
		graph_destroy(&g);
	}
}

static void refusals(void **state)
{
	(void)state;
	graph g;
	size_t size;
	char message[20];
	build(&g, NULL, &OLD);
	assert_null(rs_graph_onnx(&g, &size, message, sizeof message));
	assert_string_equal(message, "onnx.One_7-0: error"); /* truncated to the buffer */
	graph_destroy(&g);
	refuse(NULL, &OLD, "onnx.One_7-0: error: onnx.One_7 is not an operator of operator set 26");
	refuse(NULL, &OTHER, "own.One-0: error: own.One is not in ONNX's domain, and a file cannot define it");
	refuse_constant(0, "3", "onnx.All-0: error: an input is not a tensor but 3");
	refuse_constant(1, "0.5", "not of dtype int64");
	refuse_constant(1, "9223372036854775808", "no type for the constant 9223372036854775808");
	refuse_constant(2, "'a'", "a string in elements of dtype float32");
	refuse_constant(3, "None", "no type for the constant None");
	refuse_constant(3, "1.0.0", "no type for the constant");
	refuse_constant(3, "", "no type for the constant");
	refuse_constant(4, "'a", "no type for the constant");
	refuse_constant(4, "'a\\'", "no type for the constant");
	refuse_constant(5, "7.0", "several kinds in attribute pads");
	refuse_constant(9, "('int32', [2], [1])", "the number of elements does not match the shape");
	refuse_constant(9, "('int8', [1], [128])", "not of dtype int8");
	refuse_constant(9, "('uint8', [1], [-1])", "not of dtype uint8");
	refuse_constant(9, "('bool', [1], [2])", "not of dtype bool");
	refuse_constant(9, "('int32', [-1], [1])", "bad dimensions");
	refuse_constant(9, "('int32', [1], [1]", "no type for the constant");
	refuse_constant(9, "('int32', [1] [1])", "no type for the constant");
	refuse_constant(9, "('int32', [1, [1])", "no type for the constant");
	refuse_constant(9, "(1, [1], [1])", "no type for the constant");
	refuse_constant(9, "('nothing', [1], [1])", "cannot be written of dtype");
}

/* Appended, from the same scratch memory. */
static void same_bytes_again(void **state)
{
	(void)state;
	graph g;
	buf b = {0};
	diag d = {""};
	arena *a = arena_new();
	build(&g, NULL, &ONE);
	assert_true(graph_write_onnx(&g, a, &b, &d));
	size_t n = b.length;
	assert_true(graph_write_onnx(&g, a, &b, &d));
	assert_int_equal(b.length, 2 * n);
	assert_memory_equal(b.text, b.text + n, n);
	size_t size;
	char message[256], *file = rs_graph_onnx(&g, &size, message, sizeof message);
	assert_int_equal(size, n);
	assert_memory_equal(b.text, file, n);
	free(file);
	buf_free(&b);
	arena_free(a);
	graph_destroy(&g);
}

/* To be run: all inputs are inputs even if their values are known, and outputs are names. */
static void to_be_run(void **state)
{
	(void)state;
	graph g;
	buf b = {0};
	diag d = {""};
	arena *a = arena_new();
	build(&g, NULL, &ONE);
	g.tensors[1].low = -2, g.tensors[1].high = 5;
	for (int all = 0; all < 2; all++) {
		buf_clear(&b);
		assert_true(graph_write_onnx_to_run(&g, all, false, (file_limits){0}, a, &b, &d));
		Onnx__ModelProto *m = onnx__model_proto__unpack(NULL, b.length, (const uint8_t *)b.text);
		assert_non_null(m);
		assert_int_equal(m->graph->n_input, 2);
		assert_string_equal(m->graph->input[1]->name, "t1");
		assert_int_equal(m->graph->n_initializer, 2);
		assert_int_equal(m->graph->n_value_info, 0);
		assert_int_equal(m->graph->n_output, all ? 3 : 2);
		assert_string_equal(m->graph->output[1]->name, all ? "t3" : "t4");
		assert_null(m->graph->output[1]->type);
		onnx__model_proto__free_unpacked(m, NULL);
	}
	assert_false(graph_write_onnx_to_run(&g, false, true, (file_limits){0}, a, &b, &d)); /* it has no version */
	assert_non_null(strstr(d.text, "no known version of All"));
	assert_int_equal(onnx_element_type(RS_BFLOAT16), 16);
	assert_int_equal(onnx_element_type(RS_OTHER), 0);
	buf_free(&b);
	arena_free(a);
	graph_destroy(&g);
}

/* float32 from an input, twice through a versioned operator. */
static void build_in_set(graph *g, const rs_op *op, int set)
{
	const int64_t shape[] = {4};
	assert_true(graph_init(g));
	g->framework = "onnx", g->opset = (uint8_t)set;
	uint32_t x = graph_input(g, 1, shape, RS_FLOAT32);
	g->tensors[x].constant = true;
	for (int i = 0; i < 2; i++)
		x = insert(g, op, SYMBOLS, &x, NULL, shape, (const uint8_t[]){RS_FLOAT32});
	graph_keep_unused(g);
	graph_number(g);
}

static const rs_op OLD_ABS = OP("onnx.Abs_6-0", "onnx.Abs_6", X, UNARY, 1, 1);
static const rs_op ACOS = OP("onnx.Acos-0", "onnx.Acos", X, UNARY, 1, 1);

static Onnx__ModelProto *run_in_set(const rs_op *op, int set, bool all, file_limits limits)
{
	graph g;
	buf b = {0};
	diag d = {""};
	arena *a = arena_new();
	build_in_set(&g, op, set);
	if (!graph_write_onnx_to_run(&g, all, false, limits, a, &b, &d))
		fail_msg("%s", d.text);
	Onnx__ModelProto *m = onnx__model_proto__unpack(NULL, b.length, (const uint8_t *)b.text);
	assert_non_null(m);
	buf_free(&b);
	arena_free(a);
	graph_destroy(&g);
	return m;
}

/* The file is of the model's set, the reference's of the newest with the same calls. */
static void sets_of_models(void **state)
{
	(void)state;
	static const struct {
		const rs_op *op;
		int set;
		bool all;
		file_limits limits;
		int opset, ir;
	} CASES[] = {{&OLD_ABS, 7, false, {0}, 7, 3}, {&OLD_ABS, 9, false, {0}, 9, 4}, {&OLD_ABS, 9, true, {0}, 12, 7}, {&OLD_ABS, 0, false, {0}, 12, 10},
	    {&ACOS, 13, false, {0}, 13, 7}, {&ACOS, 13, true, {0}, 26, 13}, {&ACOS, 13, true, {.opset = 20}, 20, 9},
	    {&ACOS, 13, true, {.ir = 11}, 26, 11}};
	for (size_t i = 0; i < COUNT(CASES); i++) {
		Onnx__ModelProto *m = run_in_set(CASES[i].op, CASES[i].set, CASES[i].all, CASES[i].limits);
		assert_int_equal(m->opset_import[0]->version, CASES[i].opset);
		assert_int_equal(m->ir_version, CASES[i].ir);
		assert_string_equal(m->graph->node[0]->op_type, CASES[i].op == &ACOS ? "Acos" : "Abs");
		assert_int_equal(m->graph->n_initializer, !CASES[i].all);
		assert_int_equal(m->graph->n_input, CASES[i].all || m->ir_version < 4); /* initializers are inputs, too */
		onnx__model_proto__free_unpacked(m, NULL);
	}
}

static void not_in_the_set(void **state)
{
	(void)state;
	static const struct {
		const rs_op *op;
		int set;
		const char *why;
	} CASES[] = {{&OLD_ABS, 13, "onnx.Abs_6 is not an operator of operator set 13"}};
	for (size_t i = 0; i < COUNT(CASES); i++) {
		graph g;
		buf b = {0};
		diag d = {""};
		arena *a = arena_new();
		build_in_set(&g, CASES[i].op, CASES[i].set);
		assert_false(graph_write_onnx(&g, a, &b, &d));
		assert_non_null(strstr(d.text, CASES[i].why));
		buf_free(&b);
		arena_free(a);
		graph_destroy(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(model_and_tensors), cmocka_unit_test(integers_of_four_bits), cmocka_unit_test(pinned_inputs),
	    cmocka_unit_test(inputs_and_outputs),
	    cmocka_unit_test(attributes), cmocka_unit_test(constants),
	    cmocka_unit_test(other_domains),
	    cmocka_unit_test(refusals),
	    cmocka_unit_test(same_bytes_again),
	    cmocka_unit_test(to_be_run),
	    cmocka_unit_test(sets_of_models), cmocka_unit_test(not_in_the_set),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
