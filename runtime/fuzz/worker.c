#include "worker.h"

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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "buf.h"
#include "json.h"

#define TAIL 16384        /* bytes of standard error kept */
#define LONGEST 0x1000000 /* longer lines are not the protocol */
#define TICK 0.1          /* seconds between looks at memory and life */
#define GRACE 2.0         /* for a mother to report the child that was killed */

extern char **environ;

struct worker {
	worker_options options;
	pid_t pid;
	int in, out, err; /* our ends of its pipes */
	bool alive;
	int wait_status; /* once it is not alive */
	buf pending;     /* read from out, no whole line yet */
	buf tail;
	cJSON *versions;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the process */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Its standard input is a socket, so that writing to one that is gone raises no SIGPIPE. */
static bool pipes(int in[2], int out[2], int err[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0) {
		if (pipe2(out, O_CLOEXEC) == 0) {
			if (pipe2(err, O_CLOEXEC) == 0)
				return true;
			close(out[0]);
			close(out[1]);
		}
		close(in[0]);
		close(in[1]);
	}
	return false;
}

/* A group of its own, so that Ctrl-C reaches only us; no signal blocked or ignored. */
static int spawn(pid_t *pid, const char *const *argv, int in, int out, int err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, defaults;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawn_file_actions_adddup2(&files, err, 2);
	posix_spawnattr_init(&how);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &defaults);
	posix_spawnattr_setflags(
	    &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int failed = posix_spawnp(pid, argv[0], &files, &how, (char *const *)argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static bool launch(worker *w, diag *d)
{
	int in[2], out[2], err[2];
	if (!pipes(in, out, err))
		return diag_set(d, "cannot make a pipe: %s", strerror(errno));
	int failed = spawn(&w->pid, w->options.argv, in[0], out[1], err[1]);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	w->in = in[1];
	w->out = out[0];
	w->err = err[0];
	if (failed)
		return diag_set(d, "cannot run %s: %s", w->options.argv[0], strerror(failed));
	w->alive = true;
	fcntl(w->in, F_SETFL, O_NONBLOCK);
	fcntl(w->out, F_SETFL, O_NONBLOCK);
	fcntl(w->err, F_SETFL, O_NONBLOCK);
	return true;
}

/* Collects the worker when it has ended; true when it is still there. */
static bool check_alive(worker *w)
{
	if (w->alive && waitpid(w->pid, &w->wait_status, WNOHANG) != 0)
		w->alive = false;
	return w->alive;
}

/* Ends the whole group. The leader is collected only afterwards, so that its number is still ours;
 * where it was collected before, members that it left behind still hold the group's number. */
static void kill_group(worker *w)
{
	if (w->pid <= 0)
		return;
	kill(-w->pid, SIGKILL);
	if (w->alive)
		while (waitpid(w->pid, &w->wait_status, 0) < 0 && errno == EINTR)
			;
	w->alive = false;
	w->pid = 0; /* may be another's from now on */
}

/* ---- memory of the group */

/* The group and resident bytes of a process, from its stat line; false when it is gone. */
static bool process_stat(const char *pid, long *group, int64_t *resident)
{
	char path[64], line[1024];
	snprintf(path, sizeof path, "/proc/%.16s/stat", pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return false;
	char *text = fgets(line, sizeof line, f);
	fclose(f);
	char *after = text ? strrchr(text, ')') : NULL; /* the name may hold anything */
	long pages = 0;
	if (!after
	    || sscanf(after,
		   ") %*c %*d %ld %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
		   "%*u "
		   "%*u %ld",
		   group, &pages)
		   != 2)
		return false;
	*resident = (int64_t)pages * sysconf(_SC_PAGESIZE);
	return true;
}

static bool over_memory(const worker *w)
{
	DIR *proc = w->options.memory > 0 ? opendir("/proc") : NULL;
	bool over = false;
	if (!proc)
		return false;
	for (struct dirent *e; !over && (e = readdir(proc));) {
		long group;
		int64_t resident;
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9'
		    && process_stat(e->d_name, &group, &resident))
			over = group == w->pid && resident > w->options.memory;
	}
	closedir(proc);
	return over;
}

/* ---- reading and writing */

static void keep_tail(buf *tail, const char *text, size_t n)
{
	if (tail->length + n > 2 * TAIL && tail->length > TAIL) {
		memmove(tail->text, tail->text + tail->length - TAIL, TAIL);
		tail->length = TAIL;
		tail->text[TAIL] = '\0';
	}
	if (n > TAIL) {
		text += n - TAIL;
		n = TAIL;
	}
	buf_add(tail, text, n);
}

/* Takes what there is to read; false at the end of the stream. */
static bool drain(worker *w, int fd, buf *into)
{
	char chunk[16384];
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n == 0)
			return false;
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (into == &w->tail)
			keep_tail(into, chunk, (size_t)n);
		else
			buf_add(into, chunk, (size_t)n);
		if (into->length > LONGEST)
			return true;
	}
}

/* Cuts the first whole line off what was read: a string to free(), NULL when there is none. */
static char *take_line(worker *w)
{
	char *end = w->pending.length ? memchr(w->pending.text, '\n', w->pending.length) : NULL;
	if (!end)
		return NULL;
	size_t n = (size_t)(end - w->pending.text);
	char *line = strndup(w->pending.text, n);
	memmove(w->pending.text, end + 1, w->pending.length - n);
	w->pending.length -= n + 1;
	return line;
}

/* Writes the rest of a request as far as the pipe takes it. */
static void feed(worker *w, const char **text, size_t *left)
{
	ssize_t n = send(w->in, *text, *left, MSG_NOSIGNAL);
	if (n > 0) {
		*text += n;
		*left -= (size_t)n;
	} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
		*left = 0; /* it closed its input: what follows tells why */
	}
}

/* ---- one exchange */

typedef struct exchange {
	worker *w;
	worker_reply *reply;
	int64_t id;
	const char *text; /* of the request, still to write */
	size_t left;
	double deadline;
	pid_t child;           /* the one that the stage messages name */
	enum worker_end cause; /* why the child was killed; WORKER_ANSWERED: it was not */
	bool done;
} exchange;

static void end(exchange *x, enum worker_end how)
{
	x->reply->end = how;
	x->done = true;
}

/* Kills the child that works on the request, and waits a little for its mother to say so; without
 * a child of its own the worker is killed. */
static void stop_child(exchange *x, enum worker_end why)
{
	worker *w = x->w;
	bool mine = x->child > 0 && x->child != w->pid && getpgid(x->child) == w->pid;
	if (x->cause == WORKER_ANSWERED && mine && why != WORKER_STOPPED) {
		kill(x->child, SIGKILL);
		x->cause = why;
		x->deadline = now() + GRACE;
		return;
	}
	kill_group(w);
	end(x, x->cause == WORKER_ANSWERED ? why : x->cause);
}

static void take_stage(exchange *x, const cJSON *message, const char *stage)
{
	const cJSON *pid = cJSON_GetObjectItemCaseSensitive(message, "pid");
	snprintf(x->reply->stage, sizeof x->reply->stage, "%s", stage);
	if (cJSON_IsNumber(pid))
		x->child = (pid_t)pid->valuedouble;
}

static void take_death(exchange *x, const cJSON *died)
{
	const cJSON *signal = cJSON_GetObjectItemCaseSensitive(died, "signal");
	const cJSON *status = cJSON_GetObjectItemCaseSensitive(died, "status");
	x->reply->signal = cJSON_IsNumber(signal) ? signal->valueint : 0;
	x->reply->status = cJSON_IsNumber(status) ? status->valueint : 0;
	end(x, x->cause == WORKER_ANSWERED ? WORKER_DIED : x->cause);
}

static void take_message(exchange *x, const char *line)
{
	cJSON *message = cJSON_Parse(line);
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(message, "id");
	const cJSON *stage = cJSON_GetObjectItemCaseSensitive(message, "stage");
	const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(message, "verdict");
	const cJSON *died = cJSON_GetObjectItemCaseSensitive(message, "died");
	if (!cJSON_IsObject(message) || !cJSON_IsNumber(id)) {
		kill_group(x->w);
		end(x, WORKER_GARBLED);
	} else if ((int64_t)id->valuedouble != x->id) {
		; /* of a request that was given up */
	} else if (cJSON_IsObject(died)) {
		take_death(x, died);
	} else if (cJSON_IsString(stage) && !verdict) {
		take_stage(x, message, stage->valuestring);
	} else {
		x->reply->answer = message;
		message = NULL;
		end(x, WORKER_ANSWERED);
	}
	cJSON_Delete(message);
}

static void take_end(exchange *x)
{
	int status = x->w->wait_status;
	x->reply->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	x->reply->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	kill_group(x->w); /* children that it left */
	end(x, x->cause == WORKER_ANSWERED ? WORKER_DIED : x->cause);
}

static void take_lines(exchange *x)
{
	for (char *line; !x->done && (line = take_line(x->w));) {
		take_message(x, line);
		free(line);
	}
	if (!x->done && x->w->pending.length > LONGEST) {
		kill_group(x->w);
		end(x, WORKER_GARBLED);
	}
}

/* Waits until something can be read or written, or for a tick. */
static bool turn(exchange *x)
{
	worker *w = x->w;
	struct pollfd fds[4] = {{.fd = w->out, .events = POLLIN}, {.fd = w->err, .events = POLLIN},
	    {.fd = x->left ? w->in : -1, .events = POLLOUT},
	    {.fd = w->options.stop_fd, .events = POLLIN}};
	poll(fds, 4, (int)(TICK * 1000));
	if (fds[1].revents && !drain(w, w->err, &w->tail))
		close_fd(&w->err);
	if (fds[2].revents)
		feed(w, &x->text, &x->left);
	bool open = !fds[0].revents || drain(w, w->out, &w->pending);
	take_lines(x);
	if (!x->done && (fds[3].revents & POLLIN))
		stop_child(x, WORKER_STOPPED);
	return open;
}

static void run_exchange(exchange *x)
{
	double looked = now();
	while (!x->done) {
		bool open = turn(x);
		if (x->done)
			break;
		double t = now();
		if (!open || !check_alive(x->w)) {
			if (open)
				drain(x->w, x->w->out, &x->w->pending);
			take_lines(x);
			kill_group(x->w);
			if (!x->done)
				take_end(x);
		} else if (t > x->deadline) {
			stop_child(x, WORKER_HUNG);
		} else if (t - looked > TICK) {
			looked = t;
			if (x->cause == WORKER_ANSWERED && over_memory(x->w))
				stop_child(x, WORKER_MEMORY);
		}
	}
	if (x->w->err >= 0 && !drain(x->w, x->w->err, &x->w->tail))
		close_fd(&x->w->err);
}

void worker_call(worker *w, int64_t id, const char *request, worker_reply *reply)
{
	*reply = (worker_reply){.end = WORKER_DIED};
	if (!w->alive)
		return;
	buf line = {0};
	buf_puts(&line, request);
	buf_putc(&line, '\n');
	buf_clear(&w->tail);
	double start = now();
	exchange x = {.w = w,
	    .reply = reply,
	    .id = id,
	    .text = line.text,
	    .left = line.length,
	    .deadline = start + w->options.call_seconds};
	run_exchange(&x);
	reply->seconds = now() - start;
	buf_free(&line);
}

void worker_reply_free(worker_reply *reply)
{
	cJSON_Delete(reply->answer);
	reply->answer = NULL;
}

/* ---- life */

/* The last line that the worker printed, to say why it did not start. */
static const char *last_words(const worker *w)
{
	if (!w->tail.length)
		return "it printed nothing";
	char *text = w->tail.text, *stop = text + w->tail.length;
	while (stop > text && (stop[-1] == '\n' || stop[-1] == '\r'))
		*--stop = '\0';
	char *newline = strrchr(text, '\n');
	return newline ? newline + 1 : text;
}

static bool take_ready(worker *w, const char *line, diag *d)
{
	cJSON *message = cJSON_Parse(line);
	const cJSON *fatal = cJSON_GetObjectItemCaseSensitive(message, "fatal");
	bool ready = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(message, "ready"));
	if (ready)
		w->versions = cJSON_DetachItemFromObjectCaseSensitive(message, "versions");
	else if (cJSON_IsString(fatal))
		diag_set(d, "%s", fatal->valuestring);
	else
		diag_set(d, "the worker's first line is not the ready message: '%.60s'", line);
	cJSON_Delete(message);
	return ready;
}

/* Reads up to the first line of the worker. */
static bool await_ready(worker *w, diag *d, bool *stopped)
{
	double deadline = now() + w->options.start_seconds;
	for (;;) {
		struct pollfd fds[3] = {{.fd = w->out, .events = POLLIN},
		    {.fd = w->err, .events = POLLIN}, {.fd = w->options.stop_fd, .events = POLLIN}};
		poll(fds, 3, (int)(TICK * 1000));
		if (fds[1].revents && !drain(w, w->err, &w->tail))
			close_fd(&w->err);
		bool open = !fds[0].revents || drain(w, w->out, &w->pending);
		char *line = take_line(w);
		if (line) {
			bool ok = take_ready(w, line, d);
			free(line);
			return ok;
		}
		if (fds[2].revents & POLLIN) {
			*stopped = true;
			return diag_set(d, "stopped");
		}
		if (!open || !check_alive(w)) {
			if (w->err >= 0)
				drain(w, w->err, &w->tail);
			return diag_set(d, "the worker did not start: %.600s", last_words(w));
		}
		if (now() > deadline)
			return diag_set(
			    d, "the worker was not ready after %.0f s", w->options.start_seconds);
	}
}

worker *worker_start(const worker_options *options, diag *d, bool *stopped)
{
	worker *w = calloc(1, sizeof *w);
	*stopped = false;
	if (!w) {
		diag_set(d, "out of memory");
		return NULL;
	}
	*w = (worker){.options = *options, .in = -1, .out = -1, .err = -1};
	if (launch(w, d) && await_ready(w, d, stopped))
		return w;
	worker_free(w);
	return NULL;
}

void worker_free(worker *w)
{
	if (!w)
		return;
	kill_group(w);
	close_fd(&w->in);
	close_fd(&w->out);
	close_fd(&w->err);
	buf_free(&w->pending);
	buf_free(&w->tail);
	cJSON_Delete(w->versions);
	free(w);
}

bool worker_alive(const worker *w)
{
	return w && w->alive;
}

const cJSON *worker_versions(const worker *w)
{
	return w->versions;
}

const char *worker_stderr(const worker *w)
{
	return w->tail.length ? w->tail.text : "";
}
