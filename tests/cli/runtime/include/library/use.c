/* A C program that uses librulesmith with the installed headers only: it generates, traverses and reads models,
 * and samples calls. tests/cli/runtime/include/library.sh builds and runs it. Prints faults; exit code 1 if there
 * are any.
 *
 *   use models FRAMEWORK COUNT     the JSON made by traversal equals the model's; a written model is read unchanged
 *   use calls FRAMEWORK            calls sampled for each operator, forward and backward, satisfy its rule
 *   use elements FRAMEWORK COUNT   prints a line per input: dtype, class, range, seed, elements */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <model.h>
#include <rulesmith.h>

enum { CALLS = 8, WIDTH = 512 };

static int wrong;

/* The program's own functions with names that the library uses internally. */
int arena_new(void);
void buf_puts(const char *a, int b, int c);
int graph_init(int x);

int arena_new(void)
{
	return 7;
}

void buf_puts(const char *a, int b, int c)
{
	if (a && b && c)
		puts(a);
}

int graph_init(int x)
{
	return x + 1;
}

static void complain(const char *what, const char *about)
{
	if (wrong++ < 20)
		printf("%.300s: %s\n", about, what);
}

/* ---- models */

typedef struct text {
	char *p;
	size_t n, room;
} text;

static void add(text *t, const char *s)
{
	size_t n = strlen(s);
	if (t->n + n + 1 > t->room) {
		t->room = (t->n + n + 1) * 2;
		t->p = realloc(t->p, t->room);
		if (!t->p)
			abort();
	}
	memcpy(t->p + t->n, s, n + 1);
	t->n += n;
}

static void add_number(text *t, int64_t x)
{
	char s[32];
	snprintf(s, sizeof s, "%" PRId64, x);
	add(t, s);
}

/* Texts of tables need escapes for quotes and backslashes only. */
static void add_quoted(text *t, const char *s)
{
	char c[3] = "\\";
	add(t, "\"");
	for (; *s; s++) {
		c[1] = *s;
		c[2] = '\0';
		add(t, c + (*s != '"' && *s != '\\'));
	}
	add(t, "\"");
}

static void add_item(text *t, const rs_graph *g, rs_walk *w)
{
	rs_item v;
	if (!rs_walk_next(w, &v))
		complain("the traversal ends early", rs_graph_op(g, w->node)->name);
	else if (v.kind == RS_TENSOR) {
		add(t, "{\"ref\":");
		add_number(t, rs_graph_tensor(g, v.tensor).number);
		add(t, v.copy ? ",\"copy\":true}" : "}");
	} else if (v.kind == RS_INT) {
		add_number(t, v.number);
	} else if (v.kind == RS_CONST) {
		add(t, "{\"const\":");
		add_quoted(t, v.text);
		add(t, "}");
	} else if (v.kind == RS_ELEMENTS) {
		add(t, "{\"elements\":");
		add_item(t, g, w);
		add(t, ",\"dtype\":");
		add_quoted(t, rs_dtype_name((rs_dtype)v.dtype));
		add(t, "}");
	} else {
		add(t, "[");
		for (unsigned i = 0; i < v.count; i++) {
			add(t, i ? "," : "");
			add_item(t, g, w);
		}
		add(t, "]");
	}
}

static void add_tensor(text *t, rs_tensor x)
{
	add(t, "{\"id\":");
	add_number(t, x.number);
	add(t, ",\"shape\":[");
	for (unsigned i = 0; i < x.rank; i++) {
		add(t, i ? "," : "");
		add_number(t, x.shape[i]);
	}
	add(t, "],\"dtype\":");
	add_quoted(t, rs_dtype_name((rs_dtype)x.dtype));
	if (x.producer == RS_NONE && x.values != RS_VALUES_SMALL) {
		add(t, ",\"values\":");
		add_quoted(t, rs_values_name(x.values));
	}
	if (x.low || x.high) {
		add(t, ",\"range\":[");
		add_number(t, x.low);
		add(t, ",");
		add_number(t, x.high);
		add(t, "]");
	}
	add(t, x.constant ? ",\"constant\":true}" : "}");
}

static void add_node(text *t, const rs_graph *g, uint32_t n)
{
	const rs_op *op = rs_graph_op(g, n);
	rs_walk w = rs_graph_walk(g, n);
	rs_item more;
	add(t, "{\"op\":");
	add_quoted(t, op->name);
	add(t, ",\"api\":");
	add_quoted(t, op->api);
	add(t, rs_graph_random(g, n) ? ",\"random\":true,\"args\":[" : ",\"args\":[");
	for (unsigned i = 0; i < op->nargs; i++) {
		add(t, i ? ",{\"name\":" : "{\"name\":");
		add_quoted(t, op->args[i].name);
		add(t, op->args[i].by_position ? ",\"pos\":true,\"value\":" : ",\"pos\":false,\"value\":");
		add_item(t, g, &w);
		add(t, "}");
	}
	if (rs_walk_next(&w, &more))
		complain("the traversal has a value without an argument", op->name);
	add(t, "],\"outputs\":[");
	for (unsigned i = 0; i < op->nout; i++) {
		rs_tensor x = rs_graph_tensor(g, rs_graph_output(g, n, i));
		if (x.producer != n || x.output != i || x.random != rs_graph_random(g, n))
			complain("an output has another producer", op->name);
		add(t, i ? "," : "");
		add_tensor(t, x);
	}
	add(t, "]}");
}

/* The model's JSON, made by traversal alone. */
static text describe(const rs_graph *g)
{
	text t = {0};
	char head[200];
	snprintf(head, sizeof head,
	    "{\"model\":1,\"framework\":\"%s\",\"seed\":%" PRIu64 ",\"index\":%" PRIu64 ",\"values\":%" PRIu64
	    ",\"inputs\":[",
	    rs_graph_framework(g), rs_graph_seed(g), rs_graph_index(g), rs_graph_values(g));
	add(&t, head);
	for (uint32_t i = RS_NONE, first = 1; (i = rs_graph_next_input(g, i)) != RS_NONE; first = 0) {
		add(&t, first ? "" : ",");
		add_tensor(&t, rs_graph_tensor(g, i));
	}
	add(&t, "],\"nodes\":[");
	for (uint32_t n = rs_graph_first(g); n != RS_NONE; n = rs_graph_next(g, n)) {
		add(&t, n == rs_graph_first(g) ? "" : ",");
		add_node(&t, g, n);
	}
	add(&t, "],\"outputs\":[");
	for (uint32_t i = RS_NONE, first = 1; (i = rs_graph_next_result(g, i)) != RS_NONE; first = 0) {
		add(&t, first ? "" : ",");
		add_number(&t, rs_graph_tensor(g, i).number);
	}
	add(&t, "]}");
	return t;
}

/* Compares the traversal with the table's row and the node's symbols and inputs. */
static void check_walk(const rs_graph *g, uint32_t n)
{
	const rs_op *op = rs_graph_op(g, n);
	const int64_t *s = rs_graph_symbols(g, n);
	rs_walk w = rs_graph_walk(g, n);
	rs_item x;
	unsigned input = 0;
	for (unsigned i = 0; i < op->nvalues && rs_walk_next(&w, &x); i++) {
		const rs_value *v = &op->values[i];
		bool tensor = v->kind == RS_TENSOR || v->kind == RS_RANGED;
		if (x.kind != (tensor ? RS_TENSOR : v->kind) || (v->kind == RS_INT && x.number != s[v->first])
		    || (v->kind == RS_LIST && x.count != v->count))
			complain("the traversal and the node have different values", op->name);
		if (!tensor)
			continue;
		if (x.tensor != rs_graph_input(g, n, input) || x.copy != rs_writes(op, input))
			complain("the traversal and the node have different inputs", op->name);
		rs_tensor t = rs_graph_tensor(g, rs_graph_input(g, n, input++));
		if (t.rank != v->count || (t.rank && memcmp(t.shape, s + v->first, t.rank * sizeof *s) != 0))
			complain("an input's shape differs from its symbols", op->name);
	}
}

static void check_model(rs_graph *g, rs_graph *again)
{
	char message[256] = "";
	char *json = rs_graph_json(g);
	text t = describe(g);
	if (!json || strcmp(json, t.p) != 0)
		complain("the traversal gives other JSON", json ? json : "no JSON");
	if (!rs_graph_check(g, message, sizeof message))
		complain(message, "check");
	for (uint32_t n = rs_graph_first(g); n != RS_NONE; n = rs_graph_next(g, n))
		check_walk(g, n);
	for (int known = 0; json && known < 2; known++) {
		if (!rs_graph_read(again, json, known ? &rs_rules : NULL, message, sizeof message))
			complain(message, "read");
		char *copy = rs_graph_json(again);
		if (!copy || strcmp(copy, json) != 0 || rs_graph_nodes(again) != rs_graph_nodes(g))
			complain("a written model is read differently", json);
		if (known && (rs_graph_hash(again) != rs_graph_hash(g) || !rs_graph_check(again, message, sizeof message)))
			complain("the model that was read differs", json);
		free(copy);
	}
	free(json);
	free(t.p);
}

static int models(const rs_table *table, uint64_t count)
{
	rs_graph *g = rs_graph_new(), *again = rs_graph_new();
	char message[256];
	for (int s = RS_NEURI; s <= RS_GRAPH; s++) {
		rs_gen_options options = {.strategy = (enum rs_strategy)s, .nodes_low = 1, .nodes_high = 20};
		rs_gen *gen = rs_gen_new(table, &options, message, sizeof message);
		for (uint64_t i = 0; gen && i < count; i++)
			if (rs_gen_model(gen, 3, i, g))
				check_model(g, again);
			else
				complain("out of memory", "model");
		if (!gen)
			complain(message, "generator");
		rs_gen_free(gen);
	}
	if (rs_graph_read(again, "{\"model\":1}", &rs_rules, message, sizeof message) || !*message
	    || rs_graph_nodes(again) || rs_graph_first(again) != RS_NONE)
		complain("an invalid model was read", "read");
	rs_graph_free(g);
	rs_graph_free(again);
	return wrong != 0;
}

/* ---- calls */

/* Writes a record's output dimensions to out[nodim]. */
static void record_outputs(const rs_op *op, unsigned r, int64_t *out)
{
	int64_t record[2 * WIDTH];
	rs_record(op, r, record);
	if (op->propagate)
		op->propagate(record, out);
	else
		memcpy(out, record + op->nsym, op->nodim * sizeof *out);
}

/* Whether the outputs of the record are these. */
static bool has_outputs(const rs_op *op, unsigned r, const int64_t *out)
{
	int64_t said[WIDTH];
	record_outputs(op, r, said);
	return memcmp(said, out, op->nodim * sizeof *out) == 0;
}

/* Whether the call is accepted with these outputs, by the rule or as a record. */
static bool accepted(const rs_op *op, const int64_t *s, const int64_t *out)
{
	int64_t said[WIDTH];
	bool recorded = !op->nsym && op->nrecords;
	for (unsigned r = 0; r < op->nrecords && !recorded; r++)
		recorded = rs_record_is(op, r, s) && (op->propagate || has_outputs(op, r, out));
	if (!op->propagate)
		return recorded;
	return (recorded ? op->propagate(s, said) : rs_eval(op, s, said))
	       && memcmp(said, out, op->nodim * sizeof *out) == 0;
}

typedef struct tally {
	unsigned operators, forward, given, back, asked;
} tally;

/* Samples with no given inputs, and with the first tensor of a record. */
static void sample_forward(rs_caller *c, const rs_op *op, tally *t)
{
	int64_t s[WIDTH], out[WIDTH], again[WIDTH], given[2 * WIDTH];
	uint8_t known[WIDTH] = {0};
	for (uint64_t seed = 0; seed < CALLS; seed++) {
		t->asked++;
		if (!rs_sample_forward(c, seed, s, NULL, out))
			continue;
		t->forward++;
		if (!accepted(op, s, out))
			complain("a sampled call violates its rule", op->name);
		if (!rs_sample_forward(c, seed, again, NULL, out) || memcmp(again, s, op->nsym * sizeof *s) != 0)
			complain("the same seed gives another call", op->name);
	}
	const rs_value *first = op->nvalues ? &op->values[0] : NULL;
	if (!first || first->kind != RS_TENSOR || !first->count || !op->nrecords)
		return;
	memset(known + first->first, 1, first->count);
	rs_record(op, 0, given);
	memcpy(s, given, op->nsym * sizeof *s);
	if (!rs_sample_forward(c, 1, s, known, out))
		return;
	t->given++;
	if (!accepted(op, s, out) || memcmp(s + first->first, given + first->first, first->count * sizeof *s) != 0)
		complain("a given shape was changed, or the call violates its rule", op->name);
}

/* Samples backward, from the first output of each record. */
static void sample_back(rs_caller *c, const rs_op *op, tally *t)
{
	int64_t s[WIDTH], out[WIDTH];
	int64_t shape[WIDTH];
	for (unsigned r = 0; r < op->nrecords && r < CALLS; r++) {
		record_outputs(op, r, shape);
		if (!rs_sample_backward(c, r, s, NULL, 0, shape, out))
			continue;
		t->back++;
		if (!accepted(op, s, out) || (op->out_ranks[0] && memcmp(out, shape, op->out_ranks[0] * sizeof *out) != 0))
			complain("not the requested output", op->name);
	}
	if (rs_sample_backward(c, 0, s, NULL, op->nout, out, out))
		complain("an output that does not exist", op->name);
}

static int calls(const rs_table *table)
{
	tally t = {0};
	for (uint32_t i = 0; i < table->nops; i++) {
		const rs_op *op = &table->ops[i];
		rs_caller *c = op->nsym + op->nodim <= WIDTH ? rs_caller_new(op, NULL) : NULL;
		if (!c)
			continue;
		t.operators++;
		sample_forward(c, op, &t);
		sample_back(c, op, &t);
		rs_caller_free(c);
	}
	printf("%u operators, %u of %u calls forward, %u with a shape given, %u backward\n", t.operators, t.forward,
	    t.asked, t.given, t.back);
	if (!t.operators || t.forward * 10 < t.asked * 9 || t.given * 2 < t.operators || t.back < t.operators)
		complain("too few calls were sampled", table->framework);
	return wrong != 0;
}

/* ---- elements */

static void print_elements(const rs_graph *g, uint32_t input)
{
	rs_tensor t = rs_graph_tensor(g, input);
	size_t size = (size_t)t.numel * rs_dtype_size((rs_dtype)t.dtype);
	unsigned char *bytes = malloc(size + 1);
	if (!bytes || !rs_graph_elements(g, input, bytes)) {
		complain("cannot generate elements", rs_dtype_name((rs_dtype)t.dtype));
		free(bytes);
		return;
	}
	printf("%s %s %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu32 " %" PRId64 " ", rs_dtype_name((rs_dtype)t.dtype),
	    rs_values_name(t.values), t.low, t.high, rs_graph_values(g), t.number, t.numel);
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
	putchar('\n');
	free(bytes);
}

/* One input of each dtype and class, and of a few ranges, made by reading a model. */
static int elements(uint64_t seeds)
{
	static const char *const classes[] = {"unit", "positive", "small", "large", "finite"};
	static const char *const ranges[] = {"[0,3]", "[-7,1]", "[5,100000]", "[0,0]", "[-8589934592,8589934592]",
	    "[-2305843009213693952,2305843009213693952]"};
	char line[400], message[256];
	rs_graph *g = rs_graph_new();
	for (uint64_t seed = 0; seed < seeds; seed++)
		for (int d = 0; d < RS_STRING; d++)
			for (int k = 0; k < 8; k++) {
				const char *key = k < 4 ? "values" : "range";
				char value[20];
				if (k >= 4 && d >= RS_COMPLEX32)
					continue;
				snprintf(value, sizeof value, k < 4 ? "\"%s\"" : "%s", k < 4 ? classes[k] : ranges[k - 4]);
				snprintf(line, sizeof line,
				    "{\"model\":1,\"framework\":\"f\",\"values\":%" PRIu64 ",\"inputs\":[{\"id\":0,\"shape\":[],"
				    "\"dtype\":\"bool\"},{\"id\":1,\"shape\":[%s],\"dtype\":\"%s\",\"%s\":%s}],\"nodes\":[],\"outputs\":[]}",
				    seed * 77777777777777, k == 7 ? "0" : "3,50", rs_dtype_name((rs_dtype)d), key, value);
				if (!rs_graph_read(g, line, NULL, message, sizeof message))
					complain(message, line);
				else
					print_elements(g, rs_graph_next_input(g, rs_graph_next_input(g, RS_NONE)));
			}
	rs_graph_free(g);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	const rs_table *table = argc > 2 ? rs_library_table(&rs_rules, argv[2]) : NULL;
	uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	if (arena_new() != 7 || graph_init(1) != 2)
		return 1;
	buf_puts(NULL, 0, 0);
	if (!table)
		return 2;
	return strcmp(what, "models") == 0 ? models(table, count) : strcmp(what, "calls") == 0 ? calls(table) : elements(count);
}
