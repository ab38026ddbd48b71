#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

/* An unpredictable name beside a file, so that no link can be planted there. */
static bool name_beside(const char *path, char name[4096], diag *d)
{
	unsigned long long random;
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return diag_at(d, path, 0, "no random numbers: %s", strerror(errno));
	int n = snprintf(name, 4096, "%s.%016llx.tmp", path, random);
	return n < 4096 || diag_at(d, path, 0, "the path is too long");
}

static bool put(FILE *f, const char *text, size_t length)
{
	bool ok = fwrite(text, 1, length, f) == length;
	return fclose(f) == 0 && ok;
}

bool file_write(const char *path, const char *text, size_t length, diag *d)
{
	char beside[4096];
	struct stat st;
	bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode); /* do not replace a pipe or /dev/null */
	if (!special && !name_beside(path, beside, d))
		return false;
	FILE *f = special ? fopen(path, "w") : fopen(beside, "wx");
	if (!f)
		return diag_at(d, path, 0, "cannot write: %s", strerror(errno));
	bool ok = put(f, text, length) && (special || rename(beside, path) == 0);
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
			if (capacity >= FILE_LARGEST) {
				diag_at(d, path, 0, "the file is larger than %d MiB", FILE_LARGEST >> 20);
				goto fail;
			}
			capacity = capacity ? capacity * 2 : 65536;
			char *more = realloc(text, capacity);
			if (!more) {
				out_of_memory(capacity);
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
