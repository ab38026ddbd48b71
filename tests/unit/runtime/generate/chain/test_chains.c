/* Chains: which lines are read, which signatures each call may become, and what is inserted: exact copies and patterns whose
 * shapes, ranks, dtypes, attributes, operands and calls vary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "call_set.h"
#include "chains.h"
#include "framework.h"
#include "literals.h"
#include "model_read.h"
#include "models.h"
#include "rng.h"

enum { ROUNDS = 24, MOST_NUMEL = 65536, WITHOUT = 1 << 15, MODELS = 1500, RANKS = 120, MOST_PAIRS = 4096 };

static uint64_t out[WITHOUT];
static index_filter filter;

/* Excludes about `share` eighths of a framework's calls, drawn by the seed. */
static void build(gen_index *x, const rs_table *table, int share, uint64_t seed)
{
	size_t n = 0;
	rng r = rng_seed(seed);
	for (uint32_t i = 0; i < table->nops; i++) {
		const rs_op *op = &table->ops[i];
		for (unsigned k = 0; k < op->ndtypes && n < WITHOUT; k++)
			if (rng_range(&r, 0, 7) < share)
				out[n++] = rs_call_hash(op, op->dtypes + (size_t)k * (op->nin + op->nout));
	}
	if (n)
		qsort(out, n, sizeof *out, call_order);
	filter = (index_filter){.without = out, .nwithout = n, .max_numel = MOST_NUMEL, .rank_max = INDEX_RANK_MAX, .low = 1, .high = 5};
	diag d = {""};
	if (!gen_index_build(x, table, &filter, &d))
		fail_msg("%s", d.text);
}

static void open_chains(chains *c, const gen_index *x)
{
	diag d = {""};
	if (!chains_open(c, x, &filter, NULL, &d))
		fail_msg("%s", d.text);
}

static const chain_line *read_line(chain_lines *l, uint32_t line)
{
	diag d = {""};
	const chain_line *found = chain_lines_read(l, line, &d);
	if (!found)
		fail_msg("%s", d.text);
	return found;
}

/* ---- lines */

/* Calls f on each line of the files that are compiled in. */
static void each_line(void (*f)(chain_lines *l, uint32_t number, const char *text), chain_lines *l)
{
	static const char *const FILES[] = {"traces/onnx/CHAINS.models", "traces/onnx/PAIRS.models", "traces/tensorflow/CHAINS.models",
	    "traces/torch/CHAINS.models"};
	uint32_t number = 0;
	char *text = NULL;
	size_t room = 0;
	for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
		FILE *file = fopen(FILES[i], "r");
		assert_non_null(file);
		while (getline(&text, &room, file) > 0)
			f(l, number++, text);
		fclose(file);
	}
	free(text);
	assert_int_equal(number, chain_lines_count());
}

static void is_as_written(chain_lines *l, uint32_t number, const char *text)
{
	diag d = {""};
	graph g;
	const chain_line *found = read_line(l, number);
	assert_true(graph_init(&g));
	if (!graph_read_json(&g, text, "line", number, NULL, &d))
		fail_msg("%s", d.text);
	assert_true(graph_hash(&g) == graph_hash(&found->model));
	assert_int_equal(g.live_nodes, chain_line_calls(number));
	assert_ptr_equal(found, read_line(l, number));
	const char *count = strstr(text, "\"count\":");
	assert_int_equal(strtoul(count + 8, NULL, 10), chain_line_models(number));
	graph_destroy(&g);
}

static void lines_are_those_of_the_files(void **state)
{
	(void)state;
	chain_lines *l = chain_lines_new();
	each_line(is_as_written, l);
	chain_lines_free(l);
}

/* The passes that the files name for a line. */
static uint32_t passes_of(const char *text)
{
	const char *list = strstr(text, "\"passes\":["), *end = list ? strchr(list, ']') : NULL;
	uint32_t quotes = 0;
	for (; list && list < end; list++)
		quotes += *list == '"';
	return quotes ? (quotes - 2) / 2 : 0;
}

static void has_its_passes(chain_lines *l, uint32_t number, const char *text)
{
	(void)l;
	uint32_t n = 0;
	for (uint32_t pass = 0; pass < chain_passes_count(); pass++)
		for (uint32_t i = 0; i < chain_pass_lines(pass); i++)
			n += chain_pass_line(pass, i) == number;
	assert_int_equal(n, passes_of(text));
}

static void lines_of_passes(void **state)
{
	(void)state;
	assert_true(chain_passes_count() > 30);
	for (uint32_t pass = 0; pass < chain_passes_count(); pass++) {
		uint32_t shortest = UINT32_MAX;
		for (uint32_t i = 0; i < chain_pass_lines(pass); i++)
			if (chain_line_calls(chain_pass_line(pass, i)) < shortest)
				shortest = chain_line_calls(chain_pass_line(pass, i));
		assert_int_equal(chain_pass_shortest(pass), shortest);
	}
	each_line(has_its_passes, NULL);
}

static bool is_api(const char *api, const char *name)
{
	size_t n = framework_unversioned("onnx", api);
	return strlen(name) == n && memcmp(api, name, n) == 0;
}

/* Each edge is in the table once, by the APIs of its calls. */
static void edges_of_pairs(void **state)
{
	(void)state;
	chain_lines *l = chain_lines_new();
	uint32_t edges = 0, changed = 0, n = chain_pair_at(chain_pairs_count())->first;
	for (uint32_t i = 0; i < chain_pairs_count(); i++) {
		const chain_pair *p = chain_pair_at(i), *next = p + 1;
		assert_true(next->first > p->first);
		changed += p->changed;
		for (uint32_t k = p->first; k < next->first; k++) {
			chain_edge e = chain_edge_at(k);
			const chain_line *found = read_line(l, e.line);
			assert_true(is_api(found->model.nodes[e.from].op->api, chain_api_name(p->from)));
			assert_true(is_api(found->model.nodes[e.to].op->api, chain_api_name(p->to)));
			assert_true(found->nodes[e.from].near >> e.to & 1);
		}
	}
	for (uint32_t i = 0; i < chain_lines_count(); i++)
		for (uint32_t k = 0; k < chain_line_calls(i); k++)
			edges += (uint32_t)__builtin_popcountll(read_line(l, i)->nodes[k].near);
	assert_int_equal(edges, 2 * n);
	assert_in_range(changed, 100, chain_pairs_count() / 2);
	chain_lines_free(l);
}

/* A generator that borrows lines does not free them. */
static void lines_are_shared(void **state)
{
	(void)state;
	gen_index x;
	chains first, second;
	diag d = {""};
	build(&x, rs_library_table(&rs_rules, "onnx"), 0, 0);
	open_chains(&first, &x);
	assert_true(chains_open(&second, &x, &filter, first.lines, &d));
	const chain_line *found = read_line(second.lines, 7);
	assert_true(chains_call(&second, found, 0)->n > 0);
	chains_close(&second);
	assert_ptr_equal(found, read_line(first.lines, 7));
	assert_int_equal(found->model.live_nodes, chain_line_calls(7));
	chains_close(&first);
	gen_index_free(&x);
}

/* ---- reading */

/* True if an operator of the index has a row that begins with the dtype of the first input and gives the
 * first output's dtype. */
static bool is_there(const gen_index *x, const graph *g, const graph_node *n)
{
	for (uint32_t i = 0; i < x->nops; i++) {
		const index_op *o = &x->ops[i];
		if (strcmp(o->op->api, n->op->api) != 0)
			continue;
		for (uint32_t r = 0; r < o->nrows; r++) {
			const uint8_t *row = index_row(o, r);
			bool in = !n->nin || !o->nin || row[0] == g->tensors[graph_node_input(g, n, 0)].dtype;
			if (in && row[o->nin] == g->tensors[n->outputs].dtype)
				return true;
		}
	}
	return false;
}

static bool is_wanted(const chain_line *c, const gen_index *x)
{
	bool wanted = true;
	for (uint32_t i = 0; i < c->model.ntensors; i++)
		wanted &= c->model.tensors[i].numel <= filter.max_numel && c->model.tensors[i].rank <= filter.rank_max;
	for (uint32_t i = c->model.first; i != GRAPH_NONE; i = c->model.nodes[i].next)
		wanted &= is_there(x, &c->model, &c->model.nodes[i]);
	return wanted;
}

/* Those whose calls are in the index, within its limits, are inserted exactly. */
static void exact_if_all_calls_are_there(void **state)
{
	(void)state;
	uint32_t some = 0;
	const rs_table *table = rs_library_table(&rs_rules, "onnx");
	for (int round = 0; round < ROUNDS; round++) {
		gen_index x;
		chains c;
		uint32_t exact = 0;
		rng r = rng_seed((uint64_t)round);
		build(&x, table, (int)rng_range(&r, 0, 4), (uint64_t)round);
		filter.max_numel = round % 2 ? MOST_NUMEL : rng_range(&r, 1, 2000);
		filter.rank_max = round % 4 ? INDEX_RANK_MAX : (unsigned)rng_range(&r, 1, 5);
		open_chains(&c, &x);
		for (uint32_t i = 0; i < chain_lines_count(); i++) {
			bool is = chains_exact(&c, i, &x);
			assert_int_equal(is, is_wanted(read_line(c.lines, i), &x));
			exact += is;
		}
		some += exact > 0 && exact < chain_lines_count();
		chains_close(&c);
		gen_index_free(&x);
	}
	assert_true(some > ROUNDS / 4);
}

/* ---- matches */

/* A candidate takes each tensor of the recorded call once, at its rank in the key; those with the recorded attributes come
 * first. */
static void check_match(const graph *g, uint32_t node, const chain_call *c, uint32_t at)
{
	chain_match m;
	const graph_node *n = &g->nodes[node];
	unsigned taken = 0;
	size_t length = framework_unversioned("onnx", n->op->api);
	chain_match_op(&m, g, node, c->of[at].op);
	assert_true(framework_unversioned("onnx", m.op->op->api) == length && memcmp(m.op->op->api, n->op->api, length) == 0);
	assert_true(m.fits);
	assert_int_equal(m.same, at < c->nsame);
	assert_true(m.ranks == c->of[at].ranks);
	for (unsigned i = 0; i < m.op->nin; i++) {
		bool there = false;
		for (unsigned k = 0; k < n->nin && m.slots[i].tensor != GRAPH_NONE; k++)
			if (graph_node_input(g, n, k) == m.slots[i].tensor && (m.ranks >> 4 * k & 15) == m.op->inputs[i].rank)
				there = true;
		assert_true(there || m.slots[i].tensor == GRAPH_NONE);
		taken += there || m.op->inputs[i].ranged;
	}
	assert_true(taken >= n->nin);
	assert_true(m.op->nout >= n->nout);
}

/* Calls of one kind share their candidates, whichever line was read first. */
static void match_all(const char *framework)
{
	gen_index x;
	chains c;
	uint32_t calls = 0, matched = 0, same = 0, ranks = 0;
	build(&x, rs_library_table(&rs_rules, framework), 0, 0);
	open_chains(&c, &x);
	for (uint32_t i = 0; i < chain_lines_count(); i++) {
		if (strcmp(chain_line_framework(i), framework) != 0)
			continue;
		const chain_line *found = read_line(c.lines, i);
		for (uint32_t k = 0; k < found->model.nnodes; k++) {
			const chain_call *call = chains_call(&c, found, k);
			calls++;
			matched += call->n > 0;
			same += call->nsame > 0;
			for (uint32_t m = 0; m < call->n; m++) {
				check_match(&found->model, k, call, m);
				ranks += ((call->of[m].ranks ^ found->nodes[k].recorded) & 15) != 0;
			}
		}
	}
	print_message("# %s: %u calls of %u kinds, %u matched, %u same, %u ranks\n", framework, calls, chain_lines_kinds(c.lines), matched,
	    same, ranks);
	assert_true(matched > calls * 9 / 10); /* nearly every call can vary */
	assert_true(same > calls * 6 / 10);
	assert_true(ranks > calls);
	assert_true(chain_lines_kinds(c.lines) < calls / 2);
	chains_close(&c);
	gen_index_free(&x);
}

static void matches_take_all_tensors(void **state)
{
	(void)state;
	match_all("onnx");
	match_all("torch");
	match_all("tensorflow");
}

/* No match has a dtype of a call that the index excludes. */
static void excluded_calls_stay_out(void **state)
{
	(void)state;
	gen_index x;
	chains c;
	uint32_t rows = 0, all = 0;
	build(&x, rs_library_table(&rs_rules, "onnx"), 4, 7);
	open_chains(&c, &x);
	for (uint32_t i = 0; i < c.forms.nops; i++) {
		const index_op *o = &c.forms.ops[i];
		const index_api *api = gen_index_api(&x, o->op->api);
		all += o->op->ndtypes, rows += o->nrows;
		assert_non_null(api);
		for (uint32_t r = 0; r < o->nrows; r++)
			assert_true(gen_index_has_call(&x, api, o->nin ? index_row(o, r)[0] : RS_DTYPE_COUNT, index_row(o, r)[o->nin]));
	}
	assert_true(rows > all / 8 && rows < all);
	chains_close(&c);
	gen_index_free(&x);
}

/* Calls that only chains make are excluded as well. */
static void excluded_calls_of_chains_stay_out(void **state)
{
	(void)state;
	gen_index x;
	chains c;
	diag d = {""};
	uint32_t rows = 0, all = 0;
	build(&x, rs_library_table(&rs_forms, "onnx"), 4, 5); /* for the filter */
	gen_index_free(&x);
	index_filter none = filter;
	none.nwithout = 0;
	if (!gen_index_build(&x, rs_library_table(&rs_rules, "onnx"), &none, &d))
		fail_msg("%s", d.text);
	open_chains(&c, &x);
	for (uint32_t i = 0; i < c.forms.nops; i++) {
		const index_op *o = &c.forms.ops[i];
		all += o->op->ndtypes, rows += o->nrows;
		for (uint32_t r = 0; r < o->nrows; r++)
			assert_false(call_set_has(filter.without, filter.nwithout, rs_call_hash(o->op, index_row(o, r))));
	}
	assert_true(rows > all / 8 && rows < all);
	chains_close(&c);
	gen_index_free(&x);
}

/* ---- literals */

static void scalars_become_elements(void **state)
{
	(void)state;
	gen_index x;
	chains c;
	uint32_t tried = 0;
	literals *l = literals_new();
	build(&x, rs_library_table(&rs_rules, "onnx"), 0, 0);
	open_chains(&c, &x);
	for (uint32_t i = 0; i < c.forms.nops; i++) {
		const index_op *o = &c.forms.ops[i];
		const char *elements[INDEX_TENSORS_MAX] = {"1.5", "2.5", "3.5", "4.5"}, *texts[512];
		if (o->nin != 2 || o->inputs[1].rank || o->inputs[1].ranged || !o->nrows)
			continue;
		const literal_op *made = literals_find(l, o, o->rows, 2);
		assert_ptr_equal(made, literals_find(l, o, o->rows, 2));
		assert_int_equal(made->op.nin, 1);
		assert_int_equal(made->op.nsym, o->op->nsym);
		assert_int_equal(made->op.nvalues, o->op->nvalues + 1);
		assert_int_equal(made->op.dtypes[0], o->rows[0]);
		unsigned n = literals_merge(o, 2, NULL, elements, texts), found = 0;
		assert_int_equal(n, made->form.nconsts);
		for (unsigned k = 0, constant = 0; k < made->op.nvalues; k++) {
			const rs_value *v = &made->op.values[k];
			if (v->kind == RS_ELEMENTS && v[1].kind == RS_CONST && strcmp(texts[constant], "2.5") == 0)
				found++;
			constant += v->kind == RS_CONST;
		}
		assert_int_equal(found, 1);
		tried++;
	}
	assert_true(tried > 25);
	literals_free(l);
	chains_close(&c);
	gen_index_free(&x);
}

static void texts_of_elements(void **state)
{
	(void)state;
	int64_t n;
	assert_true(literal_whole("2.0", &n) && n == 2);
	assert_true(literal_whole("-1", &n) && n == -1);
	assert_false(literal_whole("0.5", &n));
	assert_false(literal_whole("2.0e3", &n));
	assert_false(literal_whole("101.0", &n));
	assert_true(literal_suits("1e-05", RS_FLOAT32));
	assert_false(literal_suits("1e-05", RS_FLOAT16));
	assert_false(literal_suits("1.0", RS_INT64));
	assert_true(literal_suits("-1", RS_INT64));
	assert_false(literal_suits("-1", RS_UINT8));
	assert_false(literal_suits("2", RS_FLOAT32));
}

/* ---- models of chains alone */

typedef struct seen {
	uint32_t ranks[8], dtypes[RS_DTYPE_COUNT]; /* of means over an axis */
	uint32_t sides[2];  /* products: their result of a call is the first operand, the second */
	uint32_t written;   /* elements that a call of a pattern states */
	uint32_t larger;    /* calls whose constant has a higher rank than their other operand */
	uint32_t constants, inputs;
	uint32_t calls;
	uint32_t fitting, single; /* vectors that a product broadcasts: as long as the last dimension, or of one element */
} seen;

static const graph_tensor *input(const graph *g, const graph_node *n, unsigned i)
{
	return &g->tensors[graph_node_input(g, n, i)];
}

static void look_at(const graph *g, const graph_node *n, seen *s)
{
	s->calls++;
	for (unsigned i = 0; i < n->op->nvalues; i++)
		s->written += n->op->propagate && n->op->values[i].kind == RS_ELEMENTS && n->op->values[i].dtype > RS_INT64;
	if (strcmp(n->op->api, "onnx.ReduceMean") == 0) {
		s->ranks[input(g, n, 0)->rank & 7]++;
		s->dtypes[input(g, n, 0)->dtype]++;
	}
	if (strcmp(n->op->api, "onnx.Mul") != 0 || n->nin != 2)
		return;
	for (unsigned i = 0; i < 2; i++)
		if (input(g, n, i)->producer != GRAPH_NONE && input(g, n, 1 - i)->producer == GRAPH_NONE) {
			s->sides[i]++;
			s->larger += input(g, n, 1 - i)->rank > input(g, n, i)->rank;
			*(input(g, n, 1 - i)->constant ? &s->constants : &s->inputs) += 1;
			const graph_tensor *x = input(g, n, i), *vector = input(g, n, 1 - i);
			if (vector->rank == 1 && x->rank > 1 && x->shape[x->rank - 1] > 1)
				*(vector->shape[0] > 1 ? &s->fitting : &s->single) += 1;
		}
}

static void patterns_vary_and_keep_the_rules(void **state)
{
	(void)state;
	char message[256];
	diag d = {""};
	rs_gen_options options = {.nodes_low = 8, .nodes_high = 12, .chains = 1000, .initializers = 1, .elements = RS_ELEMENTS_REAL};
	rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, "onnx"), &options, message, sizeof message);
	seen s = {{0}, {0}, {0}, 0, 0, 0, 0, 0, 0, 0};
	graph g;
	assert_non_null(gen);
	assert_true(graph_init(&g));
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 1, i, &g));
		if (!graph_check(&g, &d))
			fail_msg("model %u: %s", (unsigned)i, d.text);
		assert_in_range(g.live_nodes, 8, 11 + 20); /* the last chain may be long */
		for (uint32_t k = g.first; k != GRAPH_NONE; k = g.nodes[k].next)
			look_at(&g, &g.nodes[k], &s);
	}
	for (unsigned rank = 1; rank <= 5; rank++)
		assert_true(s.ranks[rank] > 2);
	assert_true(s.dtypes[RS_FLOAT32] > 20 && s.dtypes[RS_FLOAT64] > 2 && s.dtypes[RS_FLOAT16] > 2);
	assert_true(s.sides[0] > 50 && s.sides[1] > 50);
	assert_true(s.larger > 10);
	assert_true(s.written > MODELS / 4);
	assert_true(s.constants > 50 && s.inputs > 10);
	print_message("# vectors in products: %u fit, %u have one element\n", s.fitting, s.single);
	assert_true(2 * s.fitting > 3 * s.single); /* as in the records */
	graph_destroy(&g);
	rs_gen_free(gen);
}

/* ---- models of pairs */

/* The number of each pair of APIs in the table, 0 for others. */
typedef struct pair_counts {
	uint32_t of[MOST_PAIRS];
	uint32_t met;
} pair_counts;

static uint32_t find_name(const char *api)
{
	uint32_t i = 0;
	while (i < chain_apis_count() && !is_api(api, chain_api_name(i)))
		i++;
	return i;
}

static void count_pair(pair_counts *c, const char *from, const char *to)
{
	uint32_t a = find_name(from), b = find_name(to);
	for (uint32_t i = 0; i < chain_pairs_count(); i++)
		if (chain_pair_at(i)->from == a && chain_pair_at(i)->to == b)
			c->met += !c->of[i]++;
}

/* The number of pairs that a pass changes, and of these, those that were counted often. */
static void count_changed(const pair_counts *c, uint32_t *all, uint32_t *often)
{
	*all = *often = 0;
	for (uint32_t i = 0; i < chain_pairs_count(); i++) {
		*all += chain_pair_at(i)->changed;
		*often += chain_pair_at(i)->changed && c->of[i] >= 5;
	}
}

/* Pairs that few lines have are drawn like others. */
/* The floats of a list that was recorded with one text each, among them the scales of Upsample, are those of the signature. */
static uint32_t check_lists(const graph_node *n)
{
	unsigned left = 0, constant = 0;
	uint32_t checked = 0;
	for (unsigned i = 0; i < n->op->nvalues; i++) {
		const rs_value *v = &n->op->values[i];
		bool inside = left > 0;
		left = v->kind == RS_LIST ? v->count : left - inside;
		if (v->kind != RS_CONST)
			continue;
		if (inside && v->count == 1 && n->consts) {
			assert_string_equal(n->consts[constant], v->text);
			checked++;
		}
		constant++;
	}
	return checked;
}

static void scales_stay(void **state)
{
	(void)state;
	uint32_t checked = 0;
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.chains = 1000, .opset_low = 8, .opset_high = 8});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < 3000; i++) {
		assert_true(rs_gen_model(gen, 11, i, g));
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next)
			checked += strcmp(g->nodes[k].op->api, "onnx.Upsample_7") == 0 ? check_lists(&g->nodes[k]) : 0;
	}
	print_message("# %u scales\n", checked);
	assert_true(checked >= 20);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* The pairs of a framework in the table. */
static uint32_t count_pairs(const char *framework)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < chain_pairs_count(); i++)
		n += strcmp(chain_line_framework(chain_edge_at(chain_pair_at(i)->first).line), framework) == 0;
	return n;
}

static pair_counts *count_models(const char *framework)
{
	char message[256];
	rs_gen_options options = {.nodes_low = 10, .nodes_high = 10, .chains = 400};
	rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, framework), &options, message, sizeof message);
	pair_counts *c = calloc(1, sizeof *c);
	graph g;
	assert_non_null(gen);
	assert_true(c && graph_init(&g) && chain_pairs_count() <= MOST_PAIRS);
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 5, i, &g));
		for (uint32_t k = g.first; k != GRAPH_NONE; k = g.nodes[k].next)
			for (unsigned n = 0; n < g.nodes[k].nin; n++) {
				uint32_t from = g.tensors[graph_node_input(&g, &g.nodes[k], n)].producer;
				if (from != GRAPH_NONE)
					count_pair(c, g.nodes[from].op->api, g.nodes[k].op->api);
			}
	}
	print_message("# %s: %u of %u pairs\n", framework, c->met, count_pairs(framework));
	graph_destroy(&g);
	rs_gen_free(gen);
	return c;
}

static void rare_pairs_occur(void **state)
{
	(void)state;
	uint32_t all, often;
	pair_counts *c = count_models("onnx"), *torch = count_models("torch"), *tensorflow = count_models("tensorflow");
	count_changed(c, &all, &often);
	print_message("# of %u pairs that a pass changes, %u often\n", all, often);
	assert_true(c->met > count_pairs("onnx") * 84 / 100);
	assert_true(torch->met > count_pairs("torch") * 84 / 100);
	assert_true(tensorflow->met > count_pairs("tensorflow") * 84 / 100);
	assert_true(often > all * 3 / 4);
	free(c);
	free(tensorflow);
	free(torch);
}

/* ---- variations of patterns that a pass changes */

static const graph_node *maker(const graph *g, const graph_node *n, unsigned input, const char *api)
{
	uint32_t from = input < n->nin ? g->tensors[graph_node_input(g, n, input)].producer : GRAPH_NONE;
	return from != GRAPH_NONE && framework_is_version("onnx", g->nodes[from].op->api, api) ? &g->nodes[from] : NULL;
}

/* Scales of decomposed normalizations, Mul(Div(x, Sqrt(…)), scale). */
typedef struct scales {
	uint32_t all, larger, flat, second, returned; /* with a larger result, of rank 1, as second operand, with a returned operand */
} scales;

static void count_scale(const graph *g, const graph_node *mul, scales *c)
{
	for (unsigned i = 0; i < 2; i++) {
		const graph_node *div = maker(g, mul, i, "Div");
		if (!div || !maker(g, div, 1, "Sqrt"))
			continue;
		const graph_tensor *x = &g->tensors[div->outputs];
		c->all++;
		c->larger += g->tensors[mul->outputs].numel > x->numel || g->tensors[mul->outputs].rank > x->rank;
		c->flat += x->rank == 1;
		c->second += i == 1;
		c->returned += x->kept;
	}
}

/* Whether a call takes a result and a constant of one element that has more dimensions. */
static bool has_rank_more(const graph *g, const graph_node *n)
{
	bool more = false;
	for (unsigned i = 0; n->nin == 2 && i < 2; i++) {
		const graph_tensor *c = &g->tensors[graph_node_input(g, n, i)], *x = &g->tensors[graph_node_input(g, n, 1 - i)];
		more |= c->constant && c->numel == 1 && x->rank && c->rank > x->rank;
	}
	return more;
}

static void close_patterns_vary(void **state)
{
	(void)state;
	char message[256];
	rs_gen_options options = {.nodes_low = 10, .nodes_high = 10, .chains = 400};
	rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, "onnx"), &options, message, sizeof message);
	scales c = {0};
	graph g;
	assert_non_null(gen);
	assert_true(graph_init(&g));
	uint32_t ranks = 0;
	for (uint64_t i = 0; i < 4 * MODELS; i++) {
		assert_true(rs_gen_model(gen, 5, i, &g));
		for (uint32_t k = g.first; k != GRAPH_NONE; k = g.nodes[k].next) {
			ranks += has_rank_more(&g, &g.nodes[k]);
			if (framework_is_version("onnx", g.nodes[k].op->api, "Mul"))
				count_scale(&g, &g.nodes[k], &c);
		}
	}
	print_message("# %u constants of one element with more dimensions\n", ranks);
	print_message("# %u scales: %u enlarge, %u of rank 1, %u behind, %u of results\n", c.all, c.larger, c.flat, c.second, c.returned);
	assert_true(c.all > 200);
	assert_true(c.larger > c.all / 10);
	assert_true(c.flat > c.all / 20);
	assert_true(c.second > c.all / 40);
	assert_true(c.returned > 0);
	assert_true(ranks > RANKS);
	graph_destroy(&g);
	rs_gen_free(gen);
}

/* New inputs whose shapes a pattern plans are no larger than others. */
static void tensors_keep_the_limit(void **state)
{
	(void)state;
	enum { LIMIT = 512, OF_LIMIT = 300 };
	char message[256];
	rs_gen_options options = {.nodes_low = 5, .nodes_high = 5, .chains = 1000, .sizes = RS_SIZES_MIXED, .max_numel = LIMIT};
	rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, "onnx"), &options, message, sizeof message);
	graph g;
	assert_non_null(gen);
	assert_true(graph_init(&g));
	for (uint64_t i = 0; i < OF_LIMIT; i++) {
		assert_true(rs_gen_model(gen, 5, i, &g));
		for (uint32_t t = 0; t < g.ntensors; t++)
			if (g.tensors[t].live)
				assert_in_range(g.tensors[t].numel, 0, LIMIT);
	}
	graph_destroy(&g);
	rs_gen_free(gen);
}

/* Recorded elements bound new inputs of real dtypes only: no reader knows a range of complex numbers. */
static void complex_inputs_have_no_range(void **state)
{
	(void)state;
	uint32_t some = 0, ranges = 0;
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "tensorflow"), (rs_gen_options){.chains = 1000});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 7, i, g));
		for (uint32_t t = 0; t < g->ntensors; t++) {
			bool bounded = g->tensors[t].live && (g->tensors[t].low || g->tensors[t].high);
			bool complex = g->tensors[t].dtype >= RS_COMPLEX32 && g->tensors[t].dtype <= RS_COMPLEX128;
			some += g->tensors[t].live && complex && g->tensors[t].constant;
			ranges += bounded;
			assert_false(bounded && complex);
		}
	}
	assert_true(some > 20 && ranges > MODELS);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* A model does not depend on those that were generated before it, although lines are read when they are drawn, and operator sets
 * share them. */
static void any_order_gives_the_same(void **state)
{
	(void)state;
	char message[256];
	uint64_t hashes[64];
	graph g;
	assert_true(graph_init(&g));
	for (int down = 0; down < 2; down++) {
		rs_gen_options options = {.nodes_low = 10, .nodes_high = 20, .chains = 1000, .opset_low = 9, .opset_high = 18};
		rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, "onnx"), &options, message, sizeof message);
		assert_non_null(gen);
		for (uint64_t k = 0; k < 64; k++) {
			uint64_t i = down ? 63 - k : k;
			assert_true(rs_gen_model(gen, 3, i, &g));
			if (down)
				assert_true(hashes[i] == graph_hash(&g));
			hashes[i] = graph_hash(&g);
		}
		rs_gen_free(gen);
	}
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_are_those_of_the_files),
	    cmocka_unit_test(lines_of_passes),
	    cmocka_unit_test(edges_of_pairs),
	    cmocka_unit_test(lines_are_shared),
	    cmocka_unit_test(exact_if_all_calls_are_there),
	    cmocka_unit_test(matches_take_all_tensors),
	    cmocka_unit_test(excluded_calls_stay_out), cmocka_unit_test(excluded_calls_of_chains_stay_out),
	    cmocka_unit_test(scalars_become_elements),
	    cmocka_unit_test(texts_of_elements),
	    cmocka_unit_test(patterns_vary_and_keep_the_rules),
	    cmocka_unit_test(scales_stay), cmocka_unit_test(rare_pairs_occur),
	    cmocka_unit_test(close_patterns_vary), cmocka_unit_test(tensors_keep_the_limit),
	    cmocka_unit_test(complex_inputs_have_no_range),
	    cmocka_unit_test(any_order_gives_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
