#include "excuses.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "file.h"

#define MODELS "excuse:"
#define ELEMENTS "covered:"

static bool is_name(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return n > 0 && n < EXCUSE_NAME && !name[n];
}

excuse_count *excuses_find(excuses *e, const char *name)
{
	for (int i = 0; i < e->n; i++)
		if (strcmp(e->at[i].name, name) == 0)
			return &e->at[i];
	return NULL;
}

/* The count of a name, a new one if needed; NULL if there is no room or it is not a name. */
static excuse_count *make(excuses *e, const char *name)
{
	assert(e->n <= EXCUSES_MAX);
	excuse_count *found = excuses_find(e, name);
	if (found || e->n == EXCUSES_MAX || !is_name(name))
		return found;
	found = &e->at[e->n++];
	*found = (excuse_count){.models = 0};
	memcpy(found->name, name, strlen(name) + 1);
	return found;
}

void excuses_count(excuses *e, const cJSON *answer)
{
	const cJSON *named = cJSON_GetObjectItemCaseSensitive(answer, "excuses"), *one;
	cJSON_ArrayForEach(one, named)
	{
		bool counts = cJSON_IsNumber(one) && one->string && one->valuedouble >= 1 && one->valuedouble < 0x1p53;
		excuse_count *x = counts ? make(e, one->string) : NULL;
		if (x) {
			x->models++;
			x->elements += (int64_t)one->valuedouble;
		}
	}
}

static int by_models(const void *a, const void *b)
{
	const excuse_count *one = a, *other = b;
	if (one->models != other->models)
		return one->models < other->models ? 1 : -1;
	return strcmp(one->name, other->name);
}

void excuses_sort(excuses *e)
{
	qsort(e->at, (size_t)e->n, sizeof *e->at, by_models);
}

static bool put(store *s, int64_t run, const char *kind, const char *name, int64_t value, diag *d)
{
	char row[EXCUSE_NAME + sizeof ELEMENTS];
	snprintf(row, sizeof row, "%s%s", kind, name);
	sqlite3_stmt *st = statement_new(s, d, "INSERT OR REPLACE INTO counters VALUES(?,?,?)", "iti", run, row, value);
	return statement_run(s, st, d);
}

bool excuses_store(store *s, int64_t run, const excuses *e, diag *d)
{
	bool ok = true;
	for (int i = 0; ok && i < e->n; i++)
		ok = put(s, run, MODELS, e->at[i].name, e->at[i].models, d)
		     && put(s, run, ELEMENTS, e->at[i].name, e->at[i].elements, d);
	return ok;
}

/* Reads one row of counters, which need not be of an excuse. */
static void take(excuses *e, const char *row, int64_t value)
{
	bool models = strncmp(row, MODELS, strlen(MODELS)) == 0;
	if (!models && strncmp(row, ELEMENTS, strlen(ELEMENTS)) != 0)
		return;
	excuse_count *x = make(e, row + strlen(models ? MODELS : ELEMENTS));
	if (x)
		*(models ? &x->models : &x->elements) = value;
}

bool excuses_load(store *s, int64_t run, excuses *e, diag *d)
{
	e->n = 0;
	sqlite3_stmt *st = statement_new(s, d, "SELECT name, value FROM counters WHERE run=?", "i", run);
	int more = st ? statement_step(s, st, d) : -1;
	for (; more == 1; more = statement_step(s, st, d))
		take(e, statement_text(st, 0), sqlite3_column_int64(st, 1));
	sqlite3_finalize(st);
	return more >= 0;
}

/* One sample, as a file. */
static bool keep(const excuse_sample *x, const char *name, const cJSON *elements, diag *d)
{
	char path[PATH_MAX];
	buf text = {0};
	cJSON *samples = cJSON_GetObjectItemCaseSensitive(x->answer, "samples");
	char *sample = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(samples, name));
	buf_printf(&text, "{\"excuse\":\"%s\",\"backend\":", name);
	buf_json(&text, x->backend);
	buf_printf(&text, ",\"verdict\":\"%s\",\"elements\":%.0f,\"sample\":%s,\"model\":%s}\n", x->verdict, elements->valuedouble,
	    sample ? sample : "null", x->model);
	cJSON_free(sample);
	bool ok = snprintf(path, sizeof path, "%s/%s", x->folder, name) < (int)sizeof path
		  || diag_at(d, x->folder, 0, "the path is too long");
	ok = ok && make_directories(path, d);
	int n = snprintf(path, sizeof path, "%s/%s/%llu-%llu.json", x->folder, name, (unsigned long long)x->seed, (unsigned long long)x->index);
	ok = ok && (n < (int)sizeof path || diag_at(d, x->folder, 0, "the path is too long"));
	ok = ok && diag_memory(d, !text.failed) && file_write(path, text.text, text.length, d);
	buf_free(&text);
	return ok;
}

bool excuses_keep(excuses *e, int64_t limit, const excuse_sample *x, diag *d)
{
	const cJSON *named = cJSON_GetObjectItemCaseSensitive(x->answer, "excuses"), *one;
	bool ok = true;
	cJSON_ArrayForEach(one, named)
	{
		const excuse_count *found = ok && one->string ? excuses_find(e, one->string) : NULL;
		if (found && found->models <= limit && cJSON_IsNumber(one))
			ok = keep(x, found->name, one, d);
	}
	return ok;
}
