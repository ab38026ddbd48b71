#include "target_file.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "framework.h"

/* ---- the file */

/* Copies the next quoted text into room bytes. Returns the position after it, or NULL if there is none. */
static const char *quoted(const char *line, char *text, size_t room)
{
	const char *start = strchr(line, '"'), *end = start ? strchr(start + 1, '"') : NULL;
	if (!end || (size_t)(end - start) > room)
		return NULL;
	snprintf(text, room, "%.*s", (int)(end - start - 1), start + 1);
	return end + 1;
}

/* Reads the quoted texts of a line, at most `most`. Returns how many. */
static int read_texts(const char *line, char texts[][TARGET_TEXT], int most)
{
	int n = 0;
	while (n < most && (line = quoted(line, texts[n], sizeof *texts)))
		n++;
	return n;
}

static void read_needs(target *t, const char *line)
{
	t->nneeds = read_texts(line, t->needs, sizeof t->needs / sizeof *t->needs);
	for (int i = 0; i < t->nneeds; i++)
		t->own |= strstr(t->needs[i], "==") != NULL;
}

static void read_before(target *t, const char *line)
{
	t->nbefore = read_texts(line, t->before, sizeof t->before / sizeof *t->before);
}

static void read_about(target *t, const char *line)
{
	snprintf(t->about, sizeof t->about, "%.*s", (int)strcspn(line, "\n"), line);
	size_t n = strlen(t->about);
	if (n > 3 && strcmp(t->about + n - 3, "\"\"\"") == 0)
		t->about[n - 3] = '\0';
}

bool target_read(target *t, const char *path, const char *name)
{
	char line[512];
	*t = (target){.batch = 1};
	snprintf(t->name, sizeof t->name, "%s", name);
	FILE *f = fopen(path, "re");
	for (int n = 0; f && fgets(line, sizeof line, f); n++)
		if (n == 0 && strncmp(line, "\"\"\"", 3) == 0)
			read_about(t, line + 3);
		else if (!*t->framework && sscanf(line, "FRAMEWORK = \"%31[a-z0-9_]\"", t->framework) == 1)
			continue;
		else if (!*t->screen && sscanf(line, "SCREEN = \"%31[a-z0-9_-]\"", t->screen) == 1)
			continue;
		else if (t->batch == 1 && sscanf(line, "BATCH = %3d", &t->batch) == 1)
			t->batch = t->batch < 1 ? 1 : t->batch;
		else if (!t->test && strcmp(line, "PURPOSE = \"test\"\n") == 0)
			t->test = true;
		else if (t->nbefore == 0 && strncmp(line, "BEFORE = (", 10) == 0)
			read_before(t, line);
		else if (t->nneeds == 0 && strncmp(line, "REQUIRES = (", 12) == 0)
			read_needs(t, line);
	if (f)
		fclose(f);
	setting_table_read(&t->settings, path);
	return *t->framework != '\0';
}

/* Whether the framework requires a distribution in an exact version, and another one first. */
static bool is_further(const char *requirements, const char *name)
{
	const size_t n = strlen(name);
	for (const char *at = strchr(requirements, ' '); at; at = strchr(at + 1, ' '))
		if (strncmp(at + 1, name, n) == 0 && strncmp(at + 1 + n, "==", 2) == 0)
			return true;
	return false;
}

void target_environment(const target *t, char name[128])
{
	const bool further = !t->own && t->nneeds && is_further(framework_requirements(t->framework), t->needs[0]);
	if (*t->version)
		snprintf(name, 128, "%.79s@%s", t->own ? t->name : further ? t->needs[0] : t->framework, t->version);
	else
		snprintf(name, 128, "%s", t->own ? t->name : t->framework);
}

bool target_take_version(target *t, char *name)
{
	char *at = strchr(name, '@');
	if (!at)
		return true;
	const size_t n = strlen(at + 1);
	if (!isalnum((unsigned char)at[1]) || strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789.") != n || n >= sizeof t->version)
		return false;
	memcpy(t->version, at + 1, n + 1);
	*at = '\0';
	return true;
}

/* ---- installed versions */

/* Whether a folder is a distribution's metadata. -_. are equivalent in its name. Returns the position of the
 * version. */
static const char *is_metadata(const char *folder, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool mark = strchr("-_.", name[i]) != NULL;
		if (!folder[i]
		    || (mark ? !strchr("-_.", folder[i])
			     : tolower((unsigned char)folder[i]) != tolower((unsigned char)name[i])))
			return NULL;
	}
	const char *end = strstr(folder, ".dist-info");
	return folder[n] == '-' && end && !end[strlen(".dist-info")] ? folder + n + 1 : NULL;
}

static bool find_version(const char *folder, const char *name, size_t n, char version[64])
{
	DIR *d = opendir(folder);
	const char *found = NULL;
	for (struct dirent *e; d && !found && (e = readdir(d));) {
		found = is_metadata(e->d_name, name, n);
		if (found)
			snprintf(version, 64, "%.*s", (int)(strstr(found, ".dist-info") - found), found);
	}
	if (d)
		closedir(d);
	return found != NULL;
}

void installed_version(const char *python, const char *distribution, char version[64])
{
	const char *slash = strrchr(python, '/');
	char pattern[PATH_MAX];
	glob_t places = {0};
	*version = '\0';
	int length = snprintf(pattern, sizeof pattern, "%.*s/../lib/python*/*-packages", slash ? (int)(slash - python) : 1,
	    slash ? python : ".");
	if (length >= PATH_MAX || glob(pattern, 0, NULL, &places) != 0)
		return;
	for (size_t i = 0; i < places.gl_pathc && !*version; i++)
		find_version(places.gl_pathv[i], distribution, strcspn(distribution, "=<>!~[; "), version);
	globfree(&places);
}

static bool has_program(const char *name)
{
	char path[PATH_MAX];
	const char *folders = getenv("PATH");
	for (const char *at = folders ? folders : ""; *at;) {
		int n = (int)strcspn(at, ":");
		if (snprintf(path, sizeof path, "%.*s/%s", n, at, name) < PATH_MAX && access(path, X_OK) == 0)
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

bool is_met(const char *python, const char *need, char version[64])
{
	const char *wanted = strstr(need, "==");
	*version = '\0';
	if (strncmp(need, "program:", 8) == 0)
		return has_program(need + 8);
	installed_version(python, need, version);
	size_t n = strcspn(version, "+"); /* 2.13.0+cpu counts as 2.13.0 */
	return *version && (!wanted || (strlen(wanted + 2) == n && strncmp(wanted + 2, version, n) == 0));
}
