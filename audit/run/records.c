#include "records.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"
#include "rules.h"

enum { DEPTH = 64 };

/* A reader of its own, because cJSON holds numbers as doubles and records reach both ends of int64. It
 * reads a line once, front to back; ok: the line is valid so far. */
typedef struct reader {
	const char *p, *end;
	bool ok, beyond; /* beyond: a number of this call did not fit */
	recorded *into;
	unsigned calls_room, numbers_room;
} reader;

static char peek(reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r'))
		r->p++;
	return r->p < r->end && r->ok ? *r->p : 0;
}

static bool take(reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->p++;
	return true;
}

static void need(reader *r, char c)
{
	r->ok &= take(r, c);
}

/* Copies a string's text, cut at n; escapes stay as written. */
static void take_text(reader *r, char *to, size_t n)
{
	size_t k = 0;
	need(r, '"');
	while (r->ok && r->p < r->end && *r->p != '"') {
		if (*r->p == '\\' && r->p + 1 < r->end && k + 1 < n)
			to[k++] = *r->p++;
		else if (*r->p == '\\')
			r->p++;
		if (r->p < r->end && k + 1 < n)
			to[k++] = *r->p;
		r->p += r->p < r->end;
	}
	to[k] = 0;
	r->ok &= r->p < r->end;
	r->p += r->ok;
}

static void skip_value(reader *r, int depth);

/* Skips items up to the closing character, with or without keys. */
static void skip_items(reader *r, char close, bool keys, int depth)
{
	char key[8];
	r->p++;
	if (take(r, close))
		return;
	do {
		if (keys) {
			take_text(r, key, sizeof key);
			need(r, ':');
		}
		skip_value(r, depth + 1);
	} while (r->ok && take(r, ','));
	need(r, close);
}

static void skip_value(reader *r, int depth)
{
	char c = peek(r), text[8];
	const char *from = r->p;
	if (depth > DEPTH || !c) {
		r->ok = false;
	} else if (c == '{' || c == '[') {
		skip_items(r, c == '{' ? '}' : ']', c == '{', depth);
	} else if (c == '"') {
		take_text(r, text, sizeof text);
	} else {
		while (r->p < r->end && (isalnum((unsigned char)*r->p) || strchr("+-.", *r->p)))
			r->p++;
		r->ok &= r->p > from;
	}
}

static void take_number(reader *r)
{
	recorded *x = r->into;
	bool negative = peek(r) == '-';
	int64_t value = 0;
	r->p += negative;
	r->ok &= r->p < r->end && isdigit((unsigned char)*r->p);
	for (bool beyond = false; r->ok && r->p < r->end && isdigit((unsigned char)*r->p); r->p++) {
		int digit = *r->p - '0';
		beyond |= __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, negative ? -digit : digit, &value);
		r->beyond |= beyond;
		value = beyond ? negative ? INT64_MIN : INT64_MAX : value;
	}
	if (x->nnumbers == r->numbers_room) {
		r->numbers_room = r->numbers_room ? 2 * r->numbers_room : 4096;
		x->number = memory_grow(x->number, r->numbers_room, sizeof *x->number);
	}
	x->number[x->nnumbers++] = value;
}

static unsigned take_numbers(reader *r)
{
	unsigned before = r->into->nnumbers;
	need(r, '[');
	if (!r->ok || take(r, ']'))
		return 0;
	do
		take_number(r);
	while (r->ok && take(r, ','));
	need(r, ']');
	return r->into->nnumbers - before;
}

static void take_call(reader *r, bool passed)
{
	recorded *x = r->into;
	r->beyond = false;
	if (passed)
		need(r, '[');
	recorded_call c = {.passed = passed, .in = x->nnumbers, .nin = take_numbers(r)};
	c.out = x->nnumbers;
	if (passed) {
		need(r, ',');
		c.nout = take_numbers(r);
		need(r, ']');
	}
	c.beyond = r->beyond;
	if (x->ncalls == r->calls_room) {
		r->calls_room = r->calls_room ? 2 * r->calls_room : 256;
		x->call = memory_grow(x->call, r->calls_room, sizeof *x->call);
	}
	x->call[x->ncalls++] = c;
}

static void take_calls(reader *r, bool passed)
{
	need(r, '[');
	if (!r->ok || take(r, ']'))
		return;
	do
		take_call(r, passed);
	while (r->ok && take(r, ','));
	need(r, ']');
}

/* Reads a line, which has each of its three keys once. */
static bool take_line(reader *r)
{
	char key[16];
	unsigned ops = 0, passes = 0, fails = 0;
	need(r, '{');
	do {
		take_text(r, key, sizeof key);
		need(r, ':');
		if (!strcmp(key, "op"))
			take_text(r, r->into->op, sizeof r->into->op), ops++;
		else if (!strcmp(key, "pass"))
			take_calls(r, true), passes++;
		else if (!strcmp(key, "fail"))
			take_calls(r, false), fails++;
		else
			skip_value(r, 0);
	} while (r->ok && take(r, ','));
	need(r, '}');
	return r->ok && !peek(r) && r->p == r->end && ops == 1 && passes == 1 && fails == 1;
}

bool records_read(const char *path, void (*each)(const recorded *r, void *user), void *user)
{
	size_t length;
	char *text = rules_file(path, &length);
	recorded x = {.path = path};
	reader r = {.into = &x};
	bool ok = text != NULL;
	if (!ok)
		fprintf(stderr, "%s: error: cannot read the file\n", path);
	for (const char *p = text; ok && p < text + length; p = r.end + 1) {
		const char *end = memchr(p, '\n', length - (size_t)(p - text));
		r.p = p;
		r.end = end ? end : text + length;
		r.ok = true;
		x.line++;
		x.ncalls = x.nnumbers = 0;
		x.hash = XXH3_64bits(p, (size_t)(r.end - p));
		ok = take_line(&r);
		if (ok)
			each(&x, user);
		else
			fprintf(stderr, "%s:%u: error: malformed record, at character %zu\n", path, x.line, (size_t)(r.p - p) + 1);
	}
	free(x.call);
	free(x.number);
	free(text);
	return ok;
}
