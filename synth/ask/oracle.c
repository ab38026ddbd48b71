#include "oracle.h"

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
#include "json.h"

enum {
	SILENCE_MS = 300000, /* without any answer: the oracle bounds its calls itself, so it hangs */
	STRIKES = 3,	     /* deaths in a row without an answer */
	LONGEST = 1 << 20    /* longer lines are not the protocol */
};

extern char **environ;

struct oracle {
	char *command;
	pid_t pid;   /* 0: not running */
	int in, out; /* our ends */
	buf read;    /* no whole line yet */
	int strikes;
	bool answered; /* since it was started */
};

oracle *oracle_new(const char *command)
{
	oracle *o = calloc(1, sizeof *o);
	if (o) {
		o->command = strdup(command);
		o->in = o->out = -1;
	}
	return o;
}

/* Ends it; what it ended with, as waitpid says. With `now` the group is killed, otherwise it has seen the end of its
 * input and may finish. */
static int stop(oracle *o, bool now)
{
	int status = 0;
	if (o->pid <= 0)
		return 0;
	close(o->in);
	if (now)
		kill(-o->pid, SIGKILL);
	close(o->out);
	while (waitpid(o->pid, &status, 0) < 0 && errno == EINTR)
		;
	kill(-o->pid, SIGKILL); /* what it left behind */
	o->pid = 0;
	o->in = o->out = -1;
	buf_clear(&o->read);
	return status;
}

void oracle_free(oracle *o)
{
	if (!o)
		return;
	stop(o, false);
	buf_free(&o->read);
	free(o->command);
	free(o);
}

/* A group of its own, so that Ctrl-C reaches only us: it ends when its input does. Its input is a socket, so that
 * writing to one that is gone raises no SIGPIPE. */
static bool start(oracle *o, diag *d)
{
	int in[2], out[2];
	if (o->pid > 0)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0)
		return diag_set(d, "cannot make a socket: %s", strerror(errno));
	if (pipe2(out, O_CLOEXEC) != 0) {
		close(in[0]);
		close(in[1]);
		return diag_set(d, "cannot make a pipe: %s", strerror(errno));
	}
	const char *argv[] = {"sh", "-c", o->command, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in[0], 0);
	posix_spawn_file_actions_adddup2(&files, out[1], 1);
	posix_spawnattr_init(&how);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
	int failed = posix_spawn(&o->pid, "/bin/sh", &files, &how, (char *const *)argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	close(in[0]);
	close(out[1]);
	o->in = in[1];
	o->out = out[0];
	fcntl(o->in, F_SETFL, O_NONBLOCK);
	fcntl(o->out, F_SETFL, O_NONBLOCK);
	o->answered = false;
	if (failed) {
		o->pid = 0;
		close(o->in);
		close(o->out);
		return diag_set(d, "cannot run /bin/sh: %s", strerror(failed));
	}
	return true;
}

/* Sends what the socket takes; an oracle that closed its input will be seen to end. */
static void feed(oracle *o, const buf *text, size_t *sent)
{
	ssize_t n = send(o->in, text->text + *sent, text->length - *sent, MSG_NOSIGNAL);
	if (n > 0)
		*sent += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		*sent = text->length;
}

/* Takes whole answers from what was read; false when they are not of the protocol. */
static bool take_lines(oracle *o, int *done, int n, oracle_answer *take, void *user)
{
	size_t from = 0;
	char *end;
	while (*done < n && o->read.length > from && (end = memchr(o->read.text + from, '\n', o->read.length - from))) {
		*end = '\0';
		cJSON *answer = json_parse(o->read.text + from, "oracle", 0, NULL);
		from = (size_t)(end - o->read.text) + 1;
		if (!cJSON_IsObject(answer)) {
			cJSON_Delete(answer);
			return false;
		}
		take(user, (*done)++, answer);
		cJSON_Delete(answer);
		o->answered = true;
		o->strikes = 0;
	}
	if (from)
		memmove(o->read.text, o->read.text + from, o->read.length - from);
	o->read.length -= from;
	return o->read.length < LONGEST;
}

/* Sends lines and takes answers until all are answered (true) or the oracle is dead, silent or talks nonsense. */
static bool converse(oracle *o, const char *const *lines, int n, int *done, oracle_answer *take, void *user)
{
	buf text = {0};
	size_t sent = 0;
	bool alive = true;
	for (int k = *done; k < n; k++) {
		buf_puts(&text, lines[k]);
		buf_putc(&text, '\n');
	}
	while (alive && *done < n) {
		struct pollfd fds[2] = {{.fd = o->out, .events = POLLIN}, {.fd = sent < text.length ? o->in : -1, .events = POLLOUT}};
		char chunk[65536];
		int ready = poll(fds, 2, SILENCE_MS);
		if (ready == 0 || (ready < 0 && errno != EINTR))
			break;
		if (fds[1].revents)
			feed(o, &text, &sent);
		if (!fds[0].revents)
			continue;
		ssize_t got = read(o->out, chunk, sizeof chunk);
		if (got > 0) {
			buf_add(&o->read, chunk, (size_t)got);
			alive = take_lines(o, done, n, take, user);
		} else {
			alive = got < 0 && (errno == EAGAIN || errno == EINTR);
		}
	}
	buf_free(&text);
	return *done == n;
}

/* Whether to go on after a death. */
static bool forgive(oracle *o, int status, diag *d)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (o->answered)
		return true;
	if (code == 2 || code == 5 || code == 126 || code == 127)
		return diag_set(d, "the oracle does not start (exit code %d): %s", code, o->command);
	if (++o->strikes < STRIKES)
		return true;
	return diag_set(d, "the oracle ended %d times without an answer: %s", STRIKES, o->command);
}

bool oracle_ask(oracle *o, const char *const *lines, int n, bool whole, oracle_answer *take, void *user, diag *d)
{
	int done = 0;
	while (done < n) {
		if (!start(o, d))
			return false;
		if (converse(o, lines, n, &done, take, user))
			break;
		if (!forgive(o, stop(o, true), d))
			return false;
		if (whole)
			done = 0;
		else if (o->answered || o->strikes > 1) /* a first death may be nobody's fault */
			take(user, done++, NULL);
	}
	return true;
}
