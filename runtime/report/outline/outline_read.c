#include "outline_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "outline_input.h"

typedef struct reading {
	outline *o;
	arena *a;
	diag *d;
	int32_t uses[OUTLINE_MOST];
	int32_t nuses;
} reading;

static bool is_true(const cJSON *object, const char *key)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* NULL when out of memory. */
static const char *kept(reading *r, buf *b)
{
	const char *text = b->failed ? NULL : arena_strndup(r->a, buf_text(b), b->length);
	buf_free(b);
	return text;
}

/* ---- tensors */

static bool add_tensor(reading *r, const cJSON *t, int32_t node)
{
	outline *o = r->o;
	buf shape = {0}, filled = {0};
	int64_t id;
	if (json_int64(cJSON_GetObjectItemCaseSensitive(t, "id"), &id) != JSON_INT || outline_find(o, id) >= 0)
		return diag_set(r->d, "not a model: a tensor without a unique id");
	outline_shape(t, &shape);
	outline_elements(t, &filled);
	outline_layout(t, &filled);
	outline_tensor *to = &o->tensors[o->ntensors++];
	*to = (outline_tensor){.id = id,
	    .dtype = arena_strdup(r->a, json_text(t, "dtype")),
	    .shape = kept(r, &shape),
	    .filled = kept(r, &filled),
	    .constant = is_true(t, "constant"),
	    .node = node};
	return diag_memory(r->d, to->dtype && to->shape && to->filled);
}

int32_t outline_find(const outline *o, int64_t id)
{
	for (int32_t i = 0; i < o->ntensors; i++)
		if (o->tensors[i].id == id)
			return i;
	return -1;
}

/* ---- calls */

static bool use(reading *r, const cJSON *ref)
{
	int64_t id;
	int32_t place = json_int64(ref, &id) == JSON_INT ? outline_find(r->o, id) : -1;
	if (place < 0)
		return diag_set(r->d, "not a model: a call takes an unknown tensor");
	for (int32_t i = 0; i < r->nuses; i++)
		if (r->uses[i] == place)
			return true;
	r->uses[r->nuses++] = place; /* at most one for each tensor */
	return true;
}

static bool put_value(reading *r, const cJSON *value, buf *out, int depth);

static bool put_list(reading *r, const cJSON *list, buf *out, int depth)
{
	const cJSON *item;
	const char *comma = "";
	bool ok = true;
	buf_putc(out, '[');
	cJSON_ArrayForEach(item, list)
	{
		buf_puts(out, comma);
		ok = ok && put_value(r, item, out, depth + 1);
		comma = ", ";
	}
	buf_putc(out, ']');
	return ok;
}

static bool put_value(reading *r, const cJSON *value, buf *out, int depth)
{
	const cJSON *ref = cJSON_GetObjectItemCaseSensitive(value, "ref");
	const cJSON *elements = cJSON_GetObjectItemCaseSensitive(value, "elements");
	int64_t n = 0;
	if (depth > 32)
		return diag_set(r->d, "not a model: nested lists");
	if (cJSON_IsArray(value))
		return put_list(r, value, out, depth);
	if (ref) {
		int64_t id = 0;
		bool ok = use(r, ref) && json_int64(ref, &id) == JSON_INT;
		buf_printf(out, is_true(value, "copy") ? "copy(t%" PRId64 ")" : "t%" PRId64, id);
		return ok;
	}
	if (elements) {
		buf_printf(out, "%s ", json_text(value, "dtype"));
		return put_value(r, elements, out, depth + 1);
	}
	if (cJSON_IsObject(value))
		buf_puts(out, json_text(value, "const"));
	else if (json_int64(value, &n) != JSON_NOT_INT)
		buf_printf(out, "%" PRId64, n);
	else
		buf_putc(out, '?');
	return true;
}

static bool put_arguments(reading *r, const cJSON *arguments, buf *out)
{
	const cJSON *argument;
	const char *comma = "";
	cJSON_ArrayForEach(argument, arguments)
	{
		buf_puts(out, comma);
		if (!is_true(argument, "pos"))
			buf_printf(out, "%s=", json_text(argument, "name"));
		if (!put_value(r, cJSON_GetObjectItemCaseSensitive(argument, "value"), out, 0))
			return false;
		comma = ", ";
	}
	return true;
}

static bool add_node(reading *r, const cJSON *node)
{
	outline *o = r->o;
	const cJSON *output;
	buf arguments = {0};
	outline_node *n = &o->nodes[o->nnodes];
	r->nuses = 0;
	if (!put_arguments(r, cJSON_GetObjectItemCaseSensitive(node, "args"), &arguments)) {
		buf_free(&arguments);
		return false;
	}
	*n = (outline_node){.api = arena_strdup(r->a, json_text(node, "api")),
	    .arguments = kept(r, &arguments),
	    .first = o->ntensors,
	    .nuses = r->nuses,
	    .random = is_true(node, "random")};
	int32_t *uses = ARENA_ARRAY(r->a, int32_t, r->nuses + 1);
	if (!uses || !n->api || !n->arguments)
		return diag_set(r->d, "out of memory");
	memcpy(uses, r->uses, (size_t)r->nuses * sizeof *uses);
	n->uses = uses;
	cJSON_ArrayForEach(output, cJSON_GetObjectItemCaseSensitive(node, "outputs"))
	{
		if (!add_tensor(r, output, o->nnodes))
			return false;
		n->noutputs++;
	}
	o->nnodes++;
	return true;
}

/* ---- properties of the model */

static bool add_note(reading *r, buf *text)
{
	outline *o = r->o;
	const char *note = kept(r, text);
	if (!note)
		return diag_memory(r->d, false);
	if (o->nnotes < OUTLINE_NOTES)
		o->notes[o->nnotes++] = note;
	return true;
}

/* "d0_1 is 2, then 5; …" */
static void put_dims(const cJSON *dims, buf *out)
{
	const cJSON *dim;
	cJSON_ArrayForEach(dim, dims)
	{
		const cJSON *size;
		const char *between = dim->string ? " is " : "";
		buf_printf(out, "%s%s", dim == dims->child ? "" : "; ", dim->string ? dim->string : "?");
		cJSON_ArrayForEach(size, dim)
		{
			int64_t n = 0;
			json_int64(size, &n);
			buf_printf(out, "%s%" PRId64, between, n);
			between = ", then ";
		}
	}
}

/* A note with the settings of the target, if the model has any. */
static bool add_settings(reading *r, const cJSON *settings)
{
	const cJSON *item;
	buf text = {0};
	if (!cJSON_IsObject(settings) || !settings->child)
		return true;
	buf_puts(&text, "settings of the target:");
	cJSON_ArrayForEach(item, settings) buf_printf(&text, "%s %s = %s", item == settings->child ? "" : ",", item->string,
	    cJSON_IsString(item) ? item->valuestring : "?");
	return add_note(r, &text);
}

static bool add_change(reading *r, const cJSON *change)
{
	const cJSON *argument = cJSON_GetObjectItemCaseSensitive(change, "argument");
	const cJSON *kind = cJSON_GetObjectItemCaseSensitive(change, "kind"), *to = cJSON_GetObjectItemCaseSensitive(change, "to");
	if (!cJSON_IsString(argument) || !cJSON_IsString(kind) || !cJSON_IsString(to))
		return true;
	buf text = {0};
	buf_printf(&text, "the last call is changed: %.40s of %.40s: %.40s", kind->valuestring, argument->valuestring, to->valuestring);
	return add_note(r, &text);
}

static bool add_notes(reading *r, const cJSON *model)
{
	static const struct {
		const char *key, *text;
	} NOTES[] = {{"gradients", "the gradients of the float inputs are results as well (backward pass)"},
	    {"module", "run as an nn.Module: the constants are its parameters and buffers"},
	    {"near_miss", "an invalid model: the last call violates one constraint, so both sides must reject it"}};

	const cJSON *dims = cJSON_GetObjectItemCaseSensitive(model, "dims");
	buf text = {0};
	r->o->gradients = is_true(model, "gradients");
	r->o->invalid = is_true(model, "near_miss");
	r->o->dynamic = cJSON_IsObject(dims);
	for (size_t i = 0; i < sizeof NOTES / sizeof *NOTES; i++) {
		if (!is_true(model, NOTES[i].key))
			continue;
		buf_puts(&text, NOTES[i].text);
		if (!add_note(r, &text))
			return false;
	}
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(model, "opset");
	if (cJSON_IsNumber(set)) {
		buf_printf(&text, "in operator set %d", set->valueint);
		if (!add_note(r, &text))
			return false;
	}
	if (!add_change(r, cJSON_GetObjectItemCaseSensitive(model, "change")))
		return false;
	if (!add_settings(r, cJSON_GetObjectItemCaseSensitive(model, "settings")))
		return false;
	if (!r->o->dynamic)
		return true;
	buf_puts(&text, "dynamic shapes: compiled once, then run with each shape instance; ");
	put_dims(dims, &text);
	return add_note(r, &text);
}

/* ---- bodies */

static const char *form_of(const char *form)
{
	static const struct {
		const char *form, *said;
	} SAID[] = {{"computed", ", computed"}, {"count", ", without a condition"}, {"condition", ", without a trip count"},
	    {"while", ", by its condition"}, {"stacked", ", results of all trips stacked"}, {"states", ", results are states"}};
	for (size_t i = 0; i < sizeof SAID / sizeof *SAID; i++)
		if (strcmp(form, SAID[i].form) == 0)
			return SAID[i].said;
	return "";
}

static void put_scan(const cJSON *body, const char *more, buf *out)
{
	int64_t trips = 0, axis = 0;
	(void)json_int64(cJSON_GetObjectItemCaseSensitive(body, "trips"), &trips);
	(void)json_int64(cJSON_GetObjectItemCaseSensitive(body, "axis"), &axis);
	bool reverse = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(body, "reverse"));
	buf_printf(out, "scan %" PRId64 " slices of axis %" PRId64 "%s:%s%s", trips, axis, reverse ? ", reversed" : "", *more ? "  # " : "",
	    *more ? more + 2 : "");
}

static void put_heading(reading *r, const cJSON *body, buf *out)
{
	const char *kind = json_text(body, "kind"), *form = form_of(json_text(body, "form"));
	const char *constants = *json_text(body, "constants") ? ", with its constants" : "";
	const cJSON *control = cJSON_GetObjectItemCaseSensitive(body, "control");
	int64_t id = 0;
	int32_t place = json_int64(control, &id) == JSON_INT ? outline_find(r->o, id) : -1;
	const char *told = place >= 0 ? r->o->tensors[place].filled : "";
	buf more = {0};
	buf_printf(&more, "%s%s", form, constants);
	const char *rest = more.text ? more.text : "";
	if (strcmp(kind, "if") == 0)
		buf_printf(out, "if t%" PRId64 ":%s%s", id, strcmp(told, " = false") == 0 ? "  # false: the else branch" : "  # the then branch",
		    rest);
	else if (strcmp(kind, "loop") == 0)
		buf_printf(out, "loop t%" PRId64 " times:%s%s", id, *rest ? "  # " : "", *rest ? rest + 2 : "");
	else if (strcmp(kind, "scan") == 0)
		put_scan(body, rest, out);
	else if (strcmp(kind, "function") == 0)
		buf_printf(out, "%s:  # a model-local function", kind);
	else
		buf_printf(out, "%s:", kind);
	buf_free(&more);
}

static int by_first(const void *a, const void *b)
{
	const outline_body *x = a, *y = b;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->last != y->last)
		return x->last > y->last ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static bool add_bodies(reading *r, const cJSON *list)
{
	outline *o = r->o;
	const cJSON *body;
	int n = cJSON_GetArraySize(list);
	if (n > OUTLINE_BODIES)
		return diag_set(r->d, "not a model: more than %d bodies", OUTLINE_BODIES);
	o->bodies = ARENA_ARRAY(r->a, outline_body, n + 1);
	if (!diag_memory(r->d, o->bodies))
		return false;
	cJSON_ArrayForEach(body, list)
	{
		int64_t first, last;
		buf heading = {0};
		if (json_int64(cJSON_GetObjectItemCaseSensitive(body, "first"), &first) != JSON_INT
		    || json_int64(cJSON_GetObjectItemCaseSensitive(body, "last"), &last) != JSON_INT || first < 0 || first > last
		    || last >= o->nnodes)
			return diag_set(r->d, "not a model: a body of unknown calls");
		put_heading(r, body, &heading);
		outline_body *to = &o->bodies[o->nbodies++];
		bool function = strcmp(json_text(body, "kind"), "function") == 0; /* it holds no other body */
		*to = (outline_body){.heading = kept(r, &heading), .first = (int32_t)first, .last = (int32_t)last,
		    .place = o->nbodies + (function ? OUTLINE_BODIES : 0)};
		if (!diag_memory(r->d, to->heading))
			return false;
	}
	if (n)
		qsort(o->bodies, (size_t)n, sizeof *o->bodies, by_first);
	return true;
}

/* ---- the model */

static int count_tensors(const cJSON *model, const cJSON *nodes)
{
	const cJSON *node;
	int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(model, "inputs"));
	cJSON_ArrayForEach(node, nodes) n += cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(node, "outputs"));
	return n;
}

static bool read_all(reading *r, const cJSON *model)
{
	outline *o = r->o;
	const cJSON *item, *nodes = cJSON_GetObjectItemCaseSensitive(model, "nodes");
	int ntensors = count_tensors(model, nodes);
	if (!cJSON_IsArray(nodes) || cJSON_GetArraySize(nodes) > OUTLINE_MOST || ntensors > OUTLINE_MOST)
		return diag_set(r->d, "not a model: no list of calls, or more than %d calls or tensors", OUTLINE_MOST);
	o->framework = arena_strdup(r->a, json_text(model, "framework"));
	o->tensors = ARENA_ARRAY(r->a, outline_tensor, ntensors + 1);
	o->nodes = ARENA_ARRAY(r->a, outline_node, cJSON_GetArraySize(nodes) + 1);
	if (!o->framework || !o->tensors || !o->nodes)
		return diag_set(r->d, "out of memory");
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(model, "inputs")) if (!add_tensor(r, item, -1)) return false;
	o->ninputs = o->ntensors;
	cJSON_ArrayForEach(item, nodes) if (!add_node(r, item)) return false;
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(model, "outputs"))
	{
		int64_t id;
		int32_t place = json_int64(item, &id) == JSON_INT ? outline_find(o, id) : -1;
		if (place >= 0)
			o->tensors[place].result = true;
	}
	return add_notes(r, model) && add_bodies(r, cJSON_GetObjectItemCaseSensitive(model, "bodies"));
}

bool outline_read(outline *o, const char *model, arena *a, diag *d)
{
	*o = (outline){0};
	reading r = {.o = o, .a = a, .d = d};
	cJSON *tree = json_parse(model, "model", 0, d);
	bool ok = tree && read_all(&r, tree);
	cJSON_Delete(tree);
	return ok;
}
