#include "bodies.h"

#include <string.h>

#include "op_versions.h"
#include "write_python.h"

static const char *const KINDS[BODY_KINDS] = {[BODY_FUNCTION] = "function", [BODY_IF] = "if", [BODY_LOOP] = "loop", [BODY_SCAN] = "scan",
#define REGION(suffix, name, needs) [BODY_REGION_##suffix] = name,
#include "regions.def"
#undef REGION
};

static const uint8_t NEEDS[BODY_KINDS] = {
#define REGION(suffix, name, needs) [BODY_REGION_##suffix] = needs,
#include "regions.def"
#undef REGION
};

static const char *const CONSTANTS[BODY_CONSTANTS_KINDS] = {
    [BODY_CONSTANTS_OUTSIDE] = "", [BODY_CONSTANTS_INITIALIZERS] = "initializers", [BODY_CONSTANTS_NODES] = "nodes"};

/* The forms, and the kinds that have them as bits. */
static const struct {
	const char *name;
	unsigned kinds;
} FORMS[BODY_FORMS] = {[BODY_PLAIN] = {"", ~0u},
    [BODY_COMPUTED] = {"computed", 1u << BODY_IF | 1u << BODY_LOOP},
    [BODY_COUNT] = {"count", 1u << BODY_LOOP},
    [BODY_CONDITION] = {"condition", 1u << BODY_LOOP},
    [BODY_WHILE] = {"while", 1u << BODY_LOOP},
    [BODY_STACKED] = {"stacked", 1u << BODY_LOOP},
    [BODY_STATES] = {"states", 1u << BODY_SCAN}};

/* ---- ask */

const char *body_name(enum body_kind kind)
{
	return KINDS[kind];
}

enum body_kind body_named(const char *name)
{
	int kind = 0;
	while (kind < BODY_KINDS && strcmp(name, KINDS[kind]) != 0)
		kind++;
	return (enum body_kind)kind;
}

bool body_is_function(const graph *g, unsigned body)
{
	return g->bodies[body].kind == BODY_FUNCTION;
}

unsigned body_parent(const graph *g, unsigned body)
{
	return g->bodies[body].parent ? g->bodies[body].parent - 1u : GRAPH_BODIES_MAX;
}

enum region_needs region_needs(enum body_kind kind)
{
	return (enum region_needs)NEEDS[kind];
}

bool body_form_fits(enum body_kind kind, enum body_form form)
{
	return FORMS[form].kinds >> kind & 1;
}

/* A parent has a smaller number, so this ends. */
static unsigned depth_of(const graph *g, unsigned mark)
{
	unsigned depth = 0;
	for (; mark; mark = g->bodies[mark - 1].parent)
		depth++;
	return depth;
}

unsigned bodies_depth(const graph *g, uint32_t node)
{
	return depth_of(g, g->nodes[node].subgraph);
}

bool body_has(const graph *g, unsigned body, uint32_t node)
{
	const graph_node *n = &g->nodes[node];
	unsigned mark = body_is_function(g, body) ? n->function : n->subgraph;
	while (mark > body + 1 && !body_is_function(g, body))
		mark = g->bodies[mark - 1].parent;
	return mark == body + 1;
}

uint32_t body_first(const graph *g, unsigned body)
{
	uint32_t i = g->first;
	while (i != GRAPH_NONE && !body_has(g, body, i))
		i = g->nodes[i].next;
	return i;
}

uint32_t body_last(const graph *g, unsigned body)
{
	uint32_t i = body_first(g, body), last = i;
	for (; i != GRAPH_NONE && body_has(g, body, i); i = g->nodes[i].next)
		last = i;
	return last;
}

int64_t body_told(const graph *g, unsigned body)
{
	uint32_t control = g->bodies[body].control;
	return control == GRAPH_NONE ? g->bodies[body].trips : g->tensors[control].low;
}

/* Whether a tensor is a valid control for a body of this kind. */
static bool is_control(const graph *g, uint32_t tensor, enum body_kind kind)
{
	if (kind != BODY_IF && kind != BODY_LOOP)
		return tensor == GRAPH_NONE;
	if (tensor >= g->ntensors)
		return false;
	const graph_tensor *t = &g->tensors[tensor];
	if (t->producer != GRAPH_NONE || t->rank || t->nuses || t->high != t->low + 1)
		return false;
	return kind == BODY_IF ? t->dtype == RS_BOOL && (t->low == 0 || t->low == 1)
			       : t->dtype == RS_INT64 && t->low >= 0 && t->low <= BODIES_TRIPS_MAX;
}

/* ---- change */

static uint8_t *mark_of(graph *g, uint32_t node, enum body_kind kind)
{
	return kind == BODY_FUNCTION ? &g->nodes[node].function : &g->nodes[node].subgraph;
}

/* Whether a body of that many nodes may begin there. */
static bool is_room(graph *g, enum body_kind kind, uint32_t first, uint32_t count)
{
	uint32_t i = first, inner = 0, outer = 0, n = 0, within = first == GRAPH_NONE ? 0 : g->nodes[first].subgraph;
	for (; n < count && i != GRAPH_NONE; n++, i = g->nodes[i].next) {
		uint8_t function = g->nodes[i].function;
		inner = n ? inner : function;
		outer = function;
		if (g->nodes[i].subgraph != within || (kind == BODY_FUNCTION && function))
			return false;
	}
	if (n < count || !count || kind == BODY_FUNCTION)
		return n == count && count;
	uint32_t before = g->nodes[first].previous; /* functions at both ends must be inside completely */
	return depth_of(g, within) < BODIES_DEPTH_MAX && !(inner && before != GRAPH_NONE && g->nodes[before].function == inner)
	       && !(outer && i != GRAPH_NONE && g->nodes[i].function == outer);
}

bool bodies_add(graph *g, enum body_kind kind, uint32_t control, uint32_t first, uint32_t count)
{
	if (g->nbodies == GRAPH_BODIES_MAX || !is_control(g, control, kind) || !is_room(g, kind, first, count))
		return false;
	g->bodies[g->nbodies++] = (graph_body){.kind = (uint8_t)kind, .control = control, .trips = kind == BODY_SCAN,
	    .parent = kind == BODY_FUNCTION ? 0 : g->nodes[first].subgraph};
	for (uint32_t i = first; count--; i = g->nodes[i].next)
		*mark_of(g, i, kind) = g->nbodies;
	return true;
}

static bool is_shared(const graph *g, unsigned body)
{
	for (unsigned i = 0; i < g->nbodies; i++)
		if (i != body && g->bodies[i].control == g->bodies[body].control)
			return true;
	return false;
}

static void lower(uint8_t *mark, unsigned body, uint8_t parent)
{
	*mark = *mark == body + 1 ? parent : (uint8_t)(*mark - (*mark > body + 1));
}

void bodies_drop(graph *g, unsigned body)
{
	uint32_t control = g->bodies[body].control;
	if (control != GRAPH_NONE && !g->tensors[control].nuses && !is_shared(g, body))
		graph_remove_input(g, control);
	uint8_t parent = g->bodies[body].parent;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		lower(&g->nodes[i].function, body, 0);
		lower(&g->nodes[i].subgraph, body, parent);
	}
	for (unsigned i = 0; i < g->nbodies; i++)
		lower(&g->bodies[i].parent, body, parent);
	g->nbodies--;
	memmove(&g->bodies[body], &g->bodies[body + 1], (g->nbodies - body) * sizeof *g->bodies);
}

void bodies_tidy(graph *g)
{
	for (unsigned i = g->nbodies; i-- > 0;)
		if (body_first(g, i) == GRAPH_NONE || !is_control(g, g->bodies[i].control, (enum body_kind)g->bodies[i].kind))
			bodies_drop(g, i);
}

/* ---- files */

static unsigned place_of(const graph *g, uint32_t node)
{
	unsigned place = 0;
	for (uint32_t i = g->first; i != node; i = g->nodes[i].next)
		place++;
	return place;
}

static void write_form(const graph_body *b, buf *out)
{
	if (b->form)
		buf_printf(out, ",\"form\":\"%s\"", FORMS[b->form].name);
	if (b->kind == BODY_SCAN)
		buf_printf(out, ",\"trips\":%u,\"axis\":%d%s", b->trips, b->axis, b->reverse ? ",\"reverse\":true" : "");
	if (body_is_region((enum body_kind)b->kind) && b->trips)
		buf_printf(out, ",\"variant\":%u", b->trips);
}

void bodies_write(const graph *g, buf *out)
{
	for (unsigned i = 0; i < g->nbodies; i++) {
		uint32_t control = g->bodies[i].control;
		buf_printf(out, "%s{\"kind\":\"%s\",\"first\":%u,\"last\":%u", i ? "," : ",\"bodies\":[", KINDS[g->bodies[i].kind],
		    place_of(g, body_first(g, i)), place_of(g, body_last(g, i)));
		if (control != GRAPH_NONE)
			buf_printf(out, ",\"control\":%u", g->tensors[control].number);
		if (g->bodies[i].constants)
			buf_printf(out, ",\"constants\":\"%s\"", CONSTANTS[g->bodies[i].constants]);
		write_form(&g->bodies[i], out);
		buf_putc(out, '}');
	}
	if (g->nbodies)
		buf_putc(out, ']');
}

static bool read_place(const graph *g, const cJSON *item, const char *key, int64_t *place, diag *d)
{
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, key);
	if (number && json_int64(number, place) == JSON_INT && *place >= 0 && *place < g->live_nodes)
		return true;
	return diag_set(d, "key \"bodies\": \"%s\" is not the index of a node", key);
}

/* Reads the place of the body's constants; a function has none. */
static bool read_constants(const cJSON *item, int kind, uint8_t *constants, diag *d)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "constants");
	*constants = BODY_CONSTANTS_OUTSIDE;
	for (uint8_t i = 1; name && kind != BODY_FUNCTION && cJSON_IsString(name) && i < BODY_CONSTANTS_KINDS; i++)
		if (strcmp(name->valuestring, CONSTANTS[i]) == 0)
			*constants = i;
	return !name || *constants || diag_set(d, "key \"bodies\": \"constants\" of a subgraph: expected initializers or nodes");
}

static bool read_form(const cJSON *item, int kind, uint8_t *form, diag *d)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "form");
	*form = BODY_PLAIN;
	for (uint8_t i = 1; name && cJSON_IsString(name) && i < BODY_FORMS; i++)
		if (body_form_fits((enum body_kind)kind, (enum body_form)i) && strcmp(name->valuestring, FORMS[i].name) == 0)
			*form = i;
	return !name || *form || diag_set(d, "key \"bodies\": unknown \"form\" for %s", KINDS[kind]);
}

static bool is_between(const cJSON *item, const char *key, int64_t low, int64_t high, int64_t *value)
{
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, key);
	return number && json_int64(number, value) == JSON_INT && *value >= low && *value <= high;
}

/* The key that only a region has. */
static bool read_variant(const cJSON *item, graph_body *b, diag *d)
{
	int64_t variant = 0;
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, "variant");
	if (number && (!body_is_region((enum body_kind)b->kind) || !is_between(item, "variant", 0, BODIES_VARIANTS - 1, &variant)))
		return diag_set(d, "key \"bodies\": a region may have a \"variant\" of 0 to %d", BODIES_VARIANTS - 1);
	b->trips = body_is_region((enum body_kind)b->kind) ? (uint8_t)variant : b->trips;
	return true;
}

/* The keys that only a scan has. */
static bool read_scan(const cJSON *item, graph_body *b, diag *d)
{
	int64_t trips = 0, axis = 0;
	const cJSON *reverse = cJSON_GetObjectItemCaseSensitive(item, "reverse");
	if (b->kind != BODY_SCAN)
		return !reverse || diag_set(d, "key \"bodies\": only a scan may have \"reverse\"");
	if (!is_between(item, "trips", 1, BODIES_TRIPS_MAX, &trips)
	    || !is_between(item, "axis", -BODIES_AXIS_MAX, BODIES_AXIS_MAX, &axis) || (reverse && !cJSON_IsBool(reverse)))
		return diag_set(d, "key \"bodies\": a scan needs \"trips\" of 1 to %d and an \"axis\" of -%d to %d",
		    BODIES_TRIPS_MAX, BODIES_AXIS_MAX, BODIES_AXIS_MAX);
	b->trips = (uint8_t)trips;
	b->axis = (int8_t)axis;
	b->reverse = cJSON_IsTrue(reverse);
	return true;
}

static const char *expected_control(int kind)
{
	return kind == BODY_IF     ? "an unused input of one boolean, given by its range"
	       : kind == BODY_LOOP ? "an unused input of one int64 from 0 to 3, given by its range"
				   : "none";
}

static bool read_body(graph *g, const cJSON *item, diag *d)
{
	int64_t first, last, control = GRAPH_NONE;
	graph_body read = {0};
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "kind"), *told = cJSON_GetObjectItemCaseSensitive(item, "control");
	const enum body_kind kind = cJSON_IsString(name) ? body_named(name->valuestring) : BODY_KINDS;
	if (kind == BODY_KINDS)
		return diag_set(d, "key \"bodies\": \"kind\" is not function, if, loop, scan or a kind of region");
	if (body_is_region((enum body_kind)kind) != graph_has_strides(g->framework))
		return diag_set(d, "key \"bodies\": %s has no %s", g->framework, name->valuestring);
	read.kind = (uint8_t)kind;
	if (!read_place(g, item, "first", &first, d) || !read_place(g, item, "last", &last, d)
	    || !read_constants(item, kind, &read.constants, d) || !read_form(item, kind, &read.form, d) || !read_scan(item, &read, d)
	    || !read_variant(item, &read, d))
		return false;
	if (told && (json_int64(told, &control) != JSON_INT || control < 0 || control >= g->ntensors))
		return diag_set(d, "key \"bodies\": \"control\" is not a tensor");
	if (!is_control(g, (uint32_t)control, (enum body_kind)kind))
		return diag_set(d, "key \"bodies\": \"control\" of a %s: expected %s", KINDS[kind], expected_control(kind));
	uint32_t node = g->first;
	for (int64_t i = 0; i < first; i++)
		node = g->nodes[node].next;
	if (last < first || !bodies_add(g, (enum body_kind)kind, (uint32_t)control, node, (uint32_t)(last - first + 1)))
		return diag_set(d, "key \"bodies\": more than %d, or nodes in another body, partly in one, or in %d subgraphs",
		    GRAPH_BODIES_MAX, BODIES_DEPTH_MAX);
	graph_body *made = &g->bodies[g->nbodies - 1];
	read.control = made->control;
	read.parent = made->parent;
	*made = read;
	return true;
}

static bool any_carries(const graph *g)
{
	for (unsigned i = 0; i < g->nbodies; i++)
		if (body_carries((enum body_kind)g->bodies[i].kind) || body_is_region((enum body_kind)g->bodies[i].kind))
			return true;
	return false;
}

bool bodies_read(graph *g, const cJSON *model, diag *d)
{
	const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(model, "bodies");
	if (list && (!cJSON_IsArray(list) || g->near_miss))
		return diag_set(d, "key \"bodies\": expected a list, in a valid model");
	if (list && g->opset && g->opset < OP_SET_BODIES)
		return diag_set(d, "key \"bodies\": expected an operator set of %d or newer", OP_SET_BODIES);
	cJSON_ArrayForEach(item, list) if (!read_body(g, item, d)) return false;
	return !g->assignments || !any_carries(g)
	       || diag_set(d, "key \"bodies\": a model with several shape instances may have functions and branches only");
}
