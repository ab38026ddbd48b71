/* The steps of `rulesmith learn`: child processes, one after another. A finished step leaves a file.
 *
 *   DIR/steps/NAME.step   the command in the first line, its words with tabs between; then its output
 *
 * A step is skipped if its file has the same command and no earlier step was run, so a stopped run continues. Words
 * reach the program unchanged, never through a shell.
 *
 * Before the first step that runs, the resident is started: a process that has loaded the framework. Steps that need
 * the framework visit it, which saves the start. It prints a line when it is ready, and ends at the end of its input.
 * If it does not start, steps do without it.
 */
#ifndef LEARN_STEP_H
#define LEARN_STEP_H

#include <stdbool.h>

#include "buf.h"
#include "diag.h"

enum { STEP_WORDS = 64, STEP_STOPPED = -1, STEP_BROKEN = -2 };

typedef struct words {
	const char *list[STEP_WORDS]; /* NULL-terminated */
	int n;
	bool full; /* too many words were added: the step fails */
} words;

typedef struct steps {
	const char *folder;	 /* DIR/steps */
	const char *about;	 /* prefix of the files' names, an API */
	int stop_fd, number;	 /* stop_fd: readable: stop; number: of the next step */
	bool anew;		 /* a step was run, so all later ones run, too */
	double began;
	words probe;		 /* a quick check, run before the resident: exit code 0 lets the steps run */
	words resident;		 /* its command; empty: no resident */
	struct process *running; /* the resident; NULL: not started yet */
} steps;

void words_add(words *w, const char *word);

/* Runs a step, or reads its result from its file. Returns its exit code, or that of a failed probe. STEP_STOPPED:
 * the user stopped the run. STEP_BROKEN and d: the step cannot be run, was killed, or its file cannot be written. A
 * step is finished only if it ends with 0 or `fine`. Appends its output to *out; NULL: ignored. */
int step_run(steps *s, const char *name, const words *w, int fine, buf *out, diag *d);

/* A number computed between two steps: if no step was run, the stored one of an earlier run, otherwise `value`,
 * which is stored. */
bool step_note(steps *s, const char *name, int *value, diag *d);

/* Ends the resident. */
void steps_close(steps *s);

#endif
