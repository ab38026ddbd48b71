/* LD_PRELOAD: the allocation number $FAIL_AT of the process gives NULL, with $FAIL_ON=1 each after it, too. Children are not
 * touched, nor what libz3 allocates, nor what is allocated before main begins: by constructors, which are libraries', and by
 * those of clang's counters, which free twice what they lack. $FAIL_COUNT: a file that gets the number of allocations, and of those that are the first
 * of a place: of the functions that called one another for it.
 *
 * $FAIL_FORKS: a file of numbers, which rise. At each the process forks twice: in one child that allocation fails, in the
 * other all from it on; the process itself waits for them and goes on, and lacks nothing. A child writes what it prints to
 * $FAIL_FORKS.N-0.out and .err, or N-1, after what was printed before; its folder is $FAIL_FORKS.N-0.d, a copy of that of
 * the process; how it ended is a line "N on status" of $FAIL_FORKS.ends. A process of threads does not fork. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_long made;
static bool begun; /* main */
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

/* Allocations at which to fork, and what their files' names begin with. */
enum { LIMIT = 60 }; /* seconds that a child may take */
static long forks[MOST];
static int nforks, next_fork;
static const char *forks_path;

/* What was printed to fd so far, and goes on there, stands in a file of the child's own. */
static void print_to(int fd, long n, int on, const char *end)
{
	char path[4096];
	snprintf(path, sizeof path, "%s.%ld-%d.%s", forks_path, n, on, end);
	int own = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644), before = open(fd == 1 ? "/proc/self/fd/1" : "/proc/self/fd/2", O_RDONLY);
	struct stat st;
	if (before >= 0 && fstat(before, &st) == 0 && S_ISREG(st.st_mode))
		sendfile(own, before, NULL, (size_t)st.st_size);
	dup2(own, fd);
}

/* The child's folder is one of its own, which has what the process wrote in that where it began. */
static void own_folder(long n, int on)
{
	char path[4096], command[4200];
	snprintf(path, sizeof path, "%s.%ld-%d.d", forks_path, n, on);
	snprintf(command, sizeof command, "cp -r . '%s'", path);
	if (system(command) != 0 || chdir(path) != 0)
		_exit(99);
}

/* Files that the child reads it reads on by itself, from where they are: it shares where that is with its parent. What it
 * would write to open files is lost. */
static void read_alone(void)
{
	for (int fd = 3; fd < 64; fd++) {
		char path[64];
		struct stat st;
		if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		off_t at = lseek(fd, 0, SEEK_CUR);
		bool reads = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		int own = open(reads ? path : "/dev/null", reads ? O_RDONLY : O_WRONLY);
		lseek(own, at, SEEK_SET);
		dup2(own, fd);
		close(own);
	}
}

/* Forks; in the children the allocation is to fail. */
static void fork_at(long n)
{
	next_fork++;
	for (int on = 0; on < 2 && __libc_single_threaded; on++) {
		pid_t child = fork();
		if (child == 0) {
			print_to(1, n, on, "out");
			print_to(2, n, on, "err");
			read_alone();
			own_folder(n, on);
			alarm(LIMIT);
			fail_on = on, nforks = 0, fail_at = n;
			return;
		}
		int status = -1;
		waitpid(child, &status, 0);
		char path[4096];
		snprintf(path, sizeof path, "%s.ends", forks_path);
		int f = open(path, O_CREAT | O_WRONLY | O_APPEND, 0644);
		dprintf(f, "%ld %d %d\n", n, on, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
		close(f);
	}
}

static bool fails(char *caller)
{
	if (inside || !begun)
		return false;
	for (int i = 0; i < ntheirs; i++)
		if (caller >= theirs[i].from && caller < theirs[i].to)
			return false;
	long n = atomic_fetch_add(&made, 1) + 1;
	if (count_to && fail_at <= 0)
		note_place(n);
	if (next_fork < nforks && n == forks[next_fork]) {
		inside = true;
		fork_at(n);
		inside = false;
	}
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
	forks_path = getenv("FAIL_FORKS");
	FILE *f = forks_path ? fopen(forks_path, "r") : NULL;
	while (f && nforks < MOST && fscanf(f, "%ld", &forks[nforks]) == 1)
		nforks++;
	if (f)
		fclose(f);
	fail_at = at ? atol(at) : -1;
}

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
static main_function *own_main;

static int counted_main(int argc, char **argv, char **environment)
{
	begun = true;
	return own_main(argc, argv, environment);
}

/* What starts a program, in libc; ours starts it with a main that counts. */
int __libc_start_main(main_function *m, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld)(void), void *stack)
{
	own_main = m;
	return ((start_function *)dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, argc, argv, init, fini, rtld, stack);
}

__attribute__((destructor)) static void end(void)
{
	inside = true;
	long n = made;
	FILE *f = count_to && fail_at <= 0 ? fopen(count_to, "w") : NULL;
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
