/* Where the parts in Python are: the package rulefuzz, the collector, the records.
 *
 *   $RULEFUZZ_PACKAGE              a folder with rulefuzz/ in it, or
 *   ../runtime/python              seen from the program: the source tree, also
 *   ../../runtime/python           for a build below build/, or
 *   ../share/rulefuzz/python       installed, the collector and the records beside the package
 *
 * A target is a file rulefuzz/targets/NAME.py, '-' written '_': target_file.h tells what is read of it.
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include <limits.h>
#include <stdbool.h>

#include "buf.h"
#include "diag.h"
#include "target_file.h"

typedef struct package {
	char python[PATH_MAX]; /* the folder with rulefuzz/ in it */
	char root[PATH_MAX];   /* the folder with traces/ in it */
	bool installed;
} package;

bool package_find(package *p, diag *d);

/* Has every process that is started from now on find the package. Call it before there are threads. */
bool package_use(const package *p, diag *d);

/* A target by its name; false and d, which suggests the nearest name, if there is none. */
bool package_target(const package *p, const char *name, target *t, diag *d);

/* Whether there is a target of that name. An unknown one is a usage error, a known one that is not installed is not. */
bool package_known(const package *p, const char *name);

/* Calls visit for each, sorted, until that returns false. False and d when they cannot be listed. */
bool package_each_target(
    const package *p, bool (*visit)(void *context, const target *t), void *context, diag *d);

/* The Python of a framework: the one given, or $RULEFUZZ_PYTHON, or its virtual environment's. False and d, which says what
 * makes one, when that is not there. */
bool package_interpreter(
    const package *p, const char *framework, const char *given, char path[PATH_MAX], diag *d);

/* The same for a target, which may have an environment of its own. */
bool package_target_interpreter(
    const package *p, const target *t, const char *given, char path[PATH_MAX], diag *d);

/* Appends the command that installs what a framework or a target (NULL: only the framework) needs, for the way that this
 * program was installed: "make backends BACKEND=openvino" in a checkout; "PYTHON -m pip install onnx numpy openvino" if
 * $RULEFUZZ_PYTHON names the Python, as in the wheel; else the script that makes the virtual environment. */
void package_install_hint(const package *p, const char *framework, const target *t, buf *to);

/* The module that answers questions about calls. */
#define PACKAGE_ORACLE "traces.collect.cli.ask"

/* Appends the shell command by which a Python asks a module of the collector; framework may have more words behind it. */
bool package_ask(buf *command, const char *python, const char *module, const char *framework, const char *traces, const char *work,
    diag *d);
/* The shell command of the oracle that a framework's records have: traces/collect, see docs/explanation/rules.md. library: NULL, or
 * a user's own operators', whose records are in the folder traces beside it. */
bool package_oracle(const package *p, const char *framework, const char *library, buf *command, diag *d);
/* The same for second opinions of a kind (verify/against.h). */
bool package_opinions(const package *p, const char *framework, const char *kind, buf *command, diag *d);

#endif
