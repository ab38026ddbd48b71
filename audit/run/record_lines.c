#include "record_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a line is read. */
typedef struct reader {
	const char *p;
	bool bad, beyond;
} reader;

static bool eat(reader *r, char c)
{
	if (*r->p != c)
		return false;
	r->p++;
	return true;
}

/* A list of n numbers: [1,2,3]. */
static void take_list(reader *r, int64_t *to, unsigned n)
{
	r->bad |= !eat(r, '[');
	for (unsigned i = 0; i < n && !r->bad; i++) {
		char *end;
		r->bad |= i && !eat(r, ',');
		errno = 0;
		to[i] = strtoll(r->p, &end, 10);
		r->bad |= end == r->p;
		r->beyond |= errno == ERANGE;
		r->p = end;
	}
	r->bad |= !eat(r, ']');
}

/* The rows behind a key, `"fail":[[1,2],…]` or `"pass":[[[1,2],[3]],…]`. The last place where the key stands is the one:
 * both are behind all that a call may hold. */
static unsigned take_rows(reader *r, const char *line, const char *key, unsigned nsym, unsigned nodim, bool pass, int64_t **rows, unsigned *beyond)
{
	const char *at = NULL, *next = line;
	unsigned n = 0, room = 0, width = nsym + nodim;
	*rows = NULL;
	while ((next = strstr(next, key)))
		at = next++;
	if (!at) {
		r->bad = true;
		return 0;
	}
	r->p = at + strlen(key);
	while (!r->bad && *r->p != ']') {
		if (n == room)
			*rows = realloc(*rows, ((room = room ? 2 * room : 64) * (size_t)width + 1) * sizeof **rows);
		int64_t *row = *rows + (size_t)n * width;
		r->beyond = false;
		r->bad |= pass && !eat(r, '[');
		take_list(r, row, nsym);
		if (pass) {
			r->bad |= !eat(r, ',');
			take_list(r, row + nsym, nodim);
			r->bad |= !eat(r, ']');
		}
		*beyond += r->beyond;
		n += !r->beyond;
		if (!eat(r, ','))
			break;
	}
	r->bad |= !eat(r, ']');
	return n;
}

static bool take_line(const char *path, unsigned number, char *line, record_widths *widths, record_take *take, void *user)
{
	static const char BEGIN[] = "{\"op\":\"";
	record_line to = {.path = path, .line = number};
	reader r = {.p = line};
	char op[256];
	size_t n = strncmp(line, BEGIN, sizeof BEGIN - 1) ? 0 : strcspn(line + sizeof BEGIN - 1, "\"\\");
	if (n == 0 || n >= sizeof op || line[sizeof BEGIN - 1 + n] != '"') {
		fprintf(stderr, "%s:%u: error: does not begin with an operator's name\n", path, number);
		return false;
	}
	memcpy(op, line + sizeof BEGIN - 1, n);
	op[n] = 0;
	to.op = op;
	if (!widths(user, op, &to.nsym, &to.nodim))
		return true;
	to.npass = take_rows(&r, line, "\"pass\":[", to.nsym, to.nodim, true, &to.pass, &to.beyond);
	if (!r.bad)
		to.nfail = take_rows(&r, line, "\"fail\":[", to.nsym, 0, false, &to.fail, &to.beyond);
	if (r.bad)
		fprintf(stderr, "%s:%u: error: column %zu: %s has other rows than %u symbols and %u output dimensions\n", path, number,
		    (size_t)(r.p - line) + 1, op, to.nsym, to.nodim);
	else
		take(user, &to);
	free(to.pass);
	free(to.fail);
	return !r.bad;
}

bool record_lines(const char *path, record_widths *widths, record_take *take, void *user)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	unsigned number = 0;
	bool ok = f != NULL;
	if (!f)
		fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
	while (f && getline(&line, &room, f) > 0)
		ok &= take_line(path, ++number, line, widths, take, user);
	free(line);
	if (f)
		fclose(f);
	return ok;
}
