#include "again.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "clock.h"
#include "room.h"
#include "signals.h"
#include "status.h"
#include "stored.h"

again_options again_defaults(const char *command)
{
	return (again_options){.command = command, .db = "rulefuzz.db", .timeout = 60, .memory = 4096};
}

bool again_option(again_options *o, int letter, const char *text)
{
	switch (letter) {
	case 'd':
		return (o->db = text) != NULL;
	case 'p':
		return (o->python = text) != NULL;
	case 'c':
		return (o->backend_command = text) != NULL;
	case 't':
		return parse_number(o->command, "--timeout", text, 1, 86400, &o->timeout);
	case 'T':
		return parse_time(o->command, "--time", text, &o->seconds);
	case 'm':
		return parse_number(o->command, "--memory", text, 0, 1 << 30, &o->memory);
	default:
		return false; /* next_option has reported it */
	}
}

judge again_judge(const judge *like)
{
	judge fresh = *like;
	fresh.worker = fresh.screener = NULL;
	fresh.id = fresh.starts = fresh.screen_starts = 0;
	return fresh;
}

bool again_kind(const finding *f, const judgement *j)
{
	if (status_parse(f->status) == STATUS_UNSUPPORTED)
		return j->verdict == VERDICT_unsupported;
	return verdict_is_candidate(j->verdict) && strcmp(verdict_name(j->verdict), f->kind) == 0;
}

bool again_fails(const finding *f, const judgement *j)
{
	char *key = stored_key(f);
	bool same = again_kind(f, j) && j->key && key && strcmp(key, j->key) == 0;
	free(key);
	return same;
}

/* The tolerance of a finding; its answer has it if tensors differ. */
static enum agree_preset tolerance_of(const finding *f)
{
	cJSON *detail = cJSON_Parse(f->detail);
	const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(detail, "tolerance"));
	int preset = name ? agree_parse(name) : -1;
	cJSON_Delete(detail);
	return preset < 0 ? AGREE_MEASURED : (enum agree_preset)preset;
}

/* ---- the findings that are meant */

typedef struct list {
	struct entry {
		int64_t id;
		char backend[80];
	} *items;
	size_t n, room;
	bool failed;
	bool (*wanted)(void *context, const finding *f);
	void *context;
} list;

static bool add(void *context, const finding *f)
{
	list *l = context;
	if (l->wanted && !l->wanted(l->context, f))
		return true;
	struct entry *items = room_for_one(l->items, l->n, &l->room, sizeof *items);
	l->failed = !items;
	if (!items)
		return false;
	l->items = items;
	l->items[l->n].id = f->id;
	snprintf(l->items[l->n++].backend, sizeof l->items->backend, "%s", f->backend);
	return true;
}

static int by_backend(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->backend, y->backend);
	return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

static int list_findings(list *l, const again_options *o, store *s, int nids, char **ids, diag *d)
{
	arena *a = arena_new();
	int code = a ? EXIT_CLEAN : EXIT_INPUT;
	for (int i = 0; code == EXIT_CLEAN && i < nids; i++) {
		int64_t id;
		finding f;
		int found = 1;
		if (!parse_number(o->command, "ID", ids[i], 1, INT64_MAX, &id))
			code = EXIT_USAGE;
		else if ((found = store_get(s, id, &f, a, d)) == 0)
			diag_at(d, o->db, 0, "no finding %" PRId64, id);
		else if (found == 1)
			add(l, &f);
		code = found == 1 ? code : EXIT_INPUT;
	}
	arena_free(a);
	if (nids == 0 && code == EXIT_CLEAN && !store_each(s, add, l, d))
		code = EXIT_INPUT;
	if (l->failed)
		diag_set(d, "out of memory");
	if (l->n > 0)
		qsort(l->items, l->n, sizeof *l->items, by_backend);
	return l->failed ? EXIT_INPUT : code;
}

/* ---- run */

typedef struct runner {
	const again_options *o;
	store *s;
	again_fn *fn;
	void *context;
	int stop_fd, code;
	double deadline; /* time when its worker is killed (clock_seconds); 0: never */
	backend target;
	judge by; /* backend "": no worker is open */
	char name[80], failed[80]; /* the open backend; the last that cannot start */
} runner;

/* Exit codes from good to bad. */
static int worse(int a, int b)
{
	static const int RANK[] = {[EXIT_CLEAN] = 0,
	    [EXIT_CHECK] = 1,
	    [EXIT_PARTIAL] = 2,
	    [EXIT_BACKEND] = 3,
	    [EXIT_INPUT] = 4,
	    [EXIT_USAGE] = 5};
	return RANK[a] > RANK[b] ? a : b;
}

static bool open_backend(runner *r, const char *name, diag *d)
{
	if (strcmp(r->name, name) == 0)
		return true;
	judge_close(&r->by);
	snprintf(r->name, sizeof r->name, "%s", name);
	if (!backend_find(&r->target, r->name, r->o->backend_command, r->o->python, d)) {
		r->name[0] = '\0';
		return false;
	}
	r->by = (judge){.options = {.argv = r->target.argv,
			    .start_seconds = 300,
			    .call_seconds = (double)r->o->timeout,
			    .memory = r->o->memory << 20,
			    .stop_fd = r->stop_fd,
			    .deadline = &r->deadline},
	    .backend = r->name,
	    .memory_mib = r->o->memory};
	return true;
}

static int run_finding(runner *r, const struct entry *e, diag *d)
{
	finding f;
	arena *a = arena_new();
	int code = EXIT_INPUT, found = a ? store_get(r->s, e->id, &f, a, d) : -1;
	if (found == 1 && open_backend(r, e->backend, d)) {
		r->by.tolerance = tolerance_of(&f);
		code = r->fn(r->context, &f, &r->by, d);
	} else if (found == 1) {
		code = EXIT_BACKEND;
	} else if (found == 0) { /* merged with another finding meanwhile */
		code = EXIT_CLEAN;
	} else if (!*d->text) {
		diag_set(d, "out of memory");
	}
	arena_free(a);
	return code;
}

static bool is_over(const runner *r)
{
	return r->deadline > 0 && clock_seconds() >= r->deadline;
}

static void run_all(runner *r, const list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		diag d = {""};
		if (strcmp(l->items[i].backend, r->failed) == 0)
			continue;
		int code = run_finding(r, &l->items[i], &d);
		r->code = worse(r->code, code);
		if (*d.text && code == EXIT_BACKEND)
			fprintf(stderr, "rulefuzz %s: error: backend %s cannot start: %s\n", r->o->command,
			    l->items[i].backend, diag_what(&d));
		else if (*d.text)
			fprintf(stderr, "%s\n", d.text);
		if (code == EXIT_BACKEND)
			snprintf(r->failed, sizeof r->failed, "%s", l->items[i].backend);
		if (code == EXIT_INPUT || signal_came() || is_over(r))
			break;
	}
}

static int run_in_scratch(const again_options *o, store *s, const list *l, again_fn *fn, void *context)
{
	diag d = {""};
	char scratch[PATH_MAX];
	runner *r = calloc(1, sizeof *r);
	int stop_fd = catch_signals(), code = EXIT_INPUT;
	if (r && backend_scratch(scratch, &d)) {
		*r = (runner){.o = o, .s = s, .fn = fn, .context = context, .stop_fd = stop_fd};
		r->deadline = o->seconds > 0 ? clock_seconds() + o->seconds : 0;
		run_all(r, l);
		judge_close(&r->by);
		backend_scratch_remove(scratch);
		code = worse(r->code, signal_came() || is_over(r) ? EXIT_PARTIAL : EXIT_CLEAN);
	} else {
		fprintf(stderr, "%s\n", r ? d.text : "error: out of memory");
	}
	close(stop_fd);
	free(r);
	return code;
}

int again_each(const again_options *o, int nids, char **ids, store **s, bool (*wanted)(void *context, const finding *f),
    again_fn *fn, void *context)
{
	diag d = {""};
	list l = {.wanted = nids ? NULL : wanted, .context = context};
	*s = store_open(o->db, false, &d);
	int code = *s ? list_findings(&l, o, *s, nids, ids, &d) : EXIT_INPUT;
	if (*d.text)
		fprintf(stderr, "%s\n", d.text);
	if (code == EXIT_CLEAN)
		code = run_in_scratch(o, *s, &l, fn, context);
	free(l.items);
	store_close(*s);
	*s = NULL;
	return code;
}
