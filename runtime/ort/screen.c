#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assignments.h"
#include "clock.h"
#include "elements.h"
#include "model.h"
#include "model_read.h"
#include "write_onnx.h"

enum { NAME = 12 }; /* 't', ten digits, NUL */
enum { FILL_FIRST = 0x5a, FILL_AGAIN = 0xa7, FILL_TARGET = 0x3c }; /* bytes of three kinds of large and small numbers */

typedef struct look {
	screen *s;
	screen_answer *a;
	const graph *g;			 /* the model, or one of its shape instances */
	engine_ports inputs;		 /* of the reference; constants, which the target's file contains, follow the first nfed */
	size_t nfed;
	void **fresh;			 /* the elements of the inputs before a run */
	engine_ports made, again;	 /* by every node, twice */
	engine_ports got, got_again;	 /* the model's outputs by the target, twice */
	const bool *random, *random_out; /* of made, of got */
	agreement how;
	bool probe;
	double since, cpu_since;
} look;

static bool pass(look *l, const char *why)
{
	l->a->verdict = SCREEN_PASS;
	return diag_set(&l->a->text, "%s", why);
}

static void count_time(look *l, int stage)
{
	double now = clock_seconds(), cpu = clock_cpu_seconds();
	l->a->seconds[stage] += now - l->since;
	l->a->cpu[stage] += cpu - l->cpu_since;
	l->since = now;
	l->cpu_since = cpu;
}

/* ---- inputs and outputs */

static bool make_ports(look *l, engine_ports *p, size_t most)
{
	p->list = ARENA_ARRAY(l->s->scratch, engine_port, most + 1);
	return p->list || pass(l, "out of memory");
}

static bool add_port(look *l, engine_ports *p, const graph_tensor *t)
{
	p->list[p->count] = (engine_port){.name = arena_printf(l->s->scratch, "t%u", t->number), .tensor = t};
	return p->list[p->count++].name || pass(l, "out of memory");
}

static bool add_input(look *l, const graph_tensor *t)
{
	size_t at = l->inputs.count, size = (size_t)t->numel * rs_dtype_size((rs_dtype)t->dtype);
	void *fresh = arena_alloc(l->s->scratch, size + 1), *data = arena_alloc(l->s->scratch, size + 1);
	if (!fresh || !data)
		return pass(l, "out of memory");
	if (!add_port(l, &l->inputs, t))
		return false;
	l->how.exact |= elements_are_whole(t);
	elements_fill(t, elements_seed(l->g, t), fresh);
	elements_pack(t->dtype, (size_t)t->numel, fresh);
	l->fresh[at] = fresh;
	l->inputs.list[at].data = data;
	return true;
}

static bool find_inputs(look *l)
{
	const graph *g = l->g;
	l->fresh = ARENA_ARRAY(l->s->scratch, void *, g->ntensors + (size_t)1);
	if (!l->fresh || !make_ports(l, &l->inputs, g->ntensors))
		return pass(l, "out of memory");
	for (int constant = 0; constant < 2; constant++) {
		for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
			if (g->tensors[i].constant == constant && !add_input(l, &g->tensors[i]))
				return false;
		l->nfed = constant ? l->nfed : l->inputs.count;
	}
	return true;
}

static bool find_results(look *l)
{
	const graph *g = l->g;
	bool *random = ARENA_ARRAY(l->s->scratch, bool, g->ntensors + (size_t)1);
	bool *random_out = ARENA_ARRAY(l->s->scratch, bool, g->ntensors + (size_t)1);
	l->random = random;
	l->random_out = random_out;
	if (!random || !random_out || !make_ports(l, &l->made, g->ntensors) || !make_ports(l, &l->again, g->ntensors)
	    || !make_ports(l, &l->got, g->ntensors) || !make_ports(l, &l->got_again, g->ntensors))
		return pass(l, "out of memory");
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].nout; k++) {
			const graph_tensor *t = &g->tensors[g->nodes[i].outputs + k];
			random[l->made.count] = random_out[l->got.count] = g->nodes[i].random;
			if (!add_port(l, &l->made, t) || !add_port(l, &l->again, t)
			    || (t->kept && (!add_port(l, &l->got, t) || !add_port(l, &l->got_again, t))))
				return false;
		}
	return true;
}

/* ---- one run */

static bool run(look *l, ort_session *session, engine_ports *inputs, engine_ports *results, int fill)
{
	engine *e = &l->s->engine;
	e->allocator.fill = fill;
	for (size_t i = 0; i < inputs->count; i++) {
		const graph_tensor *t = inputs->list[i].tensor;
		memcpy(inputs->list[i].data, l->fresh[i], elements_bytes(t->dtype, (size_t)t->numel));
	}
	if (!engine_run(e, session, inputs, results, l->s->scratch, &l->a->text)) {
		l->a->verdict = SCREEN_PASS;
		return false;
	}
	for (size_t i = 0; i < inputs->count; i++)
		if (!elements_same(inputs->list[i].tensor->dtype, (size_t)inputs->list[i].tensor->numel, inputs->list[i].data, l->fresh[i]))
			return pass(l, "an input was written to");
	return true;
}

/* Compares bits; ignores random results. */
static bool runs_the_same(const engine_ports *once, const engine_ports *again, const bool *random)
{
	for (size_t i = 0; i < once->count; i++) {
		const graph_tensor *t = once->list[i].tensor;
		if (!random[i] && !elements_same(t->dtype, (size_t)t->numel, once->list[i].data, again->list[i].data))
			return false;
	}
	return true;
}

/* Whether a call widens a tensor of floats to the result, as the second of a pair of casts does. */
static bool is_widened(const graph *g, const graph_tensor *t)
{
	const graph_node *n = &g->nodes[t->producer];
	bool is = false;
	for (unsigned i = 0; i < n->nin; i++) {
		uint8_t dtype = g->tensors[graph_node_input(g, n, i)].dtype;
		is |= dtype >= RS_FLOAT16 && dtype < t->dtype;
	}
	return is;
}

/* The outputs are the kept results, in order. */
static bool target_agrees(look *l)
{
	size_t at = 0;
	for (size_t i = 0; i < l->made.count; i++) {
		const graph_tensor *t = l->made.list[i].tensor;
		if (!t->kept)
			continue;
		const void *got = l->got.list[at++].data;
		l->how.pair = is_widened(l->g, t);
		if (!l->random[i] && !agree(l->how, t->dtype, got, l->made.list[i].data, (size_t)t->numel))
			return pass(l, "the target differs");
	}
	return true;
}

static bool all_random(const look *l)
{
	for (size_t i = 0; i < l->made.count; i++)
		if (l->made.list[i].tensor->kept && !l->random[i])
			return false;
	return true;
}

/* ---- reference and target */

static bool run_reference(look *l, ort_session *session)
{
	return run(l, session, &l->inputs, &l->made, FILL_FIRST) && run(l, session, &l->inputs, &l->again, FILL_AGAIN)
	       && (runs_the_same(&l->made, &l->again, l->random) || pass(l, "the reference is not deterministic"))
	       && kernel_checks_run(l->s->checks, &l->s->engine, l->g, &l->inputs, &l->again, l->s->scratch, &l->a->text);
}

static bool run_target(look *l, ort_session *session)
{
	engine_ports fed = {l->inputs.list, l->nfed};
	bool well = run(l, session, &fed, &l->got, FILL_TARGET);
	count_time(l, SCREEN_RUN);
	well = well && target_agrees(l);
	count_time(l, SCREEN_JUDGE);
	/* A target that keeps state between inferences agrees in the first. */
	return well && run(l, session, &fed, &l->got_again, FILL_AGAIN)
	       && (runs_the_same(&l->got, &l->got_again, l->random_out) || pass(l, "the target's second run differs"));
}

/* A session; NULL and *code, 0 if the library did not reject the model. */
static ort_session *load(look *l, buf *file, bool optimise, int *code)
{
	screen *s = l->s;
	ort_options *own = NULL;
	ort_session *made = NULL;
	*code = 0;
	buf_clear(file);
	if (graph_write_onnx_to_run(l->g, !optimise, optimise && !l->probe, s->engine.limits, s->scratch, file, &l->a->text)
	    && (!optimise || engine_settings(&s->engine, l->g, &own, &l->a->text)))
		made = engine_load(&s->engine, file, optimise, own, code, &l->a->text);
	engine_forget_options(&s->engine, own);
	return made;
}

/* The target's session comes first, since both reject a model without a kernel. */
static void look_at_both(look *l, ort_session *target)
{
	int code;
	ort_session *reference = load(l, &l->s->every, false, &code);
	bool well = reference && run_reference(l, reference);
	count_time(l, SCREEN_REFERENCE);
	if (well)
		l->a->verdict = !run_target(l, target) ? SCREEN_PASS : all_random(l) ? SCREEN_UNDEFINED : SCREEN_OK;
	count_time(l, SCREEN_JUDGE);
	engine_forget(&l->s->engine, &l->made);
	engine_forget(&l->s->engine, &l->again);
	engine_forget(&l->s->engine, &l->got);
	engine_forget(&l->s->engine, &l->got_again);
	engine_unload(&l->s->engine, reference);
	count_time(l, SCREEN_REFERENCE);
}

static void look_at_one(look *l, ort_session *target)
{
	l->a->verdict = SCREEN_PASS;
	l->inputs = l->made = l->again = l->got = l->got_again = (engine_ports){0};
	if (find_inputs(l) && find_results(l))
		look_at_both(l, target);
}

/* Runs each shape instance in one session while all agree. */
static void look_at_each(look *l, ort_session *target)
{
	screen *s = l->s;
	enum screen_verdict found = SCREEN_UNDEFINED;
	uint32_t count = s->whole.assignments;
	if (count < 2) {
		look_at_one(l, target);
		return;
	}
	l->g = &s->one;
	for (uint32_t k = 0; k < count; k++) {
		if (!graph_copy(&s->one, &s->whole) || !assignments_take(&s->one, k)) {
			pass(l, "out of memory");
			return;
		}
		look_at_one(l, target);
		if (l->a->verdict == SCREEN_PASS)
			return;
		found = l->a->verdict == SCREEN_OK ? SCREEN_OK : found;
		l->a->assignments++;
	}
	l->a->verdict = found;
}

/* ---- invalid models */

/* Whether a message of the library names a node. */
static bool names_node(const char *message, uint32_t number)
{
	char inferred[NAME + 4], run[NAME + 12];
	snprintf(inferred, sizeof inferred, "(n%u)", number);
	snprintf(run, sizeof run, "Name:'n%u'", number);
	return strstr(message, inferred) || strstr(message, run);
}

/* Whether the library rejects the model for its last call, when it loads it or when it runs it. */
static bool rejects_last_call(look *l, ort_session *session, const engine_ports *inputs, engine_ports *results)
{
	engine_ports fed = *inputs;
	bool ran = session && run(l, session, &fed, results, FILL_FIRST);
	engine_forget(&l->s->engine, results);
	return !ran && names_node(l->a->text.text, l->g->live_nodes - 1);
}

/* If reference and target reject the last call of an invalid model, they agree. */
static void look_at_invalid(look *l, ort_session *target)
{
	int code;
	l->a->verdict = SCREEN_PASS;
	if (!target && !names_node(l->a->text.text, l->g->live_nodes - 1))
		return;
	if (!find_inputs(l) || !find_results(l))
		return;
	const engine_ports fed = {l->inputs.list, l->nfed};
	bool both = !target || rejects_last_call(l, target, &fed, &l->got);
	count_time(l, SCREEN_RUN);
	ort_session *reference = both ? load(l, &l->s->every, false, &code) : NULL;
	both = both && rejects_last_call(l, reference, &l->inputs, &l->made);
	engine_unload(&l->s->engine, reference);
	count_time(l, SCREEN_REFERENCE);
	l->a->verdict = both ? SCREEN_OK : SCREEN_PASS;
	if (!both && !*l->a->text.text)
		pass(l, "an invalid model ran");
}

static void look_at_graph(look *l)
{
	int code;
	if (l->g->change.kind != CHANGE_NONE) {
		pass(l, "the last call has a change that only the worker applies");
		return;
	}
	ort_session *target = load(l, &l->s->wanted, true, &code);
	count_time(l, SCREEN_COMPILE);
	if (l->g->near_miss && code != ORT_NOT_IMPLEMENTED)
		look_at_invalid(l, target);
	else if (target)
		look_at_each(l, target);
	else if (code == ORT_NOT_IMPLEMENTED)
		l->a->verdict = SCREEN_UNSUPPORTED;
	engine_unload(&l->s->engine, target);
	count_time(l, SCREEN_RUN);
}

void screen_look(screen *s, const char *model, screen_request asked, screen_answer *a)
{
	*a = (screen_answer){.verdict = SCREEN_PASS, .text = {""}};
	look l = {.s = s, .a = a, .g = &s->whole, .how = {.preset = asked.preset}, .probe = asked.probe, .since = clock_seconds(), .cpu_since = clock_cpu_seconds()};
	arena_mark mark = arena_save(s->scratch);
	if (graph_read_json(&s->whole, model, "model", 0, NULL, &a->text))
		look_at_graph(&l);
	arena_release(s->scratch, mark);
}

/* ---- life */

bool screen_open(screen *s, const char *library, int optimisation, diag *d)
{
	*s = (screen){0};
	if (!engine_open(&s->engine, library, optimisation, d))
		return false;
	s->scratch = arena_new();
	s->checks = calloc(1, sizeof *s->checks);
	if (s->scratch && s->checks && graph_init(&s->whole) && graph_init(&s->one))
		return true;
	screen_close(s);
	return diag_set(d, "out of memory");
}

void screen_close(screen *s)
{
	engine_close(&s->engine);
	graph_destroy(&s->whole);
	graph_destroy(&s->one);
	if (s->scratch)
		arena_free(s->scratch);
	free(s->checks);
	buf_free(&s->every);
	buf_free(&s->wanted);
	*s = (screen){0};
}
