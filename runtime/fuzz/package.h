/* Where the parts in Python are: the package rulefuzz, the collector, the records.
 *
 *   $RULEFUZZ_PACKAGE              a folder with rulefuzz/ in it, or
 *   ../runtime/python              seen from the program: the source tree, also
 *   ../../runtime/python           for a build below build/, or
 *   ../share/rulefuzz/python       installed, the collector and the records beside the package
 *
 * A target is a file rulefuzz/targets/NAME.py, '-' written '_', with a line FRAMEWORK = "onnx", and maybe one
 * SCREEN = "onnxruntime": that is all that is read of it here, and no Python starts.
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include <limits.h>
#include <stdbool.h>

#include "buf.h"
#include "diag.h"

typedef struct package {
	char python[PATH_MAX]; /* the folder with rulefuzz/ in it */
	char root[PATH_MAX];   /* the folder with traces/ in it */
	bool installed;
} package;

bool package_find(package *p, diag *d);

/* Has every process that is started from now on find the package. Call it before there are threads. */
bool package_use(const package *p, diag *d);

/* The framework of a target; false and d, which names those that there are, when there is no such target. */
bool package_target(const package *p, const char *name, char framework[32], diag *d);

/* The screen of a target, `rulefuzz worker SCREEN`, which looks at its models first; false: it has none. */
bool package_screen(const package *p, const char *name, char screen[32]);

/* The Python of a framework: the one given, or $RULEFUZZ_PYTHON, or its virtual environment's. False and d, which says what
 * makes one, when that is not there. */
bool package_interpreter(
    const package *p, const char *framework, const char *given, char path[PATH_MAX], diag *d);

/* The shell command of the oracle that a framework's records have: traces/collect, see docs/traces.md. */
bool package_oracle(const package *p, const char *framework, buf *command, diag *d);

#endif
