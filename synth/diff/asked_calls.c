#include "asked_calls.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "json.h"
#include "need.h"
#include "points.h"

void asked_calls_start(asked_calls *a, const records *r)
{
	*a = (asked_calls){.records = r, .memory = arena_new()};
	a->seen = need(calloc((size_t)r->n + 1, sizeof *a->seen), sizeof *a->seen * ((size_t)r->n + 1));
	for (int i = 0; i < r->n; i++)
		a->seen[i].nsym = r->ops[i].nsym;
}

void asked_calls_free(asked_calls *a)
{
	for (int i = 0; a->seen && i < a->records->n; i++)
		input_set_free(&a->seen[i]);
	free(a->seen);
	free(a->list);
	arena_free(a->memory);
}

void asked_calls_add(asked_calls *a, const operator *op, const int64_t *x)
{
	if (input_set_add(&a->seen[op - a->records->ops], x))
		asked_calls_append(a, op, x);
}

void asked_calls_append(asked_calls *a, const operator *op, const int64_t *x)
{
	a->list = NEED_ROOM(a->list, a->n, a->room);
	int64_t *in = NEED_ARRAY(a->memory, int64_t, op->nsym);
	memcpy(in, x, sizeof *x * (size_t)op->nsym);
	a->list[a->n++] = (asked_call){op, in};
}

static bool is_wanted(const asked_options *o, const operator *op)
{
	return !o->op || fnmatch(o->op, op->name, 0) == 0;
}

static void add_spread(asked_calls *a, const operator *op, int first, int n, int each)
{
	int most = n < each ? n : each;
	for (int k = 0; k < most; k++)
		asked_calls_add(a, op, record_symbols(op, first + (int)((long)k * n / most)));
}

static void draw_operator(asked_calls *a, const operator *op, const asked_options *o, arena *scratch)
{
	arena_mark mark = arena_save(scratch);
	box b = box_of(op, scratch);
	rng r = rng_seed(XXH3_64bits_withSeed(op->name, strlen(op->name), o->seed));
	int64_t *x = NEED_ARRAY(scratch, int64_t, op->nsym);
	for (int k = 0; k < o->draws; k++) {
		if (k % 3 != 2 || !point_move(&b, &r, NULL, 0, x))
			point_draw(&b, &r, NULL, 0, false, x);
		if (box_allows(&b, x))
			asked_calls_add(a, op, x);
	}
	arena_release(scratch, mark);
}

void asked_calls_draw(asked_calls *a, const asked_options *o)
{
	arena *scratch = arena_new();
	for (int i = 0; i < a->records->n; i++) {
		const operator *op = &a->records->ops[i];
		if (!is_wanted(o, op))
			continue;
		add_spread(a, op, 0, op->npass, o->each);
		add_spread(a, op, op->npass, op->nfail, o->each);
		if (op->nsym && op->npass)
			draw_operator(a, op, o, scratch);
	}
	arena_free(scratch);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, ((const operator *)b)->name);
}

static bool read_line(asked_calls *a, const asked_options *o, const jsonl *j, const cJSON *line, diag *d)
{
	const char *name = json_string(line, "op", j->path, j->number, d);
	const cJSON *in = name ? json_array(line, "in", j->path, j->number, d) : NULL, *item;
	if (!in)
		return false;
	const operator *op = bsearch(name, a->records->ops, (size_t)a->records->n, sizeof *op, by_name);
	if (!op || cJSON_GetArraySize(in) != op->nsym) {
		a->skipped++;
		return true;
	}
	int64_t *x = NEED_ARRAY(a->memory, int64_t, op->nsym), *to = x;
	cJSON_ArrayForEach(item, in)
	{
		if (json_int64(item, to++) != JSON_INT)
			return diag_at(d, j->path, j->number, "\"in\" is not a list of integers");
	}
	if (is_wanted(o, op))
		asked_calls_add(a, op, x);
	return true;
}

bool asked_calls_read(asked_calls *a, const asked_options *o, const char *path, diag *d)
{
	jsonl j;
	int more;
	bool ok = true;
	if (!jsonl_open(&j, path, d))
		return false;
	while (ok && (more = jsonl_next(&j, d)) > 0) {
		cJSON *line = json_parse(j.line, path, j.number, d);
		ok = line && read_line(a, o, &j, line, d);
		cJSON_Delete(line);
	}
	jsonl_close(&j);
	return ok && more == 0;
}

/* Sorts by signature, then by the numbers of the call. */
static int by_operator(const void *a, const void *b)
{
	const asked_call *x = a, *y = b;
	if (x->op != y->op)
		return strcmp(x->op->name, y->op->name);
	for (int i = 0; i < x->op->nsym; i++)
		if (x->in[i] != y->in[i])
			return x->in[i] < y->in[i] ? -1 : 1;
	return 0;
}

void asked_calls_sort(asked_calls *a)
{
	if (a->n)
		qsort(a->list, (size_t)a->n, sizeof *a->list, by_operator);
}
