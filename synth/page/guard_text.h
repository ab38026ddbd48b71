/* The condition at the end of a page's line: "out[-2] = input[-2] if padding = 'same'". */
#ifndef GUARD_TEXT_H
#define GUARD_TEXT_H

#include <stddef.h>

#define CONDITION " if "

/* Where it begins, NULL: the line has none. The "if" of an expression, "x if y else z", is none. */
const char *guard_text_find(const char *line);

/* How many conditions in a list of lines in quotes begin with a name and the text behind it. */
int guard_text_asks(const char *lines, const char *name, const char *after);

/* How many there are. */
int guard_text_count(const char *lines);

#endif
