/* Escapes text from models, compilers and databases, so that it cannot act as markup or control sequences. Invalid UTF-8
 * becomes U+FFFD. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdint.h>

#include "buf.h"

/* Returns the character at *text and advances *text; 0 at the end. U+FFFD for an invalid byte. */
uint32_t escape_next(const char **text);

/* HTML, SVG and XML, also for attributes in double quotes. At most that many bytes of text, cut between characters, with an
 * ellipsis. Control characters except newlines and tabs, which XML does not allow, become U+FFFD. */
void escape_markup(buf *out, const char *text);
void escape_markup_cut(buf *out, const char *text, size_t limit);

/* A quoted JSON string, cut the same way. */
void escape_json(buf *out, const char *text, size_t limit);

/* One line of Markdown, also within a table cell: no links, no markup, no HTML. Cut the same way. */
void escape_markdown(buf *out, const char *text, size_t limit);
/* A code block, with a fence longer than any in the text. */
void escape_fenced(buf *out, const char *language, const char *text);

/* For terminals: control characters and characters that change the text direction become \x1b or \u202e. lines: keep
 * newlines and tabs; otherwise they become spaces. */
void escape_terminal(buf *out, const char *text, bool lines);

/* The columns of a character or a text on a terminal: 0, 1 or 2 per character. */
int escape_width(uint32_t character);
int escape_columns(const char *text);
/* One line of at most that many columns, or with pad of exactly as many; an ellipsis marks a cut. */
void escape_fit(buf *out, const char *text, int columns, bool pad);

#endif
