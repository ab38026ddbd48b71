/* Supervisor of child processes that exchange lines: workers and oracles.
 *
 *   process_send ──text──► its input ┐
 *                                    process, the leader of its own group
 *   process_next ◄──lines── output ◄─┤
 *   process_stderr ◄──tail── error ◄─┘   or our standard error, if it is not kept
 *
 * No call waits without limit. Each step reads a bounded piece of output and then checks the deadline, so a process that
 * never stops writing times out like a silent one.
 *
 * Killing means: SIGKILL to the whole group, then reap the leader, so that the group number cannot be reused in between. A
 * process that leaves the group is not followed. Ctrl-C reaches only us, since the group is not in the foreground. If we
 * are killed, the process sees the end of its input. One process object serves one thread.
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
	bool keep_stderr;	 /* false: its standard error is ours */
	int64_t memory;		 /* maximum bytes of the group's memory; 0: no limit */
	int stop_fd;		 /* readable: stop waiting (such as a signalfd); -1: none */
} process_options;

enum process_event {
	PROCESS_LINE,
	PROCESS_LATE,	 /* deadline passed; the process runs on */
	PROCESS_MEMORY,	 /* the group exceeds its memory limit; the process runs on */
	PROCESS_STOPPED, /* stop_fd is readable; the process runs on */
	PROCESS_ENDLESS, /* a line of more than 16 MiB; the process runs on */
	PROCESS_UNREAD,	 /* out of memory for its output, some of it is lost; the process runs on */
	PROCESS_ENDED,	 /* the process is dead, and all of its output was handed out; see process_how */
};

/* How the process ended: the signal that killed it, or 0 and its exit code. */
typedef struct process_end {
	int signal, code;
} process_end;

/* NULL and d: it cannot be started. The options' argv need not outlive this call. */
process *process_start(const process_options *options, diag *d);
void process_free(process *p); /* kills it first; accepts NULL */

/* Queues text, which is sent while process_next waits. False: out of memory. */
bool process_send(process *p, const char *text, size_t length);
/* Waits for one of the events above until the deadline (clock_seconds). *line has no newline and is valid until the next
 * call. */
enum process_event process_next(process *p, double deadline, char **line);

/* Closes its input and gives it `seconds` to end; drops further output. Then kills it. */
void process_finish(process *p, double seconds);
void process_kill(process *p);
/* Kills one member of the group that is not the leader. False: there is none. */
bool process_kill_member(process *p, pid_t member);

process_end process_how(const process *p); /* valid after it is dead */
pid_t process_pid(const process *p);	   /* 0 after it is dead */
/* The last 16 KiB or more of its standard error since process_forget, valid until the next call. NULL: out of memory. */
const char *process_stderr(process *p);
void process_forget(process *p);
/* Processor seconds of its group, including children that were waited for. For a dead process: as of the last check. Reads
 * all of /proc. */
double process_cpu(const process *p);

#endif
