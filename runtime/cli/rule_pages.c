#include "rule_pages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "framework.h"

EMBED(rule_pages);

/* All pages, to free(). NULL: out of memory. A gzip file ends with its length (RFC 1952). */
static char *all_pages(size_t *length)
{
	const size_t size = (size_t)(rule_pages_end - rule_pages_begin);
	const unsigned char *last = (const unsigned char *)&rule_pages_begin[size - 4];
	*length = last[0] | (size_t)last[1] << 8 | (size_t)last[2] << 16 | (size_t)last[3] << 24;
	char *text = malloc(*length + 1);
	z_stream z = {.next_in = (unsigned char *)rule_pages_begin,
	    .avail_in = (unsigned)size,
	    .next_out = (unsigned char *)text,
	    .avail_out = (unsigned)*length};
	enum { GZIP = 16 + MAX_WBITS };
	bool ok = text && inflateInit2(&z, GZIP) == Z_OK;
	if (ok) {
		ok = inflate(&z, Z_FINISH) == Z_STREAM_END;
		inflateEnd(&z);
	}
	if (!ok) {
		free(text);
		return NULL;
	}
	text[*length] = '\0';
	return text;
}

/* Whether an API's name ends here: its parameters or "no rule" follow. */
static bool ends_name(char c)
{
	return c == '(' || c == ':';
}

bool rule_page_built_in(const char *api, buf *to)
{
	const size_t n = strlen(api);
	size_t length;
	char *pages = all_pages(&length);
	bool found = false;
	to->failed |= !pages;
	for (const char *page = pages, *end = pages + length, *next; pages && !found && page < end; page = next) {
		next = memchr(page + 1, '\f', (size_t)(end - page - 1));
		next = next ? next : end;
		found = (size_t)(next - page) > n + 1 && memcmp(page + 1, api, n) == 0 && ends_name(page[n + 1]);
		if (found)
			buf_add(to, page + 1, (size_t)(next - page - 1));
	}
	free(pages);
	return found;
}

/* Appends the comment that begins with the API's name, without its frame. */
static bool add_comment(const char *code, const char *api, buf *to)
{
	const size_t n = strlen(api);
	const char *line = code;
	while (strncmp(line, "/* ", 3) != 0 || strncmp(line + 3, api, n) != 0 || !ends_name(line[3 + n])) {
		line = strchr(line, '\n');
		if (!line++)
			return false;
	}
	for (size_t length; *line && strncmp(line, " */", 3) != 0; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (length > 3)
			buf_add(to, line + 3, length - 3);
		buf_putc(to, '\n');
	}
	return true;
}

bool rule_page_beside(const char *library, const char *framework, const char *api, buf *to)
{
	const char *slash = strrchr(library, '/'), *inside = framework_inside(framework, api);
	const char *const names[] = {api, inside ? inside : api};
	char path[PATH_MAX];
	bool found = false;
	for (int i = 0; i < 2 && !found; i++) {
		size_t length;
		diag d;
		int n = snprintf(path, sizeof path, "%.*s/code/%s/%s.c", slash ? (int)(slash - library) : 1, slash ? library : ".",
		    framework, names[i]);
		char *code = n > 0 && n < PATH_MAX ? file_read(path, &length, &d) : NULL;
		found = code && add_comment(code, api, to);
		free(code);
	}
	return found;
}
