#include "learn_folder.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "json.h"
#include "package.h"
#include "need.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_MISSING = 5 };

/* ---- names */

/* Whether it is package.module:function, as own.py defines it. */
static bool is_function(const char *text)
{
	bool begins = true;
	int colons = 0, dots = 0;
	for (const char *c = text; *c; c++) {
		if (begins ? !isalpha((unsigned char)*c) : !isalnum((unsigned char)*c) && !strchr("_.:", *c))
			return false;
		begins = *c == '.' || *c == ':';
		colons += *c == ':';
		dots += *c == '.' && colons;
	}
	return !begins && colons == 1 && !dots;
}

static bool join(char path[PATH_MAX], const char *folder, const char *rest, diag *d)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, rest) < PATH_MAX || diag_set(d, "a path below %s is too long", folder);
}

static bool name_parts(learn_folder *f, diag *d)
{
	char records[sizeof f->api + 32], result[sizeof f->api + 32];
	snprintf(records, sizeof records, "%s.jsonl", f->api);
	snprintf(result, sizeof result, "%s.json", f->api);
	snprintf(f->pattern, sizeof f->pattern, "%s-*", f->api);
	const struct {
		char *path;
		const char *folder, *name;
	} PARTS[] = {{f->traces, f->path, "traces"}, {f->work, f->path, "work"}, {f->steps, f->path, "steps"}, {f->cache, f->path, "cache"},
	    {f->code, f->path, "c"}, {f->rules, f->path, "rules.jsonl"}, {f->library, f->path, "own.so"}, {f->result, f->path, result},
	    {f->part, f->work, "own.so"}, {f->copy, f->work, records}, {f->records, f->traces, records}};
	for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
		if (!join(PARTS[i].path, PARTS[i].folder, PARTS[i].name, d))
			return false;
	return true;
}

/* ---- the list of functions */

static void add_name(learn_folder *f, const char *name)
{
	buf_printf(&f->names, "%s%s", f->names.length ? "," : "", name);
}

/* Reads the functions of earlier runs; *known: this one is among them. Modifies text. */
static bool read_list(learn_folder *f, const char *path, char *text, bool *known, diag *d)
{
	long number = 0;
	for (char *line; (line = strsep(&text, "\n"));) {
		number++;
		if (!*line)
			continue;
		char *tab = strchr(line, '\t');
		if (!tab || !is_function(tab + 1))
			return diag_at(d, path, number, "expected a framework, a tab and PACKAGE.MODULE:FUNCTION");
		*tab = '\0';
		if (strcmp(line, f->framework) != 0)
			return diag_at(d, path, number, "this folder holds functions of %s, not of %s; name another one with --out", line, f->framework);
		add_name(f, tab + 1);
		*known |= strcmp(tab + 1, f->function) == 0;
	}
	return true;
}

static bool update_list(learn_folder *f, diag *d)
{
	char path[PATH_MAX];
	size_t length;
	bool known = false, ok = join(path, f->path, "functions", d);
	char *text = ok && access(path, F_OK) == 0 ? file_read(path, &length, d) : need(strdup(""), 1);
	buf all = {0};
	if (ok && text)
		buf_puts(&all, text);
	ok = ok && text && read_list(f, path, text, &known, d);
	if (ok && !known) {
		add_name(f, f->function);
		buf_printf(&all, "%s\t%s\n", f->framework, f->function);
		ok = all.failed ? diag_set(d, "out of memory") : file_write(path, all.text, all.length, d);
	}
	free(text);
	buf_free(&all);
	return ok;
}

bool learn_folder_write_list(const learn_folder *f, diag *d)
{
	char path[PATH_MAX];
	buf c = {0};
	buf_puts(&c, "/* The functions that these rules are of: `rulefuzz --rules` allows models to call them. */\n"
		     "extern const char *const rs_own[];\nconst char *const rs_own[] = {");
	for (const char *at = f->names.text; *at;) {
		size_t n = strcspn(at, ",");
		buf_printf(&c, "\"%.*s\", ", (int)n, at);
		at += n + (at[n] == ',');
	}
	buf_puts(&c, "0};\n");
	bool ok = c.failed ? diag_set(d, "out of memory") : join(path, f->code, "own.c", d) && file_update(path, c.text, c.length, d);
	buf_free(&c);
	return ok;
}

/* ---- programs */

/* Sets the command that answers queries: it visits the process that has loaded the framework. */
static bool find_oracle(learn_folder *f, diag *d)
{
	buf module = {0};
	buf_puts(&module, LEARN_VISIT " ");
	buf_shell(&module, f->work);
	buf_puts(&module, " " PACKAGE_ORACLE);
	bool ok = module.failed ? diag_set(d, "out of memory")
				: package_ask(&f->oracle, f->python, module.text, f->framework, f->traces, f->work, d);
	buf_puts(&f->oracle, " --jobs 2");
	buf_free(&module);
	return ok;
}

static bool find_programs(learn_folder *f, const package *p, const char *python, diag *d)
{
	char folder[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", f->self, PATH_MAX - 1);
	if (n <= 0)
		return diag_set(d, "cannot find the path of rulesmith itself");
	f->self[n] = '\0';
	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(f->self, '/') - f->self), f->self);
	if (!join(f->fuzz, folder, "rulefuzz", d) || access(f->fuzz, X_OK) != 0)
		return diag_set(d, "no rulefuzz in %s", folder);
	if (!join(f->headers, p->installed ? folder : p->root, p->installed ? "../include/rulesmith" : "runtime/include", d))
		return false;
	if (!package_interpreter(p, f->framework, python, f->python, d))
		return false;
	return find_oracle(f, d);
}

static bool make_folders(const learn_folder *f, diag *d)
{
	const char *const FOLDERS[] = {f->traces, f->work, f->steps, f->cache, f->code};
	for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
		if (!make_directories(FOLDERS[i], d))
			return false;
	return true;
}

int learn_folder_open(learn_folder *f, const char *path, const char *python, diag *d)
{
	package p;
	char real[PATH_MAX];
	if (!is_function(f->function) || strlen(f->function) >= sizeof f->api) {
		diag_set(d, "expected PACKAGE.MODULE:FUNCTION without leading underscores, got '%.80s'", f->function);
		return EXIT_USAGE;
	}
	snprintf(f->api, sizeof f->api, "%s", f->function);
	*strchr(f->api, ':') = '.';
	if (!make_directories(path, d) || (!realpath(path, real) && !diag_at(d, path, 0, "no such folder")))
		return EXIT_INPUT;
	memcpy(f->path, real, sizeof f->path);
	if (!name_parts(f, d) || !make_folders(f, d) || !update_list(f, d))
		return EXIT_INPUT;
	if (!package_find(&p, d) || !package_use(&p, d) || !find_programs(f, &p, python, d))
		return EXIT_MISSING;
	return diag_memory(d, setenv("RULEFUZZ_OWN", f->names.text, 1) == 0) ? 0 : EXIT_INPUT;
}

void learn_folder_free(learn_folder *f)
{
	buf_free(&f->names);
	buf_free(&f->oracle);
}

/* ---- results */

int learn_folder_solved(const learn_folder *f, diag *d)
{
	size_t length;
	int solved = 0;
	long number = 0;
	char *text = file_read(f->rules, &length, d), *rest = text;
	if (!text)
		return -1;
	for (char *line; (line = strsep(&rest, "\n"));) {
		cJSON *rule = *line ? json_parse(line, f->rules, ++number, d) : NULL;
		const char *api = cJSON_GetStringValue(cJSON_GetObjectItem(rule, "api"));
		solved += api && strcmp(api, f->api) == 0 && cJSON_GetObjectItem(rule, "out");
		cJSON_Delete(rule);
	}
	free(text);
	return solved;
}
