#include "rule_pages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "framework.h"

/* A C array of two megabytes takes a compiler seconds; the assembler copies a file at once. */
__asm__(".section .rodata\n"
	".balign 16\n"
	"rule_pages_begin:\n"
	".incbin \"" RULE_PAGES "\"\n"
	"rule_pages_end:\n"
	".byte 0\n"
	".previous\n");
extern const char rule_pages_begin[], rule_pages_end[];

bool rule_page_built_in(const char *api, buf *to)
{
	const size_t n = strlen(api);
	const char *end = rule_pages_end;
	for (const char *page = rule_pages_begin, *next; page < end; page = next) {
		next = memchr(page + 1, '\f', (size_t)(end - page - 1));
		next = next ? next : end;
		if ((size_t)(next - page) > n + 1 && memcmp(page + 1, api, n) == 0 && page[n + 1] == ':') {
			buf_add(to, page + 1, (size_t)(next - page - 1));
			return true;
		}
	}
	return false;
}

/* Appends the comment that begins with the API's name, without its frame. */
static bool add_comment(const char *code, const char *api, buf *to)
{
	const size_t n = strlen(api);
	const char *line = code;
	while (strncmp(line, "/* ", 3) != 0 || strncmp(line + 3, api, n) != 0 || line[3 + n] != ':') {
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
