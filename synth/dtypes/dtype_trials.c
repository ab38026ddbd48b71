#include "dtype_trials.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json.h"
#include "need.h"

typedef struct table { /* a table of outcomes, as text */
	char *outputs, *rows;
} table;

typedef struct reader {
	dtype_trials *to;
	const char *path;
	long line;
	table *tables;
	size_t ntables, room;
	diag *d;
} reader;

static bool bad(const reader *r, const char *message)
{
	return diag_at(r->d, r->path, r->line, "%s", message);
}

/* Splits off the text up to a separator. NULL if nothing is left. */
static char *next_part(char **rest, char separator)
{
	char *start = *rest;
	if (!start)
		return NULL;
	char *end = strchr(start, separator);
	*rest = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return start;
}

/* Index in the list of outputs that a letter encodes: `!` is 0; `-` and `.` have other meanings. */
static int output_index(char letter)
{
	return letter < '-' ? letter - '!' : letter - '!' - 2;
}

/* Reads one row of outcomes, "ab:!-.": trials whose first kinds are a, b. */
static bool read_row(reader *r, dtype_situation *s, const char **outputs, int noutputs, const char *text, size_t *room)
{
	dtype_trial t = {{0}, NULL};
	int k = 0;
	for (; *text && *text != ':'; text++, k++) {
		if (k >= s->nslots - 1 || dtype_kind(*text) < 0)
			return bad(r, "the beginning of a row of outcomes is no word of the slots");
		t.kinds[k] = (uint8_t)dtype_kind(*text);
	}
	if (*text++ != ':' || k != s->nslots - 1)
		return bad(r, "a row of outcomes has another number of slots");
	for (int last = 0; text[last]; last++) {
		if (text[last] == '.')
			continue;
		int index = text[last] == '-' ? -1 : output_index(text[last]);
		if (index >= noutputs || index < -1 || last >= DTYPE_KINDS)
			return bad(r, "a row of outcomes names no entry of the outputs");
		t.kinds[k] = (uint8_t)last;
		t.outputs = index < 0 ? NULL : outputs[index];
		s->trials = NEED_ROOM(s->trials, s->n, *room);
		s->trials[s->n++] = t;
	}
	return true;
}

static int by_kinds(const void *a, const void *b)
{
	return memcmp(((const dtype_trial *)a)->kinds, ((const dtype_trial *)b)->kinds, DTYPE_SLOTS);
}

static bool read_outcomes(reader *r, dtype_situation *s, const table *from)
{
	enum { MAX_OUTPUTS = 400 };
	const char *outputs[MAX_OUTPUTS];
	int n = 0;
	size_t room = 0;
	char *names = need(arena_strdup(r->to->memory, from->outputs), 1), *rows = need(strdup(from->rows), strlen(from->rows));
	for (char *one; n < MAX_OUTPUTS && (one = next_part(&names, ' '));)
		outputs[n++] = one;
	s->nout = n ? (int)strlen(outputs[0]) : 0;
	bool ok = true;
	char *rest = rows;
	for (char *one; ok && (one = next_part(&rest, ' '));)
		ok = read_row(r, s, outputs, n, one, &room);
	free(rows);
	if (ok && s->n)
		qsort(s->trials, (size_t)s->n, sizeof *s->trials, by_kinds);
	return ok && (s->nout <= DTYPE_OUTPUTS || bad(r, "too many outputs"));
}

static bool read_settings(reader *r, dtype_situation *s, const char *text)
{
	cJSON *o = json_parse(text, r->path, r->line, r->d), *item;
	arena *a = r->to->memory;
	if (!o)
		return false;
	s->settings = NEED_ARRAY(a, dtype_setting, cJSON_GetArraySize(o));
	cJSON_ArrayForEach(item, o) {
		const char *value = cJSON_GetStringValue(item);
		if (value && item->string)
			s->settings[s->nsettings++] = (dtype_setting){arena_strdup(a, item->string), arena_strdup(a, value)};
	}
	cJSON_Delete(o);
	return true;
}

static bool read_situation(reader *r, const char *api, char *rest)
{
	dtype_trials *t = r->to;
	char *slots = next_part(&rest, '\t');
	char *settings = next_part(&rest, '\t');
	char *number = next_part(&rest, '\t');
	const size_t at = number ? strtoul(number, NULL, 10) : r->ntables;
	if (at >= r->ntables)
		return bad(r, "expected API, slots, settings and the number of a table");
	if (!t->napis || strcmp(t->apis[t->napis - 1].name, api) != 0) {
		if (t->napis && strcmp(t->apis[t->napis - 1].name, api) > 0)
			return bad(r, "APIs are not sorted by name");
		t->apis = NEED_ROOM(t->apis, t->napis, t->api_room);
		t->apis[t->napis++] = (dtype_api){need(arena_strdup(t->memory, api), strlen(api)), t->n, 0};
	}
	t->apis[t->napis - 1].n++;
	t->situations = NEED_ROOM(t->situations, t->n, t->room);
	dtype_situation *s = &t->situations[t->n++];
	*s = (dtype_situation){0};
	for (char *one; (one = next_part(&slots, ' '));) {
		if (s->nslots == DTYPE_SLOTS)
			return bad(r, "too many slots");
		s->slots[s->nslots++] = need(arena_strdup(t->memory, one), strlen(one));
	}
	return read_settings(r, s, settings) && read_outcomes(r, s, &r->tables[at]);
}

static bool read_line(reader *r, char *line)
{
	char *rest = line, *first = next_part(&rest, '\t');
	if (strcmp(first, "table") == 0) {
		r->tables = NEED_ROOM(r->tables, r->ntables, r->room);
		table *t = &r->tables[r->ntables++];
		t->outputs = next_part(&rest, '\t');
		t->rows = next_part(&rest, '\t');
		return t->rows || bad(r, "expected outputs and rows of outcomes");
	}
	if (strcmp(first, "codes") == 0) {
		r->to->codes = need(arena_strdup(r->to->memory, rest ? rest : ""), 1);
		return true;
	}
	return read_situation(r, first, rest);
}

bool dtype_trials_read(dtype_trials *t, const char *path, diag *d)
{
	size_t length;
	*t = (dtype_trials){.memory = arena_new(), .codes = ""};
	char *text = file_read(path, &length, d), *rest = text;
	reader r = {.to = t, .path = path, .d = d};
	bool ok = text;
	for (char *line; ok && (line = next_part(&rest, '\n'));) {
		r.line++;
		ok = !*line || read_line(&r, line);
	}
	free(r.tables);
	free(text);
	return ok;
}

void dtype_trials_free(dtype_trials *t)
{
	for (int k = 0; k < t->n; k++)
		free(t->situations[k].trials);
	free(t->situations);
	free(t->apis);
	arena_free(t->memory);
	*t = (dtype_trials){0};
}
