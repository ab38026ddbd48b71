/* Operators for tests, from a line that describes their arguments:
 *
 *   x=t4     a tensor of rank 4              k=i       an integer
 *   xs=T3,2  a list of 3 tensors of rank 2   k=l2      a list of 2 integers
 *   axis=#-1 the constant -1                 p=n3,2    a list of 3 lists of 2 integers
 *   mode=c   a constant that is no integer; so are mode=c1, mode=c2
 *   at=r1    a tensor of rank 1 with a range: its low and high follow
 *   at=e2,3  a tensor of integers given by its elements, two rows of 3; at=e3: of rank 1
 *   ats=E3,2 a list of 3 such tensors of two rows of 2
 *
 * Symbols are numbered in that order. The outputs are ranks: "4 2" are a tensor of rank 4 and one of rank 2.
 * Include it after cmocka.h.
 */
#ifndef OPERATORS_H
#define OPERATORS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "record.h"

static inline void put_list(buf *b, char letter, int n, int *next)
{
	buf_putc(b, '[');
	for (int i = 0; i < n; i++)
		buf_printf(b, "%s\"%c%d\"", i ? "," : "", letter, (*next)++);
	buf_putc(b, ']');
}

static inline void put_tensor(buf *b, char letter, int rank, int *next)
{
	buf_puts(b, "{\"tensor\":");
	put_list(b, letter, rank, next);
	buf_puts(b, ",\"dtype\":\"float32\"}");
}

static inline void put_value(buf *b, const char *kind, int *next)
{
	int n = 0, each = 0;
	sscanf(kind + 1, "%d,%d", &n, &each);
	switch (*kind) {
	case 't':
		put_tensor(b, 's', n, next);
		return;
	case 'r':
		buf_puts(b, "{\"tensor\":");
		put_list(b, 's', n, next);
		buf_puts(b, ",\"dtype\":\"int64\",\"range\":");
		put_list(b, 's', 2, next);
		buf_putc(b, '}');
		return;
	case 'i':
		buf_printf(b, "\"s%d\"", (*next)++);
		return;
	case 'e':
		buf_puts(b, "{\"elements\":");
		if (each)
			put_value(b, (char[]){'n', (char)('0' + n), ',', (char)('0' + each), '\0'}, next);
		else
			put_list(b, 's', n, next);
		buf_puts(b, ",\"dtype\":\"int64\"}");
		return;
	case 'l':
		put_list(b, 's', n, next);
		return;
	case '#':
		buf_printf(b, "{\"const\":\"%d\"}", n);
		return;
	case 'c':
		buf_printf(b, "{\"const\":\"'%s'\"}", kind);
		return;
	}
	buf_putc(b, '['); /* n, T, E */
	for (int i = 0; i < n; i++) {
		buf_puts(b, i ? "," : "");
		if (*kind == 'E')
			put_value(b, (char[]){'e', (char)('0' + each), ',', '2', '\0'}, next);
		else if (*kind == 'T')
			put_tensor(b, 's', each, next);
		else
			put_list(b, 's', each, next);
	}
	buf_putc(b, ']');
}

/* A line of a record file without its records; returns the numbers of symbols and output dimensions. */
static inline void put_call(buf *b, const char *api, int number, const char *args, const char *outs, int *nsym,
    int *nodim)
{
	char words[256], *rest = words, *word;
	const char *comma = "";
	*nsym = *nodim = 0;
	buf_printf(b, "{\"op\":\"%s-%d\",\"api\":\"%s\",\"args\":[", api, number, api);
	snprintf(words, sizeof words, "%s", args);
	while ((word = strtok_r(rest, " ", &rest))) {
		char *kind = strchr(word, '=');
		*kind = '\0';
		buf_printf(b, "%s{\"name\":\"%s\",\"pos\":true,\"value\":", comma, word);
		put_value(b, kind + 1, nsym);
		buf_putc(b, '}');
		comma = ",";
	}
	buf_puts(b, "],\"outputs\":[");
	snprintf(words, sizeof words, "%s", outs);
	comma = "";
	for (rest = words; (word = strtok_r(rest, " ", &rest)); comma = ",") {
		buf_puts(b, comma);
		put_tensor(b, 'o', atoi(word), nodim);
	}
	buf_putc(b, ']');
}

static inline void refuse_none(const diag *d, void *user)
{
	(void)user;
	fail_msg("%s", d->text);
}

/* Reads the lines in b, then frees them. */
static inline void read_lines(records *r, buf *b)
{
	char path[] = "/tmp/rulesmith-test-XXXXXX";
	const char *paths[] = {path};
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, b->text, b->length), b->length);
	close(fd);
	bool ok = records_read(r, paths, 1, refuse_none, NULL);
	unlink(path);
	buf_free(b);
	assert_true(ok);
}

#endif
