#include "bodies.h"

#include <string.h>

#include "op_versions.h"

static const char *const KINDS[BODY_KINDS] = {[BODY_FUNCTION] = "function", [BODY_IF] = "if", [BODY_LOOP] = "loop"};

static const char *const CONSTANTS[BODY_CONSTANTS_KINDS] = {
    [BODY_CONSTANTS_OUTSIDE] = "", [BODY_CONSTANTS_INITIALIZERS] = "initializers", [BODY_CONSTANTS_NODES] = "nodes"};

/* ---- ask */

bool body_is_function(const graph *g, unsigned body)
{
	return g->bodies[body].kind == BODY_FUNCTION;
}

static bool has(const graph *g, uint32_t node, unsigned body)
{
	const graph_node *n = &g->nodes[node];
	return (body_is_function(g, body) ? n->function : n->subgraph) == body + 1;
}

uint32_t body_first(const graph *g, unsigned body)
{
	uint32_t i = g->first;
	while (i != GRAPH_NONE && !has(g, i, body))
		i = g->nodes[i].next;
	return i;
}

uint32_t body_last(const graph *g, unsigned body)
{
	uint32_t i = body_first(g, body), last = i;
	for (; i != GRAPH_NONE && has(g, i, body); i = g->nodes[i].next)
		last = i;
	return last;
}

int64_t body_told(const graph *g, unsigned body)
{
	uint32_t control = g->bodies[body].control;
	return control == GRAPH_NONE ? 0 : g->tensors[control].low;
}

/* Whether a tensor is a valid control for a body of this kind. */
static bool tells(const graph *g, uint32_t tensor, enum body_kind kind)
{
	if (kind == BODY_FUNCTION)
		return tensor == GRAPH_NONE;
	if (tensor >= g->ntensors)
		return false;
	const graph_tensor *t = &g->tensors[tensor];
	if (t->producer != GRAPH_NONE || t->rank || t->nuses || t->high != t->low + 1)
		return false;
	return kind == BODY_IF ? t->dtype == RS_BOOL && (t->low == 0 || t->low == 1)
			       : t->dtype == RS_INT64 && t->low >= 1 && t->low <= BODIES_TRIPS_MAX;
}

/* ---- change */

static uint8_t *mark_of(graph *g, uint32_t node, enum body_kind kind)
{
	return kind == BODY_FUNCTION ? &g->nodes[node].function : &g->nodes[node].subgraph;
}

/* Whether a body of that many nodes may begin there. */
static bool is_room(graph *g, enum body_kind kind, uint32_t first, uint32_t count)
{
	uint32_t i = first, inner = 0, outer = 0, n = 0;
	for (; n < count && i != GRAPH_NONE; n++, i = g->nodes[i].next) {
		if (*mark_of(g, i, kind))
			return false;
		uint8_t other = *mark_of(g, i, kind == BODY_FUNCTION ? BODY_IF : BODY_FUNCTION);
		inner = n ? inner : other;
		outer = other;
		if (kind == BODY_FUNCTION && other != g->nodes[first].subgraph)
			return false;
	}
	if (n < count || !count || kind == BODY_FUNCTION)
		return n == count && count;
	uint32_t before = g->nodes[first].previous; /* functions at both ends must be inside completely */
	return !(inner && before != GRAPH_NONE && g->nodes[before].function == inner)
	       && !(outer && i != GRAPH_NONE && g->nodes[i].function == outer);
}

bool bodies_add(graph *g, enum body_kind kind, uint32_t control, uint32_t first, uint32_t count)
{
	if (g->nbodies == GRAPH_BODIES_MAX || !tells(g, control, kind) || !is_room(g, kind, first, count))
		return false;
	g->bodies[g->nbodies++] = (graph_body){.kind = (uint8_t)kind, .control = control};
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

static void lower(uint8_t *mark, unsigned body)
{
	*mark = *mark == body + 1 ? 0 : (uint8_t)(*mark - (*mark > body + 1));
}

void bodies_drop(graph *g, unsigned body)
{
	uint32_t control = g->bodies[body].control;
	if (control != GRAPH_NONE && !g->tensors[control].nuses && !is_shared(g, body))
		graph_remove_input(g, control);
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		lower(&g->nodes[i].function, body);
		lower(&g->nodes[i].subgraph, body);
	}
	g->nbodies--;
	memmove(&g->bodies[body], &g->bodies[body + 1], (g->nbodies - body) * sizeof *g->bodies);
}

void bodies_tidy(graph *g)
{
	for (unsigned i = g->nbodies; i-- > 0;)
		if (body_first(g, i) == GRAPH_NONE || !tells(g, g->bodies[i].control, (enum body_kind)g->bodies[i].kind))
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
	return diag_set(d, "key \"bodies\": \"%s\" is the place of no node", key);
}

/* Reads where the body's constants are; a function has none. */
static bool read_constants(const cJSON *item, int kind, uint8_t *constants, diag *d)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "constants");
	*constants = BODY_CONSTANTS_OUTSIDE;
	for (uint8_t i = 1; name && kind != BODY_FUNCTION && cJSON_IsString(name) && i < BODY_CONSTANTS_KINDS; i++)
		if (strcmp(name->valuestring, CONSTANTS[i]) == 0)
			*constants = i;
	return !name || *constants || diag_set(d, "key \"bodies\": \"constants\" of an if or a loop: expected initializers or nodes");
}

static bool read_body(graph *g, const cJSON *item, diag *d)
{
	int64_t first, last, control = GRAPH_NONE;
	int kind = 0;
	uint8_t constants;
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "kind"), *told = cJSON_GetObjectItemCaseSensitive(item, "control");
	while (kind < BODY_KINDS && !(cJSON_IsString(name) && strcmp(name->valuestring, KINDS[kind]) == 0))
		kind++;
	if (kind == BODY_KINDS)
		return diag_set(d, "key \"bodies\": \"kind\" is not function, if or loop");
	if (!read_place(g, item, "first", &first, d) || !read_place(g, item, "last", &last, d)
	    || !read_constants(item, kind, &constants, d))
		return false;
	if (told && (json_int64(told, &control) != JSON_INT || control < 0 || control >= g->ntensors))
		return diag_set(d, "key \"bodies\": \"control\" is no tensor");
	if (!tells(g, (uint32_t)control, (enum body_kind)kind))
		return diag_set(d, "key \"bodies\": \"control\" of a %s: expected %s", KINDS[kind],
		    kind == BODY_FUNCTION ? "none" : kind == BODY_IF ? "an input of one boolean, which its range says, that no node takes"
								    : "an input of one int64 of 1 to 3, which its range says, that no node takes");
	uint32_t node = g->first;
	for (int64_t i = 0; i < first; i++)
		node = g->nodes[node].next;
	if (last < first || !bodies_add(g, (enum body_kind)kind, (uint32_t)control, node, (uint32_t)(last - first + 1)))
		return diag_set(d, "key \"bodies\": more than %d, or nodes that are in another, or in part within one", GRAPH_BODIES_MAX);
	g->bodies[g->nbodies - 1].constants = constants;
	return true;
}

bool bodies_read(graph *g, const cJSON *model, diag *d)
{
	const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(model, "bodies");
	if (list && (!cJSON_IsArray(list) || g->assignments || g->near_miss))
		return diag_set(d, "key \"bodies\": expected a list, in a valid model with one shape instance");
	if (list && g->opset && g->opset < OP_SET_BODIES)
		return diag_set(d, "key \"bodies\": expected an operator set of %d or newer", OP_SET_BODIES);
	cJSON_ArrayForEach(item, list) if (!read_body(g, item, d)) return false;
	return true;
}
