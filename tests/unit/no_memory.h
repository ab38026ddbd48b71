/* Out-of-memory injection: makes one allocation of the test program fail, or every allocation from one on.
 * Include it once, in the test's only file, after cmocka.h: it defines malloc. A sanitizer brings its own
 * malloc, which never fails. */
#ifndef NO_MEMORY_H
#define NO_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#if defined __SANITIZE_ADDRESS__
#define OWN_MALLOC 0
#elif defined __has_feature
#define OWN_MALLOC (!__has_feature(address_sanitizer))
#else
#define OWN_MALLOC 1
#endif

static struct {
	long made, kept; /* allocations since `at` was set; those not yet freed */
	long at;	 /* index of the allocation that fails; 0: none */
	bool on;	 /* and every later one */
	long fewer;	 /* lack_memory tries 1 of this many; 0: all */
} memory;

#if OWN_MALLOC
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static bool is_lacking(void)
{
	memory.made++;
	bool lacks = memory.at && (memory.made == memory.at || (memory.on && memory.made > memory.at));
	if (lacks)
		errno = ENOMEM;
	return lacks;
}

static void *kept(void *p)
{
	memory.kept += p != NULL;
	return p;
}

void *malloc(size_t n)
{
	return is_lacking() ? NULL : kept(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return is_lacking() ? NULL : kept(__libc_calloc(n, size));
}

void *aligned_alloc(size_t to, size_t n)
{
	return is_lacking() ? NULL : kept(__libc_memalign(to, n));
}

void *realloc(void *old, size_t n)
{
	if (is_lacking())
		return NULL;
	void *p = __libc_realloc(old, n);
	return old ? p : kept(p);
}

void free(void *p)
{
	memory.kept -= p != NULL;
	__libc_free(p);
}
#endif

/* Runs the attempt with each allocation failing in turn, alone and together with all later ones: each of the
 * first hundred, then 1 of n/100. The attempt returns true if it had enough memory, and asserts its own
 * postconditions for both outcomes. It must free everything either way, and must succeed if no allocation
 * fails. */
static void lack_memory(bool (*attempt)(void *), void *context)
{
	memory.at = 0;
	assert_true(attempt(context)); /* makes the allocations that happen once per process */
	if (!OWN_MALLOC)
		return;
	long failed = 0, kept_before = memory.kept;
	for (int on = 0; on < 2; on++)
		for (long n = 1; memory.at = n, memory.on = on, memory.made = 0, true; n += (1 + n / 100) * (memory.fewer ? memory.fewer : 1)) {
			bool done = attempt(context), enough = memory.made < n;
			memory.at = 0;
			if (memory.kept != kept_before)
				fail_msg("without allocation %ld%s: %ld are not given back", n, on ? " and later ones" : "", memory.kept - kept_before);
			if (enough) {
				assert_true(done);
				break;
			}
			failed += !done;
		}
	assert_true(failed > 0);
}

#endif
