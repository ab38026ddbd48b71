#include "package.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "venv.h"

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

/* Takes the folder when the package is in it; the records are beside it, or where the source tree has them. */
static bool take(package *p, const char *folder)
{
	char path[PATH_MAX], real[PATH_MAX];
	if (!join(path, folder, "rulefuzz/worker.py") || access(path, R_OK) != 0 || !realpath(folder, real))
		return false;
	snprintf(p->python, sizeof p->python, "%s", real);
	p->installed = join(path, real, "traces/collect") && access(path, R_OK) == 0;
	return p->installed ? join(p->root, real, ".") : join(p->root, real, "../..");
}

bool package_find(package *p, diag *d)
{
	static const char *const PLACES[] = {
	    "../runtime/python", "../../runtime/python", "../share/rulefuzz/python"};
	char folder[PATH_MAX], place[PATH_MAX];
	const char *given = getenv("RULEFUZZ_PACKAGE");
	if (given && *given)
		return take(p, given) || diag_set(d, "there is no rulefuzz/worker.py in RULEFUZZ_PACKAGE=%s", given);
	if (!own_folder(folder))
		return diag_set(d, "cannot tell where rulefuzz is");
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
		if (join(place, folder, PLACES[i]) && take(p, place))
			return true;
	return diag_set(d, "the package rulefuzz is neither in %s nor in %s, seen from %s", PLACES[0], PLACES[2], folder);
}

bool package_use(const package *p, diag *d)
{
	const char *old = getenv("PYTHONPATH");
	buf path = {0};
	buf_printf(&path, "%s:%s%s%s", p->python, p->root, old && *old ? ":" : "", old ? old : "");
	bool ok = !path.failed && setenv("PYTHONPATH", path.text, 1) == 0;
	buf_free(&path);
	return ok || diag_set(d, "out of memory");
}

/* ---- targets */

/* The text in quotes of the line KEY = "…". */
static bool read_line(const char *path, const char *key, char text[32])
{
	char line[256], pattern[64];
	bool found = false;
	snprintf(pattern, sizeof pattern, "%s = \"%%31[a-z0-9_-]\"", key);
	FILE *f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof line, f))
		found = sscanf(line, pattern, text) == 1;
	if (f)
		fclose(f);
	return found;
}

static int is_target(const struct dirent *e)
{
	const char *end = strrchr(e->d_name, '.');
	return end && strcmp(end, ".py") == 0 && e->d_name[0] != '_';
}

/* "onnxruntime, torch-eager" */
static void list_targets(const char *folder, buf *to)
{
	struct dirent **all;
	int n = scandir(folder, &all, is_target, alphasort);
	for (int i = 0; i < n; i++) {
		buf_puts(to, i ? ", " : "");
		for (const char *c = all[i]->d_name; strcmp(c, ".py") != 0; c++)
			buf_putc(to, *c == '_' ? '-' : *c);
		free(all[i]);
	}
	if (n >= 0)
		free(all);
}

/* The file of a target, whether it is there or not; false where it can have none. */
static bool target_path(const package *p, const char *name, char folder[PATH_MAX], char path[PATH_MAX])
{
	char file[80];
	snprintf(file, sizeof file, "%.70s.py", name);
	for (char *c = file; *c; c++)
		*c = *c == '-' ? '_' : *c;
	bool plain = *name && *name != '_' && !strchr(name, '/') && !strchr(name, '_') && strlen(name) <= 70;
	return join(folder, p->python, "rulefuzz/targets") && join(path, folder, file) && plain;
}

bool package_target(const package *p, const char *name, char framework[32], diag *d)
{
	char folder[PATH_MAX] = "", path[PATH_MAX];
	if (target_path(p, name, folder, path) && read_line(path, "FRAMEWORK", framework))
		return true;
	buf known = {0};
	list_targets(folder, &known);
	diag_set(d, "unknown backend %s; there are %s", name, known.text ? known.text : "none");
	buf_free(&known);
	return false;
}

bool package_screen(const package *p, const char *name, char screen[32])
{
	char folder[PATH_MAX], path[PATH_MAX];
	return target_path(p, name, folder, path) && read_line(path, "SCREEN", screen);
}

bool package_interpreter(
    const package *p, const char *framework, const char *given, char path[PATH_MAX], diag *d)
{
	const char *python = given ? given : getenv("RULEFUZZ_PYTHON");
	if (python && *python)
		return snprintf(path, PATH_MAX, "%s", python) < PATH_MAX
		       || diag_set(d, "the path of Python is too long");
	if (!venv_python(path, framework, d))
		return false;
	if (access(path, X_OK) == 0)
		return true;
	if (p->installed)
		return diag_set(d, "there is no %s: run `sh %s/traces/backends.sh %s`, or name a Python with --python",
		    path, p->python, framework);
	return diag_set(d, "there is no %s: run `make backends FRAMEWORK=%s`, or name a Python with --python", path,
	    framework);
}

/* As one word of a shell's. */
static void quoted(buf *to, const char *text)
{
	buf_putc(to, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_puts(to, "'\\''");
		else
			buf_putc(to, *text);
	buf_putc(to, '\'');
}

bool package_oracle(const package *p, const char *framework, buf *command, diag *d)
{
	char python[PATH_MAX], work[PATH_MAX], rest[64];
	snprintf(rest, sizeof rest, p->installed ? "oracle/%.48s" : "build/traces/%.48s", framework);
	if (!package_interpreter(p, framework, NULL, python, d))
		return false;
	if (p->installed ? !cache_path(work, rest, d) : !join(work, p->root, rest))
		return false;
	buf_puts(command, "exec ");
	quoted(command, python);
	buf_printf(command, " -m traces.collect.cli.ask %s --traces ", framework);
	quoted(command, p->root);
	buf_printf(command, "/traces/%s --work ", framework);
	quoted(command, work);
	return !command->failed || diag_set(d, "out of memory");
}
