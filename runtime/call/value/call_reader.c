#include "call_reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "rulesmith.h"

typedef struct reader {
	const char *text, *at;
	arena *memory;
	diag *d;
	unsigned depth;
} reader;

static bool fail(const reader *r, const char *what)
{
	return diag_set(r->d, "column %d: %s", (int)(r->at - r->text) + 1, what);
}

static void skip(reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
		r->at++;
}

/* Skips a character if it is the next one. */
static bool accept(reader *r, char c)
{
	skip(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static size_t name_length(const char *text, bool dotted)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_' || (dotted && text[n] == '.' && begins_name(text[n + 1])))
		n++;
	return n;
}

static bool read_integer(reader *r, int64_t *value)
{
	skip(r);
	char *end;
	errno = 0;
	const char *digits = r->at + (*r->at == '-');
	const long long found = isdigit((unsigned char)*digits) ? strtoll(r->at, &end, 10) : 0;
	if (!isdigit((unsigned char)*digits))
		return fail(r, "expected an integer");
	if (errno)
		return fail(r, "the integer has more than 64 bits");
	r->at = end;
	*value = found;
	return true;
}

static bool read_number(reader *r, call_value *out)
{
	const char *from = r->at, *p = from + (*from == '-' || *from == '+');
	bool whole = true;
	for (; isalnum((unsigned char)*p) || *p == '.' || ((*p == '-' || *p == '+') && (p[-1] == 'e' || p[-1] == 'E')); p++) {
		if (p[0] == '.' && p[1] == '.')
			break;
		whole = whole && isdigit((unsigned char)*p);
	}
	if (whole) {
		out->kind = CALL_INT;
		r->at += *from == '+';
		return read_integer(r, &out->integer);
	}
	char *end;
	out->kind = CALL_FLOAT;
	out->text = arena_strndup(r->memory, from, (size_t)(p - from));
	out->number = out->text ? strtod(out->text, &end) : 0;
	if (!out->text || *end || end == out->text)
		return fail(r, "expected a number");
	r->at = p;
	return true;
}

static bool read_string(reader *r, call_value *out)
{
	const char quote = *r->at++;
	buf text = {0};
	buf_puts(&text, "");
	for (; *r->at && *r->at != quote; r->at++) {
		if (*r->at == '\\' && r->at[1])
			r->at++;
		buf_putc(&text, *r->at);
	}
	out->kind = CALL_STRING;
	out->text = arena_strdup(r->memory, buf_text(&text));
	const bool ok = out->text && !text.failed;
	buf_free(&text);
	if (!ok)
		return diag_memory(r->d, false);
	return *r->at ? (r->at++, true) : fail(r, "the string is not terminated");
}

static bool read_value(reader *r, call_value *out);

/* Values up to a closing bracket. *comma: whether a comma stands behind the last one. */
static bool read_values(reader *r, char close, call_value *out, bool *comma)
{
	size_t room = 0;
	call_value *items = NULL;
	*comma = false;
	if (r->depth >= CALL_DEEPEST)
		return fail(r, "lists are nested too deep");
	r->depth++;
	while (!accept(r, close)) {
		if (out->n && !*comma)
			return fail(r, "expected a comma or the end of the list");
		if (out->n == room) {
			room = room ? 2 * room : 4;
			call_value *more = ARENA_ARRAY(r->memory, call_value, room);
			if (!more)
				return diag_memory(r->d, false);
			if (out->n)
				memcpy(more, items, out->n * sizeof *items);
			items = more;
		}
		if (!read_value(r, &items[out->n]))
			return false;
		out->n++;
		*comma = accept(r, ',');
	}
	out->items = items;
	r->depth--;
	return true;
}

static bool read_sequence(reader *r, call_value *out)
{
	const bool list = *r->at++ == '[';
	bool comma;
	out->kind = list ? CALL_LIST : CALL_TUPLE;
	if (!read_values(r, list ? ']' : ')', out, &comma))
		return false;
	if (!list && out->n == 1 && !comma) { /* parentheses around one value */
		const call_value inside = out->items[0];
		*out = inside;
	}
	return true;
}

static const struct {
	const char *text;
	rs_dtype dtype;
} SHORT[] = {{"b8", RS_BOOL}, {"u4", RS_UINT4}, {"u8", RS_UINT8}, {"u16", RS_UINT16}, {"u32", RS_UINT32}, {"u64", RS_UINT64},
    {"i4", RS_INT4}, {"i8", RS_INT8}, {"i16", RS_INT16}, {"i32", RS_INT32}, {"i64", RS_INT64}, {"f16", RS_FLOAT16},
    {"bf16", RS_BFLOAT16}, {"f32", RS_FLOAT32}, {"f64", RS_FLOAT64}, {"c32", RS_COMPLEX32}, {"c64", RS_COMPLEX64},
    {"c128", RS_COMPLEX128}, {"str", RS_STRING}};

static bool find_dtype(const char *text, size_t n, uint8_t *dtype)
{
	char name[16];
	if (n == 0 || n >= sizeof name)
		return false;
	memcpy(name, text, n);
	name[n] = '\0';
	for (size_t i = 0; i < sizeof SHORT / sizeof *SHORT; i++)
		if (strcmp(SHORT[i].text, name) == 0) {
			*dtype = (uint8_t)SHORT[i].dtype;
			return true;
		}
	*dtype = (uint8_t)rs_dtype_parse(name);
	return *dtype != RS_OTHER || strcmp(name, "other") == 0;
}

static bool read_bounds(reader *r, call_value *out)
{
	skip(r);
	if (strncmp(r->at, "in", 2) != 0 || isalnum((unsigned char)r->at[2]))
		return true;
	r->at += 2;
	int64_t last;
	if (!read_integer(r, &out->low) || (!(accept(r, '.') && accept(r, '.')) && !fail(r, "expected '..'")) || !read_integer(r, &last))
		return false;
	if (last == INT64_MAX)
		return fail(r, "the bound has more than 64 bits");
	out->bounded = true;
	out->high = last + 1;
	return true;
}

/* The rest of a tensor, behind its dtype. */
static bool read_tensor(reader *r, call_value *out)
{
	bool comma;
	call_value inside = {0};
	const bool shape = *r->at == '[';
	r->at++;
	if (!read_values(r, shape ? ']' : ')', &inside, &comma))
		return false;
	if (!shape) {
		out->kind = CALL_ELEMENTS;
		out->items = inside.items;
		out->n = inside.n;
		return inside.n == 1 || fail(r, "expected one value: the elements of the tensor");
	}
	int64_t *dims = ARENA_ARRAY(r->memory, int64_t, inside.n + 1);
	if (!dims)
		return diag_memory(r->d, false);
	for (size_t i = 0; i < inside.n; i++) {
		if (inside.items[i].kind != CALL_INT || inside.items[i].integer < 0)
			return fail(r, "the sizes of a tensor must be integers >= 0");
		dims[i] = inside.items[i].integer;
	}
	out->kind = CALL_TENSOR;
	out->dims = dims;
	out->n = inside.n;
	return read_bounds(r, out);
}

static bool read_word(reader *r, call_value *out)
{
	size_t n = *r->at == '?' ? 1 : name_length(r->at, true);
	const char next = r->at[n];
	if (next == '[' || next == '(') {
		out->dtype = RS_OTHER;
		if (*r->at != '?' && !find_dtype(r->at, n, &out->dtype))
			return fail(r, "unknown dtype");
		r->at += n;
		return read_tensor(r, out);
	}
	if (*r->at == '?')
		return fail(r, "expected the sizes of a tensor");
	const char *word = arena_strndup(r->memory, r->at, n);
	if (!word)
		return diag_memory(r->d, false);
	r->at += n;
	*out = (call_value){.kind = CALL_NAME, .text = word};
	if (strcmp(word, "None") == 0)
		out->kind = CALL_NONE;
	else if (strcmp(word, "True") == 0 || strcmp(word, "False") == 0)
		*out = (call_value){.kind = CALL_BOOL, .integer = *word == 'T'};
	else if (strcmp(word, "inf") == 0 || strcmp(word, "nan") == 0)
		*out = (call_value){.kind = CALL_FLOAT, .text = word, .number = strtod(word, NULL)};
	return true;
}

static bool read_value(reader *r, call_value *out)
{
	skip(r);
	*out = (call_value){0};
	const char c = *r->at;
	if (c == '[' || c == '(')
		return read_sequence(r, out);
	if (c == '\'' || c == '"')
		return read_string(r, out);
	if (strncmp(r->at, "-inf", 4) == 0 || strncmp(r->at, "-nan", 4) == 0) {
		*out = (call_value){.kind = CALL_FLOAT, .text = r->at[1] == 'i' ? "-inf" : "-nan"};
		out->number = strtod(out->text, NULL);
		r->at += 4;
		return true;
	}
	if (c == '-' || c == '+' || c == '.' || isdigit((unsigned char)c))
		return read_number(r, out);
	return begins_name(c) || c == '?' ? read_word(r, out) : fail(r, "expected a value");
}

static bool read_arg(reader *r, call_arg *out)
{
	skip(r);
	const size_t n = begins_name(*r->at) ? name_length(r->at, false) : 0;
	const char *behind = r->at + n;
	while (*behind == ' ')
		behind++;
	*out = (call_arg){0};
	if (n && *behind == '=') {
		out->name = arena_strndup(r->memory, r->at, n);
		if (!out->name)
			return diag_memory(r->d, false);
		r->at = behind + 1;
	}
	return read_value(r, &out->value);
}

static bool read_args(reader *r, call *out)
{
	size_t room = 0;
	bool comma = true;
	while (!accept(r, ')')) {
		if (!comma)
			return fail(r, "expected a comma or ')'");
		if (out->nargs == room) {
			room = room ? 2 * room : 8;
			call_arg *more = ARENA_ARRAY(r->memory, call_arg, room);
			if (!more)
				return diag_memory(r->d, false);
			if (out->nargs)
				memcpy(more, out->args, out->nargs * sizeof *more);
			out->args = more;
		}
		if (!read_arg(r, &out->args[out->nargs]))
			return false;
		if (!out->args[out->nargs].name && out->nargs && out->args[out->nargs - 1].name)
			return fail(r, "a positional argument follows a keyword argument");
		out->nargs++;
		comma = accept(r, ',');
	}
	return true;
}

bool call_parse(const char *text, arena *memory, call *out, diag *d)
{
	reader r = {.text = text, .at = text, .memory = memory, .d = d};
	*out = (call){0};
	if (strlen(text) > CALL_LONGEST)
		return diag_set(d, "the call is longer than %d bytes", CALL_LONGEST);
	skip(&r);
	const size_t n = begins_name(*r.at) ? name_length(r.at, true) : 0;
	if (!n)
		return fail(&r, "expected the name of an API");
	out->api = arena_strndup(memory, r.at, n);
	r.at += n;
	if (!out->api)
		return diag_memory(d, false);
	if (!accept(&r, '('))
		return fail(&r, "expected '(' behind the name");
	if (!read_args(&r, out))
		return false;
	skip(&r);
	return !*r.at || fail(&r, "expected nothing behind the call");
}

bool call_parse_value(const char *text, arena *memory, call_value *out, diag *d)
{
	reader r = {.text = text, .at = text, .memory = memory, .d = d};
	if (!read_value(&r, out))
		return false;
	skip(&r);
	return !*r.at || fail(&r, "expected nothing behind the value");
}
