#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "file.h"
#include "json.h"
#include "memory.h"
#include "need.h"
#include "prove.h"
#include "rule_json.h"
#include "solver_sources.h"

typedef struct entry {
	uint64_t key;
	char *line;
} entry;

struct cache {
	char path[4096];
	FILE *file; /* open for appending; NULL: no cache */
	uint64_t version;
	entry *entries; /* as read from the files, sorted by key */
	int n;
	size_t room;
	pthread_mutex_t lock;
};

static int by_entry(const void *a, const void *b)
{
	const entry *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Reads the entries of this version. Skips a last line that a kill cut short. */
static void load(cache *c, const char *path)
{
	jsonl j;
	if (!jsonl_open(&j, path, NULL)) {
		if (errno == ENOMEM) /* otherwise an empty cache would replace the file */
			out_of_memory(sizeof j);
		return;
	}
	while (jsonl_next(&j, NULL) > 0) {
		unsigned long long version, key;
		if (sscanf(j.line, "{\"version\":\"%16llx\",\"key\":\"%16llx\"", &version, &key) != 2
		    || version != c->version || j.line[strlen(j.line) - 1] != '}')
			continue;
		c->entries = NEED_ROOM(c->entries, c->n, c->room);
		c->entries[c->n++] = (entry){key, need(strdup(j.line), strlen(j.line))};
	}
	jsonl_close(&j);
}

static void sort(cache *c)
{
	if (c->n)
		qsort(c->entries, (size_t)c->n, sizeof *c->entries, by_entry);
}

static int is_kept(const struct dirent *d)
{
	size_t n = strlen(d->d_name);
	return strncmp(d->d_name, "solved", 6) == 0 && n > 6 && strcmp(d->d_name + n - 6, ".jsonl") == 0;
}

/* Reads the other files of the folder: those of other shards and of unsharded runs. */
static void load_others(cache *c, const char *folder)
{
	struct dirent **list;
	int n = scandir(folder, &list, is_kept, alphasort);
	for (int i = 0; i < n; i++) {
		char path[sizeof c->path];
		int length = snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
		if (length < (int)sizeof path && strcmp(path, c->path) != 0)
			load(c, path);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* Rewrites the file without entries of other versions and torn lines: writes a temporary file, then renames it. */
static void compact(const cache *c)
{
	buf text = {0};
	for (int i = 0; i < c->n; i++)
		if (i == 0 || c->entries[i].key != c->entries[i - 1].key)
			buf_printf(&text, "%s\n", c->entries[i].line);
	file_update(c->path, buf_text(&text), text.length, NULL);
	buf_free(&text);
}

/* A hash of everything a rule depends on besides its records: the solver's sources and compiler (hashed by the
 * Makefile) and Z3's version. A cache of another solver is not used. Changes of code that only reads rules, such as
 * codegen/, keep the cache. */
static uint64_t solver_version(void)
{
	buf text = {0};
	buf_printf(&text, "%s %s", SOLVER_SOURCES, prover_version());
	uint64_t h = XXH3_64bits(text.text, text.length);
	buf_free(&text);
	return h;
}

cache *cache_open(const char *folder, shard s)
{
	cache *c = need(calloc(1, sizeof *c), sizeof *c);
	pthread_mutex_init(&c->lock, NULL);
	if (!folder || !make_directories(folder, NULL))
		return c;
	c->version = solver_version();
	if (s.count)
		snprintf(c->path, sizeof c->path, "%s/solved-%d-of-%d.jsonl", folder, s.index, s.count);
	else
		snprintf(c->path, sizeof c->path, "%s/solved.jsonl", folder);
	load(c, c->path);
	sort(c);
	compact(c);
	load_others(c, folder);
	sort(c);
	c->file = fopen(c->path, "a");
	return c;
}

static const entry *look_up(const cache *c, uint64_t key)
{
	entry want = {.key = key};
	return c->n ? bsearch(&want, c->entries, (size_t)c->n, sizeof want, by_entry) : NULL;
}

bool cache_has(const cache *c, uint64_t key)
{
	return look_up(c, key) != NULL;
}

bool cache_find(const cache *c, uint64_t key, const operator *op, rule_store to, rule *r)
{
	const entry *e = look_up(c, key);
	cJSON *tree = e ? json_parse(e->line, c->path, 0, NULL) : NULL;
	bool ok = tree && rule_from_json(r, to, op->call, tree, c->path, 0, NULL);
	cJSON_Delete(tree);
	return ok;
}

void cache_add(cache *c, uint64_t key, const operator *op, const rule *r)
{
	if (!c->file)
		return;
	buf line = {0};
	buf_printf(&line, "{\"version\":\"%016llx\",\"key\":\"%016llx\"", (unsigned long long)c->version,
	    (unsigned long long)key);
	rule_to_json(&line, r, op->nsym);
	buf_puts(&line, "}\n");
	pthread_mutex_lock(&c->lock);
	fwrite(line.text, 1, line.length, c->file);
	fflush(c->file);
	pthread_mutex_unlock(&c->lock);
	buf_free(&line);
}

void cache_close(cache *c)
{
	if (c->file)
		fclose(c->file);
	for (int i = 0; i < c->n; i++)
		free(c->entries[i].line);
	free(c->entries);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
