/* rulesmith emit: rules.jsonl to C. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "classes_read.h"
#include "options.h"
#include "smith_commands.h"
#include "emit.h"
#include "function_owners.h"
#include "need.h"

static void help(void)
{
	puts("usage: rulesmith emit RULES.JSONL -o DIR [--values FILE]... [--runs FILE]... [--signatures FILE]...\n\n"
	     "Writes the rules as C: DIR/index.c, and for each framework a folder with a file for each API, the functions that\n"
	     "several APIs share, and the table. DIR/batches lists the files that are compiled together. DIR belongs to this\n"
	     "command: it removes files that it wrote earlier and no longer needs, leaves other files, and does not touch a file\n"
	     "whose text would not change.\n\n"
	     "  rulesmith emit build/rules.jsonl -o generated --values traces/FRAMEWORK/VALUES.tsv\n\n"
	     "  -o, --output DIR   where to write; created if missing\n"
	     "  --values FILE      classes of element values, traces/FRAMEWORK/VALUES.tsv; repeatable\n"
	     "  --runs FILE        results of running models, traces/FRAMEWORK/RUNS.tsv; repeatable\n"
	     "                     Both: signatures that the rules do not have are counted and skipped\n"
	     "  --signatures FILE  the framework's signatures for the pages, traces/FRAMEWORK/SIGNATURES.tsv; repeatable\n"
	     "  -j N               threads (default: the number of processors); the output is the same for any N\n"
	     "  -q, --quiet        print no summary\n"
	     "  -h, --help         this text\n\n"
	     "Rules are checked first: a bad line is reported as path:line: error: …, the exit code is 1, and nothing is\n"
	     "written. Compile the result with the folder of ruletable.h on the include path; it exports `rs_rules`.");
}

static int usage(const char *what)
{
	fprintf(stderr, "rulesmith emit: error: %s; try 'rulesmith emit --help'\n", what);
	return 2;
}

/* ---- writing */

static bool write_file(const char *dir, const emit_file *f, diag *d)
{
	char path[4096], *slash;
	if (snprintf(path, sizeof path, "%s/%s", dir, f->path) >= (int)sizeof path)
		return diag_at(d, dir, 0, "the path is too long");
	slash = strrchr(path, '/');
	*slash = '\0';
	if (!make_directories(path, d))
		return false;
	*slash = '/';
	return file_update(path, f->text.text, f->text.length, d);
}

static int by_path(const void *key, const void *file)
{
	return strcmp(key, ((const emit_file *)file)->path);
}

static bool is_ours(const char *path)
{
	char start[sizeof EMIT_BANNER] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, start, sizeof start - 1) : 0;
	if (fd >= 0)
		close(fd);
	return n == (ssize_t)sizeof start - 1 && memcmp(start, EMIT_BANNER, (size_t)n) == 0;
}

/* Removes a file of the output folder that an earlier run wrote and this one did not. */
static unsigned remove_stale(
    const char *dir, const char *folder, const char *name, const emit_files *files)
{
	char path[8192];
	const char *end = strrchr(name, '.');
	if (!end || (strcmp(end, ".c") != 0 && strcmp(end, ".h") != 0 && strcmp(end, ".inc") != 0))
		return 0;
	snprintf(path, sizeof path, "%s/%s%s%s", dir, folder, *folder ? "/" : "", name);
	const char *below = path + strlen(dir) + 1;
	if (bsearch(below, files->list, files->count, sizeof *files->list, by_path)
	    || !is_ours(path))
		return 0;
	return unlink(path) == 0;
}

/* Whether a folder has an index.c, so it is the output of another emit. */
static bool is_library(const char *path)
{
	char index[8448];
	snprintf(index, sizeof index, "%s/index.c", path);
	return access(index, F_OK) == 0;
}

/* Removes stale files from dir (folder "") or one of its folders, unless that is a library of its own. Adds to
 * *removed. */
static bool sweep(const char *dir, const char *folder, const emit_files *files, unsigned *removed, diag *d)
{
	char path[8192];
	unsigned before = *removed;
	bool ok = true;
	snprintf(path, sizeof path, "%s/%s", dir, folder);
	if (*folder && is_library(path))
		return true;
	DIR *list = opendir(path);
	if (!list)
		return (*folder && (errno == ENOTDIR || errno == ENOENT)) /* a file, or removed in the meantime */
		    || diag_at(d, path, 0, "cannot be listed: %s", strerror(errno));
	for (struct dirent *e; ok && (e = readdir(list));) {
		if (e->d_name[0] == '.')
			continue;
		*removed += remove_stale(dir, folder, e->d_name, files);
		ok = *folder || sweep(dir, e->d_name, files, removed, d);
	}
	closedir(list);
	if (*removed > before && *folder)
		rmdir(path); /* fails if other files are left */
	return ok;
}

static bool write_all(const char *dir, const emit_files *files, unsigned *removed, diag *d)
{
	for (size_t i = 0; i < files->count; i++)
		if (!write_file(dir, &files->list[i], d))
			return false;
	return sweep(dir, "", files, removed, d);
}

/* ---- the command */

static void summary(const rule_set *rules, const plan *plans, size_t nplans,
    const emit_files *files, unsigned removed, unsigned unknown)
{
	size_t bytes = 0, solved = 0, functions = 0, classed = 0;
	for (size_t i = 0; i < files->count; i++)
		bytes += files->list[i].text.length;
	for (size_t i = 0; i < rules->nops; i++)
		solved += rules->ops[i].rule.out != NULL, classed += rules->ops[i].classes != NULL;
	for (size_t i = 0; i < nplans; i++)
		functions += plans[i].nfunctions;
	fprintf(stderr,
	    "emit: %zu signatures, %zu with a rule, %zu functions in %zu files, %.1f MB; %u stale files removed\n",
	    rules->nops, solved, functions, files->count, (double)bytes / 1e6, removed);
	if (classed || unknown)
		fprintf(stderr, "emit: %zu signatures with classes of element values; skipped %u lines of signatures not in the rules\n",
		    classed, unknown);
}

typedef bool read_fn(rule_set *rules, const char *path, unsigned *unknown, diag *d);

typedef struct options {
	const char *dir;
	char **paths; /* --values and --runs */
	read_fn **reads; /* and the reader of each */
	api_heads *heads; /* declared signatures, from --signatures */
	int npaths, threads;
	bool quiet;
} options;

static bool read_learned(rule_set *rules, const options *o, unsigned *unknown, diag *d)
{
	for (int i = 0; i < o->npaths; i++)
		if (!o->reads[i](rules, o->paths[i], unknown, d))
			return false;
	return true;
}

static int emit(const char *path, const options *o)
{
	diag d = {0};
	rule_set rules;
	plan *plans = NULL;
	size_t nplans = 0;
	emit_files files = {0};
	unsigned removed = 0, unknown = 0;
	bool ok = rules_read(&rules, path, &d) && read_learned(&rules, o, &unknown, &d)
		  && plan_make(&rules, o->threads, &plans, &nplans, &d) && function_owners_find(&rules, plans, nplans, &d)
		  && emit_all(&rules, plans, nplans, o->heads, &files, &d)
		  && write_all(o->dir, &files, &removed, &d);
	if (ok && !o->quiet)
		summary(&rules, plans, nplans, &files, removed, unknown);
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	emit_files_free(&files);
	rules_free(&rules);
	return ok ? 0 : 1;
}

static int run(int argc, char **argv, options *o)
{
	static const struct option OPTIONS[] = {{"output", required_argument, NULL, 'o'},
	    {"values", required_argument, NULL, 'v'}, {"runs", required_argument, NULL, 'r'},
	    {"signatures", required_argument, NULL, 's'}, {"quiet", no_argument, NULL, 'q'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	int c;
	while ((c = option_next("rulesmith emit", argc, argv, "o:j:qh", OPTIONS)) != -1) {
		if (c == 'h') {
			help();
			return 0;
		}
		if (c == 'o')
			o->dir = optarg;
		else if (c == 'v' || c == 'r') {
			o->reads[o->npaths] = c == 'v' ? classes_read : runs_read;
			o->paths[o->npaths++] = optarg;
		}
		else if (c == 's') {
			diag d = {0};
			if (!api_heads_read(o->heads, optarg, &d)) {
				fprintf(stderr, "%s\n", d.text);
				return 1;
			}
		}
		else if (c == 'j') {
			o->threads = atoi(optarg);
			if (o->threads < 1 || o->threads > 1024)
				return usage("-j: expected 1 to 1024 threads");
		}
		else if (c == 'q')
			o->quiet = true;
		else
			return 2;
	}
	if (!o->dir || !*o->dir)
		return usage("-o DIR is required");
	if (argc - optind != 1)
		return usage("expected one file of rules");
	return emit(argv[optind], o);
}

int cmd_emit(int argc, char **argv)
{
	size_t bytes = (size_t)argc * sizeof(char *);
	options o = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN), .paths = need(malloc(bytes), bytes), .reads = need(malloc(bytes), bytes), .heads = api_heads_new()};
	int code = run(argc, argv, &o);
	free(o.paths);
	free(o.reads);
	api_heads_free(o.heads);
	return code;
}
