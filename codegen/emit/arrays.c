#include "arrays.h"

#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"

enum { DIGITS = 6 }; /* of a name at least */

/* What stands in front of a name and behind it. */
static const struct {
	const char *before, *after, *end;
} KINDS[] = {
    [ARRAY_ARGS] = {"ARGS(", ", ", ");\n"},
    [ARRAY_CLASSES] = {"CLASSES(", ", ", ");\n"},
    [ARRAY_DTYPES] = {"DTYPES(", ", ", ");\n"},
    [ARRAY_FLOATS] = {"FLOATS(", ", ", ");\n"},
    [ARRAY_RULE] = {"#define RULE_", " ", "\n"},
    [ARRAY_SAMPLE] = {"SAMPLE(", ", ", ");\n"},
    [ARRAY_VALUES] = {"VALUES(", ", ", ");\n"},
};

void arrays_free(arrays *a)
{
	free(a->list);
	a->list = NULL;
	a->count = a->room = 0;
}

static int by_hash(const void *a, const void *b)
{
	const array *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static int by_content(const void *a, const void *b)
{
	int order = by_hash(a, b);
	return order ? order : strcmp(((const array *)a)->content, ((const array *)b)->content);
}

const char *arrays_add(arrays *a, enum array_kind kind, const char *content)
{
	array key = {.kind = kind, .content = content, .hash = name_hash(content, strlen(content))};
	if (a->named)
		return ((const array *)bsearch(&key, a->list, a->count, sizeof key, by_hash))->name;
	a->list = NEED_ROOM(a->list, a->count, a->room);
	key.content = need(arena_strdup(a->memory, content), strlen(content));
	a->list[a->count++] = key;
	return "";
}

/* The hash of a neighbour of the same kind. */
static const uint64_t *neighbour(const array *x, const array *y)
{
	return x->kind == y->kind ? &y->hash : NULL;
}

bool arrays_name(arrays *a, diag *d)
{
	size_t kept = 0;
	if (a->count)
		qsort(a->list, a->count, sizeof *a->list, by_content);
	for (size_t i = 0; i < a->count; i++) {
		const array *before = kept ? &a->list[kept - 1] : NULL;
		if (before && by_hash(before, &a->list[i]) == 0) {
			if (strcmp(before->content, a->list[i].content) != 0)
				return diag_set(d, "two arrays hash to %016llx", (unsigned long long)before->hash);
			continue;
		}
		a->list[kept++] = a->list[i];
	}
	a->count = kept;
	for (size_t i = 0; i < kept; i++) {
		array *x = &a->list[i];
		unsigned n = name_length(x->hash, i ? neighbour(x, x - 1) : NULL, i + 1 < kept ? neighbour(x, x + 1) : NULL, DIGITS);
		x->name = need(arena_printf(a->memory, "%0*llx", (int)n, (unsigned long long)x->hash >> (64 - 4 * n)), n);
	}
	a->named = true;
	return true;
}

void arrays_put(buf *out, const array *a)
{
	buf_printf(out, "%s%s%s", KINDS[a->kind].before, a->name, KINDS[a->kind].after);
	buf_puts(out, a->content);
	buf_puts(out, KINDS[a->kind].end);
}

unsigned arrays_column(enum array_kind kind)
{
	return (unsigned)(strlen(KINDS[kind].before) + DIGITS + strlen(KINDS[kind].after));
}
