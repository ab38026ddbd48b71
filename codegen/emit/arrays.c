#include "arrays.h"

#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"

enum { DIGITS = 5 }; /* of a name at least */

static const char *const KINDS[] = {[ARRAY_ARGS] = "ARGS", [ARRAY_CLASSES] = "CLASSES", [ARRAY_DTYPES] = "DTYPES",
    [ARRAY_FLOATS] = "FLOATS", [ARRAY_SAMPLE] = "SAMPLE", [ARRAY_VALUES] = "VALUES"};

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
	buf_printf(out, "%s(%s, ", KINDS[a->kind], a->name);
	buf_puts(out, a->content);
	buf_puts(out, ");\n");
}
