#include "ort_engine.h"

#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "onnx_types.h"
#include "ort_limits.h"

enum { ALIGNMENT = 64, MOST = 1 << 30 };
enum { PARALLEL_THREADS = 2 }; /* without execution_mode, onnxruntime ignores them */

/* ---- memory */

static void *allocate(ort_allocator *self, size_t size)
{
	const engine_allocator *a = (const engine_allocator *)self;
	if (size > a->limit)
		return NULL;
	size_t room = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	void *p = aligned_alloc(ALIGNMENT, room ? room : ALIGNMENT);
	if (p)
		memset(p, a->fill, room);
	return p;
}

static void deallocate(ort_allocator *self, void *p)
{
	(void)self;
	free(p);
}

static const ort_memory *info(const ort_allocator *self)
{
	return ((const engine_allocator *)self)->memory;
}

/* ---- life */

static bool make_options(engine *e, ort_options **to, int optimisation, diag *d)
{
	const ort_calls *c = &e->lib.call;
	if (!ort_options_new(&e->lib, ORT_FATAL, optimisation, to, d))
		return false;
	ort_status *const set[] = {c->disable_arena(*to), c->disable_pattern(*to),
	    c->set_entry(*to, "session.use_env_allocators", "1"),
	    /* idle threads of a pool would take the other job's processor */
	    c->set_entry(*to, "session.intra_op.allow_spinning", "0"),
	    c->set_entry(*to, "session.inter_op.allow_spinning", "0"),
	    c->set_entry(*to, "session.disable_prepacking", optimisation == ORT_OPTIMISE_NOTHING ? "1" : "0")};
	bool well = true;
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		well &= ort_well(&e->lib, set[i], NULL, d);
	return well;
}

static bool make_memory(engine *e, diag *d)
{
	if (!ort_well(&e->lib, e->lib.call.create_memory(0, 0, &e->memory), NULL, d))
		return false;
	e->allocator = (engine_allocator){
	    .head = {ORT_API, allocate, deallocate, info}, .memory = e->memory, .limit = MOST};
	return ort_well(&e->lib, e->lib.call.register_allocator(e->env, &e->allocator.head), NULL, d);
}

bool engine_open(engine *e, const char *library, int optimisation, diag *d)
{
	*e = (engine){.optimisation = optimisation};
	if (!ort_open(&e->lib, library, d))
		return false;
	if (ort_well(&e->lib, e->lib.call.create_env(ORT_FATAL, "rulefuzz", &e->env), NULL, d) && make_memory(e, d)
	    && make_options(e, &e->plain, ORT_OPTIMISE_NOTHING, d)
	    && make_options(e, &e->optimised, optimisation, d)) {
		e->limits = ort_limits(&e->lib, e->env, e->plain);
		return true;
	}
	engine_close(e);
	return false;
}

void engine_close(engine *e)
{
	const ort_calls *c = &e->lib.call;
	if (!e->lib.library)
		return;
	if (e->plain)
		c->release_options(e->plain);
	if (e->optimised)
		c->release_options(e->optimised);
	if (e->allocator.memory)
		ort_well(&e->lib, c->unregister_allocator(e->env, e->memory), NULL, NULL);
	if (e->env)
		c->release_env(e->env);
	if (e->memory)
		c->release_memory(e->memory);
	ort_close(&e->lib);
	*e = (engine){0};
}

/* ---- settings of a model, by the names of runtime/python/rulefuzz/settings/onnxruntime.py */

static const struct {
	const char *value;
	int level;
} LEVELS[] = {{"ORT_DISABLE_ALL", ORT_OPTIMISE_NOTHING}, {"ORT_ENABLE_BASIC", ORT_OPTIMISE_BASIC},
    {"ORT_ENABLE_EXTENDED", ORT_OPTIMISE_EXTENDED}, {"ORT_ENABLE_LAYOUT", ORT_OPTIMISE_LAYOUT}, {"ORT_ENABLE_ALL", ORT_OPTIMISE_ALL}};

static bool set_level(engine *e, ort_options *to, const char *value, diag *d)
{
	for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS; i++)
		if (strcmp(LEVELS[i].value, value) == 0)
			return ort_well(&e->lib, e->lib.call.set_optimisation(to, LEVELS[i].level), NULL, d);
	return diag_set(d, "not an optimization level: %s", value);
}

static bool set_one(engine *e, ort_options *to, const graph *g, const graph_setting *s, diag *d)
{
	const ort_calls *c = &e->lib.call;
	if (strcmp(s->name, "graph_optimization_level") == 0)
		return set_level(e, to, s->value, d);
	if (strcmp(s->name, "execution_mode") == 0 && strcmp(s->value, "ORT_PARALLEL") == 0)
		return ort_well(&e->lib, c->set_execution_mode(to, ORT_PARALLEL), NULL, d);
	if (strcmp(s->name, "intra_op_num_threads") == 0)
		return ort_well(&e->lib, c->set_threads_within(to, atoi(s->value)), NULL, d);
	if (strcmp(s->name, "inter_op_num_threads") == 0)
		return ort_well(&e->lib, c->set_threads_between(to, atoi(s->value)), NULL, d);
	if (strcmp(s->name, "use_deterministic_compute") == 0 && c->set_deterministic)
		return ort_well(&e->lib, c->set_deterministic(to, strcmp(s->value, "True") == 0), NULL, d);
	if (strchr(s->name, '.'))
		return ort_well(&e->lib, c->set_entry(to, s->name, s->value), NULL, d);
	if (strcmp(s->name, "free_dimensions") == 0 && !g->assignments)
		return true; /* no dimension has a name */
	bool off = strcmp(s->name, "enable_mem_pattern") == 0 || strcmp(s->name, "enable_cpu_mem_arena") == 0;
	return (off && strcmp(s->value, "False") == 0) || diag_set(d, "a setting for the full oracle: %s", s->name);
}

bool engine_settings(engine *e, const graph *g, ort_options **to, diag *d)
{
	*to = NULL;
	if (!g->nsettings)
		return true;
	bool ok = make_options(e, to, e->optimisation, d)
		  && ort_well(&e->lib, e->lib.call.set_threads_between(*to, PARALLEL_THREADS), NULL, d);
	for (unsigned i = 0; i < g->nsettings && ok; i++)
		ok = set_one(e, *to, g, &g->settings[i], d);
	return ok;
}

void engine_forget_options(engine *e, ort_options *options)
{
	if (options)
		e->lib.call.release_options(options);
}

/* ---- sessions */

ort_session *engine_load(engine *e, const buf *model, bool optimise, const ort_options *options, int *code, diag *d)
{
	ort_session *session = NULL;
	options = options ? options : optimise ? e->optimised : e->plain;
	ort_status *status = e->lib.call.create_session(e->env, model->text, model->length, options, &session);
	return ort_well(&e->lib, status, code, d) ? session : NULL;
}

void engine_unload(engine *e, ort_session *session)
{
	if (session)
		e->lib.call.release_session(session);
}

/* ---- runs */

static bool feed(engine *e, engine_port *p, diag *d)
{
	const graph_tensor *t = p->tensor;
	return ort_well(&e->lib,
	    e->lib.call.create_tensor(
		e->memory, p->data, elements_bytes(t->dtype, (size_t)t->numel), t->shape, t->rank, onnx_element_type(t->dtype), &p->value),
	    NULL, d);
}

static bool as_predicted(engine *e, const ort_shape *shape, const graph_tensor *t, diag *d)
{
	const ort_calls *c = &e->lib.call;
	int64_t dims[GRAPH_RANK_MAX];
	size_t rank = 0;
	int type = 0;
	if (!ort_well(&e->lib, c->element_type(shape, &type), NULL, d) || !ort_well(&e->lib, c->rank(shape, &rank), NULL, d))
		return false;
	if (rank != t->rank || type != onnx_element_type(t->dtype))
		return diag_set(d, "a result of another rank or dtype than predicted");
	return ort_well(&e->lib, c->dimensions(shape, dims, rank), NULL, d)
	       && (memcmp(dims, t->shape, rank * sizeof *dims) == 0
		   || diag_set(d, "a result of another shape than predicted"));
}

static bool find_result(engine *e, engine_port *p, diag *d)
{
	const ort_calls *c = &e->lib.call;
	ort_shape *shape = NULL;
	int tensor = 0;
	if (!p->value || !ort_well(&e->lib, c->is_tensor(p->value, &tensor), NULL, d) || !tensor)
		return diag_set(d, "a result that is not a tensor");
	if (!ort_well(&e->lib, c->shape(p->value, &shape), NULL, d))
		return false;
	bool well = as_predicted(e, shape, p->tensor, d) && ort_well(&e->lib, c->data(p->value, &p->data), NULL, d);
	c->release_shape(shape);
	return well;
}

typedef struct lists {
	const char **in, **out;
	ort_value **fed, **found;
} lists;

static bool make_lists(lists *l, const engine_ports *inputs, const engine_ports *results, arena *scratch)
{
	l->in = ARENA_ARRAY(scratch, const char *, inputs->count + 1);
	l->fed = ARENA_ARRAY(scratch, ort_value *, inputs->count + 1);
	l->out = ARENA_ARRAY(scratch, const char *, results->count + 1);
	l->found = ARENA_ARRAY(scratch, ort_value *, results->count + 1);
	if (!l->in || !l->fed || !l->out || !l->found)
		return false;
	for (size_t i = 0; i < inputs->count; i++) {
		l->in[i] = inputs->list[i].name;
		l->fed[i] = inputs->list[i].value;
	}
	for (size_t i = 0; i < results->count; i++)
		l->out[i] = results->list[i].name;
	return true;
}

bool engine_run(engine *e, ort_session *session, engine_ports *inputs, engine_ports *results, arena *scratch, diag *d)
{
	lists l;
	bool well = true;
	for (size_t i = 0; i < inputs->count && well; i++)
		well = feed(e, &inputs->list[i], d);
	well = well && diag_memory(d, make_lists(&l, inputs, results, scratch));
	well = well
	       && ort_well(&e->lib,
		   e->lib.call.run(session, NULL, l.in, (const ort_value *const *)l.fed, inputs->count, l.out,
		       results->count, l.found),
		   NULL, d);
	for (size_t i = 0; i < results->count && well; i++)
		results->list[i].value = l.found[i];
	for (size_t i = 0; i < results->count && well; i++)
		well = find_result(e, &results->list[i], d);
	engine_forget(e, inputs);
	return well;
}

void engine_forget(engine *e, engine_ports *ports)
{
	for (size_t i = 0; i < ports->count; i++) {
		if (ports->list[i].value)
			e->lib.call.release_value(ports->list[i].value);
		ports->list[i].value = NULL;
	}
}
