#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define MARK "\\u0001" /* first character of the strings that replace long integers */

bool jsonl_open(jsonl *j, const char *path, diag *d)
{
	*j = (jsonl){.path = path};
	if (strcmp(path, "-") == 0) {
		j->file = stdin;
		j->path = "<stdin>";
		return true;
	}
	j->file = fopen(path, "r");
	j->owned = true;
	if (!j->file)
		return diag_at(d, path, 0, "cannot open: %s", strerror(errno));
	return true;
}

void jsonl_close(jsonl *j)
{
	if (j->owned && j->file)
		fclose(j->file);
	free(j->line);
	*j = (jsonl){0};
}

/* Makes room for one more character and the terminating NUL. */
static bool has_room(jsonl *j, size_t used)
{
	if (used + 2 <= j->capacity)
		return true;
	size_t capacity = j->capacity ? j->capacity * 2 : 4096;
	char *line = realloc(j->line, capacity);
	if (!line) {
		out_of_memory(capacity);
		return false;
	}
	j->line = line;
	j->capacity = capacity;
	return true;
}

/* Reads the next line with its newline. Returns its length, 0 at the end of the file, -1 and d on an error. Unlike getline,
 * it limits the length. */
static ssize_t read_line(jsonl *j, diag *d)
{
	size_t n = 0;
	bool room = true;
	for (int c = 0; n <= JSON_LONGEST && c != '\n' && (room = has_room(j, n)) && (c = getc_unlocked(j->file)) != EOF;)
		j->line[n++] = (char)c;
	if (n > JSON_LONGEST)
		diag_at(d, j->path, j->number + 1, "the line is longer than %d MiB", JSON_LONGEST >> 20);
	else if (!room)
		diag_at(d, j->path, j->number + 1, "out of memory at %zu bytes", n);
	else if (ferror(j->file))
		diag_at(d, j->path, j->number + 1, "cannot read: %s", strerror(errno));
	else {
		j->line[n] = '\0';
		return (ssize_t)n;
	}
	return -1;
}

int jsonl_next(jsonl *j, diag *d)
{
	for (;;) {
		ssize_t n = read_line(j, d);
		if (n <= 0)
			return (int)n;
		j->number++;
		if (memchr(j->line, '\0', (size_t)n)) {
			diag_at(d, j->path, j->number, "the line contains a NUL byte");
			return -1;
		}
		while (n > 0 && (j->line[n - 1] == '\n' || j->line[n - 1] == '\r'))
			j->line[--n] = '\0';
		if (j->line[strspn(j->line, " \t")] != '\0')
			return 1;
	}
}

/* The length of the integer literal at c if it is too long for a double, else 0. */
static bool long_integer(const char *c, size_t *length)
{
	const char *p = c + (*c == '-');
	size_t digits = strspn(p, "0123456789");
	*length = (size_t)(p - c) + digits;
	return digits >= 16 && p[digits] != '.' && p[digits] != 'e' && p[digits] != 'E';
}

/* A copy of the line with marked long integers. NULL with errno 0: there are none; otherwise out of memory. */
static char *mark_long_integers(const char *line)
{
	char *out = NULL;
	size_t used = 0, from = 0;
	bool in_string = false;
	for (size_t i = 0; line[i];) {
		if (line[i] == '"')
			in_string = !in_string;
		if (in_string && line[i] == '\\' && line[i + 1])
			i++;
		size_t n = 1;
		if (!in_string && (line[i] == '-' || (line[i] >= '0' && line[i] <= '9'))
		    && long_integer(line + i, &n)) {
			if (!out && !(out = malloc(strlen(line) * 2 + 16)))
				return NULL;
			memcpy(out + used, line + from, i - from);
			used += i - from;
			used += (size_t)sprintf(out + used, "\"" MARK "%.*s\"", (int)n, line + i);
			from = i + n;
		}
		i += n ? n : 1;
	}
	if (out)
		strcpy(out + used, line + from);
	return out;
}

cJSON *json_parse(const char *line, const char *path, long number, diag *d)
{
	errno = 0;
	char *marked = mark_long_integers(line);
	const char *text = marked ? marked : line, *end = NULL;
	cJSON *tree = errno == ENOMEM ? NULL : cJSON_ParseWithOpts(text, &end, true);
	if (!tree && errno == ENOMEM)
		diag_at(d, path, number, "out of memory");
	else if (!tree) {
		size_t at = end ? (size_t)(end - text) : 0;
		if (text[0] == '\0' || at >= strlen(text))
			diag_at(d, path, number, "not JSON: the line ends too early");
		else
			diag_at(d, path, number, "not JSON at column %zu: '%.20s'", at + 1, text + at);
	}
	free(marked);
	return tree;
}

enum json_int json_int64(const cJSON *item, int64_t *value)
{
	if (cJSON_IsNumber(item)) {
		double v = item->valuedouble;
		if (v >= -9007199254740992.0 && v <= 9007199254740992.0 && v == (double)(int64_t)v) {
			*value = (int64_t)v;
			return JSON_INT;
		}
		return JSON_NOT_INT;
	}
	if (cJSON_IsString(item) && item->valuestring[0] == 1) {
		errno = 0;
		*value = strtoll(item->valuestring + 1, NULL, 10);
		return errno == ERANGE ? JSON_BEYOND : JSON_INT;
	}
	return JSON_NOT_INT;
}

static const cJSON *lookup(
    const cJSON *object, const char *key, const char *what, const char *path, long number, diag *d)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	if (!item)
		diag_at(d, path, number, "key \"%s\" is missing", key);
	else if (strcmp(what, "string") == 0 ? !cJSON_IsString(item) : !cJSON_IsArray(item))
		diag_at(d, path, number, "key \"%s\": expected %s %s", key,
		    strcmp(what, "array") == 0 ? "an" : "a", what);
	else
		return item;
	return NULL;
}

const char *json_string(
    const cJSON *object, const char *key, const char *path, long number, diag *d)
{
	const cJSON *item = lookup(object, key, "string", path, number, d);
	return item ? item->valuestring : NULL;
}

const char *json_text(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
	return text ? text : "";
}

const cJSON *json_array(
    const cJSON *object, const char *key, const char *path, long number, diag *d)
{
	return lookup(object, key, "array", path, number, d);
}
