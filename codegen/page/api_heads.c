#include "api_heads.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "name.h"
#include "need.h"
#include "text.h"

typedef struct head {
	const char *api, *parameters;
	int order; /* in its file */
} head;

struct api_heads {
	head *list; /* sorted by API */
	size_t n, room;
	arena *memory;
};

enum { MOST_PARAMETERS = 64, MOST_OVERLOADS = 16 };

typedef struct parameter {
	const char *name, *end; /* of the name */
	const char *value;	/* its default; NULL: none */
	int length;		/* of the default */
	bool optional, packed;
} parameter;

typedef struct overload {
	parameter list[MOST_PARAMETERS];
	int n, keywords; /* keywords: from this one on; n: none */
} overload;

api_heads *api_heads_new(void)
{
	api_heads *h = need(calloc(1, sizeof *h), sizeof *h);
	h->memory = arena_new();
	return h;
}

void api_heads_free(api_heads *h)
{
	if (!h)
		return;
	free(h->list);
	arena_free(h->memory);
	free(h);
}

static int by_api(const void *a, const void *b)
{
	const head *x = a, *y = b;
	int order = strcmp(x->api, y->api);
	return order ? order : x->order - y->order;
}

bool api_heads_read(api_heads *h, const char *path, diag *d)
{
	size_t length;
	char *text = file_read(path, &length, d);
	long line = 0;
	for (char *at = text, *end; at && *at; at = end + 1) {
		end = at + strcspn(at, "\n");
		char *tab = memchr(at, '\t', (size_t)(end - at));
		if (!*end || !tab) {
			free(text);
			return diag_at(d, path, line + 1, "expected two columns and the end of a line");
		}
		if (line++ == 0)
			continue;
		h->list = NEED_ROOM(h->list, h->n, h->room);
		h->list[h->n] = (head){need(arena_printf(h->memory, "%.*s", (int)(tab - at), at), 1),
		    need(arena_printf(h->memory, "%.*s", (int)(end - tab - 1), tab + 1), 1), (int)h->n};
		h->n++;
	}
	bool ok = text != NULL;
	free(text);
	if (h->n)
		qsort(h->list, h->n, sizeof *h->list, by_api);
	return ok;
}

/* ---- parameters */

/* The end of a parameter: a comma outside of brackets and quotes. */
static const char *end_of(const char *at)
{
	int depth = 0;
	for (char quote = 0; *at; at++) {
		if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '\'' || *at == '"')
			quote = *at;
		else if (*at == '(' || *at == '[' || *at == '{')
			depth++;
		else if (*at == ')' || *at == ']' || *at == '}')
			depth--;
		else if (*at == ',' && depth <= 0)
			break;
	}
	return at;
}

/* `Tensor? bias=None`: the name follows the last blank before the default. */
static parameter read_parameter(const char *at, const char *end)
{
	const char *equals = memchr(at, '=', (size_t)(end - at)), *name = at;
	parameter p = {.end = equals ? equals : end};
	for (const char *c = at; c < p.end; c++)
		if (*c == ' ')
			name = c + 1;
	p.name = name;
	p.optional = name - at > 1 && name[-2] == '?';
	p.packed = name - at > 3 && memcmp(name - 4, "...", 3) == 0;
	p.value = equals ? equals + 1 : NULL;
	p.length = equals ? (int)(end - equals - 1) : 0;
	return p;
}

static overload read_overload(const char *text)
{
	overload o = {.keywords = -1};
	for (const char *at = text, *end; *at && o.n < MOST_PARAMETERS; at = *end ? end + 1 + (end[1] == ' ') : end) {
		end = end_of(at);
		if (end - at == 1 && *at == '*')
			o.keywords = o.n;
		else if (end > at)
			o.list[o.n++] = read_parameter(at, end);
	}
	o.keywords = o.keywords < 0 ? o.n : o.keywords;
	return o;
}

static bool is_named(const parameter *p, const char *name)
{
	const size_t n = strlen(name);
	return n == (size_t)(p->end - p->name) && memcmp(name, p->name, n) == 0;
}

static bool has_parameter(const overload *o, const char *name)
{
	for (int k = 0; k < o->n; k++)
		if (is_named(&o->list[k], name))
			return true;
	return false;
}

static void put_parameter(buf *to, const parameter *p)
{
	buf text = {0};
	buf_puts(&text, p->packed ? "*" : "");
	buf_add(&text, p->name, (size_t)(p->end - p->name));
	if (p->value) {
		buf_putc(&text, '=');
		buf_add(&text, p->value, (size_t)p->length);
	}
	name_comment(to, need_text(&text));
	buf_free(&text);
}

static void put_call(buf *out, const api_view *v, const overload *o, const char *behind)
{
	buf line = {0};
	name_comment(&line, v->api->name);
	buf_putc(&line, '(');
	for (int k = 0; k < o->n; k++) {
		buf_puts(&line, k ? ", " : "");
		if (k == o->keywords && (k == 0 || !o->list[k - 1].packed))
			buf_puts(&line, "*, ");
		put_parameter(&line, &o->list[k]);
	}
	buf_printf(&line, ")%s", behind);
	text_prose(out, *behind ? "/* " : " * ", " *     ", need_text(&line));
	buf_free(&line);
}

/* ---- the overloads of an API */

static int overloads_of(const api_heads *h, const char *api, overload *to)
{
	int n = 0;
	size_t low = 0, high = h ? h->n : 0;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(h->list[middle].api, api) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; h && low < h->n && n < MOST_OVERLOADS && strcmp(h->list[low].api, api) == 0; low++)
		to[n++] = read_overload(h->list[low].parameters);
	return n;
}

/* Whether a call may be one of an overload: it has all its arguments. */
static bool is_of(const overload *o, const call *c)
{
	for (int k = 0; k < c->nargs; k++)
		if (!has_parameter(o, c->args[k].name))
			return false;
	return true;
}

static void put_recorded(buf *out, const api_view *v, const char *behind)
{
	buf line = {0};
	name_comment(&line, v->api->name);
	buf_putc(&line, '(');
	for (int k = 0; k < v->narguments; k++) {
		buf_puts(&line, k ? ", " : "");
		name_comment(&line, v->arguments[k].name);
		buf_puts(&line, v->arguments[k].missing ? "?" : "");
	}
	buf_printf(&line, ")%s", behind);
	text_prose(out, "/* ", " *     ", need_text(&line));
	buf_free(&line);
}

/* The overload of most signatures that are open; -1: of none. */
static int next_overload(const overload *list, int n, const api_view *v, const bool *done)
{
	int best = -1, most = 0;
	for (int k = 0; k < n; k++) {
		int of = 0;
		for (int i = 0; i < v->n; i++)
			of += !done[i] && is_of(&list[k], v->rows[i].op->call);
		if (of > most) {
			best = k;
			most = of;
		}
	}
	return best;
}

void api_heads_put(buf *out, const api_heads *h, const api_view *v)
{
	overload *list = NEED_ARRAY(v->memory, overload, MOST_OVERLOADS);
	bool *done = NEED_ARRAY(v->memory, bool, v->n);
	int n = overloads_of(h, v->api->name, list), k, said = 0;
	const rule_op *op = v->rows[0].op;
	buf version = {0};
	name_comment(&version, op->version ? op->version : "");
	const char *behind = need(arena_printf(v->memory, version.length ? "  %s %s" : "  %s", op->framework, need_text(&version)), 1);
	buf_free(&version);
	while ((k = next_overload(list, n, v, done)) >= 0) {
		put_call(out, v, &list[k], said++ ? "" : behind);
		for (int i = 0; i < v->n; i++)
			done[i] |= is_of(&list[k], v->rows[i].op->call);
	}
	if (!said)
		put_recorded(out, v, behind);
}

/* A default that is an integer, or a list of equal ones. */
static bool integer_of(const parameter *p, int64_t *to)
{
	bool any = false;
	const char *end = p->value + p->length;
	for (const char *at = p->value; at < end;) {
		char *next;
		if (strchr("[], ", *at)) {
			at++;
			continue;
		}
		const int64_t number = strtoll(at, &next, 10);
		if (next == at || next > end || (next < end && !strchr("], ", *next)) || (any && number != *to))
			return false;
		*to = number;
		any = true;
		at = next;
	}
	return any;
}

void api_heads_add_defaults(const api_heads *h, api_view *v)
{
	overload *list = NEED_ARRAY(v->memory, overload, MOST_OVERLOADS);
	const int n = overloads_of(h, v->api->name, list);
	for (int k = 0; k < n; k++)
		for (int j = 0; j < list[k].n; j++) {
			const parameter *p = &list[k].list[j];
			int64_t number = 0;
			if (!p->value || *p->value == '\0')
				continue;
			const char *name = need(arena_printf(v->memory, "%.*s", (int)(p->end - p->name), p->name), 1);
			if (integer_of(p, &number))
				view_add_default(v, name, number);
			if (strncmp(p->value, "None", 4) != 0)
				view_add_text(v, name, need(arena_printf(v->memory, "%.*s", p->length, p->value), 1));
		}
}

void api_heads_put_unused(buf *to, const api_heads *h, const api_view *v)
{
	overload *list = NEED_ARRAY(v->memory, overload, MOST_OVERLOADS);
	bool *done = NEED_ARRAY(v->memory, bool, v->n);
	int n = overloads_of(h, v->api->name, list), k = next_overload(list, n, v, done);
	for (int j = 0; k >= 0 && j < list[k].n; j++) {
		bool known = false;
		for (int a = 0; a < v->narguments && !known; a++)
			known = is_named(&list[k].list[j], v->arguments[a].name);
		if (known)
			continue;
		parameter p = list[k].list[j];
		p.value = NULL;
		buf_puts(to, to->length ? ", " : "");
		put_parameter(to, &p);
	}
}
