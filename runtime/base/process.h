/* The supervisor of child processes that speak lines: workers and oracles.
 *
 *   process_send ──text──► its input ┐
 *                                    process, the leader of a group of its own
 *   process_next ◄──lines── output ◄─┤
 *   process_stderr ◄──tail── error ◄─┘   or ours, where it is not kept
 *
 * Nothing waits without bound, whatever the process does: each turn reads a bounded piece of what it
 * writes, then looks at the deadline, so one that never stops writing is late like one that is silent.
 *
 * One rule of killing: the whole group, by SIGKILL, and only then the leader is collected, so that
 * the number of the group cannot be another's by then. A process that leaves the group is not
 * followed. A group of its own also means that Ctrl-C reaches us alone; when we are killed, the
 * process sees the end of its input. One process serves one thread.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "diag.h"

typedef struct process process;

typedef struct process_options {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
	bool keep_stderr;	 /* false: what it prints there goes to our own standard error */
	int64_t memory;		 /* bytes that its group may hold; 0: no limit */
	int stop_fd;		 /* readable: stop waiting (a signalfd); -1: none */
} process_options;

enum process_event {
	PROCESS_LINE,
	PROCESS_LATE,	 /* the deadline passed; the process goes on */
	PROCESS_MEMORY,	 /* its group holds more than it may; the process goes on */
	PROCESS_STOPPED, /* stop_fd is readable; the process goes on */
	PROCESS_ENDLESS, /* a line of more than 16 MiB; the process goes on */
	PROCESS_UNREAD,	 /* we have no memory for what it wrote, part of which is lost; the process goes on */
	PROCESS_ENDED,	 /* it is dead, and all that it wrote was handed out; see process_how */
};

/* How it ended: the signal that killed it, or 0 and its exit code. */
typedef struct process_end {
	int signal, code;
} process_end;

/* NULL and d: it cannot be run. The options' argv must outlive this call only. */
process *process_start(const process_options *options, diag *d);
void process_free(process *p); /* killed first; NULL is fine */

/* Hands over text; it is sent while process_next waits. False: out of memory. */
bool process_send(process *p, const char *text, size_t length);
/* Waits for one of the events above, until the deadline (clock_seconds). *line, without its newline,
 * is ours until the next call. */
enum process_event process_next(process *p, double deadline, char **line);

/* Closes its input and gives it so many seconds to end by itself; what it still writes is dropped.
 * Then it is killed. */
void process_finish(process *p, double seconds);
void process_kill(process *p);
/* Kills one member of the group that is not its leader; false: there is no such. */
bool process_kill_member(process *p, pid_t member);

process_end process_how(const process *p); /* once it is dead */
pid_t process_pid(const process *p);	   /* 0 once it is dead */
/* The last 16 KiB, or somewhat more, of what it printed to standard error since process_forget;
 * valid until the next call; NULL where there was no memory for it. */
const char *process_stderr(process *p);
void process_forget(process *p);
/* Seconds of processor time of its group so far, with those of what that has waited for; of one that is dead, as far as it was
 * seen. It costs a look at all processes. */
double process_cpu(const process *p);

#endif
