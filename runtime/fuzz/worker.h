/* A worker: a child process that answers JSON lines (docs/reference/worker-protocol.md).
 *
 *   worker_call ──request──► stdin   worker (its own process group)
 *                ◄──stages, answer── stdout
 *                ◄──its output────── stderr, the last 16 KiB kept
 *
 * A call blocks for its time limit and some seconds at most. A failure of the worker (it died, hung, exceeded its memory, or
 * violated the protocol) ends the call and is not an error. If memory runs out here, the call ends, too, and the worker is not
 * blamed. Check worker_alive afterwards, and start another worker if it is dead. For one thread.
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
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH. */
	double start_seconds;    /* Seconds for the ready message. */
	double call_seconds;     /* Seconds for one request. */
	int64_t memory;          /* Memory limit of its processes together, in bytes; 0: none. */
	int stop_fd;             /* Give up when it is readable (a signalfd); -1: none. */
	const double *deadline;  /* clock_seconds at which every start and call ends, as for stop_fd. NULL or 0: none.
				    Shared, not owned. Change it only while no thread waits for a worker. */
	versions *versions;      /* versions that all workers of a run must have; NULL: any. Shared, not owned. */
} worker_options;

enum worker_end {
	WORKER_ANSWERED,
	WORKER_DIED,    /* died before the answer, by a signal or an exit */
	WORKER_HUNG,    /* killed after call_seconds */
	WORKER_MEMORY,  /* killed over the memory limit */
	WORKER_GARBLED, /* violated the protocol; killed */
	WORKER_STOPPED, /* stop_fd became readable, or the deadline passed; killed */
	WORKER_UNHEARD, /* out of memory here; killed */
};

typedef struct worker_reply {
	enum worker_end end;
	cJSON *answer;  /* if WORKER_ANSWERED; worker_reply_free */
	char stage[32]; /* the last announced stage, "" before the first */
	char target[80]; /* the target of that stage, if the worker has several; "" */
	int signal;     /* WORKER_DIED by a signal, else 0 */
	int status;     /* WORKER_DIED by an exit: its code */
	double seconds; /* seconds from request to end */
} worker_reply;

/* Starts the program and waits for its ready message. NULL and d if it cannot be run, dies, lacks a package, is late, or has
 * other versions than earlier workers. *stopped: stop_fd or the deadline was the reason. */
worker *worker_start(const worker_options *options, diag *d, bool *stopped);
void worker_free(worker *w); /* kills its process group; accepts NULL */

/* Sets call_seconds for the next requests. */
void worker_limit(worker *w, double call_seconds);
bool worker_deadline_passed(const worker_options *options);
bool worker_alive(const worker *w);
bool worker_forks(const worker *w); /* whether a request with "alone" gets a process that has run no other; NULL: false */
const cJSON *worker_versions(const worker *w); /* of the ready message; owned by the worker */
double worker_cpu(const worker *w); /* see process_cpu; NULL: 0 */
const char *worker_stderr(worker *w); /* the end of its standard error. Valid until the next call. NULL: out of memory. */

/* Sends one request and waits for its end. It is an object on one line without a newline, and its "id" is id. */
void worker_call(worker *w, int64_t id, const char *request, worker_reply *reply);
/* The same for a request of many steps. Stage messages show progress, so each step may take call_seconds. The whole may take 64
 * times as long at most. */
void worker_call_long(worker *w, int64_t id, const char *request, worker_reply *reply);
void worker_reply_free(worker_reply *reply);

#endif
