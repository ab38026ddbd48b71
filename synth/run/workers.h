/* Threads that process numbered tasks. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdbool.h>

typedef struct workers {
	int threads, tasks;
	void *user;
	void *(*begin)(void *user); /* makes a thread's own state, in that thread; NULL: none, and end is not called */
	bool (*task)(void *user, void *own, int k); /* false: no further task is started */
	void (*end)(void *user, void *own);
} workers;

/* Runs the tasks 0 … tasks - 1, started in this order, and returns when all are done. The calling thread works, too,
 * so a thread that cannot be started is no error. */
void workers_run(const workers *w);

#endif
