#include "tabletext.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "words.h"

/* ---- tokens: a word, a number, a string (its parts joined), or a character */

typedef struct token {
	char kind; /* 'w', '0', '"', the character, or 0: the end */
	const char *at;
	unsigned n;
	char *string;
} token;

typedef struct tokens {
	token *t;
	unsigned n, room;
} tokens;

static void add(tokens *x, token t)
{
	if (x->n == x->room) {
		x->room = x->room ? 2 * x->room : 1 << 16;
		x->t = memory_grow(x->t, x->room, sizeof *x->t);
	}
	x->t[x->n++] = t;
}

static const char *take_string(const char *p, char *to)
{
	while (*p == '"') {
		for (p++; *p && *p != '"'; to++) {
			if (*p != '\\') {
				*to = *p++;
			} else if (p[1] >= '0' && p[1] <= '7') {
				unsigned x = 0, k = 0;
				for (p++; k < 3 && *p >= '0' && *p <= '7'; k++)
					x = 8 * x + (unsigned)(*p++ - '0');
				*to = (char)x;
			} else {
				*to = p[1] == 'n' ? '\n' : p[1] == 't' ? '\t' : p[1];
				p += 2;
			}
		}
		const char *next = *p ? p + 1 : p;
		p = next;
		while (isspace((unsigned char)*next))
			next++;
		if (*next == '"')
			p = next;
	}
	*to = 0;
	return p;
}

/* Room enough for a string and those that follow it. */
static size_t string_room(const char *p)
{
	const char *q = p;
	bool in = false;
	for (; *q && (in || *q == '"' || isspace((unsigned char)*q)); q++) {
		if (*q == '"')
			in = !in;
		q += in && *q == '\\' && q[1];
	}
	return (size_t)(q - p) + 1;
}

static tokens tokens_of(const char *p)
{
	tokens x = {0};
	while (*p) {
		token t = {*p, p, 1, NULL};
		if (isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		if (isalpha((unsigned char)*p) || *p == '_' || isdigit((unsigned char)*p)) {
			t.kind = isdigit((unsigned char)*p) ? '0' : 'w';
			while (isalnum((unsigned char)*p) || *p == '_')
				p++;
			t.n = (unsigned)(p - t.at);
		} else if (*p == '"') {
			t.string = memory_new(string_room(p), 1);
			p = take_string(p, t.string);
		} else {
			p++;
		}
		add(&x, t);
	}
	add(&x, (token){0, p, 0, NULL});
	return x;
}

static bool word(const token *t, const char *text)
{
	return t->kind == 'w' && strlen(text) == t->n && !strncmp(t->at, text, t->n);
}

static char *text_of(const token *t)
{
	return t->string ? memory_text(t->string) : memory_part(t->at, t->n);
}

static bool opens(const token *t)
{
	return t->kind == '{' || t->kind == '(' || t->kind == '[';
}

static bool closes(const token *t)
{
	return t->kind == '}' || t->kind == ')' || t->kind == ']';
}

/* The token after an item of a list: its comma, or the closing bracket. */
static const token *behind(const token *t)
{
	for (int depth = 0; t->kind; t++) {
		if (depth == 0 && (t->kind == ',' || closes(t)))
			break;
		depth += opens(t) - closes(t);
	}
	return t;
}

/* A signed number, or a sum of numbers. */
static int64_t number(const token *t)
{
	bool negative = t->kind == '-';
	t += negative;
	uint64_t x = t->kind == '0' ? strtoull(t->at, NULL, 0) : 0;
	for (; t->kind == '0' && t[1].kind == '+' && t[2].kind == '0'; t += 2)
		x += strtoull(t[2].at, NULL, 0);
	return (int64_t)(negative ? -x : x);
}

/* ---- data shared by rows */

typedef struct shared {
	const token *name, *list; /* the opening brace */
} shared;

typedef struct table {
	tokens t;
	shared *all;
	unsigned n;
} table;

static int by_name(const void *a, const void *b)
{
	const token *x = ((const shared *)a)->name, *y = ((const shared *)b)->name;
	unsigned n = x->n < y->n ? x->n : y->n;
	int c = strncmp(x->at, y->at, n);
	return c ? c : (x->n > y->n) - (x->n < y->n);
}

static const token *find_list(const table *x, const token *name)
{
	shared key = {name, NULL}, *s = x->n ? bsearch(&key, x->all, x->n, sizeof key, by_name) : NULL;
	return s ? s->list : NULL;
}

static void index_shared(table *x)
{
	unsigned room = 0;
	for (unsigned i = 0; i + 4 < x->t.n; i++) {
		const token *t = &x->t.t[i];
		if (t->kind != 'w' || t[1].kind != '[' || t[2].kind != ']' || t[3].kind != '=')
			continue;
		if (x->n == room) {
			room = room ? 2 * room : 1024;
			x->all = memory_grow(x->all, room, sizeof *x->all);
		}
		x->all[x->n++] = (shared){t, t + 4};
	}
	if (x->n)
		qsort(x->all, x->n, sizeof *x->all, by_name);
}

/* ---- calls, in words that rules.jsonl can be converted to as well */

/* Items of a list in braces, at most `most`. Returns their number. */
static unsigned items(const token *list, const token **item, unsigned most)
{
	unsigned n = 0;
	if (list->kind != '{')
		return 0;
	for (const token *t = list + 1; t->kind && t->kind != '}';) {
		if (n < most)
			item[n] = t;
		n++;
		t = behind(t);
		t += t->kind == ',';
	}
	return n;
}

static const token *say_value(words *w, const token *t)
{
	const token *part[5];
	if (items(t, part, 5) != 5)
		return NULL;
	long count = (long)number(part[2]), first = (long)number(part[3]);
	char *dtype = text_of(part[1]);
	const token *kind = part[0], *next = behind(t);
	next += next->kind == ',';
	if (word(kind, "RS_TENSOR") || word(kind, "RS_RANGED")) {
		words_add(w, "%s:%s", word(kind, "RS_TENSOR") ? "T" : "R", dtype);
		long symbols = count + (word(kind, "RS_RANGED") ? 2 : 0);
		for (long i = 0; i < symbols; i++)
			words_add(w, ",s%ld", first + i);
	} else if (word(kind, "RS_INT")) {
		words_add(w, "I:s%ld", first);
	} else if (word(kind, "RS_CONST")) {
		words_add(w, "C:%s", part[4]->string ? part[4]->string : "");
	} else if (word(kind, "RS_LIST")) {
		words_add(w, "[");
		for (long i = 0; i < count && next; i++) {
			next = say_value(w, next);
			words_add(w, ";");
		}
		words_add(w, "]");
	} else if (word(kind, "RS_ELEMENTS")) {
		words_add(w, "E:%s:", dtype);
		next = say_value(w, next);
	}
	free(dtype);
	return next;
}

static char *call_of(const table *x, const token *args, const token *values)
{
	static words w;
	const token *a = args ? find_list(x, args) : NULL, *v = values ? find_list(x, values) : NULL, *arg[256], *value[4096];
	w.n = 0;
	w.text[0] = 0;
	if (!a)
		return memory_text("");
	unsigned n = items(a, arg, 256), nvalues = v ? items(v, value, 4096) : 0;
	const token *last = v ? v + 1 : NULL; /* after the last value of an argument */
	for (unsigned i = 0; i < n && i < 256; i++) {
		const token *part[3];
		if (items(arg[i], part, 3) != 3)
			return memory_text("?");
		int64_t where = number(part[1]);
		words_add(&w, "%s%s=", number(part[2]) ? "" : "*", part[0]->string ? part[0]->string : "?");
		const token *next = where < 0 || where >= nvalues || where >= 4096 ? NULL : say_value(&w, value[where]);
		words_add(&w, next ? "|" : "?|");
		last = next > last ? next : last;
	}
	if (last && last->kind != '}')
		words_add(&w, "and values that no argument has");
	return memory_text(w.text);
}

/* ---- rows */

/* A string: a character for each number, '0' above it. */
static void take_characters(const char *text, row *r)
{
	size_t n = strlen(text);
	r->record = memory_new((unsigned)n + 1, sizeof *r->record);
	for (size_t i = 0; i < n; i++)
		r->record[i] = (unsigned char)text[i] - '0';
}

static void take_numbers(const token *t, row *r, bool ranks)
{
	if (t->string) {
		take_characters(t->string, r);
		return;
	}
	while (t->kind && t->kind != '{')
		t++;
	if (!t->kind)
		return;
	unsigned n = items(t, (const token *[1]){0}, 0), i = 0;
	if (!ranks)
		r->record = memory_new(n + 1, sizeof *r->record);
	for (t++; t->kind && t->kind != '}'; i++) {
		if (ranks && i < 256)
			r->ranks[i] = (uint8_t)number(t);
		else if (!ranks)
			r->record[i] = number(t);
		t = behind(t);
		t += t->kind == ',';
	}
	if (ranks)
		r->nout = n < 256 ? n : 256;
}

static void take_field(const token *name, const token *value, row *r, const token **args, const token **values)
{
	struct {
		const char *name;
		char **to;
	} texts[] = {{"name", &r->name}, {"rule", &r->rule}, {"valid", &r->valid}, {"propagate", &r->propagate}};
	struct {
		const char *name;
		unsigned *to;
	} numbers[] = {{"nsym", &r->nsym}, {"nin", &r->nin}, {"nodim", &r->nodim}, {"nrecords", &r->nrecords}};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		if (word(name, texts[i].name))
			*texts[i].to = text_of(value);
	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (word(name, numbers[i].name))
			*numbers[i].to = (unsigned)number(value);
	if (word(name, "args"))
		*args = value;
	else if (word(name, "values"))
		*values = value;
	else if (word(name, "sampler"))
		r->sampler = word(value, "RS_SAMPLER_DIRECT") ? 2 : word(value, "RS_SAMPLER_BOUNDED") ? 1 : 0;
	else if (word(name, "out_ranks"))
		take_numbers(value, r, true);
	else if (word(name, "records"))
		take_numbers(value, r, false);
}

/* The text that a field names. */
static char *program_of(const table *x, const token *value)
{
	const token *text = value->string ? value : find_list(x, value);
	return text_of(text ? text : value);
}

static row row_of(const table *x, const token *t)
{
	row r = {0};
	const token *args = NULL, *values = NULL;
	for (t++; t->kind && t->kind != '}';) {
		if (t->kind == '.' && (word(t + 1, "sample") || word(t + 1, "back")))
			*(word(t + 1, "back") ? &r.back : &r.sample) = program_of(x, t + 3);
		else if (t->kind == '.' && t[1].kind == 'w' && t[2].kind == '=')
			take_field(t + 1, t + 3, &r, &args, &values);
		t = behind(t);
		t += t->kind == ',';
	}
	r.call = call_of(x, args, values);
	return r;
}

bool tabletext_read(const char *text, rows *into, const char **why)
{
	table x = {.t = tokens_of(text)};
	index_shared(&x);
	token name = {'w', "OPS", 3, NULL};
	const token *list = find_list(&x, &name);
	*why = "there is no array OPS in the table";
	if (!list)
		return false;
	unsigned n = items(list, (const token *[1]){0}, 0);
	into->row = memory_new(n + 1, sizeof *into->row);
	into->n = 0;
	for (const token *t = list + 1; t->kind && t->kind != '}';) {
		if (t->kind == '{')
			into->row[into->n++] = row_of(&x, t);
		t = behind(t);
		t += t->kind == ',';
	}
	return true;
}
