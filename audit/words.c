#include "words.h"

#include <stdarg.h>
#include <stdio.h>

void words_add(words *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
	va_end(args);
	w->n += n > 0 && w->n + (unsigned)n < sizeof w->text ? (unsigned)n : 0;
}

const char *row_text(char *to, size_t room, const int64_t *v, unsigned n)
{
	size_t k = (size_t)snprintf(to, room, "[");
	for (unsigned i = 0; i < n && k < room - 24; i++)
		k += (size_t)snprintf(to + k, room - k, "%s%lld", i ? "," : "", (long long)v[i]);
	snprintf(to + k, room - k, "]");
	return to;
}
