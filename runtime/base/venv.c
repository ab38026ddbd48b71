#include "venv.h"

#include <stdio.h>
#include <stdlib.h>

static bool fits(int length, diag *d)
{
	return (length >= 0 && length < PATH_MAX) || diag_set(d, "a path is too long");
}

bool cache_path(char path[PATH_MAX], const char *rest, diag *d)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (cache && *cache)
		return fits(snprintf(path, PATH_MAX, "%s/rulesmith/%s", cache, rest), d);
	if (!home || !*home)
		return diag_set(d, "neither XDG_CACHE_HOME nor HOME is set: no cache folder");
	return fits(snprintf(path, PATH_MAX, "%s/.cache/rulesmith/%s", home, rest), d);
}

bool venv_python(char path[PATH_MAX], const char *framework, diag *d)
{
	const char *venvs = getenv("RULESMITH_VENVS");
	char rest[128];
	if (venvs && *venvs)
		return fits(snprintf(path, PATH_MAX, "%s/%s/bin/python", venvs, framework), d);
	snprintf(rest, sizeof rest, "venv/%.64s/bin/python", framework);
	return cache_path(path, rest, d);
}
