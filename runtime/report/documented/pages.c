#include "pages.h"

#include <string.h>

#include "file.h"

EMBED(documented);

enum { COLUMNS = 10 };

/* Copies a row and ends its columns; missing ones are "". */
static bool split(const char *line, size_t n, const char *cells[COLUMNS], arena *a)
{
	char *copy = arena_strndup(a, line, n);
	for (int i = 0; i < COLUMNS; i++) {
		cells[i] = copy ? copy : "";
		char *tab = copy ? strchr(copy, '\t') : NULL;
		copy = tab ? tab + 1 : NULL;
		if (tab)
			*tab = '\0';
	}
	return *cells[0] != '\0';
}

/* Whether the first column lists the backend, or the start of its name: tensorflow for tensorflow-graph. */
static bool is_run_by(const char *line, const char *backend)
{
	const char *at = line;
	for (size_t n; (n = strcspn(at, ",\t\n")); at += n + 2) { /* behind the comma and its blank */
		if (strncmp(backend, at, n) == 0 && (!backend[n] || backend[n] == '-'))
			return true;
		if (at[n] != ',')
			break;
	}
	return false;
}

bool pages_next(const char **cursor, const char *backend, documented_page *page, arena *a)
{
	static const documented_page EMPTY = {"", "", "", "", "", "", "", "", "", ""};
	const char *line = *cursor ? *cursor : documented_begin;
	const char *c[COLUMNS];
	if (!*cursor) { /* the names of the columns */
		const char *first = memchr(line, '\n', (size_t)(documented_end - line));
		line = first ? first + 1 : documented_end;
	}
	if (line >= documented_end)
		return false;
	const char *end = memchr(line, '\n', (size_t)(documented_end - line));
	size_t n = (size_t)((end ? end : documented_end) - line);
	*cursor = line + n + 1;
	*page = EMPTY;
	if (is_run_by(line, backend) && split(line, n, c, a))
		*page = (documented_page){c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]};
	return true;
}

bool pages_list_has(const char *list, const char *item)
{
	size_t n = strlen(item);
	for (const char *at = list; *at;) {
		size_t width = strcspn(at, ",");
		if (width == n && memcmp(at, item, n) == 0)
			return true;
		at += width;
		at += strspn(at, ", ");
	}
	return false;
}
