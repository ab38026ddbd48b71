#include "verify.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "clock.h"
#include "json.h"
#include "draw.h"

enum {
	ROUNDS = 4,   /* in which inputs that the records hold are replaced */
	CHUNK = 8192, /* inputs of the operators that are asked together, about */
};

/* An operator at work. */
typedef struct op_slot {
	drawer drawer;
	verify_op *v;
	counts counts[STRATA];
	uint32_t missing; /* inputs still to be counted */
	bool mutant;	  /* whether the next one is */
	buf pass, fail;	  /* records to keep, JSON without the outer brackets */
} op_slot;

/* An input that was asked and waits for its answer. */
typedef struct question {
	op_slot *slot;
	const int64_t *s, *out; /* out: NULL where the rule says that it is not valid */
	const char *line;	/* as it is sent */
	bool mutant;
} question;

typedef struct session {
	const verify_options *o;
	oracle *oracle;
	verify_result *r;
	arena *arena; /* of the chunk */
	op_slot *slots;
	uint32_t nslots;
	question *questions;
	unsigned nquestions, room;
	buf line;
	uint64_t answered;
	double start, drawn;
} session;

static void progress(session *s)
{
	double t = clock_seconds(), speed = (double)s->answered / (t - s->start + 1e-9);
	if (!s->o->progress || t - s->drawn < 0.5)
		return;
	s->drawn = t;
	double left = s->o->count > s->answered ? (double)(s->o->count - s->answered) : 0;
	fprintf(stderr, "\r\033[Kverify %llu/%llu  %.0f/s  %.0f s left",
	    (unsigned long long)s->answered, (unsigned long long)s->o->count, speed, left / speed);
}

/* ---- questions */

static void put_numbers(buf *b, const int64_t *v, unsigned n)
{
	buf_putc(b, '[');
	for (unsigned i = 0; i < n; i++) {
		if (i)
			buf_putc(b, ',');
		buf_int(b, v[i]);
	}
	buf_putc(b, ']');
}

/* The question as a line; NULL: out of memory. */
static const char *write_question(session *s, const question *q)
{
	const rs_op *op = q->slot->drawer.op;
	buf *b = &s->line;
	buf_clear(b);
	buf_puts(b, "{\"op\":");
	buf_json(b, op->name);
	buf_puts(b, ",\"in\":");
	put_numbers(b, q->s, op->nsym);
	if (q->out) {
		buf_puts(b, ",\"out\":");
		put_numbers(b, q->out, op->nodim);
	}
	buf_putc(b, '}');
	return b->failed ? NULL : arena_strdup(s->arena, b->text);
}

static bool add_question(session *s, const question *q)
{
	if (s->nquestions == s->room) {
		unsigned room = s->room ? s->room * 2 : CHUNK;
		question *more = realloc(s->questions, room * sizeof *more);
		if (!more)
			return false;
		s->questions = more;
		s->room = room;
	}
	question *kept = &s->questions[s->nquestions++];
	*kept = *q;
	kept->line = write_question(s, q);
	return kept->line != NULL;
}

/* Draws one input: samples and mutants in turn, the other where there is none. */
static bool draw_one(session *s, op_slot *slot, bool *found)
{
	drawer *d = &slot->drawer;
	bool mutant = slot->mutant;
	int64_t *in = ARENA_ARRAY(s->arena, int64_t, d->op->nsym), *out = NULL;
	*found = false;
	slot->mutant = !mutant;
	if (!in)
		return false;
	for (int i = 0; i < 2 && !*found; i++, mutant = !mutant)
		*found = mutant ? draw_mutant(d, s->arena, in) : draw_sample(d, s->arena, in);
	if (!*found)
		return true;
	if (d->valid) {
		out = ARENA_ARRAY(s->arena, int64_t, d->op->nodim + 1u);
		if (!out)
			return false;
		memcpy(out, d->out, d->op->nodim * sizeof *out);
	}
	return add_question(
	    s, &(question){.slot = slot, .s = in, .out = out, .mutant = !mutant});
}

static bool draw_missing(session *s, op_slot *slot)
{
	bool found = true;
	uint32_t n = slot->missing;
	for (uint32_t i = 0; i < n && found; i++)
		if (!draw_one(s, slot, &found))
			return false;
	return true;
}

/* ---- answers */

static void note_wrong(session *s, const question *q, const char *outcome, const cJSON *answer)
{
	const rs_op *op = q->slot->drawer.op;
	const cJSON *message = cJSON_GetObjectItemCaseSensitive(answer, "message");
	const cJSON *out = cJSON_GetObjectItemCaseSensitive(answer, "out");
	char *was = out ? cJSON_PrintUnformatted(out) : NULL;
	buf b = {0};
	buf_puts(&b, "{\"op\":");
	buf_json(&b, op->name);
	buf_puts(&b, ",\"in\":");
	put_numbers(&b, q->s, op->nsym);
	buf_puts(&b, q->out ? ",\"said\":\"valid\",\"predicted\":" : ",\"said\":\"invalid\"");
	if (q->out)
		put_numbers(&b, q->out, op->nodim);
	buf_printf(&b, ",\"was\":\"%s\"", outcome);
	if (was)
		buf_printf(&b, ",\"out\":%s", was);
	if (cJSON_IsString(message)) {
		buf_puts(&b, ",\"message\":");
		buf_json(&b, message->valuestring);
	}
	buf_printf(&b, ",\"drawn\":\"%s\"}\n", q->mutant ? "mutant" : "sample");
	if (s->o->wrong && !b.failed)
		fputs(b.text, s->o->wrong);
	free(was);
	buf_free(&b);
}

/* What the next rules must know. */
static void keep(const question *q, bool pass, const cJSON *out)
{
	op_slot *slot = q->slot;
	buf *b = pass ? &slot->pass : &slot->fail;
	char *was = pass ? cJSON_PrintUnformatted(out) : NULL;
	if (b->length)
		buf_putc(b, ',');
	if (pass)
		buf_putc(b, '[');
	put_numbers(b, q->s, slot->drawer.op->nsym);
	if (pass)
		buf_printf(b, ",%s]", was ? was : "[]");
	free(was);
}

static bool as_predicted(const question *q, const cJSON *out)
{
	unsigned n = 0, nodim = q->slot->drawer.op->nodim;
	const cJSON *item;
	cJSON_ArrayForEach(item, out)
	{
		int64_t v;
		if (n == nodim || json_int64(item, &v) != JSON_INT || v != q->out[n++])
			return false;
	}
	return n == nodim;
}

static void count(session *s, const question *q, bool was, const char *outcome, const cJSON *answer)
{
	const cJSON *out = cJSON_GetObjectItemCaseSensitive(answer, "out");
	bool said = q->out != NULL, right = said && was && as_predicted(q, out);
	unsigned strata = draw_strata(q->slot->drawer.op, q->s);
	verify_op *v = q->slot->v;
	for (int i = 0; i < STRATA; i++) {
		counts *c = &q->slot->counts[i];
		if (!(strata >> i & 1))
			continue;
		*(said ? was ? &c->both : &c->said_only : was ? &c->was_only : &c->neither) += 1;
		c->right += right;
	}
	v->counted++;
	v->said_only += said && !was;
	v->was_only += was && !said;
	v->wrong_out += said && was && !right;
	if (said != was || (said && !right)) {
		note_wrong(s, q, outcome, answer);
		if (s->o->keep)
			keep(q, was, out);
	}
}

/* An answer that is no outcome: says so. */
static bool without_outcome(const cJSON *answer, diag *d)
{
	char *text = cJSON_PrintUnformatted(answer);
	diag_set(d, "the oracle's answer has no outcome: '%.80s'", text ? text : "");
	free(text);
	return false;
}

static bool take_answer(void *user, int line, const cJSON *answer, diag *d)
{
	session *s = user;
	const question *q = &s->questions[line];
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, "outcome");
	const char *outcome = cJSON_IsString(item) ? item->valuestring : "";
	bool seen = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "seen")), ok = true;
	*(q->mutant ? &s->r->mutants : &s->r->samples) += 1;
	s->answered += !seen;
	if (!seen)
		q->slot->missing--;
	if (seen) {
		s->r->seen++;
	} else if (cJSON_IsString(error)) {
		if (!s->r->errors++)
			snprintf(s->r->error, sizeof s->r->error, "%s", error->valuestring);
	} else if (strcmp(outcome, "mixed") == 0) {
		s->r->mixed++, q->slot->v->mixed++;
	} else if (strcmp(outcome, "lost") == 0) {
		s->r->lost++, q->slot->v->lost++;
	} else if (strcmp(outcome, "pass") == 0) {
		count(s, q, true, outcome, answer);
	} else if (strcmp(outcome, "fail") == 0 || strcmp(outcome, "other") == 0) {
		count(s, q, false, outcome, answer);
	} else {
		ok = without_outcome(answer, d);
	}
	progress(s);
	return ok;
}

static bool ask(session *s, diag *d)
{
	const char **lines = malloc(s->nquestions * sizeof *lines);
	if (!lines)
		return diag_set(d, "out of memory");
	for (unsigned i = 0; i < s->nquestions; i++)
		lines[i] = s->questions[i].line;
	bool ok = oracle_ask(s->oracle, lines, (int)s->nquestions, false, take_answer, s, d);
	free(lines);
	return ok;
}

/* ---- keeping */

static bool take_number(void *user, int line, const cJSON *answer, diag *d)
{
	session *s = user;
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	const cJSON *kept = cJSON_GetObjectItemCaseSensitive(answer, "kept");
	const cJSON *saved = cJSON_GetObjectItemCaseSensitive(answer, "saved");
	(void)line;
	if (!cJSON_IsNumber(kept) && !cJSON_IsNumber(saved))
		return diag_set(d, "the oracle did not keep records: %.200s",
		    cJSON_IsString(error) ? error->valuestring : "it does not say why");
	s->r->kept += cJSON_IsNumber(kept) ? (uint64_t)kept->valuedouble : 0;
	s->r->saved += cJSON_IsNumber(saved) ? (uint64_t)saved->valuedouble : 0;
	return true;
}

/* The line that makes an operator's wrong answers records; NULL: out of memory. */
static const char *write_kept(session *s, const op_slot *slot)
{
	buf *b = &s->line;
	buf_clear(b);
	buf_puts(b, "{\"keep\":");
	buf_json(b, slot->drawer.op->name);
	buf_printf(b, ",\"pass\":[%s],\"fail\":[%s]}", slot->pass.length ? slot->pass.text : "",
	    slot->fail.length ? slot->fail.text : "");
	return b->failed || slot->pass.failed || slot->fail.failed ? NULL
								   : arena_strdup(s->arena, b->text);
}

static bool send_kept(session *s, diag *d)
{
	const char **lines = malloc((s->nslots + (size_t)1) * sizeof *lines);
	bool ok = lines != NULL;
	int n = 0;
	for (uint32_t i = 0; ok && i < s->nslots; i++)
		if (s->slots[i].pass.length || s->slots[i].fail.length)
			ok = (lines[n++] = write_kept(s, &s->slots[i])) != NULL;
	ok = ok ? oracle_ask(s->oracle, lines, n, true, take_number, s, d)
		: diag_set(d, "out of memory");
	free(lines);
	return ok;
}

static bool send_save(session *s, diag *d)
{
	static const char *const SAVE[] = {"{\"save\":true}"};
	return oracle_ask(s->oracle, SAVE, 1, true, take_number, s, d);
}

/* ---- chunks of operators */

static bool run_rounds(session *s, diag *d)
{
	for (int round = 0; round < ROUNDS; round++) {
		s->nquestions = 0;
		for (uint32_t i = 0; i < s->nslots; i++)
			if (!draw_missing(s, &s->slots[i]))
				return diag_set(d, "out of memory");
		if (!s->nquestions)
			break;
		if (!ask(s, d))
			return false;
	}
	return !s->o->keep || send_kept(s, d);
}

static uint32_t quota(const session *s, uint32_t i)
{
	uint64_t n = s->r->nops;
	return (uint32_t)(s->o->count / n + (i < s->o->count % n));
}

/* Operators first … first + nslots - 1. */
static bool run_chunk(session *s, uint32_t first, diag *d)
{
	bool ok = (s->slots = calloc(s->nslots, sizeof *s->slots)) && (s->arena = arena_new());
	for (uint32_t i = 0; ok && i < s->nslots; i++) {
		op_slot *slot = &s->slots[i];
		slot->v = &s->r->ops[first + i];
		slot->missing = quota(s, first + i);
		ok = drawer_open(&slot->drawer, slot->v->op, s->o->seed, s->arena);
	}
	ok = ok ? run_rounds(s, d) : diag_set(d, "out of memory");
	for (uint32_t i = 0; s->slots && i < s->nslots; i++) {
		if (ok)
			tally_add(&s->r->tally, s->slots[i].counts);
		buf_free(&s->slots[i].pass);
		buf_free(&s->slots[i].fail);
	}
	free(s->slots);
	arena_free(s->arena);
	s->arena = NULL;
	return ok;
}

static bool choose_operators(session *s, diag *d)
{
	const rs_table *t = s->o->table;
	verify_result *r = s->r;
	r->ops = calloc(t->nops + (size_t)1, sizeof *r->ops);
	if (!r->ops)
		return diag_set(d, "out of memory");
	for (uint32_t i = 0; i < t->nops; i++) {
		const rs_op *op = &t->ops[i];
		if (!op->valid || (s->o->op && fnmatch(s->o->op, op->name, 0) != 0))
			continue;
		if (op->nsym && op->nrecords)
			r->ops[r->nops++].op = op;
		else
			r->without++;
	}
	return r->nops || diag_set(d, "no operator with a rule to verify");
}

bool verify(const verify_options *o, oracle *oracle, verify_result *result, diag *d)
{
	session s = {.o = o, .oracle = oracle, .r = result, .start = clock_seconds()};
	*result = (verify_result){0};
	bool ok = choose_operators(&s, d);
	for (uint32_t i = 0; ok && i < result->nops; i += s.nslots) {
		uint64_t n = 1 + CHUNK / (quota(&s, i) + 1u);
		s.nslots = n < result->nops - i ? (uint32_t)n : result->nops - i;
		ok = run_chunk(&s, i, d);
	}
	ok = ok && (!o->keep || !result->kept || send_save(&s, d));
	if (o->progress)
		fputs("\r\033[K", stderr);
	free(s.questions);
	buf_free(&s.line);
	return ok;
}

void verify_result_free(verify_result *result)
{
	free(result->ops);
	result->ops = NULL;
}
