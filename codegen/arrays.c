#include "arrays.h"

#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"

void arrays_free(arrays *a)
{
	free(a->list);
	a->list = NULL;
	a->count = a->room = 0;
}

const char *arrays_add(arrays *a, const char *type, const char *what, const char *content)
{
	if (a->count == a->room) {
		a->room = a->room ? a->room * 2 : 1024;
		a->list = need(realloc(a->list, a->room * sizeof *a->list), a->room * sizeof *a->list);
	}
	unsigned long long hash = (unsigned long long)name_hash(content, strlen(content)) >> 16;
	const char *name = need(arena_printf(a->memory, "%s_%012llx", what, hash), strlen(what) + 14);
	size_t line = strlen(type) + strlen(name) + strcspn(content, "\n") + sizeof "static const  [] = ;" - 1;
	const char *text = arena_printf(
	    a->memory, "static const %s %s[] =%s%s;\n", type, name, line > 100 ? "\n\t" : " ", content);
	a->list[a->count++] = (array){name, need((void *)text, strlen(content))};
	return name;
}

static int by_name(const void *a, const void *b)
{
	const array *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->text, y->text);
}

bool arrays_finish(arrays *a, diag *d)
{
	size_t kept = 0;
	if (a->count)
		qsort(a->list, a->count, sizeof *a->list, by_name);
	for (size_t i = 0; i < a->count; i++) {
		const array *before = kept ? &a->list[kept - 1] : NULL;
		if (before && strcmp(before->name, a->list[i].name) == 0) {
			if (strcmp(before->text, a->list[i].text) != 0)
				return diag_set(d, "two arrays hash to the name %s", before->name);
			continue;
		}
		a->list[kept++] = a->list[i];
	}
	a->count = kept;
	return true;
}
