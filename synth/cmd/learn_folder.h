/* The folder that `rulesmith learn` works in, and what all its steps need to know.
 *
 *   functions    the own operators learned here: the framework, a tab, package.module:function; one a line
 *   traces/      their records, and what is known of them     c/, own.so   what is made of these
 *   work/        logs, findings, copies                        steps/       what is done (learn_step.h)
 *   cache/       of rulesmith synth                            API.json     how right its rules are */
#ifndef LEARN_FOLDER_H
#define LEARN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "buf.h"
#include "diag.h"

/* Runs a Python module, whose name and arguments come behind the folder of work, by the process that has the framework. */
#define LEARN_VISIT "traces.collect.user_ops.visit"

typedef struct learn_folder {
	const char *framework, *function; /* package.module:function; not owned */
	char api[256];			  /* package.module.function */
	char path[PATH_MAX];
	char traces[PATH_MAX], work[PATH_MAX], steps[PATH_MAX], cache[PATH_MAX], code[PATH_MAX];
	char rules[PATH_MAX], library[PATH_MAX], part[PATH_MAX], records[PATH_MAX], copy[PATH_MAX], result[PATH_MAX];
	char python[PATH_MAX], self[PATH_MAX], fuzz[PATH_MAX], headers[PATH_MAX];
	char pattern[300]; /* of its operators' names */
	buf names;	   /* of all functions, commas between */
	buf oracle;	   /* the shell command that answers about them */
} learn_folder;

/* Makes the folder and its parts, adds the function to its list, finds all programs, and names the functions to every process
 * that is started from now on. python: NULL for the framework's. An exit code; d where it is not 0. */
int learn_folder_open(learn_folder *f, const char *path, const char *python, diag *d);
void learn_folder_free(learn_folder *f);

/* Writes the list of functions that the library exports, as C. */
bool learn_folder_write_list(const learn_folder *f, diag *d);

/* How many operators of the API have a rule in the folder's rules; -1 and d: they cannot be read. */
int learn_folder_solved(const learn_folder *f, diag *d);

#endif
