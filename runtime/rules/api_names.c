#include "api_names.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum { MOST = 3 }; /* names in one suggestion */

bool api_matches(const rs_table *table, const char *glob)
{
	for (uint32_t i = 0; i < table->nops; i++)
		if (fnmatch(glob, table->ops[i].api, 0) == 0)
			return true;
	return false;
}

/* Names of tables, each once; tables are sorted, so equal names are neighbours. */
typedef struct names {
	const char **list;
	size_t count;
} names;

static bool collect(names *all, const rs_library *lib, const char *framework, bool operators)
{
	size_t room = 1;
	for (uint32_t i = 0; i < lib->ntables; i++)
		room += lib->tables[i]->nops;
	*all = (names){.list = calloc(room, sizeof *all->list)};
	for (uint32_t i = 0; all->list && i < lib->ntables; i++) {
		const rs_table *t = lib->tables[i];
		for (uint32_t k = 0; k < t->nops && (!framework || strcmp(framework, t->framework) == 0); k++) {
			const char *name = operators ? t->ops[k].name : t->ops[k].api;
			if (!all->count || strcmp(all->list[all->count - 1], name) != 0)
				all->list[all->count++] = name;
		}
	}
	return all->list != NULL;
}

/* Whether the text is the part of the name behind a dot, up to the end or to the "-0" of a signature. */
static bool is_last_part(const char *name, const char *given)
{
	const size_t n = strlen(given), length = strlen(name);
	const char *end = name + length, *dash = strrchr(name, '-');
	if (dash && strspn(dash + 1, "0123456789") == (size_t)(end - dash - 1))
		end = dash;
	return n && (size_t)(end - name) >= n && memcmp(end - n, given, n) == 0 && (end - n == name || end[-(ptrdiff_t)n - 1] == '.');
}

static void put_or(buf *to, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(to, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", list[i]);
}

static bool put_nearest(const names *all, const char *given, buf *to)
{
	const char *found[MOST];
	size_t n = 0;
	for (size_t i = 0; i < all->count && n < MOST; i++)
		if (is_last_part(all->list[i], given))
			found[n++] = all->list[i];
	if (!n && (found[0] = suggest(given, all->list, all->count)))
		n = 1;
	put_or(to, found, n);
	return n > 0;
}

static bool put_suggestion(const rs_library *lib, const char *framework, const char *given, bool operators, buf *to)
{
	names all;
	bool collected = collect(&all, lib, framework, operators), some = collected && put_nearest(&all, given, to);
	to->failed |= !collected;
	free(all.list);
	return some;
}

bool api_suggest(const rs_library *lib, const char *framework, const char *given, buf *to)
{
	return put_suggestion(lib, framework, given, false, to);
}

bool operator_suggest(const rs_library *lib, const char *framework, const char *given, buf *to)
{
	return put_suggestion(lib, framework, given, true, to);
}
