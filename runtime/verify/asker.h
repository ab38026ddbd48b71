/* A live oracle: a program that answers JSON lines, one each, in order (docs/traces.md). It is a
 * process of the command's own group; what it prints to standard error is shown. */
#ifndef ASKER_H
#define ASKER_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

typedef struct asker asker;

/* Takes answer number index (from 0) of the lines asked; false, with d filled, ends the exchange. */
typedef bool answer_fn(void *context, unsigned index, const char *line, diag *d);

/* Runs the command by /bin/sh. NULL and d: it cannot be run. */
asker *asker_start(const char *command, diag *d);
/* Ends it: it reads the end of its input, then has a few seconds. NULL is fine. */
void asker_free(asker *a);

/* Writes the lines (count of them, each with its newline) while it reads the answers. False and d
 * when the oracle ended, was silent for ten minutes, or take said so. */
bool asker_ask(asker *a, const char *lines, size_t length, unsigned count, answer_fn *take,
    void *context, diag *d);

#endif
