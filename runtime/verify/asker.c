#include "asker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"

enum {
	SILENCE = 600000,      /* milliseconds without an answer */
	LONGEST = 1 << 24,     /* longer lines are not the protocol */
	FAREWELL = 100,	       /* looks, each after TICK, before it is killed */
	TICK = 50000,	       /* microseconds */
};

extern char **environ;

struct asker {
	pid_t pid;
	int fd; /* a socket: its standard input and output */
	buf pending;
};

static int spawn(pid_t *pid, const char *command, int fd)
{
	const char *argv[] = {"sh", "-c", command, NULL};
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fd, 0);
	posix_spawn_file_actions_adddup2(&files, fd, 1);
	int failed = posix_spawn(pid, "/bin/sh", &files, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

asker *asker_start(const char *command, diag *d)
{
	int ends[2], failed;
	asker *a = calloc(1, sizeof *a);
	if (!a || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		free(a);
		diag_set(d, "cannot make a pipe to the oracle: %s", strerror(errno));
		return NULL;
	}
	failed = spawn(&a->pid, command, ends[1]);
	close(ends[1]);
	a->fd = ends[0];
	fcntl(a->fd, F_SETFL, O_NONBLOCK);
	if (!failed)
		return a;
	diag_set(d, "cannot run the oracle: %s", strerror(failed));
	close(a->fd);
	free(a);
	return NULL;
}

void asker_free(asker *a)
{
	if (!a)
		return;
	shutdown(a->fd, SHUT_WR);
	for (int i = 0; a->pid > 0 && i < FAREWELL; i++) {
		char rest[4096];
		while (read(a->fd, rest, sizeof rest) > 0)
			;
		if (waitpid(a->pid, NULL, WNOHANG) == a->pid)
			a->pid = 0;
		else
			usleep(TICK);
	}
	if (a->pid > 0) {
		kill(a->pid, SIGTERM);
		waitpid(a->pid, NULL, 0);
	}
	close(a->fd);
	buf_free(&a->pending);
	free(a);
}

/* It closed its output: says how it ended. */
static bool gone(asker *a, diag *d)
{
	int status = 0;
	pid_t pid = a->pid;
	a->pid = 0;
	if (waitpid(pid, &status, 0) == pid && WIFSIGNALED(status))
		return diag_set(d, "the oracle was killed by signal %d", WTERMSIG(status));
	return diag_set(d, "the oracle ended with exit code %d", WEXITSTATUS(status));
}

/* Hands over the whole lines that are there. */
static bool take_lines(asker *a, unsigned count, unsigned *done, answer_fn *take, void *context, diag *d)
{
	char *at = a->pending.text, *end = at + a->pending.length, *newline;
	bool ok = true;
	while (ok && *done < count && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		*newline = '\0';
		ok = take(context, (*done)++, at, d);
		at = newline + 1;
	}
	a->pending.length = (size_t)(end - at);
	memmove(a->pending.text, at, a->pending.length + 1);
	if (ok && a->pending.length > LONGEST)
		return diag_set(d, "the oracle answers with a line that does not end");
	return ok;
}

bool asker_ask(asker *a, const char *lines, size_t length, unsigned count, answer_fn *take,
    void *context, diag *d)
{
	char chunk[1 << 16];
	for (unsigned done = 0; done < count;) {
		struct pollfd p = {.fd = a->fd, .events = (short)(POLLIN | (length ? POLLOUT : 0))};
		int n = poll(&p, 1, SILENCE);
		if (n == 0)
			return diag_set(d, "the oracle has been silent for %d s", SILENCE / 1000);
		if (length && (p.revents & POLLOUT)) {
			ssize_t sent = send(a->fd, lines, length, MSG_NOSIGNAL);
			lines += sent > 0 ? sent : 0;
			length -= sent > 0 ? (size_t)sent : 0;
		}
		if (!(p.revents & (POLLIN | POLLHUP | POLLERR)))
			continue;
		ssize_t got = read(a->fd, chunk, sizeof chunk);
		if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
			return gone(a, d);
		buf_add(&a->pending, chunk, got > 0 ? (size_t)got : 0);
		if (a->pending.failed)
			return diag_set(d, "out of memory for an answer");
		if (a->pending.length && !take_lines(a, count, &done, take, context, d))
			return false;
	}
	return true;
}
