/* JSON to graph. Ids must count up from 0 in the order of the tensors, as the writer numbers them, so an id is an index of
 * the graph's tensors. Each call first becomes its own signature; an equal one in the library replaces it. */
#include "model_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assignments.h"
#include "bodies.h"
#include "framework.h"
#include "json.h"
#include "layout.h"
#include "op_versions.h"
#include "python_literal.h"
#include "sessions.h"
#include "settings.h"

#define DEPTH 16
#define VALUES_MAX 4096 /* limits of one call */

typedef struct reader {
	graph *g;
	arena *arena;
	const char *path;
	long line;
	const rs_library *lib;
	diag *d;
	arena *scratch; /* freed when the model is read: its buffers are larger than most models */
	/* of the current call */
	rs_value *values;
	const char **consts;
	int64_t *symbols;
	uint32_t *inputs;
	uint32_t nvalues, nconsts, nsym, nin;
	uint64_t writes; /* of the current call */
	const rs_op *known; /* the signature of that name in the library, or NULL */
	const cJSON *model;
} reader;

#define FAIL(r, ...) diag_at((r)->d, (r)->path, (r)->line, __VA_ARGS__)

static bool has_memory(reader *r, bool ok)
{
	return ok ? true : FAIL(r, "out of memory");
}

static bool read_number(reader *r, const cJSON *object, const char *key, uint64_t *value)
{
	int64_t n = 0;
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	if (cJSON_IsString(item) && item->valuestring[0] == 1) { /* beyond int64: seeds only */
		*value = strtoull(item->valuestring + 1, NULL, 10);
		return true;
	}
	if (item && (json_int64(item, &n) != JSON_INT || n < 0))
		return FAIL(r, "key \"%s\": expected a whole number", key);
	*value = (uint64_t)n;
	return true;
}

/* The keys with the shapes of a tensor in further shape instances. */
static bool read_assignments(reader *r, const cJSON *item, uint32_t tensor)
{
	diag why = {""};
	return assignments_read_tensor(r->g, r->model, item, tensor, &why) || FAIL(r, "%s", why.text);
}

static bool read_flag(reader *r, const cJSON *object, const char *key, bool *value)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	*value = cJSON_IsTrue(item);
	return !item || cJSON_IsBool(item) || FAIL(r, "key \"%s\": expected true or false", key);
}

/* ---- tensors */

static bool read_shape(reader *r, const cJSON *list, int64_t *shape, unsigned *rank)
{
	const cJSON *item;
	*rank = 0;
	cJSON_ArrayForEach(item, list)
	{
		if (*rank == GRAPH_RANK_MAX)
			return FAIL(r, "key \"shape\": more than %d dimensions", GRAPH_RANK_MAX);
		if (json_int64(item, &shape[*rank]) != JSON_INT || shape[*rank] < 0)
			return FAIL(r, "key \"shape\": expected whole numbers");
		++*rank;
	}
	return true;
}

static bool read_tensor(
    reader *r, const cJSON *item, uint32_t id, int64_t *shape, unsigned *rank, rs_dtype *dtype)
{
	int64_t n;
	const char *name = json_string(item, "dtype", r->path, r->line, r->d);
	const cJSON *list = name ? json_array(item, "shape", r->path, r->line, r->d) : NULL;
	if (!list || !read_shape(r, list, shape, rank))
		return false;
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, "id");
	if (json_int64(number, &n) != JSON_INT || n != id)
		return FAIL(r, "key \"id\": expected %u: tensors are numbered in their order", id);
	*dtype = rs_dtype_parse(name);
	if (*dtype >= RS_STRING)
		return FAIL(r, "key \"dtype\": '%.40s' is not an element type", name);
	return true;
}

/* The third number of key "range". */
static bool read_divisor(reader *r, const cJSON *range, graph_tensor *t)
{
	int64_t divisor = 0;
	int n = cJSON_GetArraySize(range);
	bool real = t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64;
	if (n == 2)
		return true;
	if (n > 3 || json_int64(cJSON_GetArrayItem(range, 2), &divisor) != JSON_INT || divisor < 1 || divisor > INT32_MAX || !real)
		return FAIL(r, "key \"range\": expected a divisor from 1 to %d, of a float input", INT32_MAX);
	t->divisor = (uint32_t)divisor;
	return true;
}

/* Keys "values", "range" and "constant" of an input. */
static bool read_elements_of(reader *r, const cJSON *item, graph_tensor *t)
{
	const cJSON *values = cJSON_GetObjectItemCaseSensitive(item, "values");
	const cJSON *range = cJSON_GetObjectItemCaseSensitive(item, "range");
	const cJSON *constant = cJSON_GetObjectItemCaseSensitive(item, "constant");
	if (constant && !cJSON_IsBool(constant))
		return FAIL(r, "key \"constant\": expected true or false");
	t->constant = cJSON_IsTrue(constant);
	if (values) {
		int class = cJSON_IsString(values) ? rs_values_parse(values->valuestring) : -1;
		if (class < 0)
			return FAIL(r, "key \"values\": not unit, positive, small, large, finite or any");
		t->values = (uint8_t)class;
	}
	if (!range)
		return true;
	if (cJSON_GetArraySize(range) < 2
	    || json_int64(cJSON_GetArrayItem(range, 0), &t->low) != JSON_INT
	    || json_int64(cJSON_GetArrayItem(range, 1), &t->high) != JSON_INT
	    || (t->low >= t->high && t->numel))
		return FAIL(r, "key \"range\": expected [LOW,HIGH] or [LOW,HIGH,DIVISOR], LOW < HIGH");
	return read_divisor(r, range, t);
}

static bool read_strides(reader *r, const cJSON *list, const cJSON *offset, uint32_t id)
{
	int64_t strides[GRAPH_RANK_MAX], at = 0;
	const graph_tensor *t = &r->g->tensors[id];
	const cJSON *item;
	unsigned n = 0;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != t->rank)
		return FAIL(r, "key \"strides\": expected a number for each dimension");
	cJSON_ArrayForEach(item, list) if (json_int64(item, &strides[n++]) != JSON_INT)
		return FAIL(r, "key \"strides\": expected whole numbers");
	if (offset && json_int64(offset, &at) != JSON_INT)
		return FAIL(r, "key \"offset\": expected a whole number");
	if (!layout_valid(t->rank, t->shape, strides, at))
		return FAIL(r, "key \"strides\": the elements overlap or are too far apart");
	return has_memory(r, layout_set(r->g, id, strides, at));
}

/* Keys "strides", "offset" and "same" of an input. */
static bool read_layout(reader *r, const cJSON *item, uint32_t id)
{
	int64_t n = -1;
	const cJSON *strides = cJSON_GetObjectItemCaseSensitive(item, "strides");
	const cJSON *offset = cJSON_GetObjectItemCaseSensitive(item, "offset");
	const cJSON *same = cJSON_GetObjectItemCaseSensitive(item, "same");
	if (strides || offset)
		return same ? FAIL(r, "key \"same\": an alias cannot have strides") : read_strides(r, strides, offset, id);
	if (!same)
		return true;
	if (json_int64(same, &n) != JSON_INT || n < 0 || n >= id || !layout_may_share(r->g, id, (uint32_t)n))
		return FAIL(r, "key \"same\": expected an earlier input that is no constant, with this shape, dtype and elements");
	return has_memory(r, layout_share(r->g, id, (uint32_t)n));
}

static bool read_inputs(reader *r, const cJSON *model)
{
	int64_t shape[GRAPH_RANK_MAX];
	unsigned rank;
	rs_dtype dtype;
	const cJSON *item, *list = json_array(model, "inputs", r->path, r->line, r->d);
	if (!list)
		return false;
	cJSON_ArrayForEach(item, list)
	{
		if (!read_tensor(r, item, r->g->ntensors, shape, &rank, &dtype))
			return false;
		uint32_t id = graph_input(r->g, rank, shape, dtype);
		if (id == GRAPH_NONE)
			return has_memory(r, false);
		if (!read_elements_of(r, item, &r->g->tensors[id]) || !read_assignments(r, item, id) || !read_layout(r, item, id))
			return false;
	}
	return true;
}

/* ---- the arguments of a call */

static bool read_value(reader *r, const cJSON *item, int depth);

/* Whether the library's signature bounds the elements of the current tensor, which the line does not state. */
static bool takes_range(const reader *r)
{
	unsigned at = r->nvalues - 1;
	return r->known && at < r->known->nvalues && r->known->values[at].kind == RS_RANGED;
}

static bool read_ref(reader *r, const cJSON *ref, const cJSON *copy, rs_value *v)
{
	int64_t id;
	if (json_int64(ref, &id) != JSON_INT || id < 0 || id >= r->g->ntensors)
		return FAIL(r, "key \"ref\": expected the id of an earlier tensor");
	const graph_tensor *t = &r->g->tensors[id];
	if (r->nsym + t->rank + 2 > VALUES_MAX)
		return FAIL(r, "a call with more than %d dimensions and integers", VALUES_MAX);
	*v = (rs_value){
	    .kind = RS_TENSOR, .dtype = t->dtype, .count = t->rank, .first = (uint16_t)r->nsym};
	memcpy(r->symbols + r->nsym, t->shape, t->rank * sizeof *t->shape);
	r->nsym += t->rank;
	if (takes_range(r)) {
		v->kind = RS_RANGED;
		r->symbols[r->nsym++] = t->low;
		r->symbols[r->nsym++] = t->high;
	}
	if (cJSON_IsTrue(copy) && r->nin < 64)
		r->writes |= (uint64_t)1 << r->nin;
	r->inputs[r->nin++] = (uint32_t)id;
	return true;
}

static bool read_const(reader *r, const cJSON *text, rs_value *v)
{
	if (!cJSON_IsString(text) || !literal_safe(text->valuestring))
		return FAIL(r, "key \"const\": not a plain Python literal");
	*v = (rs_value){.kind = RS_CONST, .text = arena_strdup(r->arena, text->valuestring)};
	r->consts[r->nconsts++] = v->text;
	return has_memory(r, v->text);
}

static bool read_list(reader *r, const cJSON *list, rs_value *v, int depth)
{
	const cJSON *item;
	int n = cJSON_GetArraySize(list);
	if (n > VALUES_MAX)
		return FAIL(r, "a list of more than %d values", VALUES_MAX);
	*v = (rs_value){.kind = RS_LIST, .count = (uint16_t)n};
	cJSON_ArrayForEach(item, list) if (!read_value(r, item, depth + 1)) return false;
	return true;
}

static bool read_elements(reader *r, const cJSON *item, const cJSON *inner, rs_value *v, int depth)
{
	const char *dtype = json_string(item, "dtype", r->path, r->line, r->d);
	rs_dtype parsed = dtype ? rs_dtype_parse(dtype) : RS_OTHER;
	if (!dtype)
		return false;
	if (parsed >= RS_STRING)
		return FAIL(r, "key \"dtype\": \"%.40s\" is not an element type", dtype);
	*v = (rs_value){.kind = RS_ELEMENTS, .dtype = parsed, .count = 1};
	unsigned at = r->nvalues;
	if (!read_value(r, inner, depth + 1))
		return false;
	for (; at < r->nvalues; at++)
		if (rs_is_tensor(r->values[at].kind) || r->values[at].kind == RS_ELEMENTS)
			return FAIL(r, "key \"elements\": contains a tensor");
	return true;
}

static bool read_value(reader *r, const cJSON *item, int depth)
{
	int64_t n;
	if (r->nvalues == VALUES_MAX || r->nsym >= VALUES_MAX)
		return FAIL(r, "a call with more than %d values", VALUES_MAX);
	if (depth > DEPTH)
		return FAIL(r, "lists nested more than %d deep", DEPTH);
	rs_value *v = &r->values[r->nvalues++];
	if (cJSON_IsArray(item))
		return read_list(r, item, v, depth);
	if (cJSON_IsObject(item)) {
		const cJSON *ref = cJSON_GetObjectItemCaseSensitive(item, "ref");
		const cJSON *text = cJSON_GetObjectItemCaseSensitive(item, "const");
		const cJSON *elements = cJSON_GetObjectItemCaseSensitive(item, "elements");
		if (elements)
			return read_elements(r, item, elements, v, depth);
		if (ref || text)
			return ref ? read_ref(r, ref, cJSON_GetObjectItemCaseSensitive(item, "copy"), v)
				   : read_const(r, text, v);
	}
	if (json_int64(item, &n) != JSON_INT)
		return FAIL(r, "key \"value\": expected a ref, a const, elements, an integer or a list");
	*v = (rs_value){.kind = RS_INT, .first = (uint16_t)r->nsym};
	r->symbols[r->nsym++] = n;
	return true;
}

static bool read_arg(reader *r, const cJSON *item, rs_arg *a)
{
	const char *name = json_string(item, "name", r->path, r->line, r->d);
	const cJSON *pos = cJSON_GetObjectItemCaseSensitive(item, "pos");
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, "value");
	if (!name)
		return false;
	if (!identifier_safe(name, false))
		return FAIL(r, "key \"name\": '%.40s' is not an identifier", name);
	if (!cJSON_IsBool(pos) || !value)
		return FAIL(r, "argument %s: expected \"pos\" and \"value\"", name);
	*a = (rs_arg){.name = arena_strdup(r->arena, name),
	    .value = (uint16_t)r->nvalues,
	    .by_position = (uint16_t)cJSON_IsTrue(pos)};
	return has_memory(r, a->name) && read_value(r, value, 0);
}

static bool read_args(reader *r, const cJSON *list, rs_op *op)
{
	const cJSON *item;
	int n = cJSON_GetArraySize(list);
	if (n > VALUES_MAX)
		return FAIL(r, "a call with more than %d arguments", VALUES_MAX);
	rs_arg *args = ARENA_ARRAY(r->arena, rs_arg, n + 1);
	if (!args)
		return has_memory(r, false);
	r->nvalues = r->nconsts = r->nsym = r->nin = 0;
	r->writes = 0;
	cJSON_ArrayForEach(item, list)
	{
		if (!read_arg(r, item, &args[op->nargs]))
			return false;
		if (op->nargs && args[op->nargs].by_position && !args[op->nargs - 1].by_position)
			return FAIL(
			    r, "argument %s: positional behind a named one", args[op->nargs].name);
		op->nargs++;
	}
	op->args = args;
	return true;
}

/* ---- the call */

static bool same_args(const rs_op *a, const rs_op *b)
{
	if (a->nargs != b->nargs || strcmp(a->api, b->api) != 0)
		return false;
	for (unsigned i = 0; i < a->nargs; i++)
		if (strcmp(a->args[i].name, b->args[i].name) != 0
		    || !a->args[i].by_position != !b->args[i].by_position)
			return false;
	return true;
}

/* Whether a constant of the line is one that the library's signature has in its place. */
static bool known_const(const rs_op *op, const rs_value *v, const char *text)
{
	bool known = strcmp(v->text, text) == 0;
	for (unsigned i = 0; i < v->count && !known; i++)
		known = strcmp(op->floats[v->first + i], text) == 0;
	return known;
}

static bool same_value(const rs_op *op, const rs_value *a, const rs_value *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == RS_CONST)
		return known_const(op, a, b->text);
	return (a->kind == RS_INT || a->count == b->count)
	       && (a->kind == RS_LIST || (a->kind == RS_ELEMENTS ? a->dtype == b->dtype : a->first == b->first));
}

/* Whether the library's signature equals the call that was read. */
static bool same_operator(const rs_op *op, const rs_op *read)
{
	if (!same_args(op, read) || op->nvalues != read->nvalues || op->nsym != read->nsym
	    || op->nout != read->nout || op->nodim != read->nodim
	    || memcmp(op->out_ranks, read->out_ranks, read->nout) != 0)
		return false;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (!same_value(op, &op->values[i], &read->values[i]))
			return false;
	return true;
}

static bool keep_values(reader *r, rs_op *op)
{
	rs_value *values = ARENA_ARRAY(r->arena, rs_value, r->nvalues + 1);
	if (!values)
		return has_memory(r, false);
	memcpy(values, r->values, r->nvalues * sizeof *values);
	op->values = values;
	op->nvalues = (uint16_t)r->nvalues;
	op->nsym = (uint16_t)r->nsym;
	op->nin = (uint16_t)r->nin;
	op->writes = r->writes;
	return true;
}

typedef struct outputs {
	int64_t *dims;
	uint8_t *ranks, *dtypes;
} outputs;

static bool read_outputs(reader *r, const cJSON *list, rs_op *op, outputs *o)
{
	const cJSON *item;
	rs_dtype dtype;
	unsigned rank;
	int n = cJSON_GetArraySize(list);
	if (n < 1 || n > VALUES_MAX)
		return FAIL(r, "key \"outputs\": expected 1 to %d tensors", VALUES_MAX);
	o->dims = ARENA_ARRAY(r->scratch, int64_t, (size_t)n * GRAPH_RANK_MAX);
	o->ranks = ARENA_ARRAY(r->arena, uint8_t, n);
	o->dtypes = ARENA_ARRAY(r->scratch, uint8_t, n);
	if (!o->dims || !o->ranks || !o->dtypes)
		return has_memory(r, false);
	cJSON_ArrayForEach(item, list)
	{
		uint32_t id = r->g->ntensors + op->nout;
		if (!read_tensor(r, item, id, o->dims + op->nodim, &rank, &dtype))
			return false;
		if (op->nodim + rank > VALUES_MAX)
			return FAIL(r, "outputs with more than %d dimensions", VALUES_MAX);
		o->ranks[op->nout] = (uint8_t)rank;
		o->dtypes[op->nout++] = (uint8_t)dtype;
		op->nodim = (uint16_t)(op->nodim + rank);
	}
	op->out_ranks = o->ranks;
	return true;
}

static bool read_names(reader *r, const cJSON *item, rs_op *op)
{
	const char *name = json_string(item, "op", r->path, r->line, r->d);
	const char *api = name ? json_string(item, "api", r->path, r->line, r->d) : NULL;
	if (!api)
		return false;
	if (!identifier_safe(api, true) || !framework_may_call(r->g->framework, api))
		return FAIL(
		    r, "key \"api\": '%.80s' is not a dotted name of %s", api, r->g->framework);
	op->name = arena_strdup(r->arena, name);
	op->api = arena_strdup(r->arena, api);
	return has_memory(r, op->name && op->api);
}

static bool read_node(reader *r, const cJSON *item)
{
	outputs o = {0};
	rs_op *op = ARENA_NEW(r->arena, rs_op);
	if (!op)
		return has_memory(r, false);
	op->why = "read from a model";
	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "random")))
		op->flags = RS_RANDOM;
	if (!read_names(r, item, op))
		return false;
	r->known = r->lib ? rs_library_find(r->lib, op->name) : NULL;
	if (r->lib && !r->known)
		r->known = rs_library_find(&rs_forms, op->name);
	const cJSON *args = json_array(item, "args", r->path, r->line, r->d);
	const cJSON *outs = args ? json_array(item, "outputs", r->path, r->line, r->d) : NULL;
	if (!outs || !read_args(r, args, op) || !keep_values(r, op)
	    || !read_outputs(r, outs, op, &o))
		return false;
	graph_call call = {.op = r->known && same_operator(r->known, op) ? r->known : op,
	    .symbols = r->symbols,
	    .inputs = r->inputs,
	    .consts = r->consts,
	    .out = o.dims,
	    .out_dtypes = o.dtypes};
	uint32_t node = graph_insert(r->g, &call, GRAPH_NONE), tensor = r->g->ntensors - op->nout;
	if (node == GRAPH_NONE)
		return has_memory(r, false);
	r->g->nodes[node].direct = call.op->writes && !r->writes;
	cJSON_ArrayForEach(item, outs) if (!read_assignments(r, item, tensor++)) return false;
	return true;
}

static bool read_nodes(reader *r, const cJSON *model)
{
	const cJSON *item, *list = json_array(model, "nodes", r->path, r->line, r->d);
	if (!list)
		return false;
	cJSON_ArrayForEach(item, list) if (!read_node(r, item)) return false;
	return true;
}

/* ---- the model */

static bool read_kept(reader *r, const cJSON *model)
{
	int64_t id;
	const cJSON *item, *list = json_array(model, "outputs", r->path, r->line, r->d);
	if (!list)
		return false;
	cJSON_ArrayForEach(item, list)
	{
		if (json_int64(item, &id) != JSON_INT || id < 0 || id >= r->g->ntensors
		    || r->g->tensors[id].producer == GRAPH_NONE)
			return FAIL(r, "key \"outputs\": expected ids of nodes' outputs");
		r->g->tensors[id].kept = true;
	}
	return true;
}

/* The operator set of the file. */
static bool read_set(reader *r, const cJSON *model)
{
	int64_t set = 0;
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(model, "opset");
	if (!item)
		return true;
	if (!framework_has_files(r->g->framework))
		return FAIL(r, "key \"opset\": models of %s have no operator set", r->g->framework);
	if (json_int64(item, &set) != JSON_INT || set < OP_SET_FIRST || set > OP_SET_LAST)
		return FAIL(r, "key \"opset\": expected an operator set from %d to %d", OP_SET_FIRST, OP_SET_LAST);
	r->g->opset = (uint8_t)set;
	return true;
}

/* The change of an invalid model's last call. The worker checks its meaning. */
static bool read_change(reader *r, const cJSON *model)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(model, "change");
	if (!item)
		return true;
	graph_change *c = &r->g->change;
	const char *argument = json_string(item, "argument", r->path, r->line, r->d);
	const char *kind = argument ? json_string(item, "kind", r->path, r->line, r->d) : NULL;
	const char *to = kind ? json_string(item, "to", r->path, r->line, r->d) : NULL;
	uint64_t at = 0;
	if (!to || !read_number(r, item, "item", &at))
		return false;
	for (c->kind = CHANGE_KINDS - 1; c->kind != CHANGE_NONE && strcmp(graph_change_name(c->kind), kind) != 0;)
		c->kind--;
	if (!r->g->near_miss || c->kind == CHANGE_NONE || at >= VALUES_MAX)
		return FAIL(r, "key \"change\": expected a change of an invalid model's last call, got '%.40s'", kind);
	c->item = (unsigned)at;
	c->argument = arena_strdup(r->arena, argument);
	c->to = arena_strdup(r->arena, to);
	return has_memory(r, c->argument && c->to);
}

static bool read_head(reader *r, const cJSON *model)
{
	int64_t version;
	const cJSON *format = cJSON_GetObjectItemCaseSensitive(model, "model");
	if (json_int64(format, &version) != JSON_INT)
		return FAIL(r, "key \"model\" is missing: not a model");
	if (version != 1)
		return FAIL(r, "model format %lld; expected 1", (long long)version);
	const char *framework = json_string(model, "framework", r->path, r->line, r->d);
	if (!framework)
		return false;
	if (!identifier_safe(framework, false))
		return FAIL(r, "key \"framework\": '%.40s' is not an identifier", framework);
	if (!read_flag(r, model, "gradients", &r->g->gradients) || !read_flag(r, model, "module", &r->g->module))
		return false;
	r->g->framework = arena_strdup(r->arena, framework);
	diag why = {""};
	if (!assignments_read(r->g, model, &why))
		return FAIL(r, "%s", why.text);
	r->g->near_miss = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(model, "near_miss"));
	return has_memory(r, r->g->framework) && read_change(r, model) && read_set(r, model) && read_number(r, model, "seed", &r->g->seed)
	       && read_number(r, model, "index", &r->g->index)
	       && read_number(r, model, "values", &r->g->values);
}

static bool read_model(reader *r, const cJSON *model)
{
	/* Not cleared: most models use few of them, and each is written before it is read. */
	r->values = arena_alloc(r->scratch, VALUES_MAX * sizeof *r->values);
	r->consts = arena_alloc(r->scratch, VALUES_MAX * sizeof *r->consts);
	r->symbols = arena_alloc(r->scratch, (VALUES_MAX + 1) * sizeof *r->symbols);
	r->inputs = arena_alloc(r->scratch, VALUES_MAX * sizeof *r->inputs);
	if (!r->values || !r->consts || !r->symbols || !r->inputs)
		return has_memory(r, false);
	diag why = {""};
	return read_head(r, model) && read_inputs(r, model) && read_nodes(r, model) && read_kept(r, model)
	       && ((bodies_read(r->g, model, &why) && settings_read(r->g, model, &why) && session_read(r->g, model, &why)) || FAIL(r, "%s", why.text));
}

bool graph_read_json(
    graph *g, const char *line, const char *path, long number, const rs_library *lib, diag *d)
{
	graph_reset(g);
	cJSON *model = json_parse(line, path, number, d);
	if (!model)
		return false;
	reader r = {.g = g, .arena = g->arena, .path = path, .line = number, .lib = lib, .d = d, .model = model, .scratch = arena_new()};
	bool ok = has_memory(&r, r.scratch) && read_model(&r, model);
	arena_free(r.scratch);
	cJSON_Delete(model);
	if (ok)
		graph_number(g);
	else
		graph_reset(g);
	return ok;
}

bool rs_graph_read(rs_graph *g, const char *json, const rs_library *lib, char *message, size_t room)
{
	diag d = {""};
	bool ok = graph_read_json(g, json, "<model>", 1, lib, &d);
	if (!ok && room)
		snprintf(message, room, "%s", d.text);
	return ok;
}
