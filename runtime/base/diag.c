#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(diag *d, const char *path, long line, const char *format, va_list args)
{
	size_t n = 0;
	if (path && line > 0)
		n = (size_t)snprintf(d->text, sizeof d->text, "%s:%ld: error: ", path, line);
	else if (path)
		n = (size_t)snprintf(d->text, sizeof d->text, "%s: error: ", path);
	else
		n = (size_t)snprintf(d->text, sizeof d->text, "error: ");
	if (n < sizeof d->text)
		vsnprintf(d->text + n, sizeof d->text - n, format, args);
	for (char *c = d->text; *c; c++) /* one line for any input */
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
}

bool diag_at(diag *d, const char *path, long line, const char *format, ...)
{
	if (d) {
		va_list args;
		va_start(args, format);
		fill(d, path, line, format, args);
		va_end(args);
	}
	return false;
}

bool diag_set(diag *d, const char *format, ...)
{
	if (d) {
		va_list args;
		va_start(args, format);
		fill(d, NULL, 0, format, args);
		va_end(args);
	}
	return false;
}

bool diag_memory(diag *d, bool ok)
{
	return ok || diag_set(d, "out of memory");
}

bool diag_is_memory(const diag *d)
{
	return strncmp(diag_what(d), "out of memory", 13) == 0;
}

const char *diag_what(const diag *d)
{
	return strncmp(d->text, "error: ", 7) == 0 ? d->text + 7 : d->text;
}
