#include "classes_read.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "need.h"

static const char LETTERS[] = "upslfa"; /* in the order of enum rs_values */

typedef struct reader reader;
struct reader {
	rule_set *rules;
	rule_op **by_name;
	const char *path, *header;
	bool (*read)(const reader *r, rule_op *op, char **cells); /* three cells */
	long line;
	diag *d;
};

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

static bool read_classes(const reader *r, rule_op *op, char **cells)
{
	if (op->classes)
		return diag_at(r->d, r->path, r->line, "%.200s has two lines", op->name);
	uint8_t *classes = NEED_ARRAY(r->rules->memory, uint8_t, op->nin + RS_VALUES_COUNT);
	op->classes = classes;
	return read_accepts(r, op, cells[1], classes) && read_gives(r, cells[2], classes + op->nin);
}

static bool read_use(const reader *r, rule_op *op, char **cells)
{
	if (strcmp(cells[1], "never") == 0)
		op->unfit = true;
	else if (strcmp(cells[1], "records") == 0)
		op->by_records = true;
	else if (strcmp(cells[1], "delicate") == 0)
		op->delicate = true;
	else
		return diag_at(r->d, r->path, r->line,
		    "use is \"%.40s\", expected never, records or delicate", cells[1]);
	return true;
}

static bool read_line(const reader *r, char *line, unsigned *unknown)
{
	char *cells[3];
	for (int i = 0; i < 3; i++)
		cells[i] = strsep(&line, "\t");
	if (!cells[2] || line)
		return diag_at(r->d, r->path, r->line, "expected three cells with tabs between");
	rule_op **found = bsearch(cells[0], r->by_name, r->rules->nops, sizeof *r->by_name, has_name);
	if (found)
		return r->read(r, *found, cells);
	++*unknown;
	return true;
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
		if (r->line == 1 && strcmp(line, r->header) != 0)
			return diag_at(r->d, r->path, 1, "expected the header of %s",
			    r->read == read_use ? "op, use, why" : "op, accepts, gives");
		if (r->line > 1 && !read_line(r, line, unknown))
			return false;
	}
	return r->line || diag_at(r->d, r->path, 0, "the file is empty");
}

static bool read_file(reader *r, unsigned *unknown)
{
	size_t length;
	char *text = file_read(r->path, &length, r->d);
	if (!text)
		return false;
	r->by_name = NEED_ARRAY(r->rules->memory, rule_op *, r->rules->nops);
	for (size_t i = 0; i < r->rules->nops; i++)
		r->by_name[i] = &r->rules->ops[i];
	if (r->rules->nops)
		qsort(r->by_name, r->rules->nops, sizeof *r->by_name, by_name);
	bool ok = read_lines(r, text, length, unknown);
	free(text);
	return ok;
}

bool classes_read(rule_set *rules, const char *path, unsigned *unknown, diag *d)
{
	reader r = {.rules = rules,
	    .path = path,
	    .header = "op\taccepts\tgives",
	    .read = read_classes,
	    .d = d};
	return read_file(&r, unknown);
}

bool runs_read(rule_set *rules, const char *path, unsigned *unknown, diag *d)
{
	reader r = {
	    .rules = rules, .path = path, .header = "op\tuse\twhy", .read = read_use, .d = d};
	return read_file(&r, unknown);
}
