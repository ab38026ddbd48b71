/* The steps of `rulesmith learn`: child processes, one after another, each of which leaves behind that it is done.
 *
 *   DIR/steps/NAME.step   the command, its words with tabs between, in the first line; behind it what it printed
 *
 * A step whose file is there with the same command is not run again, as long as every step before it was not. So a run that was
 * stopped goes on where it was. Words go to the program as they are, never through a shell.
 *
 * Before the first that runs, the resident is started: a process that has the framework, which steps that need it visit. It says a
 * line once it can be found, and goes at the end of its input. Steps do without one that does not come. */
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

/* Runs a step, or takes it from its file. Its exit code, or that of a probe that fails; STEP_STOPPED where the user wants an end,
 * STEP_BROKEN and d where it cannot be run, was killed or its file cannot be written. Only one that ends with 0 or `fine` is done. *out: what it printed,
 * added; NULL: nobody asks. */
int step_run(steps *s, const char *name, const words *w, int fine, buf *out, diag *d);

/* A number that was found out between two steps: the one of the run that did them, where none was run anew, else `value`, which
 * is noted then. */
bool step_note(steps *s, const char *name, int *value, diag *d);

/* Lets the resident go. */
void steps_close(steps *s);

#endif
