#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"
#include "clock.h"

enum {
	TAIL = 16384,	   /* bytes of standard error that are kept */
	CHUNK = 65536,	   /* bytes read from a stream at once */
	LONGEST = 1 << 24, /* maximum length of a line */
	REST = 64,	   /* chunks read from the pipe of a dead process */
};
#define TICK 0.1   /* maximum seconds of one wait */
#define FASTEST 8e9 /* bytes per second that a group can gain: more than any machine can clear */
#define LOOK_MAX 1.0 /* maximum seconds between checks of the group's memory; the minimum is TICK */
#define LINGER 1.0 /* seconds that a process may run on after it closed its output */

extern char **environ;

struct process {
	process_options options;
	pid_t pid;	       /* 0: dead and reaped */
	int in, out, err, end; /* our ends of the pipes, and a pidfd; -1: none */
	process_end how;
	buf read; /* output; the first `taken` bytes were handed out */
	size_t taken;
	buf unsent; /* input; the first `sent` bytes were sent */
	size_t sent;
	buf tail;
	double look; /* time of the next memory check */
	double cpu;    /* processor seconds of a group that is dead */
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- start */

typedef struct ends {
	int in[2], out[2], err[2]; /* our end first; -1: none */
} ends;

static void close_ends(ends *e, int side)
{
	close_fd(&e->in[side]);
	close_fd(&e->out[side]);
	close_fd(&e->err[side]);
}

/* Standard input is a socket, since writing to a closed socket can be done without SIGPIPE. */
static bool make_ends(ends *e, bool keep_stderr)
{
	*e = (ends){{-1, -1}, {-1, -1}, {-1, -1}};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, e->in) == 0
	    && pipe2(e->out, O_CLOEXEC) == 0 && (!keep_stderr || pipe2(e->err, O_CLOEXEC) == 0))
		return true;
	close_ends(e, 0);
	close_ends(e, 1);
	return false;
}

/* Resets blocked signals and SIGPIPE for the child. Fails if memory runs out for the list of its files: it would inherit
 * ours. */
static int spawn(pid_t *pid, const char *const *argv, const ends *e)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, defaults;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	int failed = posix_spawn_file_actions_adddup2(&files, e->in[1], 0) | posix_spawn_file_actions_adddup2(&files, e->out[1], 1);
	if (e->err[1] >= 0)
		failed |= posix_spawn_file_actions_adddup2(&files, e->err[1], 2);
	posix_spawnattr_init(&how);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &defaults);
	posix_spawnattr_setflags(
	    &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (!failed)
		failed = posix_spawnp(pid, argv[0], &files, &how, (char *const *)argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static bool launch(process *p, diag *d)
{
	ends e;
	if (!make_ends(&e, p->options.keep_stderr))
		return diag_set(d, "cannot make a pipe: %s", strerror(errno));
	p->in = e.in[0];
	p->out = e.out[0]; /* read end first */
	p->err = e.err[0];
	int failed = spawn(&p->pid, p->options.argv, &e);
	close_ends(&e, 1);
	if (failed) {
		p->pid = 0;
		return failed == ENOMEM ? diag_memory(d, false)
					: diag_set(d, "cannot run %s: %s", p->options.argv[0], strerror(failed));
	}
	p->end = (int)syscall(SYS_pidfd_open, p->pid, 0); /* -1 on an old kernel: polling replaces it */
	fcntl(p->in, F_SETFL, O_NONBLOCK);
	fcntl(p->out, F_SETFL, O_NONBLOCK);
	if (p->err >= 0)
		fcntl(p->err, F_SETFL, O_NONBLOCK);
	return true;
}

process *process_start(const process_options *options, diag *d)
{
	process *p = calloc(1, sizeof *p);
	if (!p) {
		diag_set(d, "out of memory");
		return NULL;
	}
	*p = (process){.options = *options, .in = -1, .out = -1, .err = -1, .end = -1};
	if (launch(p, d))
		return p;
	process_free(p);
	return NULL;
}

/* ---- resources */

/* The stat line of a process. */
typedef struct member {
	int64_t resident; /* bytes */
	double cpu;	  /* seconds, including children that it waited for */
} member;

/* False: the process is gone. */
static bool look_at(const char *pid, member *m)
{
	char path[64], line[1024];
	snprintf(path, sizeof path, "/proc/%.16s/stat", pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return false;
	char *text = fgets(line, sizeof line, f);
	fclose(f);
	char *after = text ? strrchr(text, ')') : NULL; /* the name may contain any character */
	long pages = 0, ticks[4];
	if (!after
	    || sscanf(after,
		   ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld %*d %*d %*d %*d "
		   "%*u %*u %ld",
		   &ticks[0], &ticks[1], &ticks[2], &ticks[3], &pages)
		   != 5)
		return false;
	m->resident = (int64_t)pages * sysconf(_SC_PAGESIZE);
	m->cpu = (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK);
	return true;
}

/* Returns the next member of the group in /proc, NULL behind the last. For most processes reading the group is enough,
 * which takes a tenth of the time. */
static const char *next_member(DIR *proc, pid_t group, member *m)
{
	for (struct dirent *e; (e = readdir(proc));)
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && getpgid(atoi(e->d_name)) == group && look_at(e->d_name, m))
			return e->d_name;
	return NULL;
}

double process_cpu(const process *p)
{
	DIR *proc = p->pid > 0 ? opendir("/proc") : NULL;
	double sum = p->cpu;
	member m;
	if (!proc)
		return sum;
	while (next_member(proc, p->pid, &m))
		sum += m.cpu;
	closedir(proc);
	return sum;
}

/* ---- end */

/* Whether the leader has ended; does not reap it. */
static bool exited(const process *p)
{
	siginfo_t info = {0};
	return p->pid <= 0
	       || (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0
		   && info.si_pid == p->pid);
}

void process_kill(process *p)
{
	int status = 0;
	if (p->pid <= 0)
		return;
	p->cpu = process_cpu(p);
	kill(-p->pid, SIGKILL);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->how = (process_end){.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	    .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0};
	p->pid = 0;
	close_fd(&p->end);
}

bool process_kill_member(process *p, pid_t member)
{
	return member > 0 && p->pid > 0 && member != p->pid && getpgid(member) == p->pid
	       && kill(member, SIGKILL) == 0;
}

void process_free(process *p)
{
	if (!p)
		return;
	process_kill(p);
	close_fd(&p->in);
	close_fd(&p->out);
	close_fd(&p->err);
	buf_free(&p->read);
	buf_free(&p->unsent);
	buf_free(&p->tail);
	free(p);
}

/* ---- memory of the group */

/* Proportional set size of a process; resident set size if the system does not report it. */
static int64_t process_share(const char *pid, int64_t resident)
{
	char path[64], line[256];
	long long kilobytes = -1;
	snprintf(path, sizeof path, "/proc/%.16s/smaps_rollup", pid);
	FILE *f = fopen(path, "re");
	while (f && kilobytes < 0 && fgets(line, sizeof line, f))
		if (sscanf(line, "Pss: %lld kB", &kilobytes) != 1)
			kilobytes = -1;
	if (f)
		fclose(f);
	return kilobytes < 0 ? resident : (int64_t)kilobytes << 10;
}

/* Memory of the group in bytes. shared: count shared pages once, which takes milliseconds. */
static int64_t group_memory(pid_t group, bool shared)
{
	DIR *proc = opendir("/proc");
	int64_t sum = 0;
	if (!proc)
		return 0;
	member m;
	for (const char *pid; (pid = next_member(proc, group, &m));)
		sum += shared ? process_share(pid, m.resident) : m.resident;
	closedir(proc);
	return sum;
}

/* Forked children share most pages, so the exact sum is computed only if the simple one exceeds the limit. A check reads
 * all of /proc, about a millisecond; a small group is checked less often, since it cannot reach the limit soon. */
static bool over_memory(process *p)
{
	double now = clock_seconds();
	if (p->options.memory <= 0 || p->pid <= 0 || now < p->look)
		return false;
	int64_t held = group_memory(p->pid, false);
	double left = (double)(p->options.memory - held) / FASTEST;
	p->look = now + (left < TICK ? TICK : left < LOOK_MAX ? left : LOOK_MAX);
	return held > p->options.memory && group_memory(p->pid, true) > p->options.memory;
}

/* ---- reading and writing */

/* One read. False: end of the stream. *n is 0 if there is nothing to read now. */
static bool read_once(int fd, char chunk[CHUNK], size_t *n)
{
	ssize_t got = read(fd, chunk, CHUNK);
	*n = got > 0 ? (size_t)got : 0;
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void keep_tail(buf *tail, const char *text, size_t n)
{
	if (tail->length + n > 2 * TAIL && tail->length > TAIL) {
		memmove(tail->text, tail->text + tail->length - TAIL, TAIL);
		tail->length = TAIL;
		tail->text[TAIL] = '\0';
	}
	size_t skip = n > TAIL ? n - TAIL : 0;
	buf_add(tail, text + skip, n - skip);
}

/* Reads a piece of the output. True: there may be more now. */
static bool take_error(process *p)
{
	char chunk[CHUNK];
	size_t n;
	if (p->err < 0)
		return false;
	if (!read_once(p->err, chunk, &n))
		close_fd(&p->err);
	keep_tail(&p->tail, chunk, n);
	return n > 0;
}

static bool take_output(process *p)
{
	char chunk[CHUNK];
	size_t n;
	if (p->out < 0)
		return false;
	if (!read_once(p->out, chunk, &n))
		close_fd(&p->out);
	if (n && p->taken) {
		memmove(p->read.text, p->read.text + p->taken, p->read.length - p->taken);
		p->read.length -= p->taken;
		p->taken = 0;
	}
	buf_add(&p->read, chunk, n);
	return n > 0;
}

/* The first complete line that was read, NULL if there is none. */
static char *cut_line(process *p)
{
	size_t left = p->read.length - p->taken;
	char *from = left ? p->read.text + p->taken : NULL;
	char *newline = left ? memchr(from, '\n', left) : NULL;
	if (!newline)
		return NULL;
	*newline = '\0';
	p->taken = (size_t)(newline - p->read.text) + 1;
	return from;
}

bool process_send(process *p, const char *text, size_t length)
{
	if (p->sent == p->unsent.length) {
		buf_clear(&p->unsent);
		p->sent = 0;
	}
	buf_add(&p->unsent, text, length);
	return !p->unsent.failed;
}

/* Sends as much as the socket accepts. */
static void feed(process *p)
{
	ssize_t n = send(p->in, p->unsent.text + p->sent, p->unsent.length - p->sent, MSG_NOSIGNAL);
	if (n > 0)
		p->sent += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		close_fd(&p->in); /* it closed its input; its exit status shows why */
}

/* ---- waiting */

/* The process ended or closed its output: kills the rest of the group and reads the remaining output. */
static void wind_up(process *p)
{
	struct pollfd end = {.fd = p->end, .events = POLLIN};
	if (!exited(p))
		poll(&end, 1, (int)(LINGER * 1000));
	process_kill(p);
	for (int i = 0; i < REST && take_output(p); i++)
		;
	for (int i = 0; i < REST && take_error(p); i++)
		;
	close_fd(&p->out);
	close_fd(&p->in);
}

/* Waits for an event and does a bounded amount of work. True: stop_fd is readable. */
static bool turn(process *p, double seconds)
{
	bool sending = p->sent < p->unsent.length;
	struct pollfd fds[] = {{.fd = p->out, .events = POLLIN}, {.fd = p->err, .events = POLLIN},
	    {.fd = sending ? p->in : -1, .events = POLLOUT},
	    {.fd = p->options.stop_fd, .events = POLLIN}, {.fd = p->end, .events = POLLIN}};
	poll(fds, sizeof fds / sizeof *fds, (int)((seconds < TICK ? seconds : TICK) * 1000) + 1);
	if (fds[1].revents)
		take_error(p);
	if (fds[2].revents)
		feed(p);
	if (fds[0].revents)
		take_output(p);
	if (p->out < 0 || exited(p))
		wind_up(p);
	return (fds[3].revents & POLLIN) != 0;
}

enum process_event process_next(process *p, double deadline, char **line)
{
	for (;;) {
		if ((*line = cut_line(p)))
			return PROCESS_LINE;
		if (p->read.failed)
			return PROCESS_UNREAD;
		if (p->read.length - p->taken > LONGEST)
			return PROCESS_ENDLESS;
		if (p->pid <= 0)
			return PROCESS_ENDED;
		double left = deadline - clock_seconds();
		if (left <= 0)
			return PROCESS_LATE;
		if (turn(p, left))
			return PROCESS_STOPPED;
		if (over_memory(p))
			return PROCESS_MEMORY;
	}
}

void process_finish(process *p, double seconds)
{
	double deadline = clock_seconds() + seconds;
	char *line;
	close_fd(&p->in);
	while (process_next(p, deadline, &line) == PROCESS_LINE)
		;
	process_kill(p);
}

/* ---- ask */

process_end process_how(const process *p)
{
	return p->how;
}

pid_t process_pid(const process *p)
{
	return p->pid;
}

const char *process_stderr(process *p)
{
	for (int i = 0; i < REST && take_error(p); i++)
		;
	return p->tail.failed ? NULL : buf_text(&p->tail);
}

void process_forget(process *p)
{
	buf_clear(&p->tail);
	p->tail.failed = false;
}
