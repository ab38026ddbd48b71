#include "package.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "framework.h"
#include "suggest.h"
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

/* Uses the folder if the package is in it. The records are beside it, or in the source tree. */
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
		return take(p, given) || diag_set(d, "no rulefuzz/worker.py in RULEFUZZ_PACKAGE=%s", given);
	if (!own_folder(folder))
		return diag_set(d, "cannot find the folder of rulefuzz");
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
		if (join(place, folder, PLACES[i]) && take(p, place))
			return true;
	return diag_set(d, "the Python package rulefuzz is neither in %s nor in %s, relative to %s", PLACES[0], PLACES[2], folder);
}

/* Otherwise onnxruntime reports usage events, and some converters run pip for missing packages. */
static bool keep_offline(void)
{
	return setenv("ORT_DISABLE_TELEMETRY", "1", 1) == 0 && setenv("PIP_NO_INDEX", "1", 1) == 0
	    && setenv("PIP_REQUIRE_VIRTUALENV", "1", 1) == 0 && setenv("HF_HUB_OFFLINE", "1", 1) == 0
	    && unsetenv("POLYGRAPHY_AUTOINSTALL_DEPS") == 0;
}

bool package_use(const package *p, diag *d)
{
	const char *old = getenv("PYTHONPATH");
	buf path = {0};
	buf_printf(&path, "%s:%s%s%s", p->python, p->root, old && *old ? ":" : "", old ? old : "");
	bool ok = !path.failed && setenv("PYTHONPATH", path.text, 1) == 0 && keep_offline();
	buf_free(&path);
	return diag_memory(d, ok);
}

/* ---- targets */

static int is_target(const struct dirent *e)
{
	const char *end = strrchr(e->d_name, '.');
	return end && strcmp(end, ".py") == 0 && e->d_name[0] != '_';
}

/* The target name for a file: "torch_jit.py" is "torch-jit". */
static void name_of(const char *file, char name[80])
{
	snprintf(name, 80, "%.*s", (int)strcspn(file, "."), file);
	for (char *c = name; *c; c++)
		*c = *c == '_' ? '-' : *c;
}

static bool read_target(const package *p, const char *name, target *t)
{
	char file[80], folder[PATH_MAX], path[PATH_MAX];
	snprintf(file, sizeof file, "%.70s.py", name);
	for (char *c = file; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return join(folder, p->python, "rulefuzz/targets") && join(path, folder, file) && target_read(t, path, name);
}

bool package_each_target(const package *p, bool (*visit)(void *context, const target *t), void *context, diag *d)
{
	char folder[PATH_MAX], name[80];
	struct dirent **all;
	target t;
	int n = join(folder, p->python, "rulefuzz/targets") ? scandir(folder, &all, is_target, alphasort) : -1;
	if (n < 0)
		return diag_set(d, "%s has no folder rulefuzz/targets", p->python);
	bool more = true;
	for (int i = 0; i < n; i++) {
		name_of(all[i]->d_name, name);
		more = more && (!read_target(p, name, &t) || visit(context, &t));
		free(all[i]);
	}
	free(all);
	return true;
}

static bool see_name(void *context, const target *t)
{
	suggest_see(context, t->name);
	return true;
}

/* Finds a target by a name without a version. */
static bool find_target(const package *p, const char *name, target *t, diag *d)
{
	bool plain = *name && *name != '_' && !strchr(name, '/') && !strchr(name, '_') && strlen(name) <= 70;
	if (plain && read_target(p, name, t))
		return true;
	suggestion s = suggest_start(name);
	package_each_target(p, see_name, &s, NULL);
	if (*s.name)
		return diag_set(d, "unknown backend '%s'; did you mean %s?", name, s.name);
	return diag_set(d, "unknown backend '%s'; `rulefuzz backends` lists all", name);
}

bool package_target(const package *p, const char *name, target *t, diag *d)
{
	char plain[160];
	target with = {.own = false};
	bool ok = snprintf(plain, sizeof plain, "%s", name) < (int)sizeof plain;
	if (!ok || !target_take_version(&with, plain))
		return diag_set(d, "backend '%.100s': expected NAME@VERSION, such as onnxruntime@1.17.1", name);
	ok = find_target(p, plain, t, d);
	memcpy(t->version, with.version, sizeof t->version);
	return ok;
}

/* ---- installing */

/* Appends the names of requirements without versions: users keep the version that they test. */
static void add_names(buf *to, const char *requirements)
{
	for (const char *at = requirements; *at;) {
		const size_t n = strcspn(at, " ");
		buf_putc(to, ' ');
		buf_add(to, at, strcspn(at, "=<>!~ "));
		at += n + (at[n] == ' ');
	}
}

static void pip_command(const char *python, const char *framework, const target *t, buf *to)
{
	buf_shell(to, python);
	buf_puts(to, " -m pip install");
	add_names(to, framework_requirements(framework));
	for (int i = 0; t && i < t->nneeds; i++)
		if (strstr(t->needs[i], "==")) /* others are the framework's, or programs */
			add_names(to, t->needs[i]);
}

void package_install_hint(const package *p, const char *framework, const target *t, buf *to)
{
	const char *python = getenv("RULEFUZZ_PYTHON"), *name = t ? t->name : framework, *version = t ? t->version : "";
	if (python && *python && !*version)
		pip_command(python, framework, t, to);
	else if (p->installed)
		buf_printf(to, "sh %s/traces/backends.sh %s", p->python, name);
	else
		buf_printf(to, "make backends %s=%s", t ? "BACKEND" : "FRAMEWORK", name);
	buf_printf(to, *version ? "@%s" : "%s", version);
}

/* The Python of a virtual environment. */
static bool interpreter(
    const package *p, const char *framework, const target *t, const char *given, char path[PATH_MAX], diag *d)
{
	char environment[128];
	const bool version = t && *t->version;
	const char *python = given ? given : version ? "" : getenv("RULEFUZZ_PYTHON");
	if (python && *python)
		return snprintf(path, PATH_MAX, "%s", python) < PATH_MAX
		       || diag_set(d, "the path of Python is too long");
	if (t)
		target_environment(t, environment);
	if (!venv_python(path, t ? environment : framework, d))
		return false;
	if (access(path, X_OK) == 0)
		return true;
	buf command = {0};
	package_install_hint(p, framework, t, &command);
	diag_set(d, "%s%s%s is not installed (no %s); run `%s`%s", t ? t->name : framework, version ? " " : "",
	    version ? t->version : "", path, buf_text(&command), version ? "" : ", or name a Python with --python");
	buf_free(&command);
	return false;
}

bool package_interpreter(
    const package *p, const char *framework, const char *given, char path[PATH_MAX], diag *d)
{
	return interpreter(p, framework, NULL, given, path, d);
}

bool package_target_interpreter(
    const package *p, const target *t, const char *given, char path[PATH_MAX], diag *d)
{
	return interpreter(p, t->framework, t, given, path, d);
}

bool package_ask(buf *command, const char *python, const char *module, const char *framework, const char *traces, const char *work, diag *d)
{
	buf_puts(command, "exec ");
	buf_shell(command, python);
	buf_printf(command, " -m %s %s --traces ", module, framework);
	buf_shell(command, traces);
	buf_puts(command, " --work ");
	buf_shell(command, work);
	return diag_memory(d, !command->failed);
}

/* Appends the command of a collector module with the arguments `what`, the framework first. */
static bool asked_module(const package *p, const char *module, const char *framework, const char *what, buf *command, diag *d)
{
	char python[PATH_MAX], traces[PATH_MAX], work[PATH_MAX], rest[64];
	snprintf(rest, sizeof rest, "traces/%.48s", framework);
	if (!package_interpreter(p, framework, NULL, python, d) || !join(traces, p->root, rest))
		return false;
	snprintf(rest, sizeof rest, p->installed ? "oracle/%.48s" : "build/traces/%.48s", framework);
	if (p->installed ? !cache_path(work, rest, d) : !join(work, p->root, rest))
		return false;
	return package_ask(command, python, module, what, traces, work, d);
}

/* The command of the oracle for user-defined operators. */
static bool own_oracle(const package *p, const char *framework, const char *library, buf *command, diag *d)
{
	char python[PATH_MAX], folder[PATH_MAX], traces[PATH_MAX], work[PATH_MAX];
	const char *slash = strrchr(library, '/');
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - library) : 1, slash ? library : ".");
	if (!package_interpreter(p, framework, NULL, python, d) || !join(traces, folder, "traces") || !join(work, folder, "work"))
		return false;
	if (access(traces, R_OK) != 0)
		return diag_at(d, traces, 0, "no records of %s", library);
	return package_ask(command, python, PACKAGE_ORACLE, framework, traces, work, d);
}

bool package_oracle(const package *p, const char *framework, const char *library, buf *command, diag *d)
{
	if (library)
		return own_oracle(p, framework, library, command, d);
	return asked_module(p, PACKAGE_ORACLE, framework, framework, command, d);
}

bool package_opinions(const package *p, const char *framework, const char *kind, buf *command, diag *d)
{
	char what[128];
	snprintf(what, sizeof what, "%.60s %.60s", framework, kind);
	return asked_module(p, "traces.collect.cross_check", framework, what, command, d);
}
