/* Chains: which lines are read, which signatures each call may become, and what is inserted: exact copies and patterns whose
 * shapes, ranks, dtypes, attributes, operands and calls vary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "call_set.h"
#include "chains.h"
#include "framework.h"
#include "literals.h"
#include "rng.h"

enum { ROUNDS = 24, MOST_NUMEL = 65536, WITHOUT = 1 << 15, MODELS = 1500 };

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
	if (!chains_open(c, x, &filter, &d))
		fail_msg("%s", d.text);
}

static const chain *read_chain(chains *c, uint32_t entry, const gen_index *x)
{
	diag d = {""};
	const chain *found = chains_read(c, entry, x, &d);
	if (!found)
		fail_msg("%s", d.text);
	return found;
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

static bool is_wanted(const chain *c, const gen_index *x)
{
	bool wanted = true;
	for (uint32_t i = 0; i < c->model.ntensors; i++)
		wanted &= c->model.tensors[i].numel <= filter.max_numel && c->model.tensors[i].rank <= filter.rank_max;
	for (uint32_t i = c->model.first; i != GRAPH_NONE; i = c->model.nodes[i].next)
		wanted &= is_there(x, &c->model, &c->model.nodes[i]);
	return wanted;
}

/* Each chain is read, the short ones first. Those whose calls are in the index, within its limits, are inserted exactly. */
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
		assert_true(c.n > 100);
		for (uint32_t i = 0; i < c.n; i++) {
			const chain *found = read_chain(&c, i, &x);
			assert_int_equal(c.list[i].calls, found->model.live_nodes);
			assert_true(!i || (c.list[i - 1].calls <= c.list[i].calls && c.list[i - 1].upto < c.list[i].upto));
			assert_int_equal(found->exact, is_wanted(found, &x));
			exact += found->exact;
		}
		some += exact > 0 && exact < c.n;
		chains_close(&c);
		gen_index_free(&x);
	}
	assert_true(some > ROUNDS / 4);
}

/* ---- matches */

/* A match takes each tensor of the recorded call once, at its rank in the key; those with the recorded attributes come first. */
static void check_match(const graph *g, const graph_node *n, const chain_call *c, uint32_t at)
{
	const chain_match *m = &c->matches[at];
	unsigned taken = 0;
	size_t length = framework_unversioned("onnx", n->op->api);
	assert_true(framework_unversioned("onnx", m->op->op->api) == length && memcmp(m->op->op->api, n->op->api, length) == 0);
	assert_int_equal(m->same, at < c->nsame);
	for (unsigned i = 0; i < m->op->nin; i++) {
		bool there = false;
		for (unsigned k = 0; k < n->nin && m->slots[i].tensor != GRAPH_NONE; k++)
			if (graph_node_input(g, n, k) == m->slots[i].tensor && (c->ranks[at] >> 4 * k & 15) == m->op->inputs[i].rank)
				there = true;
		assert_true(there || m->slots[i].tensor == GRAPH_NONE);
		taken += there || m->op->inputs[i].ranged;
	}
	assert_true(taken >= n->nin);
	assert_true(m->op->nout >= n->nout);
}

static void matches_take_all_tensors(void **state)
{
	(void)state;
	gen_index x;
	chains c;
	uint32_t calls = 0, matched = 0, same = 0, ranks = 0;
	build(&x, rs_library_table(&rs_rules, "onnx"), 0, 0);
	open_chains(&c, &x);
	for (uint32_t i = 0; i < c.n; i++) {
		const chain *found = read_chain(&c, i, &x);
		for (uint32_t k = 0; k < found->model.nnodes; k++) {
			const chain_call *call = &found->calls[k];
			calls++;
			matched += call->n > 0;
			same += call->nsame > 0;
			for (uint32_t m = 0; m < call->n; m++) {
				check_match(&found->model, &found->model.nodes[k], call, m);
				ranks += ((call->ranks[m] ^ call->recorded) & 15) != 0;
			}
		}
	}
	print_message("# %u calls, %u matched, %u same, %u ranks\n", calls, matched, same, ranks);
	assert_true(matched > calls * 9 / 10); /* nearly every call can vary */
	assert_true(same > calls * 8 / 10);
	assert_true(ranks > calls);
	chains_close(&c);
	gen_index_free(&x);
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
		}
}

static void patterns_vary_and_keep_the_rules(void **state)
{
	(void)state;
	char message[256];
	diag d = {""};
	rs_gen_options options = {.nodes_low = 8, .nodes_high = 12, .chains = 1000, .initializers = 1, .elements = RS_ELEMENTS_REAL};
	rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, "onnx"), &options, message, sizeof message);
	seen s = {{0}, {0}, {0}, 0, 0, 0, 0, 0};
	graph g;
	assert_non_null(gen);
	assert_true(graph_init(&g));
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 1, i, &g));
		if (!graph_check(&g, &d))
			fail_msg("model %u: %s", (unsigned)i, d.text);
		assert_in_range(g.live_nodes, 8, 12);
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
	graph_destroy(&g);
	rs_gen_free(gen);
}

/* A model does not depend on those that were generated before it, although chains are read when they are drawn. */
static void any_order_gives_the_same(void **state)
{
	(void)state;
	char message[256];
	uint64_t hashes[64];
	graph g;
	assert_true(graph_init(&g));
	for (int down = 0; down < 2; down++) {
		rs_gen_options options = {.nodes_low = 10, .nodes_high = 10, .chains = 500};
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
	    cmocka_unit_test(exact_if_all_calls_are_there),
	    cmocka_unit_test(matches_take_all_tensors),
	    cmocka_unit_test(excluded_calls_stay_out),
	    cmocka_unit_test(scalars_become_elements),
	    cmocka_unit_test(texts_of_elements),
	    cmocka_unit_test(patterns_vary_and_keep_the_rules),
	    cmocka_unit_test(any_order_gives_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
