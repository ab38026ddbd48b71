#include "cross_check.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "clock.h"
#include "draw.h"
#include "json.h"
#include "failure.h"
#include "room.h"

enum {
	CHUNK = 48,   /* signatures per chunk */
	SORTS = 4,    /* maximum questions per chunk */
	KEY = 160,    /* maximum bytes of a message in a key */
};

static const char *const SORT_NAMES[SORTS] = {"record", "sample", "invalid call", "rejected record"};

typedef struct session {
	const cross_check_options *o;
	cross_check_result *r;
	oracle *oracle;
	const rs_op **ops; /* in the order of asking */
	uint32_t nops;
	arena *arena; /* questions of a chunk */
	const char *lines[CHUNK * SORTS];
	const char *drawn[CHUNK * SORTS];
	int nlines;
	double start, told;
	cross_check_group *confirming;
} session;

static bool over(session *s, double seconds)
{
	s->r->stopped = s->r->stopped || (s->o->stopped && s->o->stopped());
	return s->r->stopped || clock_seconds() - s->start > seconds;
}

static void progress(session *s, const char *doing)
{
	if (!s->o->progress || clock_seconds() - s->told < 1)
		return;
	s->told = clock_seconds();
	fprintf(stderr, "\r\033[K%s %llu, %llu differ in %u groups, %.0f s", doing, (unsigned long long)s->r->asked,
	    (unsigned long long)s->r->differing, s->r->ngroups, s->told - s->start);
}

/* ---- groups */

static const char *as_text(session *s, const cJSON *item)
{
	char *text = item ? cJSON_PrintUnformatted(item) : NULL;
	const char *kept = text ? arena_strdup(s->r->memory, text) : NULL;
	free(text);
	return kept;
}

static const char *key_of(session *s, const char *api, const cJSON *opinion)
{
	buf message = {0};
	const char *live = json_text(opinion, "live"), *said = json_text(opinion, "said");
	const char *why = strncmp(live, "raises", 6) == 0 ? live : strncmp(said, "raises", 6) == 0 ? said : "";
	normalise(why, KEY, &message);
	const char *key = arena_printf(s->r->memory, "%s|%s|%s|%s|%s", s->o->kind, api, json_text(opinion, "form"),
	    json_text(opinion, "what"), buf_text(&message));
	buf_free(&message);
	return key;
}

static cross_check_group *group_of(cross_check_result *r, const char *key)
{
	for (uint32_t i = 0; i < r->ngroups; i++)
		if (strcmp(r->groups[i].key, key) == 0)
			return &r->groups[i];
	cross_check_group *groups = room_for_one(r->groups, r->ngroups, &r->room, sizeof *groups);
	if (!groups)
		return NULL;
	r->groups = groups;
	r->groups[r->ngroups] = (cross_check_group){.key = key, .tiers = ""};
	return &r->groups[r->ngroups++];
}

static bool add_difference(session *s, int line, const cJSON *answer, const cJSON *opinion, diag *d)
{
	arena *a = s->r->memory;
	const rs_op *op = rs_table_find(s->o->table, json_text(answer, "op"));
	const char *key = op ? key_of(s, op->api, opinion) : NULL;
	cross_check_group *g = key ? group_of(s->r, key) : NULL;
	if (!g)
		return diag_set(d, op ? "out of memory" : "the oracle's answer names another signature than the question");
	s->r->differing++;
	if (g->count++)
		return true;
	g->api = op->api;
	g->op = op->name;
	g->drawn = s->drawn[line];
	g->form = arena_strdup(a, json_text(opinion, "form"));
	g->what = arena_strdup(a, json_text(opinion, "what"));
	g->live = arena_strdup(a, json_text(opinion, "live"));
	g->said = arena_strdup(a, json_text(opinion, "said"));
	g->input = as_text(s, cJSON_GetObjectItemCaseSensitive(answer, "in"));
	g->opinion = as_text(s, opinion);
	return diag_memory(d, g->form && g->what && g->live && g->said && g->input && g->opinion);
}

static void count_noise(cross_check_result *r, const char *name)
{
	uint32_t i = 0;
	while (i < r->nnoise && strcmp(r->noise[i].name, name) != 0)
		i++;
	if (i == CROSS_CHECK_NOISE)
		return;
	if (i == r->nnoise) {
		const char *kept = arena_strdup(r->memory, name);
		if (!kept)
			return;
		r->noise[r->nnoise++].name = kept;
	}
	r->noise[i].count++;
}

static bool take_answer(void *user, int line, const cJSON *answer, diag *d)
{
	session *s = user;
	cross_check_result *r = s->r;
	const cJSON *opinions = cJSON_GetObjectItemCaseSensitive(answer, "opinions"), *opinion;
	r->asked++;
	progress(s, "asked");
	if (cJSON_GetObjectItemCaseSensitive(answer, "error") && !r->errors++)
		snprintf(r->error, sizeof r->error, "%s", json_text(answer, "error"));
	if (!cJSON_IsArray(opinions)) {
		r->lost += !cJSON_GetObjectItemCaseSensitive(answer, "error");
		return true;
	}
	cJSON_ArrayForEach(opinion, opinions)
	{
		const char *outcome = json_text(opinion, "outcome");
		r->opinions += strcmp(outcome, "none") != 0;
		r->same += strcmp(outcome, "same") == 0;
		if (strcmp(outcome, "noise") == 0)
			count_noise(r, json_text(opinion, "what"));
		if (strcmp(outcome, "differs") == 0 && !add_difference(s, line, answer, opinion, d))
			return false;
	}
	return true;
}

/* ---- questions */

static bool add_line(session *s, const rs_op *op, int sort, const int64_t *in, uint64_t turn)
{
	buf b = {0};
	buf_puts(&b, "{\"op\":");
	buf_json(&b, op->name);
	if (in) {
		buf_puts(&b, ",\"in\":");
		buf_ints(&b, in, op->nsym);
	} else {
		buf_printf(&b, ",\"fail\":%llu", (unsigned long long)turn);
	}
	buf_putc(&b, '}');
	const char *line = b.failed ? NULL : arena_strdup(s->arena, b.text);
	buf_free(&b);
	s->lines[s->nlines] = line;
	s->drawn[s->nlines++] = SORT_NAMES[sort];
	return line != NULL;
}

/* One question of each kind about a signature. */
static bool draw_questions(session *s, const rs_op *op, uint64_t turn)
{
	drawer d;
	int64_t *in = ARENA_ARRAY(s->arena, int64_t, op->nsym + 1u);
	if (!in || !drawer_open(&d, op, s->o->seed + turn * 1000003, s->arena))
		return false;
	bool ok = add_line(s, op, 3, NULL, turn);
	if (d.form.nrecords)
		ok = ok && add_line(s, op, 0, index_record(&d.form, rng_below(&d.rng, d.form.nrecords)), turn);
	if (draw_sample(&d, s->arena, in))
		ok = ok && add_line(s, op, 1, in, turn);
	if (draw_near(&d, s->arena, in))
		ok = ok && add_line(s, op, 2, in, turn);
	return ok;
}

static bool ask_chunk(session *s, uint32_t first, uint64_t turn, diag *d)
{
	s->nlines = 0;
	s->arena = arena_new();
	bool ok = s->arena != NULL;
	for (uint32_t i = first; ok && i < first + CHUNK && i < s->nops; i++)
		ok = draw_questions(s, s->ops[i], turn);
	ok = ok ? oracle_ask(s->oracle, s->lines, s->nlines, false, take_answer, s, d) : diag_set(d, "out of memory");
	arena_free(s->arena);
	s->arena = NULL;
	return ok;
}

static bool choose(session *s, diag *d)
{
	const rs_table *t = s->o->table;
	rng r = rng_seed(s->o->seed);
	s->ops = calloc(t->nops + (size_t)1, sizeof *s->ops);
	if (!s->ops)
		return diag_set(d, "out of memory");
	for (uint32_t i = 0; i < t->nops; i++)
		if (t->ops[i].valid && (!s->o->api || fnmatch(s->o->api, t->ops[i].api, 0) == 0))
			s->ops[s->nops++] = &t->ops[i];
	for (uint32_t i = s->nops; i > 1; i--) {
		uint32_t j = rng_below(&r, i);
		const rs_op *op = s->ops[i - 1];
		s->ops[i - 1] = s->ops[j];
		s->ops[j] = op;
	}
	return s->nops || diag_set(d, "no signature with a rule to cross-check");
}

static bool ask_all(session *s, diag *d)
{
	const cross_check_options *o = s->o;
	bool ok = true;
	for (uint64_t turn = 0; ok; turn++)
		for (uint32_t i = 0; ok && i < s->nops; i += CHUNK) {
			if (over(s, o->seconds) || (o->count && s->r->asked >= o->count))
				return true;
			ok = ask_chunk(s, i, turn, d);
		}
	return ok;
}

/* ---- confirming */

static bool take_script(void *user, int line, const cJSON *answer, diag *d)
{
	session *s = user;
	const cJSON *tiers = cJSON_GetObjectItemCaseSensitive(answer, "tiers"), *tier;
	buf b = {0};
	(void)line;
	s->confirming->tried = true;
	cJSON_ArrayForEach(tier, tiers)
		if (cJSON_IsString(tier))
			buf_printf(&b, "%s%s", b.length ? " " : "", tier->valuestring);
	s->confirming->tiers = arena_strdup(s->r->memory, buf_text(&b));
	s->confirming->script = arena_strdup(s->r->memory, json_text(answer, "script"));
	buf_free(&b);
	return diag_memory(d, s->confirming->tiers && s->confirming->script);
}

static bool confirm_all(session *s, diag *d)
{
	bool ok = true;
	s->start = clock_seconds();
	for (uint32_t i = 0; ok && i < s->r->ngroups && !over(s, s->o->seconds); i++) {
		cross_check_group *g = s->confirming = &s->r->groups[i];
		const char *line = arena_printf(s->r->memory, "{\"confirm\":{\"op\":\"%s\",\"in\":%s,\"opinions\":[%s]},\"opinion\":0}",
		    g->op, g->input, g->opinion);
		ok = line ? oracle_ask(s->oracle, &line, 1, false, take_script, s, d) : diag_set(d, "out of memory");
		progress(s, "confirming; asked");
	}
	return ok;
}

static int by_count(const void *a, const void *b)
{
	const cross_check_group *x = a, *y = b;
	return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->key, y->key);
}

bool cross_check(const cross_check_options *o, oracle *oracle, cross_check_result *r, diag *d)
{
	*r = (cross_check_result){.memory = arena_new()};
	session s = {.o = o, .r = r, .oracle = oracle, .start = clock_seconds()};
	bool ok = r->memory ? choose(&s, d) && ask_all(&s, d) : diag_set(d, "out of memory");
	if (r->ngroups)
		qsort(r->groups, r->ngroups, sizeof *r->groups, by_count);
	ok = ok && confirm_all(&s, d);
	if (o->progress)
		fputs("\r\033[K", stderr);
	free(s.ops);
	return ok;
}

void cross_check_result_free(cross_check_result *r)
{
	arena_free(r->memory);
	free(r->groups);
	*r = (cross_check_result){0};
}
