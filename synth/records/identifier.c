#include "identifier.h"

#include <stddef.h>

/* By bytes, so that the locale has no influence. */
static size_t length_of_identifier(const char *text)
{
	size_t n = 0;
	while (text[n] == '_' || (text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z')
	       || (n > 0 && text[n] >= '0' && text[n] <= '9'))
		n++;
	return n;
}

bool is_identifier(const char *text)
{
	size_t n = length_of_identifier(text);
	return n && text[n] == '\0';
}

bool is_dotted(const char *text)
{
	for (;; text++) {
		size_t n = length_of_identifier(text);
		if (n == 0)
			return false;
		text += n;
		if (*text != '.')
			return *text == '\0';
	}
}
