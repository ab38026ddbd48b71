#include "backend.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program. */
static bool own_folder(char folder[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	if (n <= 0)
		return false;
	folder[n] = '\0';
	char *slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

static bool join(char path[PATH_MAX], const char *folder, const char *rest)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, rest) < PATH_MAX;
}

static bool find_python(backend *b, const char *folder, const char *python, diag *d)
{
	char rest[64];
	if (!python)
		python = getenv("RULEFUZZ_PYTHON");
	snprintf(rest, sizeof rest, "venv/%s/bin/python", b->framework);
	if (python && *python)
		return snprintf(b->python, sizeof b->python, "%s", python) < PATH_MAX
		       || diag_set(d, "the path of Python is too long");
	if (join(b->python, folder, rest) && access(b->python, X_OK) == 0)
		return true;
	return diag_set(d,
	    "backend %s: there is no %s beside rulefuzz: run `make backends FRAMEWORK=%s`, or name "
	    "a "
	    "Python with --python",
	    b->name, rest, b->framework);
}

static bool find_script(backend *b, const char *folder, diag *d)
{
	static const char *const PLACES[] = {"../runtime/backends", "../share/rulefuzz/backends"};
	char place[PATH_MAX], file[64];
	const char *given = getenv("RULEFUZZ_BACKENDS");
	snprintf(file, sizeof file, "%s_worker.py", b->framework);
	if (given && *given && join(b->script, given, file) && access(b->script, R_OK) == 0)
		return true;
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES && !(given && *given); i++)
		if (join(place, folder, PLACES[i]) && join(b->script, place, file)
		    && access(b->script, R_OK) == 0)
			return true;
	return diag_set(d, "unknown backend %s: there is no %s in %s", b->name, file,
	    given && *given ? "$RULEFUZZ_BACKENDS" : "the folder of workers");
}

bool backend_find(backend *b, const char *name, const char *command, const char *python, diag *d)
{
	char folder[PATH_MAX];
	*b = (backend){.name = name};
	snprintf(b->framework, sizeof b->framework, "%.*s", (int)strcspn(name, "-"), name);
	if (command) {
		if (snprintf(b->command, sizeof b->command, "exec %s", command) >= PATH_MAX)
			return diag_set(d, "--backend-command is too long");
		b->argv[0] = "/bin/sh";
		b->argv[1] = "-c";
		b->argv[2] = b->command;
		return true;
	}
	if (!own_folder(folder))
		return diag_set(d, "cannot tell where rulefuzz is");
	if (!find_script(b, folder, d) || !find_python(b, folder, python, d))
		return false;
	b->argv[0] = b->python;
	b->argv[1] = b->script;
	b->argv[2] = name;
	return true;
}

bool backend_scratch(char path[PATH_MAX], diag *d)
{
	const char *tmp = getenv("TMPDIR");
	join(path, tmp && *tmp ? tmp : "/tmp", "rulefuzz-XXXXXX");
	if (!mkdtemp(path))
		return diag_at(d, path, 0, "cannot make the folder: %s", strerror(errno));
	return setenv("RULEFUZZ_SCRATCH", path, 1) == 0 || diag_set(d, "out of memory");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st, (void)type, (void)where;
	remove(path);
	return 0;
}

void backend_scratch_remove(const char *path)
{
	nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS);
}
