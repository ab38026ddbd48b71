#include "differences.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "workers.h"

enum { CHUNK = 4096 }; /* calls per batch */

/* ---- both sides in parallel */

typedef struct both {
	side *sides[2];
	const asked_call *calls;
	int n;
	bool fresh, ok[2];
	reply *replies[2];
	arena *memory[2];
	diag why[2];
} both;

static bool ask_side(void *user, void *own, int k)
{
	both *b = user;
	(void)own;
	b->ok[k] = side_ask(b->sides[k], b->calls, b->n, b->fresh, b->replies[k], b->memory[k], &b->why[k]);
	return true;
}

static void both_start(both *b, side *one, side *other, int most)
{
	*b = (both){.sides = {one, other}};
	for (int k = 0; k < 2; k++) {
		b->memory[k] = arena_new();
		b->replies[k] = need(calloc((size_t)most + 1, sizeof(reply)), sizeof(reply) * (size_t)most);
	}
}

static void both_free(both *b)
{
	for (int k = 0; k < 2; k++) {
		arena_free(b->memory[k]);
		free(b->replies[k]);
	}
}

static bool both_ask(both *b, const asked_call *calls, int n, bool fresh, diag *d)
{
	b->calls = calls;
	b->n = n;
	b->fresh = fresh;
	workers_run(&(workers){.threads = 2, .tasks = 2, .user = b, .task = ask_side});
	for (int k = 0; k < 2; k++)
		if (!b->ok[k])
			return diag_set(d, "%s: %s", side_label(b->sides[k]), diag_what(&b->why[k]));
	return true;
}

/* ---- groups */

static reply kept_reply(const reply *r, arena *memory)
{
	reply to = *r;
	to.shapes = need(arena_strdup(memory, r->shapes), 1);
	to.dtypes = need(arena_strdup(memory, r->dtypes), 1);
	to.message = need(arena_strdup(memory, r->message), 1);
	return to;
}

static difference *find_group(differences *r, const char *api, enum change change, const char *cause)
{
	for (int i = r->n; i-- > 0;) { /* calls are sorted by signature: recent groups are likely */
		difference *g = &r->list[i];
		if (strcmp(g->api, api) != 0)
			break;
		if (g->change == change && strcmp(g->cause, cause) == 0)
			return g;
	}
	r->list = NEED_ROOM(r->list, r->n, r->room);
	r->list[r->n] = (difference){.api = api, .change = change, .cause = need(arena_strdup(r->memory, cause), 1)};
	return &r->list[r->n++];
}

static int64_t size_of(const asked_call *c)
{
	int64_t size = 0;
	for (int i = 0; i < c->op->nsym; i++)
		if (__builtin_add_overflow(size, c->in[i] < 0 ? ~c->in[i] : c->in[i], &size))
			return INT64_MAX;
	return size;
}

static void add_example(differences *r, difference *g, const asked_call *call, const reply *a, const reply *b)
{
	example e = {.call = *call, .size = size_of(call)};
	int at = g->n < DIFFERENCE_EXAMPLES ? g->n++ : DIFFERENCE_EXAMPLES;
	if (at == DIFFERENCE_EXAMPLES && g->examples[--at].size <= e.size)
		return;
	for (; at > 0 && g->examples[at - 1].size > e.size; at--)
		g->examples[at] = g->examples[at - 1];
	e.a = kept_reply(a, r->memory);
	e.b = kept_reply(b, r->memory);
	g->examples[at] = e;
}

static void count_api(differences *r, const char *api)
{
	if (!r->napis || strcmp(r->apis[r->napis - 1].api, api) != 0)
		r->apis[r->napis++] = (api_count){.api = api};
	r->apis[r->napis - 1].asked++;
}

static void take_call(differences *r, const asked_call *call, const reply *a, const reply *b, arena *scratch)
{
	enum change change = reply_change(a, b);
	count_api(r, call->op->api);
	r->asked++;
	if (change == CHANGE_NONE) {
		bool lost = a->kind == REPLY_LOST || b->kind == REPLY_LOST;
		r->undecided += lost;
		r->same += !lost;
		return;
	}
	difference *g = find_group(r, call->op->api, change, reply_cause(change, a, b, scratch));
	g->calls++;
	add_example(r, g, call, a, b);
}

static bool compare(side *a, side *b, const asked_calls *calls, differences_progress *progress, void *user, differences *r, diag *d)
{
	both x;
	bool ok = true;
	both_start(&x, a, b, CHUNK);
	for (int at = 0; ok && at < calls->n; at += CHUNK) {
		int n = calls->n - at < CHUNK ? calls->n - at : CHUNK;
		arena_mark marks[] = {arena_save(x.memory[0]), arena_save(x.memory[1])};
		ok = both_ask(&x, calls->list + at, n, false, d);
		for (int k = 0; ok && k < n; k++)
			take_call(r, &calls->list[at + k], &x.replies[0][k], &x.replies[1][k], x.memory[0]);
		for (int k = 0; k < 2; k++)
			arena_release(x.memory[k], marks[k]);
		progress(user, "calls", at + n, calls->n);
	}
	both_free(&x);
	return ok;
}

/* ---- confirmed */

/* Whether these replies show the group's difference. */
static bool shows(const difference *g, const reply *a, const reply *b, arena *scratch)
{
	return reply_change(a, b) == g->change && strcmp(reply_cause(g->change, a, b, scratch), g->cause) == 0;
}

/* Runs one example of each unconfirmed group CONFIRMATIONS times. */
static bool confirm_round(differences *r, side *a, side *b, differences_progress *progress, void *user, diag *d)
{
	both x;
	bool ok = true;
	int n = 0, *open = need(calloc((size_t)r->n + 1, sizeof *open), sizeof *open);
	asked_call *calls = need(calloc((size_t)r->n + 1, sizeof *calls), sizeof *calls);
	for (int i = 0; i < r->n; i++)
		if (!r->list[i].confirmed && r->list[i].tried < r->list[i].n)
			calls[n] = r->list[i].examples[r->list[i].tried].call, open[n++] = i;
	both_start(&x, a, b, CHUNK);
	for (int at = 0; ok && at < n; at += CHUNK) {
		int some = n - at < CHUNK ? n - at : CHUNK;
		for (int k = 0; k < some; k++)
			r->list[open[at + k]].confirmed = true;
		for (int time = 0; ok && time < CONFIRMATIONS; time++) {
			side_restart(a);
			side_restart(b);
			ok = both_ask(&x, calls + at, some, true, d);
			for (int k = 0; ok && k < some; k++)
				r->list[open[at + k]].confirmed &= shows(&r->list[open[at + k]], &x.replies[0][k], &x.replies[1][k], x.memory[0]);
			progress(user, "confirming", at + some * (time + 1) / CONFIRMATIONS, n);
		}
		for (int k = 0; k < some; k++)
			r->list[open[at + k]].tried += !r->list[open[at + k]].confirmed;
	}
	both_free(&x);
	free(open);
	free(calls);
	return ok;
}

static int by_place(const void *a, const void *b)
{
	const difference *x = a, *y = b;
	int order = strcmp(x->api, y->api);
	order = order ? order : (int)x->change - (int)y->change;
	return order ? order : strcmp(x->cause, y->cause);
}

static bool confirm(differences *r, side *a, side *b, differences_progress *progress, void *user, diag *d)
{
	bool ok = true;
	int kept = 0;
	for (int k = 0; ok && k < DIFFERENCE_EXAMPLES; k++)
		ok = confirm_round(r, a, b, progress, user, d);
	for (int i = 0; ok && i < r->n; i++) {
		difference *g = &r->list[i];
		if (!g->confirmed)
			continue;
		g->examples[0] = g->examples[g->tried];
		r->list[kept++] = *g;
	}
	r->dropped = r->n - kept;
	r->n = kept;
	if (r->n)
		qsort(r->list, (size_t)r->n, sizeof *r->list, by_place);
	return ok;
}

bool differences_find(side *a, side *b, const asked_calls *calls, differences_progress *progress, void *user, differences *r, diag *d)
{
	size_t bytes = sizeof *r->apis * ((size_t)calls->n + 1);
	*r = (differences){.memory = arena_new()};
	r->apis = need(malloc(bytes), bytes);
	return compare(a, b, calls, progress, user, r, d) && confirm(r, a, b, progress, user, d);
}

void differences_free(differences *r)
{
	arena_free(r->memory);
	free(r->list);
	free(r->apis);
}

static int by_api(const void *a, const void *b)
{
	return strcmp(a, ((const api_count *)b)->api);
}

long differences_asked(const differences *r, const char *api)
{
	const api_count *c = bsearch(api, r->apis, (size_t)r->napis, sizeof *r->apis, by_api);
	return c ? c->asked : 0;
}
