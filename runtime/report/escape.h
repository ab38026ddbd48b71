/* Escapes texts from models, compilers and databases for an output format: nothing in them is markup, a control sequence or
 * a broken character. Bytes that are not UTF-8 become U+FFFD. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdint.h>

#include "buf.h"

/* Returns the character at *text and advances *text; 0 at the end, U+FFFD for an invalid byte. */
uint32_t escape_next(const char **text);

/* HTML, SVG and XML, also within double quotes. At most limit bytes of text, cut between characters, with an ellipsis if
 * something is missing. Control characters except newlines and tabs, which XML does not permit, become U+FFFD. */
void escape_markup(buf *out, const char *text);
void escape_markup_cut(buf *out, const char *text, size_t limit);

/* A quoted JSON string, cut in the same way. */
void escape_json(buf *out, const char *text, size_t limit);

/* Markdown within a line or a table cell: no link, no markup, no HTML. Only characters that would be markup get a backslash, so
 * the text stays readable unrendered. Cut in the same way. */
void escape_markdown(buf *out, const char *text, size_t limit);
/* A block of code, with a fence longer than any in the text. */
void escape_fenced(buf *out, const char *language, const char *text);

/* A terminal: control characters and marks that change the direction of text become \x1b or \u202e. Newlines and tabs stay if
 * lines is true, else they become spaces. */
void escape_terminal(buf *out, const char *text, bool lines);

/* The columns of a character or a text on a terminal: 0, 1 or 2 a character. */
int escape_width(uint32_t character);
int escape_columns(const char *text);
/* One line of exactly (pad) or at most this number of columns; a cut line ends with an ellipsis. */
void escape_fit(buf *out, const char *text, int columns, bool pad);

#endif
