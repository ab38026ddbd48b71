#include "setting_table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Copies the next quoted text. Returns the position after it; NULL: there is none, or it is too long. */
static const char *quoted(const char *line, char text[SETTING_TEXT])
{
	const char *start = strchr(line, '"'), *end = start ? strchr(start + 1, '"') : NULL;
	if (!end || end - start > SETTING_TEXT)
		return NULL;
	snprintf(text, SETTING_TEXT, "%.*s", (int)(end - start - 1), start + 1);
	return end + 1;
}

static bool has(const setting_table *t, const char *name)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->rows[i].name, name) == 0)
			return true;
	return false;
}

static void add(setting_table *t, const setting_row *row)
{
	if (t->n < SETTINGS_MOST && row->nvalues > 1 && !has(t, row->name))
		t->rows[t->n++] = *row;
}

static void read_row(setting_table *t, const char *line)
{
	setting_row row = {.nvalues = 0};
	for (line = quoted(line, row.name); line && row.nvalues < SETTING_VALUES; row.nvalues += line != NULL)
		line = quoted(line, row.values[row.nvalues]);
	add(t, &row);
}

/* Marks the rows that a line of marks names. */
static bool read_marks(setting_table *t, const char *line)
{
	char name[SETTING_TEXT];
	bool costly = strncmp(line, "COSTLY = ", 9) == 0, often = strncmp(line, "OFTEN = ", 8) == 0;
	if (!costly && !often)
		return false;
	while ((line = quoted(line, name)))
		for (int i = 0; i < t->n; i++)
			if (strcmp(t->rows[i].name, name) == 0)
				*(costly ? &t->rows[i].costly : &t->rows[i].often) = 1;
	return true;
}

void setting_table_read(setting_table *t, const char *path)
{
	char place[PATH_MAX], line[512];
	const char *slash = strrchr(path, '/'), *folder = "/targets";
	size_t n = strlen(folder), end = slash ? (size_t)(slash - path) : 0;
	t->n = 0;
	t->share = SETTINGS_SHARE;
	if (end < n || strncmp(slash - n, folder, n) != 0
	    || snprintf(place, sizeof place, "%.*s/settings%s", (int)(end - n), path, slash) >= PATH_MAX)
		return;
	FILE *f = fopen(place, "re");
	for (bool open = false; f && fgets(line, sizeof line, f);)
		if (read_marks(t, line))
			continue;
		else if (open && *line != '}')
			read_row(t, line);
		else if (sscanf(line, "SHARE = %4" SCNu32, &t->share) != 1)
			open = strcmp(line, "SETTINGS = {\n") == 0;
	if (f)
		fclose(f);
}

void setting_table_join(setting_table *t, const setting_table *more)
{
	for (int i = 0; i < more->n; i++)
		add(t, &more->rows[i]);
	if (more->share > t->share)
		t->share = more->share;
}
