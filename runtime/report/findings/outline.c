#include "outline.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"

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

/* Integers with commas between them. */
static void put_numbers(const cJSON *list, buf *out)
{
	const cJSON *item;
	const char *comma = "";
	cJSON_ArrayForEach(item, list)
	{
		int64_t n = 0;
		if (json_int64(item, &n) == JSON_NOT_INT)
			buf_printf(out, "%s?", comma);
		else
			buf_printf(out, "%s%" PRId64, comma, n);
		comma = ",";
	}
}

/* ---- tensors */

static bool add_tensor(reading *r, const cJSON *t, int32_t node)
{
	outline *o = r->o;
	buf shape = {0}, filled = {0};
	const cJSON *range = cJSON_GetObjectItemCaseSensitive(t, "range");
	int64_t id;
	if (json_int64(cJSON_GetObjectItemCaseSensitive(t, "id"), &id) != JSON_INT || outline_find(o, id) >= 0)
		return diag_set(r->d, "no model: a tensor without an id of its own");
	put_numbers(cJSON_GetObjectItemCaseSensitive(t, "shape"), &shape);
	buf_puts(&filled, json_text(t, "values"));
	if (cJSON_GetArraySize(range) == 2) {
		buf_puts(&filled, filled.length ? " " : "");
		int64_t low = 0, high = 0;
		json_int64(cJSON_GetArrayItem(range, 0), &low);
		json_int64(cJSON_GetArrayItem(range, 1), &high);
		buf_printf(&filled, "%" PRId64 "…%" PRId64, low, high > INT64_MIN ? high - 1 : high);
	}
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
		return diag_set(r->d, "no model: a call takes a tensor that there is not");
	for (int32_t i = 0; i < r->nuses; i++)
		if (r->uses[i] == place)
			return true;
	r->uses[r->nuses++] = place; /* no more than there are tensors */
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
		return diag_set(r->d, "no model: lists within lists");
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
		return diag_set(r->d, "no model: no list of calls, or more than %d of them or of tensors", OUTLINE_MOST);
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
	return true;
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

/* ---- the listing */

void outline_type(const outline_tensor *t, buf *out)
{
	buf_printf(out, "%s[%s]", t->dtype, t->shape);
}

static void put_tensor(const outline_tensor *t, const outline_style *s, buf *out)
{
	buf type = {0};
	outline_type(t, &type);
	buf_printf(out, "t%" PRId64 ": %s", t->id, s->type[0]);
	s->text(out, buf_text(&type));
	buf_puts(out, s->type[1]);
	if (t->constant)
		buf_printf(out, " %sconstant%s", s->word[0], s->word[1]);
	if (*t->filled) {
		buf_putc(out, ' ');
		s->text(out, t->filled);
	}
	buf_end(out, &type);
}

static void put_call(const outline *o, const outline_node *n, const outline_style *s, buf *out)
{
	buf_puts(out, "  ");
	for (int32_t i = 0; i < n->noutputs; i++) {
		buf_puts(out, i ? ", " : "");
		put_tensor(&o->tensors[n->first + i], s, out);
	}
	buf_printf(out, " = %s%s", n->random ? "random " : "", s->call[0]);
	s->text(out, n->api);
	buf_printf(out, "%s(", s->call[1]);
	s->text(out, n->arguments);
	buf_puts(out, ")\n");
}

void outline_print(const outline *o, const outline_style *s, buf *out)
{
	buf_printf(out, "%smodel%s(", s->word[0], s->word[1]);
	for (int32_t i = 0; i < o->ninputs; i++) {
		buf_puts(out, i ? ",\n      " : "");
		put_tensor(&o->tensors[i], s, out);
	}
	buf_puts(out, "):\n");
	for (int32_t i = 0; i < o->nnodes; i++)
		put_call(o, &o->nodes[i], s, out);
	const char *comma = " ";
	buf_printf(out, "  %sreturn%s", s->word[0], s->word[1]);
	for (int32_t i = 0; i < o->ntensors; i++)
		if (o->tensors[i].result) {
			buf_printf(out, "%st%" PRId64, comma, o->tensors[i].id);
			comma = ", ";
		}
	buf_putc(out, '\n');
}
