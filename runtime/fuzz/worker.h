/* A worker: a child process that answers JSON lines (docs/reference/worker-protocol.md).
 *
 *   worker_call ──request──► stdin   worker (a process group of its own)
 *                ◄──stages, answer── stdout
 *                ◄──whatever it prints── stderr, the last 16 KiB kept
 *
 * A call never blocks for longer than its time limit and some seconds. Whatever goes wrong with the
 * worker is an end of the call, not an error of ours: it died, hung, used too much memory, or wrote
 * what is not the protocol. That we lack memory is an end of its own, for which no worker is blamed. After such an end the worker may be gone; worker_alive says so, and the
 * caller starts another. A worker serves one thread.
 */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "diag.h"
#include "versions.h"

typedef struct worker worker;

typedef struct worker_options {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
	double start_seconds;    /* for the ready message */
	double call_seconds;     /* for one request */
	int64_t memory;          /* bytes that its processes hold together; 0: no limit */
	int stop_fd;             /* readable: give up at once (a signalfd); -1: none */
	const double *deadline;  /* clock_seconds at which every start and call is given up, as for stop_fd; NULL or 0: none.
				    Shared, not owned; changed only while nobody waits for a worker */
	versions *versions;      /* what all of a run must be made of; NULL: of anything. Shared, not owned */
} worker_options;

enum worker_end {
	WORKER_ANSWERED,
	WORKER_DIED,    /* by a signal or an exit, of any code, before the answer */
	WORKER_HUNG,    /* killed after call_seconds */
	WORKER_MEMORY,  /* killed over the memory limit */
	WORKER_GARBLED, /* wrote something else than the protocol; killed */
	WORKER_STOPPED, /* stop_fd became readable, or the deadline passed; killed */
	WORKER_UNHEARD, /* we had no memory for the request or for what came; killed */
};

typedef struct worker_reply {
	enum worker_end end;
	cJSON *answer;  /* with WORKER_ANSWERED; worker_reply_free */
	char stage[32]; /* the last one announced, "" before the first */
	char target[80]; /* whose it is, where the worker has several; "": it did not say */
	int signal;     /* WORKER_DIED by a signal, else 0 */
	int status;     /* WORKER_DIED by an exit: its code */
	double seconds; /* from request to end */
} worker_reply;

/* Starts the program and waits for its ready message. NULL and d when it cannot be run, dies, says
 * that something is missing, is not ready in time, or is made of other versions than those before it; *stopped when stop_fd
 * or the deadline was the reason. */
worker *worker_start(const worker_options *options, diag *d, bool *stopped);
void worker_free(worker *w); /* kills its whole process group; NULL is fine */

bool worker_alive(const worker *w);
const cJSON *worker_versions(const worker *w); /* of the ready message; owned by the worker */
double worker_cpu(const worker *w); /* see process_cpu; NULL: 0 */
const char *worker_stderr(worker *w); /* the tail of what it printed, valid until the next call; NULL: no memory for it */

/* Sends one request (an object on one line, no newline, whose "id" is id) and waits for its end. */
void worker_call(worker *w, int64_t id, const char *request, worker_reply *reply);
/* The same for a request of many steps: each may take that long, since its stages tell that it goes on;
 * 64 times as long in all. */
void worker_call_long(worker *w, int64_t id, const char *request, worker_reply *reply);
void worker_reply_free(worker_reply *reply);

#endif
