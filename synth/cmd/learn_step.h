/* The steps of `rulesmith learn`: child processes, one after another. Each leaves a file when it is done.
 *
 *   DIR/steps/NAME.step   the command in the first line, its words with tabs between; then its output
 *
 * A step is not run again if its file has the same command and no step before it was run. So a stopped run
 * continues where it was. Words reach the program unchanged, never through a shell.
 *
 * Before the first step that runs, the resident is started: a process that has the framework. Steps that need
 * the framework visit it. It prints a line once it can be found, and ends at the end of its input. If it does
 * not start, steps do without it. */
#ifndef LEARN_STEP_H
#define LEARN_STEP_H

#include <stdbool.h>

#include "buf.h"
#include "diag.h"

enum { STEP_WORDS = 64, STEP_STOPPED = -1, STEP_BROKEN = -2 };

typedef struct words {
	const char *list[STEP_WORDS]; /* NULL-terminated */
	int n;
	bool full; /* more were added than fit: the step does not run */
} words;

typedef struct steps {
	const char *folder;	 /* DIR/steps */
	const char *about;	 /* the start of their names, an API */
	int stop_fd, number;	 /* readable: stop; of the next step */
	bool anew;		 /* one was run, so those behind it are, too */
	double began;
	words probe;		 /* a quick check, run before the resident: exit code 0 lets the steps run */
	words resident;		 /* its command; none: no step visits one */
	struct process *running; /* the resident; NULL: none was needed yet */
} steps;

void words_add(words *w, const char *word);

/* Runs a step, or reads its result from its file. Returns its exit code, or that of a probe that fails.
 * STEP_STOPPED: the user wants an end. STEP_BROKEN and d: it cannot be run, was killed, or its file cannot be
 * written. Only a step that ends with 0 or `fine` is done. *out gets its output appended; NULL: nobody asks. */
int step_run(steps *s, const char *name, const words *w, int fine, buf *out, diag *d);

/* A number found out between two steps. If no step was run, the one that an earlier run noted; else `value`,
 * which is noted. */
bool step_note(steps *s, const char *name, int *value, diag *d);

/* Lets the resident go. */
void steps_close(steps *s);

#endif
