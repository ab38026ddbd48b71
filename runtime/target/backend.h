/* A backend: what a worker is started as. Its name is that of a target in the package rulefuzz, whose framework the target
 * names, or any with a command given by the user, which takes the place of all else: package.h. */
#ifndef BACKEND_H
#define BACKEND_H

#include <limits.h>
#include <stdbool.h>

#include "diag.h"

typedef struct backend {
	const char *name; /* not owned */
	char framework[32];
	int batch; /* models that its worker is asked about at a time */
	char python[PATH_MAX], command[PATH_MAX];
	const char *argv[5]; /* NULL-terminated; points into this struct: do not copy it */
	char screen[32], library[PATH_MAX];
	const char *screen_argv[6]; /* of the worker that takes a first look; [0] NULL: there is none */
} backend;

/* name: of a target, or of several that share an environment, commas between them: one worker runs them all.
 * command: a shell command that runs the worker, or NULL. python: NULL for the default. False and d
 * when something is not there; d says what to run. */
bool backend_find(backend *b, const char *name, const char *command, const char *python, diag *d);

/* A folder for the workers' temporary files, named in their environment as RULEFUZZ_SCRATCH. Call
 * it before there are threads. backend_scratch_remove takes it away with all that is in it. */
bool backend_scratch(char path[PATH_MAX], diag *d);
void backend_scratch_remove(const char *path);

#endif
