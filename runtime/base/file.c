#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_write(const char *path, const char *text, size_t length, diag *d)
{
	char beside[4096];
	struct stat st;
	bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode); /* a pipe, /dev/null: not to be replaced */
	int n = special ? snprintf(beside, sizeof beside, "%s", path)
			: snprintf(beside, sizeof beside, "%s.%ld.tmp", path, (long)getpid());
	if (n >= (int)sizeof beside)
		return diag_at(d, path, 0, "the path is too long");
	FILE *f = fopen(beside, "w");
	if (!f)
		return diag_at(d, path, 0, "cannot write: %s", strerror(errno));
	bool ok = fwrite(text, 1, length, f) == length;
	ok = fclose(f) == 0 && ok;
	ok = ok && (special || rename(beside, path) == 0);
	if (!ok) {
		diag_at(d, path, 0, "cannot write: %s", strerror(errno));
		if (!special)
			unlink(beside);
	}
	return ok;
}

char *file_read(const char *path, size_t *length, diag *d)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t used = 0, capacity = 0;
	if (!f) {
		diag_at(d, path, 0, "cannot open: %s", strerror(errno));
		return NULL;
	}
	for (;;) {
		if (capacity - used < 2) {
			capacity = capacity ? capacity * 2 : 65536;
			char *more = realloc(text, capacity);
			if (!more) {
				diag_at(d, path, 0, "out of memory at %zu bytes", capacity);
				goto fail;
			}
			text = more;
		}
		size_t n = fread(text + used, 1, capacity - used - 1, f);
		used += n;
		if (n == 0)
			break;
	}
	if (ferror(f)) {
		diag_at(d, path, 0, "cannot read: %s", strerror(errno));
		goto fail;
	}
	fclose(f);
	text[used] = '\0';
	*length = used;
	return text;
fail:
	fclose(f);
	free(text);
	return NULL;
}

bool file_update(const char *path, const char *text, size_t length, diag *d)
{
	size_t n = 0;
	char *old = access(path, R_OK) == 0 ? file_read(path, &n, NULL) : NULL;
	bool same = old && n == length && memcmp(old, text, n) == 0;
	free(old);
	return same || file_write(path, text, length, d);
}

bool make_directories(const char *path, diag *d)
{
	char part[4096];
	size_t n = strlen(path);
	if (n >= sizeof part)
		return diag_at(d, path, 0, "the path is too long");
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			return diag_at(d, part, 0, "cannot make the folder: %s", strerror(errno));
	}
	return true;
}
