/* Finds the Python parts: the package rulefuzz, the collector and the records.
 *
 *   $RULEFUZZ_PACKAGE              a folder with rulefuzz/ in it, or
 *   ../runtime/python              from the program's folder: the source tree, also
 *   ../../runtime/python           for a build below build/, or
 *   ../share/rulefuzz/python       installed, with the collector and the records
 *
 * A target is a file rulefuzz/targets/NAME.py, with '_' for '-'; target_file.h reads it.
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include <limits.h>
#include <stdbool.h>

#include "buf.h"
#include "diag.h"
#include "target_file.h"

typedef struct package {
	char python[PATH_MAX]; /* the folder of rulefuzz/ */
	char root[PATH_MAX];   /* the folder of traces/ */
	bool installed;
} package;

bool package_find(package *p, diag *d);

/* Makes the package available to all processes started later, and keeps their frameworks off the network. Call it before starting
 * threads. */
bool package_use(const package *p, diag *d);

/* Finds a target by name, or by NAME@VERSION. False and d, with the nearest name, if there is none. */
bool package_target(const package *p, const char *name, target *t, diag *d);

/* Calls visit for each target, sorted by name, until visit returns false. False and d if they cannot be listed. */
bool package_each_target(
    const package *p, bool (*visit)(void *context, const target *t), void *context, diag *d);

/* Finds the Python of a framework: the given one, $RULEFUZZ_PYTHON, or the one of its virtual environment. False and d: there
 * is none; d names the command that creates it. */
bool package_interpreter(
    const package *p, const char *framework, const char *given, char path[PATH_MAX], diag *d);

/* The same for a target, which may have its own environment. */
bool package_target_interpreter(
    const package *p, const target *t, const char *given, char path[PATH_MAX], diag *d);

/* Appends the command that installs a framework or a target. t NULL: only the framework. The command depends on how this
 * program was installed. In a checkout it is "make backends BACKEND=openvino". If $RULEFUZZ_PYTHON is set, as in the wheel, it
 * is "PYTHON -m pip install onnx numpy openvino". Otherwise it is the script that creates the virtual environment. */
void package_install_hint(const package *p, const char *framework, const target *t, buf *to);

/* The module that answers queries about calls. */
#define PACKAGE_ORACLE "traces.collect.cli.ask"

/* Appends the shell command that runs a collector module. framework may be followed by further arguments. */
bool package_ask(buf *command, const char *python, const char *module, const char *framework, const char *traces, const char *work,
    diag *d);
/* The shell command of the oracle for a framework's records (traces/collect; see docs/explanation/rules.md).
 * library: NULL, or the library of a user's operators, whose records are in the folder traces beside it. */
bool package_oracle(const package *p, const char *framework, const char *library, buf *command, diag *d);
/* The same for a second implementation of a kind (verify/cross_check.h). */
bool package_opinions(const package *p, const char *framework, const char *kind, buf *command, diag *d);

#endif
