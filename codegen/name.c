#include "name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#include "need.h"

enum { MAX_FILE = 120 }; /* characters; file systems take 255 with what is written beside */

uint64_t name_hash(const char *text, size_t length)
{
	return XXH3_64bits(text, length);
}

unsigned name_digits(uint64_t a, uint64_t b)
{
	return a == b ? 17 : (unsigned)__builtin_clzll(a ^ b) / 4 + 1;
}

bool name_equal_folded(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

/* Files that codegen writes itself, and device names of Windows. */
static bool is_reserved(const char *name)
{
	static const char *const NAMES[] = {
	    "table", "rules", "index", "code", "con", "prn", "aux", "nul"};
	size_t first = strcspn(name, ".");
	if (strncasecmp(name, "shared_", 7) == 0 || strncasecmp(name, "sampler_", 8) == 0 || strncasecmp(name, "table_", 6) == 0)
		return true;
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
		if (strlen(NAMES[i]) == first && strncasecmp(name, NAMES[i], first) == 0)
			return true;
	return false;
}

static const char *strip(const char *framework, const char *api)
{
	size_t n = strlen(framework);
	return strncmp(api, framework, n) == 0 && api[n] == '.' ? api + n + 1 : api;
}

const char *name_file_hashed(arena *a, const char *framework, const char *api)
{
	const char *text = need(arena_printf(a, "%.*s-%08x", MAX_FILE, strip(framework, api),
				    (unsigned)name_hash(api, strlen(api))),
	    MAX_FILE);
	return text;
}

const char *name_file(arena *a, const char *framework, const char *api)
{
	const char *name = strip(framework, api);
	if (strlen(name) > MAX_FILE || is_reserved(name))
		return name_file_hashed(a, framework, api);
	return name;
}

void name_literal(buf *out, const char *text)
{
	buf_putc(out, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_printf(out, "\\%c", *c);
		else if (*c == '?' && c > (const unsigned char *)text && c[-1] == '?')
			buf_puts(
			    out, "\\?"); /* or ??/ would be a backslash where trigraphs are on */
		else if (*c == '\n')
			buf_puts(out, "\\n");
		else if (*c < ' '
			 || *c > '~') /* three octal digits: the next character cannot join */
			buf_printf(out, "\\%03o", *c);
		else
			buf_putc(out, (char)*c);
	}
	buf_putc(out, '"');
}

void name_comment(buf *out, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c < ' ' || *c > '~') /* nor text that an editor shows in another order */
			buf_printf(out, "\\x%02x", *c);
		else
			buf_putc(out, (char)*c);
		if ((*c == '*' && c[1] == '/') || (*c == '/' && c[1] == '*')
		    || (*c == '?' && c[1] == '?'))
			buf_putc(out, ' ');
	}
}
