#include "words.h"

#include <stdarg.h>
#include <stdio.h>

void say(words *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
	va_end(args);
	w->n += n > 0 && w->n + (unsigned)n < sizeof w->text ? (unsigned)n : 0;
}
