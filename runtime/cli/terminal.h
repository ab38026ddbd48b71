/* Colors and width of the terminal that a command prints to. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum terminal_style { STYLE_NONE, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_CYAN, STYLE_COUNT };

typedef struct terminal {
	bool colour;
	int columns; /* 0: no terminal, lines are not cut */
} terminal;

/* Parses the argument of --color: always, never, or auto: on a terminal, unless NO_COLOR is set or TERM is dumb. False
 * after a message. */
bool terminal_colour_option(const char *command, const char *text, enum terminal_colour *colour);
terminal terminal_of(FILE *out, enum terminal_colour colour);

/* The escape sequence that begins a style; STYLE_NONE ends it. "" without colors. */
const char *terminal_style(const terminal *t, enum terminal_style style);

#endif
