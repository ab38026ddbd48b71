#include "guard_text.h"

#include <string.h>

/* Where the last of a word is in n bytes; NULL: nowhere. */
static const char *last_of(const char *text, size_t n, const char *word)
{
	size_t length = strlen(word);
	for (size_t at = n < length ? 0 : n - length + 1; at-- > 0;)
		if (memcmp(text + at, word, length) == 0)
			return text + at;
	return NULL;
}

static const char *find(const char *line, size_t n)
{
	const char *is = last_of(line, n, CONDITION), *other = last_of(line, n, " else ");
	return is && (!other || other < is) ? is : NULL;
}

const char *guard_text_find(const char *line)
{
	return find(line, strlen(line));
}

int guard_text_asks(const char *lines, const char *name, const char *after)
{
	int count = 0;
	size_t length = strlen(name);
	for (size_t n; *lines; lines += n + (lines[n] != '\0')) {
		n = strcspn(lines, "\"");
		const char *is = find(lines, n);
		const char *what = is ? is + strlen(CONDITION) : "";
		count += is && strncmp(what, name, length) == 0 && strncmp(what + length, after, strlen(after)) == 0;
	}
	return count;
}

int guard_text_count(const char *lines)
{
	return guard_text_asks(lines, "", "");
}
