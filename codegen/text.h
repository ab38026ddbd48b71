/* Lines of C, broken at 120 columns, and of comments, at 100. */
#ifndef TEXT_H
#define TEXT_H

#include "buf.h"

/* Prints lead and text on one or several lines. Breaks before an operator or after a comma, at the lowest depth of
 * parentheses. */
void text_code(buf *out, const char *lead, const char *text);
/* The same, where further lines begin with `again`. */
void text_code_behind(buf *out, const char *lead, const char *again, const char *text);
/* The same for prose inside a block comment: lead on the first line, `again` on the others. */
void text_prose(buf *out, const char *lead, const char *again, const char *text);

/* Elements of an initializer, `item, item, …`; tracks the column. */
typedef struct text_list {
	buf *out;
	unsigned indent, column, count;
	bool tight;    /* no space before the next item */
	bool one_line; /* never broken: a row of data */
} text_list;

text_list text_list_begin(buf *out, unsigned indent, unsigned column);
void text_item(text_list *list, const char *text);

/* Bytes as a string literal. */
void text_bytes(buf *out, const char *bytes, size_t n);
/* The same on several lines. */
void text_byte_lines(buf *out, const char *bytes, size_t n);

#endif
