/* A screen as a worker: docs/reference/worker-protocol.md. It announces no stages, since whatever ends it
 * says no more of a model than that the whole judge must look at it. */
#ifndef SCREEN_WORKER_H
#define SCREEN_WORKER_H

#include <stdbool.h>

/* Serves requests from standard input until it ends, answers on what is standard output when it is called;
 * whatever is printed from then on goes to standard error. False: it cannot work here, which it has said. */
bool screen_serve(const char *library, int optimisation);

#endif
