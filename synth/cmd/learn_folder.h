/* The folder of `rulesmith learn`, and the paths that all its steps use.
 *
 *   functions    the operators learned here: the framework, a tab, package.module:function; one per line
 *   traces/      their records and further observations        c/, own.so   C and library made from these
 *   work/        logs, findings, copies                        steps/       finished steps (learn_step.h)
 *   cache/       of rulesmith synth                            API.json     precision and recall of its rules
 */
#ifndef LEARN_FOLDER_H
#define LEARN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "buf.h"
#include "diag.h"

/* The module that runs a Python module in the process that has loaded the framework; the work folder, the module's
 * name and its arguments follow. */
#define LEARN_VISIT "traces.collect.user_ops.visit"

typedef struct learn_folder {
	const char *framework, *function; /* package.module:function; not owned */
	char api[256];			  /* package.module.function */
	char path[PATH_MAX];
	char traces[PATH_MAX], work[PATH_MAX], steps[PATH_MAX], cache[PATH_MAX], code[PATH_MAX];
	char rules[PATH_MAX], library[PATH_MAX], part[PATH_MAX], records[PATH_MAX], copy[PATH_MAX], result[PATH_MAX];
	char python[PATH_MAX], self[PATH_MAX], fuzz[PATH_MAX], headers[PATH_MAX];
	char pattern[300]; /* matches the names of its signatures */
	buf names;	   /* all functions, separated by commas */
	buf oracle;	   /* the shell command that answers queries */
} learn_folder;

/* Creates the folder and its parts, adds the function to its list, finds all programs, and sets RULEFUZZ_OWN for all
 * processes started later. python: NULL for the framework's. Returns an exit code, and d if it is not 0. */
int learn_folder_open(learn_folder *f, const char *path, const char *python, diag *d);
void learn_folder_free(learn_folder *f);

/* Writes the list of functions that the library exports, as C. */
bool learn_folder_write_list(const learn_folder *f, diag *d);

/* The number of the API's signatures with a rule; -1 and d if the rules cannot be read. */
int learn_folder_solved(const learn_folder *f, diag *d);

#endif
