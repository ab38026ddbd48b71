#include "backend.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ort.h"
#include "package.h"

static bool join(char path[PATH_MAX], const char *folder, const char *rest)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, rest) < PATH_MAX;
}

/* Finds the target's fast-path worker, which is this program, if its library is installed. */
static void find_screen(backend *b, const target *t)
{
	memcpy(b->screen, t->screen, sizeof b->screen);
	if (!*b->screen || !ort_find(b->library, b->python))
		return;
	const char *const argv[] = {"/proc/self/exe", "worker", b->screen, "--library", b->library};
	memcpy(b->screen_argv, argv, sizeof argv);
}

/* Finds the first of the targets of this name, which may list several for one worker, and joins their plain names. */
static bool find_target(const package *p, backend *b, const char *name, target *t, diag *d)
{
	char one[160];
	size_t used = 0;
	target next;
	for (const char *at = name; *at;) {
		int length = (int)strcspn(at, ",");
		snprintf(one, sizeof one, "%.*s", length, at);
		if (!package_target(p, length < (int)sizeof one ? one : name, &next, d))
			return false;
		if (at == name)
			*t = next;
		used += (size_t)snprintf(b->name + used, sizeof b->name - used, "%s%s", used ? "," : "", next.name);
		if (used >= sizeof b->name)
			return diag_set(d, "too many backends for one worker");
		b->batch = next.batch > b->batch ? next.batch : b->batch;
		setting_table_join(&b->settings, &next.settings);
		at += length + (at[length] == ',');
	}
	return *name != '\0' || package_target(p, name, t, d); /* which fails */
}

bool backend_find(backend *b, const char *name, const char *command, const char *python, diag *d)
{
	package p;
	target t = {.own = false};
	diag unknown = {""};
	*b = (backend){.batch = 1};
	bool known = package_find(&p, &unknown) && find_target(&p, b, name, &t, &unknown);
	if (!known || command)
		snprintf(b->name, sizeof b->name, "%s", name);
	memcpy(b->framework, t.framework, sizeof b->framework);
	if (command) {
		if (!known)
			snprintf(b->framework, sizeof b->framework, "%.*s", (int)strcspn(name, "-"), name);
		if (snprintf(b->command, sizeof b->command, "exec %s", command) >= PATH_MAX)
			return diag_set(d, "--backend-command is too long");
		b->batch = 1;
		b->settings = (setting_table){.share = SETTINGS_SHARE};
		b->argv[0] = "/bin/sh";
		b->argv[1] = "-c";
		b->argv[2] = b->command;
		return true;
	}
	if (!known)
		*d = unknown;
	if (!known || !package_target_interpreter(&p, &t, python, b->python, d) || !package_use(&p, d))
		return false;
	b->argv[0] = b->python;
	b->argv[1] = "-m";
	b->argv[2] = "rulefuzz.worker";
	b->argv[3] = b->name;
	if (!strchr(name, ','))
		find_screen(b, &t);
	return true;
}

bool backend_scratch(char path[PATH_MAX], diag *d)
{
	const char *tmp = getenv("TMPDIR");
	join(path, tmp && *tmp ? tmp : "/tmp", "rulefuzz-XXXXXX");
	if (!mkdtemp(path))
		return diag_at(d, path, 0, "cannot make the folder: %s", strerror(errno));
	return diag_memory(d, setenv("RULEFUZZ_SCRATCH", path, 1) == 0);
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
