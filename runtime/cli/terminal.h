/* What a command may print where: colours and the width of the terminal, if there is one. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum terminal_style { STYLE_NONE, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_CYAN, STYLE_COUNT };

typedef struct terminal {
	bool colour;
	int columns; /* 0: no terminal, lines may be as long as they are */
} terminal;

/* Of --color: always, never or auto: on a terminal, unless NO_COLOR is set to something or TERM is dumb. False after a
 * message. */
bool terminal_colour_option(const char *command, const char *text, enum terminal_colour *colour);
terminal terminal_of(FILE *out, enum terminal_colour colour);

/* The sequence that begins a style, STYLE_NONE: that ends it; "" without colours. */
const char *terminal_style(const terminal *t, enum terminal_style style);

#endif
