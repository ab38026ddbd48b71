/* The fast path as a worker (docs/reference/worker-protocol.md). It announces no stages: if it ends without an answer, the full
 * oracle judges the model. */
#ifndef SCREEN_WORKER_H
#define SCREEN_WORKER_H

#include <stdbool.h>

/* Serves requests from standard input until its end, and answers on standard output; other output goes to standard error from
 * then on. False after a message: the library cannot be used. */
bool screen_serve(const char *library, int optimisation);

#endif
