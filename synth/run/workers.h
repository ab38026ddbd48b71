/* Threads that share numbered tasks. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdbool.h>

typedef struct workers {
	int threads, tasks;
	void *user;
	void *(*begin)(void *user); /* what a thread has of its own, in that thread; NULL: nothing, and no end */
	bool (*task)(void *user, void *own, int k); /* false: none of those left is begun */
	void (*end)(void *user, void *own);
} workers;

/* Does the tasks 0 … tasks - 1, begun in this order, and returns when all are done. A thread that cannot be started is
 * done without: the caller's own works too. */
void workers_run(const workers *w);

#endif
