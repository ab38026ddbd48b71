/* LD_PRELOAD: the allocation number $FAIL_AT of the process gives NULL, with $FAIL_ON=1 each after it, too. Children are not
 * touched, nor what libz3 allocates. $FAIL_COUNT: a file that gets the number of allocations, and of those that are the first
 * of a place: of the functions that called one another for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long made;
static long fail_at = -1;
static bool fail_on;
static char *count_to;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

/* Where libz3 and libstdc++ lie: what they do without memory is not ours. */
static struct span {
	char *from, *to;
} theirs[2];
static int ntheirs;

static int note_library(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size, (void)context;
	if (!info->dlpi_name || ntheirs == 2 || (!strstr(info->dlpi_name, "libz3") && !strstr(info->dlpi_name, "libstdc++")))
		return 0;
	struct span s = {(char *)-1, NULL};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		char *from = (char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), *to = from + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		s.from = from < s.from ? from : s.from;
		s.to = to > s.to ? to : s.to;
	}
	theirs[ntheirs++] = s;
	return 0;
}

/* Places of allocations that there were: hashes of so many callers; and each one's first. */
enum { DEEP = 8, SLOTS = 1 << 15, MOST = 1 << 13 };
static atomic_ulong seen[SLOTS];
static long firsts[MOST];
static atomic_int nfirsts;
static _Thread_local bool inside; /* backtrace allocates, too */

static void note_place(long n)
{
	void *frames[DEEP];
	inside = true;
	int depth = backtrace(frames, DEEP);
	inside = false;
	unsigned long hash = 1;
	for (int i = 2; i < depth; i++)
		hash = (hash ^ (unsigned long)frames[i]) * 0x9e3779b97f4a7c15;
	hash ^= hash >> 29;
	for (unsigned long k = 0; k < SLOTS; k++) {
		unsigned long none = 0;
		atomic_ulong *slot = &seen[(hash + k) % SLOTS];
		if (atomic_compare_exchange_strong(slot, &none, hash | 1)) {
			int at = atomic_fetch_add(&nfirsts, 1);
			if (at < MOST)
				firsts[at] = n;
			return;
		}
		if (none == (hash | 1))
			return;
	}
}

static bool fails(char *caller)
{
	if (inside)
		return false;
	for (int i = 0; i < ntheirs; i++)
		if (caller >= theirs[i].from && caller < theirs[i].to)
			return false;
	long n = atomic_fetch_add(&made, 1) + 1;
	if (count_to && fail_at <= 0)
		note_place(n);
	bool no = fail_at > 0 && (n == fail_at || (fail_on && n > fail_at));
	if (no)
		errno = ENOMEM;
	return no;
}

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FAIL_AT");
	count_to = getenv("FAIL_COUNT");
	unsetenv("LD_PRELOAD");
	fail_on = getenv("FAIL_ON") != NULL;
	dl_iterate_phdr(note_library, NULL);
	made = 0;
	fail_at = at ? atol(at) : -1;
}

__attribute__((destructor)) static void end(void)
{
	long n = made;
	FILE *f = count_to ? fopen(count_to, "w") : NULL;
	if (f) {
		fprintf(f, "%ld\n", n);
		for (int i = 0; i < nfirsts && i < MOST; i++)
			fprintf(f, "%ld\n", firsts[i]);
		fclose(f);
	}
}

void *malloc(size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
