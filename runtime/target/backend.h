/* A backend: how to start a worker. Its name is that of a target in the package rulefuzz, whose file names the
 * framework, or any name with a command given by the user, which overrides everything; see package.h. */
#ifndef BACKEND_H
#define BACKEND_H

#include <limits.h>
#include <stdbool.h>

#include "diag.h"
#include "setting_table.h"

typedef struct backend {
	char name[512]; /* without versions */
	char framework[32];
	int batch; /* models per request */
	setting_table settings; /* of all its targets */
	char python[PATH_MAX], command[PATH_MAX];
	const char *argv[5]; /* NULL-terminated; points into this struct: do not copy it */
	char screen[32], library[PATH_MAX];
	const char *screen_argv[6]; /* of the fast-path worker; [0] NULL: there is none */
} backend;

/* name: a target, or NAME@VERSION, or several of one environment separated by commas, which one worker runs. command: a shell command
 * that runs the worker, or NULL. python: NULL for the default. False and d if something is missing; d names the command
 * that installs it. */
bool backend_find(backend *b, const char *name, const char *command, const char *python, diag *d);

/* Makes a folder for the workers' temporary files, and names it in their environment as RULEFUZZ_SCRATCH. Call it
 * before starting threads. backend_scratch_remove deletes it with its contents. */
bool backend_scratch(char path[PATH_MAX], diag *d);
void backend_scratch_remove(const char *path);

#endif
