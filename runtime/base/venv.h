/* Location of the Python of a framework: the virtual environment that traces/backends.sh makes.
 *
 *   ${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}/FRAMEWORK/bin/python
 */
#ifndef VENV_H
#define VENV_H

#include <limits.h>
#include <stdbool.h>

#include "diag.h"

/* A path below the user's cache, "$HOME/.cache/rulesmith/REST". */
bool cache_path(char path[PATH_MAX], const char *rest, diag *d);

/* The path of a framework's Python, which need not exist. False and d: neither cache nor home folder is known. */
bool venv_python(char path[PATH_MAX], const char *framework, diag *d);

#endif
