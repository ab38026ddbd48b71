#include "classes_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "need.h"

#define HEADER "op\taccepts\tgives"

static const char LETTERS[] = "upslfa"; /* in the order of enum rs_values */

typedef struct reader {
	rule_set *rules;
	rule_op **by_name;
	const char *path;
	long line;
	diag *d;
} reader;

static int by_name(const void *a, const void *b)
{
	return strcmp((*(rule_op *const *)a)->name, (*(rule_op *const *)b)->name);
}

static int has_name(const void *name, const void *op)
{
	return strcmp(name, (*(rule_op *const *)op)->name);
}

static bool bad_class(const reader *r, const char *column, char letter)
{
	return diag_at(r->d, r->path, r->line, "%s has the class '%.1s', expected one of %s%s", column,
	    letter >= ' ' && letter <= '~' ? &letter : "?", LETTERS, *column == 'a' ? "-" : "");
}

static bool read_accepts(const reader *r, const rule_op *op, const char *text, uint8_t *to)
{
	size_t count = strcmp(text, ".") == 0 ? 0 : strlen(text);
	if (count != op->nin)
		return diag_at(r->d, r->path, r->line,
		    "accepts has %zu classes, %.200s has %u input tensors: the table is of other records", count,
		    op->name, op->nin);
	for (size_t i = 0; i < count; i++) {
		const char *at = strchr(LETTERS, text[i]);
		if (!at && text[i] != '-')
			return bad_class(r, "accepts", text[i]);
		to[i] = at ? (uint8_t)(at - LETTERS) : RS_VALUES_NONE;
	}
	return true;
}

static bool read_gives(const reader *r, const char *text, uint8_t *to)
{
	if (strlen(text) != RS_VALUES_COUNT)
		return diag_at(
		    r->d, r->path, r->line, "gives has %zu classes, expected %d", strlen(text), RS_VALUES_COUNT);
	for (size_t i = 0; i < RS_VALUES_COUNT; i++) {
		const char *at = strchr(LETTERS, text[i]);
		if (!at)
			return bad_class(r, "gives", text[i]);
		to[i] = (uint8_t)(at - LETTERS);
		if (i && to[i] < to[i - 1])
			return diag_at(r->d, r->path, r->line, "gives falls from '%c' to '%c': wider inputs give no less",
			    text[i - 1], text[i]);
	}
	return true;
}

/* The next cell of a line, ended in place; NULL when there is none. */
static char *cell(char **line)
{
	return strsep(line, "\t");
}

static bool read_line(const reader *r, char *line, unsigned *unknown)
{
	const char *name = cell(&line), *accepts = cell(&line), *gives = cell(&line);
	if (!gives || line)
		return diag_at(r->d, r->path, r->line, "expected three cells with tabs between");
	rule_op **found = bsearch(name, r->by_name, r->rules->nops, sizeof *r->by_name, has_name);
	if (!found) {
		++*unknown;
		return true;
	}
	if ((*found)->classes)
		return diag_at(r->d, r->path, r->line, "%.200s has two lines", name);
	uint8_t *classes = NEED_ARRAY(r->rules->memory, uint8_t, (*found)->nin + RS_VALUES_COUNT);
	(*found)->classes = classes;
	return read_accepts(r, *found, accepts, classes) && read_gives(r, gives, classes + (*found)->nin);
}

static bool read_lines(reader *r, char *text, size_t length, unsigned *unknown)
{
	char *end = text + length, *next;
	for (char *line = text; line < end; line = next) {
		char *stop = memchr(line, '\n', (size_t)(end - line));
		r->line++;
		if (!stop)
			return diag_at(r->d, r->path, r->line, "the line has no end");
		*stop = '\0';
		next = stop + 1;
		if (strlen(line) != (size_t)(stop - line))
			return diag_at(r->d, r->path, r->line, "a NUL byte");
		if (r->line == 1 && strcmp(line, HEADER) != 0)
			return diag_at(r->d, r->path, 1, "expected the header \"op\\taccepts\\tgives\"");
		if (r->line > 1 && !read_line(r, line, unknown))
			return false;
	}
	return r->line || diag_at(r->d, r->path, 0, "the file is empty");
}

bool classes_read(rule_set *rules, const char *path, unsigned *unknown, diag *d)
{
	size_t length;
	char *text = file_read(path, &length, d);
	if (!text)
		return false;
	reader r = {.rules = rules, .path = path, .d = d};
	r.by_name = NEED_ARRAY(rules->memory, rule_op *, rules->nops);
	for (size_t i = 0; i < rules->nops; i++)
		r.by_name[i] = &rules->ops[i];
	if (rules->nops)
		qsort(r.by_name, rules->nops, sizeof *r.by_name, by_name);
	bool ok = read_lines(&r, text, length, unknown);
	free(text);
	return ok;
}
