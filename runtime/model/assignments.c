#include "assignments.h"

#include <string.h>

#include "python_literal.h"

/* ---- names */

static bool is_fed(const graph *g, uint32_t tensor)
{
	const graph_tensor *t = &g->tensors[tensor];
	return t->live && t->producer == GRAPH_NONE && !t->constant;
}

static bool same_sizes(const graph *g, graph_dim a, graph_dim b)
{
	for (uint32_t k = 0; k < g->assignments; k++)
		if (graph_shape_in(&g->tensors[a.tensor], k)[a.axis] != graph_shape_in(&g->tensors[b.tensor], k)[b.axis])
			return false;
	return true;
}

bool dim_named(const graph *g, graph_dim dim, graph_dim *first)
{
	if (!graph_varies(g, &g->tensors[dim.tensor], dim.axis))
		return false;
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
		for (unsigned k = 0; is_fed(g, i) && k < g->tensors[i].rank; k++)
			if (same_sizes(g, dim, (graph_dim){i, k})) {
				*first = (graph_dim){i, k};
				return true;
			}
	*first = dim;
	return true;
}

void dim_name(const graph *g, graph_dim first, buf *out)
{
	buf_printf(out, "d%u_%u", g->tensors[first.tensor].number, first.axis);
}

/* ---- writing */

static void write_dims(const graph *g, uint32_t tensor, buf *out)
{
	graph_dim first;
	for (unsigned i = 0; i < g->tensors[tensor].rank; i++) {
		buf_puts(out, i ? "," : ",\"dims\":[");
		if (dim_named(g, (graph_dim){tensor, i}, &first)) {
			buf_putc(out, '"');
			dim_name(g, first, out);
			buf_putc(out, '"');
		} else {
			buf_puts(out, "null");
		}
	}
	buf_putc(out, ']');
}

void assignments_write_tensor(const graph *g, uint32_t tensor, buf *out)
{
	const graph_tensor *t = &g->tensors[tensor];
	bool other = false;
	for (unsigned i = 0; i < t->rank && !other; i++)
		other = graph_varies(g, &g->tensors[tensor], i);
	if (!other)
		return;
	if (t->producer == GRAPH_NONE) {
		write_dims(g, tensor, out);
		return;
	}
	for (uint32_t k = 1; k < g->assignments; k++) {
		buf_puts(out, k > 1 ? "," : ",\"also\":[");
		buf_ints(out, graph_shape_in(t, k), t->rank);
	}
	buf_putc(out, ']');
}

void assignments_write(const graph *g, buf *out)
{
	graph_dim first;
	const char *before = ",\"dims\":{\"";
	if (g->assignments < 2)
		return;
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
		for (unsigned k = 0; is_fed(g, i) && k < g->tensors[i].rank; k++) {
			if (!dim_named(g, (graph_dim){i, k}, &first) || first.tensor != i || first.axis != k)
				continue;
			buf_puts(out, before);
			dim_name(g, first, out);
			for (uint32_t a = 0; a < g->assignments; a++) {
				buf_puts(out, a ? "," : "\":[");
				buf_int(out, graph_shape_in(&g->tensors[i], a)[k]);
			}
			buf_putc(out, ']');
			before = ",\"";
		}
	if (before[2] != 'd')
		buf_putc(out, '}');
}

/* ---- reading */

static bool read_size(const cJSON *item, int64_t *size, diag *d)
{
	return (json_int64(item, size) == JSON_INT && *size >= 0) || diag_set(d, "key \"dims\": expected whole numbers");
}

bool assignments_read(graph *g, const cJSON *model, diag *d)
{
	const cJSON *item, *size, *dims = cJSON_GetObjectItemCaseSensitive(model, "dims");
	int64_t n;
	if (!dims)
		return true;
	if (!cJSON_IsObject(dims) || !dims->child)
		return diag_set(d, "key \"dims\": expected names with their sizes");
	g->assignments = (uint32_t)cJSON_GetArraySize(dims->child);
	cJSON_ArrayForEach(item, dims)
	{
		if (!identifier_safe(item->string, false))
			return diag_set(d, "key \"dims\": '%.40s' is not an identifier", item->string);
		if (!cJSON_IsArray(item) || (uint32_t)cJSON_GetArraySize(item) != g->assignments || g->assignments < 2
		    || g->assignments > GRAPH_ASSIGNMENTS_MAX)
			return diag_set(d, "key \"dims\": '%.40s' needs as many sizes as the others, 2 to %d", item->string,
			    GRAPH_ASSIGNMENTS_MAX);
		cJSON_ArrayForEach(size, item) if (!read_size(size, &n, d)) return false;
	}
	return true;
}

/* The sizes of one dimension of an input in all shape instances. */
static bool read_dim(graph *g, const cJSON *dims, const cJSON *name, graph_tensor *t, unsigned axis, int64_t *also, diag *d)
{
	const cJSON *sizes = cJSON_IsString(name) ? cJSON_GetObjectItemCaseSensitive(dims, name->valuestring) : NULL;
	int64_t size = t->shape[axis];
	if (!sizes && !cJSON_IsNull(name))
		return diag_set(d, "key \"dims\": expected the names of the model's \"dims\", or null");
	for (uint32_t k = 0; k < g->assignments; k++) {
		if (sizes && !read_size(cJSON_GetArrayItem(sizes, (int)k), &size, d))
			return false;
		if (k)
			also[(size_t)(k - 1) * t->rank + axis] = size;
		else if (size != t->shape[axis])
			return diag_set(d, "key \"dims\": '%.40s' is %lld in the first instance, but the shape has another size", name->valuestring,
			    (long long)size);
	}
	return true;
}

static bool read_also(graph *g, const cJSON *list, const graph_tensor *t, int64_t *also, diag *d)
{
	if (!cJSON_IsArray(list) || (uint32_t)cJSON_GetArraySize(list) != g->assignments - 1)
		return diag_set(d, "key \"also\": expected %u shapes", g->assignments - 1);
	const cJSON *shape, *size;
	cJSON_ArrayForEach(shape, list)
	{
		if (!cJSON_IsArray(shape) || cJSON_GetArraySize(shape) != t->rank)
			return diag_set(d, "key \"also\": expected shapes of %u dimensions", t->rank);
		cJSON_ArrayForEach(size, shape) if (!read_size(size, also++, d)) return false;
	}
	return true;
}

bool assignments_read_tensor(graph *g, const cJSON *model, const cJSON *item, uint32_t tensor, diag *d)
{
	graph_tensor *t = &g->tensors[tensor];
	const cJSON *dims = cJSON_GetObjectItemCaseSensitive(item, "dims"), *list = cJSON_GetObjectItemCaseSensitive(item, "also");
	bool is_input = t->producer == GRAPH_NONE;
	const cJSON *key = is_input ? dims : list, *name;
	if ((is_input ? list : dims) || (key && (g->assignments < 2 || t->constant)))
		return diag_set(d, "key \"dims\" belongs to inputs of a model with \"dims\", key \"also\" to outputs of its nodes");
	if (!key)
		return true;
	int64_t *also = arena_alloc(g->arena, ((size_t)g->assignments - 1) * t->rank * sizeof *also + 1);
	if (!also)
		return diag_set(d, "out of memory");
	t->also = also;
	if (!is_input)
		return read_also(g, list, t, also, d);
	unsigned axis = 0;
	if (!cJSON_IsArray(dims) || cJSON_GetArraySize(dims) != t->rank)
		return diag_set(d, "key \"dims\": expected %u names", t->rank);
	cJSON_ArrayForEach(name, dims)
	{
		if (!read_dim(g, cJSON_GetObjectItemCaseSensitive(model, "dims"), name, t, axis++, also, d))
			return false;
	}
	return true;
}

/* ---- fewer */

static void forget(graph *g, uint32_t assignment)
{
	for (uint32_t i = 0; i < g->ntensors; i++) {
		graph_tensor *t = &g->tensors[i];
		t->shape = graph_shape_in(t, assignment);
		t->also = NULL;
		t->numel = 1;
		for (unsigned k = 0; k < t->rank; k++)
			if (__builtin_mul_overflow(t->numel, t->shape[k], &t->numel))
				t->numel = INT64_MAX;
	}
	g->assignments = 0;
}

bool assignments_take(graph *g, uint32_t assignment)
{
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		graph_node *n = &g->nodes[i];
		int64_t *symbols = arena_alloc(g->arena, n->nsym * sizeof *symbols + 1);
		if (!symbols)
			return false;
		graph_symbols_in(g, n, assignment, symbols);
		n->symbols = symbols;
	}
	forget(g, assignment);
	return true;
}

void assignments_tidy(graph *g)
{
	for (uint32_t i = RS_NONE; g->assignments && (i = rs_graph_next_input(g, i)) != RS_NONE;)
		for (unsigned k = 0; is_fed(g, i) && k < g->tensors[i].rank; k++)
			if (graph_varies(g, &g->tensors[i], k))
				return;
	if (g->assignments)
		forget(g, 0);
}

void assignments_keep(graph *g, uint32_t assignment)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].also)
			g->tensors[i].also = graph_shape_in(&g->tensors[i], assignment);
	g->assignments = 2;
}
