#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

bool terminal_colour_option(const char *command, const char *text, enum terminal_colour *colour)
{
	static const char *const NAMES[] = {"auto", "always", "never"};
	for (int i = 0; i < 3; i++)
		if (strcmp(text, NAMES[i]) == 0) {
			*colour = (enum terminal_colour)i;
			return true;
		}
	usage_error(command, "--color: expected auto, always or never, got '%s'", text);
	return false;
}

static int width_of(int fd)
{
	struct winsize size;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	const char *columns = getenv("COLUMNS");
	int n = columns ? atoi(columns) : 0;
	return n > 0 ? n : 80;
}

terminal terminal_of(FILE *out, enum terminal_colour colour)
{
	int fd = fileno(out);
	bool there = isatty(fd) != 0;
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	bool wanted = there && (!no || !*no) && (!term || strcmp(term, "dumb") != 0);
	return (terminal){
	    .colour = colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && wanted), .columns = there ? width_of(fd) : 0};
}

const char *terminal_style(const terminal *t, enum terminal_style style)
{
	static const char *const SEQUENCES[STYLE_COUNT] = {
	    "\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m", "\033[36m"};
	return t->colour ? SEQUENCES[style] : "";
}
