/* Text from models, compilers and databases, made fit for where it is shown: nothing in it is markup, a control sequence
 * or a broken character there. What is not UTF-8 becomes U+FFFD. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdint.h>

#include "buf.h"

/* The character at *text, which moves behind it; 0 at the end. U+FFFD for a byte that is part of none. */
uint32_t escape_next(const char **text);

/* HTML, SVG and XML, also within double quotes; at most so many bytes of text, cut between characters, with an ellipsis
 * where something is missing. Control characters but newlines and tabs, which XML does not have, become U+FFFD. */
void escape_markup(buf *out, const char *text);
void escape_markup_cut(buf *out, const char *text, size_t limit);

/* A quoted JSON string, cut likewise. */
void escape_json(buf *out, const char *text, size_t limit);

/* One line of Markdown, not at the beginning of a line; within a cell of a table, too: no link, no markup, no HTML. Only what
 * would be markup is escaped, so the text stays readable as it is. Cut likewise. */
void escape_markdown(buf *out, const char *text, size_t limit);
/* A block of code, with a fence longer than any in the text. */
void escape_fenced(buf *out, const char *language, const char *text);

/* A terminal: control characters, those that change the direction of text too, as \x1b or \u202e. Newlines and tabs
 * stay where lines is true, and are spaces where not. */
void escape_terminal(buf *out, const char *text, bool lines);

/* Columns that a terminal gives a character or a text: 0, 1 or 2 a character. */
int escape_width(uint32_t character);
int escape_columns(const char *text);
/* One line of exactly or, without pad, at most so many columns; an ellipsis ends one that was cut. */
void escape_fit(buf *out, const char *text, int columns, bool pad);

#endif
