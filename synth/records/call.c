#include "call.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identifier.h"
#include "json.h"
#include "need.h"

enum { MAX_NESTING = 16 };

typedef struct reader {
	call *c;
	arena *memory;
	const char *path;
	long line;
	diag *d;
	bool in_elements; /* tensors are not allowed here */
	int depth;	  /* nesting depth of lists */
} reader;

#define BAD(r, ...) diag_at((r)->d, (r)->path, (r)->line, __VA_ARGS__)

static const char *copy(const reader *r, const char *text)
{
	return need(arena_strdup(r->memory, text), strlen(text));
}

/* Checks that the text is the next symbol in order, such as "s12" or "o3". */
static bool check_symbol(const reader *r, const char *text, char letter, int due)
{
	char want[16];
	snprintf(want, sizeof want, "%c%d", letter, due);
	return strcmp(text, want) == 0
	       || BAD(r, "expected symbol \"%s\", got \"%.40s\" (symbols are numbered in order)", want, text);
}

static bool read_symbol(reader *r, const char *text)
{
	if (r->c->nsym == CALL_SYMBOLS)
		return BAD(r, "more than %d symbols", CALL_SYMBOLS);
	return check_symbol(r, text, 's', r->c->nsym++);
}

/* ---- values */

static bool read_value(reader *r, const cJSON *item, call_value *to);

static bool read_dtype(const reader *r, const cJSON *item, call_value *to)
{
	const char *dtype = json_string(item, "dtype", r->path, r->line, r->d);
	to->text = dtype ? copy(r, dtype) : NULL;
	return dtype != NULL;
}

/* The two symbols that bound a tensor's elements, if there are any. */
static bool read_range(reader *r, const cJSON *range, call_value *to)
{
	const cJSON *bound;
	to->ranged = range != NULL;
	if (range && (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2))
		return BAD(r, "key \"range\": expected two symbols");
	cJSON_ArrayForEach(bound, range)
	{
		if (!cJSON_IsString(bound))
			return BAD(r, "a bound of a range is not a symbol");
		if (!read_symbol(r, bound->valuestring))
			return false;
	}
	return true;
}

static bool read_tensor(reader *r, const cJSON *item, call_value *to)
{
	const cJSON *dims = json_array(item, "tensor", r->path, r->line, r->d), *dim;
	if (!dims || !read_dtype(r, item, to))
		return false;
	if (r->in_elements)
		return BAD(r, "key \"elements\": tensors are not allowed here");
	to->kind = CALL_TENSOR;
	to->first = r->c->nsym;
	to->held = cJSON_HasObjectItem(item, "held");
	cJSON_ArrayForEach(dim, dims)
	{
		if (!cJSON_IsString(dim))
			return BAD(r, "a tensor's dimension is not a symbol");
		if (!read_symbol(r, dim->valuestring))
			return false;
	}
	to->count = r->c->nsym - to->first;
	r->c->nin++;
	return read_range(r, cJSON_GetObjectItemCaseSensitive(item, "range"), to);
}

static bool read_elements(reader *r, const cJSON *item, const cJSON *inner, call_value *to)
{
	if (!read_dtype(r, item, to))
		return false;
	if (r->in_elements)
		return BAD(r, "key \"elements\": tensors are not allowed here");
	call_value *value = NEED_ARRAY(r->memory, call_value, 1);
	to->kind = CALL_ELEMENTS;
	to->count = 1;
	to->items = value;
	r->in_elements = true;
	bool ok = read_value(r, inner, value);
	r->in_elements = false;
	return ok;
}

static bool read_const(reader *r, const cJSON *item, const cJSON *literal, call_value *to)
{
	const cJSON *seen = cJSON_GetObjectItemCaseSensitive(item, "seen"), *text;
	if (!cJSON_IsString(literal))
		return BAD(r, "key \"const\": expected a string");
	if (seen && !cJSON_IsArray(seen))
		return BAD(r, "key \"seen\": expected an array");
	const char **floats = NEED_ARRAY(r->memory, const char *, cJSON_GetArraySize(seen));
	to->kind = CALL_CONST;
	to->text = copy(r, literal->valuestring);
	to->seen = floats;
	cJSON_ArrayForEach(text, seen)
	{
		if (!cJSON_IsString(text))
			return BAD(r, "key \"seen\": expected strings");
		floats[to->count++] = copy(r, text->valuestring);
	}
	return true;
}

static bool read_list(reader *r, const cJSON *item, call_value *to)
{
	call_value *items = NEED_ARRAY(r->memory, call_value, cJSON_GetArraySize(item));
	const cJSON *child;
	if (++r->depth > MAX_NESTING)
		return BAD(r, "lists are nested more than %d deep", MAX_NESTING);
	to->kind = CALL_LIST;
	to->items = items;
	cJSON_ArrayForEach(child, item) if (!read_value(r, child, &items[to->count++])) return false;
	r->depth--;
	return true;
}

static bool read_value(reader *r, const cJSON *item, call_value *to)
{
	const cJSON *inner;
	if (cJSON_IsString(item)) {
		*to = (call_value){.kind = CALL_INT, .first = r->c->nsym};
		return read_symbol(r, item->valuestring);
	}
	if (cJSON_IsArray(item))
		return read_list(r, item, to);
	if (cJSON_GetObjectItemCaseSensitive(item, "tensor"))
		return read_tensor(r, item, to);
	if ((inner = cJSON_GetObjectItemCaseSensitive(item, "elements")))
		return read_elements(r, item, inner, to);
	if ((inner = cJSON_GetObjectItemCaseSensitive(item, "const")))
		return read_const(r, item, inner, to);
	return BAD(r, "expected a symbol, a tensor, elements, a constant or a list");
}

/* ---- arguments and outputs */

static bool read_argument(reader *r, const cJSON *item, call_argument *to)
{
	const char *name = json_string(item, "name", r->path, r->line, r->d);
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, "value");
	const cJSON *pos = cJSON_GetObjectItemCaseSensitive(item, "pos");
	if (!name)
		return false;
	if (!is_identifier(name))
		return BAD(r, "argument name \"%.100s\" is not an identifier", name);
	if (!cJSON_IsBool(pos))
		return BAD(r, "argument \"%.100s\": key \"pos\": expected true or false", name);
	if (!value)
		return BAD(r, "argument \"%.100s\": key \"value\" is missing", name);
	to->name = copy(r, name);
	to->by_position = cJSON_IsTrue(pos);
	return read_value(r, value, &to->value);
}

static bool read_arguments(reader *r, const cJSON *list)
{
	call_argument *args = NEED_ARRAY(r->memory, call_argument, cJSON_GetArraySize(list));
	const cJSON *item;
	r->c->args = args;
	cJSON_ArrayForEach(item, list) if (!read_argument(r, item, &args[r->c->nargs++])) return false;
	return true;
}

static bool read_output(reader *r, const cJSON *item, call_output *to)
{
	call *c = r->c;
	const cJSON *dims = json_array(item, "tensor", r->path, r->line, r->d), *dim;
	const char *dtype = dims ? json_string(item, "dtype", r->path, r->line, r->d) : NULL;
	if (!dtype)
		return false;
	*to = (call_output){.dtype = copy(r, dtype), .first = c->nodim, .rank = cJSON_GetArraySize(dims)};
	if (to->rank > CALL_DIMS - c->nodim)
		return BAD(r, "more than %d output dimensions", CALL_DIMS);
	cJSON_ArrayForEach(dim, dims)
	{
		if (!cJSON_IsString(dim))
			return BAD(r, "an output's dimension is not a symbol");
		if (!check_symbol(r, dim->valuestring, 'o', c->nodim++))
			return false;
	}
	return true;
}

static bool read_outputs(reader *r, const cJSON *list)
{
	call_output *outputs = NEED_ARRAY(r->memory, call_output, cJSON_GetArraySize(list));
	const cJSON *item;
	r->c->outputs = outputs;
	cJSON_ArrayForEach(item, list) if (!read_output(r, item, &outputs[r->c->nout++])) return false;
	return true;
}

bool call_read(call *c, arena *memory, const cJSON *object, const char *path, long line, diag *d)
{
	reader r = {.c = c, .memory = memory, .path = path, .line = line, .d = d};
	*c = (call){.nargs = 0};
	const cJSON *args = json_array(object, "args", path, line, d);
	const cJSON *outputs = args ? json_array(object, "outputs", path, line, d) : NULL;
	return outputs && read_arguments(&r, args) && read_outputs(&r, outputs);
}

/* ---- queries */

const call_value *call_named(const call *c, const char *name)
{
	for (int i = 0; i < c->nargs; i++)
		if (strcmp(c->args[i].name, name) == 0)
			return &c->args[i].value;
	return NULL;
}

bool call_is_none(const call_value *v)
{
	return !v || (v->kind == CALL_CONST && strcmp(v->text, "None") == 0);
}

bool call_integer(const call_value *v, int64_t *to)
{
	char *end;
	if (v->kind == CALL_ELEMENTS)
		return call_integer(v->items, to);
	if (v->kind != CALL_CONST || !v->text[0])
		return false;
	errno = 0;
	*to = strtoll(v->text, &end, 10);
	return errno == 0 && *end == '\0';
}
