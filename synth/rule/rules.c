#include "rules.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "file.h"
#include "json.h"
#include "prove.h"

enum { KEPT_RECORDS = 5, KEPT_ALONE = 40, SMALL_DIM = 6, USUAL_ELEMENTS = 4096 };

void solved_free(solved *r)
{
	for (int d = 0; r->out && d < r->nodim; d++)
		free(r->out[d]);
	for (int k = 0; r->valid && k < r->nvalid; k++)
		free(r->valid[k]);
	free(r->out);
	free(r->valid);
	free(r->why);
	free(r->layer);
	*r = (solved){0};
}

/* ---- writing */

static void write_texts(buf *to, const char *key, char *const *texts, int n)
{
	buf_printf(to, ",\"%s\":[", key);
	for (int i = 0; i < n; i++) {
		if (i)
			buf_putc(to, ',');
		buf_json(to, texts[i]);
	}
	buf_putc(to, ']');
}

static const char *proof_name(int proof)
{
	return proof == PROVED ? "proved" : proof < 0 ? "none" : "unknown";
}

/* Two operators have equal ids when their rules are equal texts over equally many symbols. */
static uint64_t rule_id(const operator *op, const solved *r)
{
	buf text = {0};
	buf_printf(&text, "%d", op->nsym);
	write_texts(&text, "out", r->out, r->nodim);
	write_texts(&text, "valid", r->valid, r->nvalid);
	uint64_t id = XXH3_64bits(text.text, text.length);
	buf_free(&text);
	return id;
}

static bool usual(const operator *op, const int64_t *row)
{
	double elements = 1;
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_DIM)
			continue;
		elements = op->roles[i].pos == 0 ? 1 : elements;
		elements *= (double)row[i];
		if (row[i] < 1 || elements > USUAL_ELEMENTS)
			return false;
	}
	return true;
}

static void write_row(buf *to, const int64_t *row, int n)
{
	buf_putc(to, '[');
	for (int i = 0; i < n; i++) {
		if (i)
			buf_putc(to, ',');
		buf_int(to, row[i]);
	}
	buf_putc(to, ']');
}

/* ---- which records are kept */

/* The passing records of usual sizes, all where there are none. */
static int usual_records(const operator *op, int *list)
{
	int width = op->nsym + op->nodim, n = 0;
	for (int pass = 0; pass < 2 && n == 0; pass++)
		for (int k = 0; k < op->npass; k++)
			if (pass == 1 || usual(op, op->pass + (size_t)k * width))
				list[n++] = k;
	return n;
}

/* A few of n, evenly spread. */
static int spread(int *list, int n)
{
	int most = n < KEPT_RECORDS ? n : KEPT_RECORDS;
	for (int k = 0; k < most; k++)
		list[k] = list[(long)k * n / most];
	return most;
}

#define LARGE 1e30

/* How large a record's tensors are: elements in all; LARGE and more where a dimension is not small. */
static double record_size(const operator *op, const int64_t *row)
{
	double sum = 0, elements = 0, large = 0;
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_DIM)
			continue;
		sum += op->roles[i].pos == 0 ? elements : 0;
		elements = (op->roles[i].pos == 0 ? 1 : elements) * (double)row[i];
		large += row[i] > SMALL_DIM ? LARGE : 0;
	}
	return sum + elements + large;
}

/* A record that may be kept. */
typedef struct candidate {
	int record;
	double size;
	int news; /* numbers that no kept record has at the same place; -1: it is kept */
} candidate;

static int by_size(const void *a, const void *b)
{
	const candidate *x = a, *y = b;
	return x->size != y->size ? (x->size < y->size ? -1 : 1) : x->record - y->record;
}

/* The one with most news among the first n; the smallest of these; -1: all are kept. */
static int newest(const candidate *list, int n)
{
	int best = -1;
	for (int k = 0; k < n; k++)
		if (list[k].news >= 0 && (best < 0 || list[k].news > list[best].news))
			best = k;
	return best;
}

/* Takes what the kept record has from the news of the others; known[k*width + i] is set for what is no news. */
static void tell(const operator *op, candidate *list, int n, int kept, bool *known)
{
	size_t width = (size_t)op->nsym + op->nodim;
	const int64_t *row = op->pass + (size_t)list[kept].record * width;
	list[kept].news = -1;
	for (int k = 0; k < n; k++)
		for (size_t i = 0; i < width && list[k].news >= 0; i++)
			if (!known[(size_t)k * width + i] && op->pass[(size_t)list[k].record * width + i] == row[i]) {
				known[(size_t)k * width + i] = true;
				list[k].news--;
			}
}

/* Small ones that differ: the records of an operator without a rule are all that generators have. */
static int small_and_diverse(const operator *op, int *list, int n)
{
	size_t width = (size_t)op->nsym + op->nodim;
	candidate *all = calloc((size_t)n + 1, sizeof *all);
	bool *known = calloc((size_t)n * width + 1, sizeof *known);
	int nsmall = 0, most = all && known ? n < KEPT_ALONE ? n : KEPT_ALONE : 0;
	for (int k = 0; most && k < n; k++) {
		double size = record_size(op, op->pass + (size_t)list[k] * width);
		all[k] = (candidate){list[k], size, (int)width};
		nsmall += size < LARGE;
	}
	if (most)
		qsort(all, (size_t)n, sizeof *all, by_size);
	for (int k = 0; k < most; k++) {
		int best = newest(all, k < nsmall ? nsmall : n);
		list[k] = all[best].record;
		tell(op, all, n, best, known);
	}
	free(all);
	free(known);
	return most;
}

static int by_index(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void write_records(buf *to, const operator *op, bool alone)
{
	int width = op->nsym + op->nodim, *list = malloc(sizeof *list * (size_t)(op->npass + 1));
	int n = list ? usual_records(op, list) : 0;
	n = alone ? small_and_diverse(op, list, n) : spread(list, n);
	if (n)
		qsort(list, (size_t)n, sizeof *list, by_index);
	buf_puts(to, ",\"records\":[");
	for (int k = 0; k < n; k++) {
		if (k)
			buf_putc(to, ',');
		write_row(to, op->pass + (size_t)list[k] * width, width);
	}
	buf_putc(to, ']');
	free(list);
}

void rules_write_header(buf *to, const char *tool, const char *z3, int operators, int complete)
{
	buf_printf(to, "{\"rules\":1,\"tool\":\"rulesmith %s\",\"z3\":\"%s\",\"operators\":%d,\"solved\":%d}\n",
	    tool, z3, operators, complete);
}

void rules_write(buf *to, const operator *op, const solved *r)
{
	buf_printf(to, "{\"op\":\"%s\",\"api\":\"%s\",\"framework\":\"%s\",\"version\":", op->name, op->api,
	    op->framework);
	buf_json(to, op->version);
	buf_printf(to, ",\"args\":%s,\"outputs\":%s", op->args, op->outputs);
	if (op->dtypes)
		buf_printf(to, ",\"dtypes\":%s", op->dtypes);
	if (op->delicate)
		buf_puts(to, ",\"delicate\":true");
	if (op->writes)
		buf_printf(to, ",\"writes\":%s", op->writes);
	if (op->random)
		buf_puts(to, ",\"random\":true");
	buf_printf(to, ",\"nsym\":%d", op->nsym);
	if (r->why) {
		buf_puts(to, ",\"why\":");
		buf_json(to, r->why);
	} else {
		write_texts(to, "out", r->out, r->nodim);
		write_texts(to, "valid", r->valid, r->nvalid);
		buf_printf(to, ",\"layer\":\"%s\",\"proof\":\"%s\"", r->layer, proof_name(r->proof));
		if (r->thin)
			buf_puts(to, ",\"thin\":true");
		buf_printf(to, ",\"id\":\"%016llx\"", (unsigned long long)rule_id(op, r));
	}
	buf_printf(to, ",\"passed\":%d,\"failed\":%d", r->passed, r->failed);
	write_records(to, op, r->why != NULL);
	buf_puts(to, "}\n");
}

/* ---- the cache */

typedef struct entry {
	uint64_t key;
	char *line;
} entry;

struct cache {
	char path[4096];
	FILE *file; /* open for appending; NULL: nothing is kept */
	uint64_t version;
	entry *entries; /* as read, sorted by key */
	int n;
	pthread_mutex_t lock;
};

static int by_entry(const void *a, const void *b)
{
	const entry *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Reads entries of this version; a line that a kill cut short is no entry. */
static void load(cache *c)
{
	jsonl j;
	if (!jsonl_open(&j, c->path, NULL))
		return;
	while (jsonl_next(&j, NULL) > 0) {
		unsigned long long version, key;
		if (sscanf(j.line, "{\"version\":\"%16llx\",\"key\":\"%16llx\"", &version, &key) != 2
		    || version != c->version || j.line[strlen(j.line) - 1] != '}')
			continue;
		if ((c->n & (c->n - 1)) == 0)
			c->entries = realloc(c->entries, sizeof *c->entries * (size_t)(c->n ? c->n * 2 : 1));
		c->entries[c->n++] = (entry){key, strdup(j.line)};
	}
	jsonl_close(&j);
	if (c->n)
		qsort(c->entries, (size_t)c->n, sizeof *c->entries, by_entry);
}

/* Writes what was loaded beside and renames it: entries of other versions and torn lines go. */
static void compact(const cache *c)
{
	buf text = {0};
	for (int i = 0; i < c->n; i++)
		if (i == 0 || c->entries[i].key != c->entries[i - 1].key)
			buf_printf(&text, "%s\n", c->entries[i].line);
	file_update(c->path, text.text ? text.text : "", text.length, NULL);
	buf_free(&text);
}

cache *cache_open(const char *folder, uint64_t version)
{
	cache *c = calloc(1, sizeof *c);
	pthread_mutex_init(&c->lock, NULL);
	c->version = version;
	if (!folder || !make_directories(folder, NULL))
		return c;
	snprintf(c->path, sizeof c->path, "%s/solved.jsonl", folder);
	load(c);
	compact(c);
	c->file = fopen(c->path, "a");
	return c;
}

static char **read_texts(const cJSON *tree, const char *key, int *n)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(tree, key), *item;
	char **texts = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *texts);
	*n = 0;
	cJSON_ArrayForEach(item, list) if (cJSON_IsString(item)) texts[(*n)++] = strdup(item->valuestring);
	return texts;
}

bool cache_find(const cache *c, uint64_t key, solved *r)
{
	entry want = {.key = key};
	const entry *e = c->n ? bsearch(&want, c->entries, (size_t)c->n, sizeof *e, by_entry) : NULL;
	cJSON *tree = e ? cJSON_Parse(e->line) : NULL;
	if (!tree)
		return false;
	const cJSON *why = cJSON_GetObjectItemCaseSensitive(tree, "why");
	const cJSON *layer = cJSON_GetObjectItemCaseSensitive(tree, "layer");
	*r = (solved){.cached = true};
	r->out = read_texts(tree, "out", &r->nodim);
	r->valid = read_texts(tree, "valid", &r->nvalid);
	r->why = cJSON_IsString(why) ? strdup(why->valuestring) : NULL;
	r->layer = strdup(cJSON_IsString(layer) ? layer->valuestring : "");
	r->proof = (int)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(tree, "proof"));
	r->thin = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "thin"));
	r->passed = (int)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(tree, "passed"));
	r->failed = (int)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(tree, "failed"));
	cJSON_Delete(tree);
	return true;
}

void cache_add(cache *c, uint64_t key, const solved *r)
{
	if (!c->file)
		return;
	buf line = {0};
	buf_printf(&line, "{\"version\":\"%016llx\",\"key\":\"%016llx\"", (unsigned long long)c->version,
	    (unsigned long long)key);
	write_texts(&line, "out", r->out, r->nodim);
	write_texts(&line, "valid", r->valid, r->nvalid);
	if (r->why) {
		buf_puts(&line, ",\"why\":");
		buf_json(&line, r->why);
	}
	buf_printf(&line, ",\"layer\":\"%s\",\"proof\":%d,\"thin\":%s,\"passed\":%d,\"failed\":%d}\n", r->layer,
	    r->proof, r->thin ? "true" : "false", r->passed, r->failed);
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
