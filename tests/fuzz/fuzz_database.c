/* An untrusted database: opened, listed, each finding and run read, and merged with itself. */
#include <stdio.h>
#include <string.h>

#include "digest.h"
#include "input.h"
#include "merge.h"
#include "stored.h"

static char folder[] = "/dev/shm/rulefuzz-fuzz-XXXXXX", path[64], merged[64];

static void put(const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "w");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
		abort();
}

static void read_all(void)
{
	diag d;
	digest g;
	store *s = store_open(path, false, &d);
	arena *a = arena_new();
	if (s && digest_make(&g, s, NULL, a, &d))
		for (int i = 0; i < g.nentries; i++) {
			finding f;
			if (digest_whole(&g, i, &f, a, &d))
				free(stored_key(&f));
		}
	if (s)
		stored_rename(s, &d);
	store_close(s);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const ENDS[] = {"-wal", "-shm", "-journal"};
	char *from[] = {path}, name[80];
	diag d;
	if (!path[0]) {
		if (!mkdtemp(folder))
			abort();
		snprintf(path, sizeof path, "%s/db", folder);
		snprintf(merged, sizeof merged, "%s/merged", folder);
	}
	put(data, size);
	read_all();
	put(data, size);
	if (merge_databases(merged, from, 1, &d))
		unlink(merged);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%s%s", path, ENDS[i]);
		unlink(name);
	}
	return 0;
}
