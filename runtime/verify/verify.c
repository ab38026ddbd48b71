#include "verify.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "clock.h"
#include "json.h"
#include "room.h"

enum {
	ROUNDS = 4,   /* rounds in which inputs that are records are replaced */
	MOST_RIGHT = 12, /* right answers stored for a signature with wrong ones */
	CHUNK = 8192, /* approximate inputs of the signatures in one chunk */
};

/* The state of a signature in the current chunk. */
typedef struct op_slot {
	drawer drawer;
	verify_op *v;
	counts counts[STRATA];
	uint32_t missing; /* inputs still to be counted */
	enum drawn next;  /* kind of the next input */
	buf pass, fail;	  /* records to store, JSON without the outer brackets */
	buf right;	  /* accepted samples in the same form, stored beside rejected ones */
	int nright;
} op_slot;

/* An input that was sent and waits for its answer. */
typedef struct question {
	op_slot *slot;
	asked asked;
	const char *line; /* as sent */
	enum drawn kind;
} question;

typedef struct session {
	const verify_options *o;
	oracle *oracle;
	verify_result *r;
	arena *arena; /* of the chunk */
	op_slot *slots;
	uint32_t nslots;
	question *questions;
	unsigned nquestions;
	size_t room;
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

/* The question as a line; NULL: out of memory. */
static const char *write_question(session *s, const question *q)
{
	buf_clear(&s->line);
	asked_put(&s->line, &q->asked);
	return s->line.failed ? NULL : arena_strdup(s->arena, s->line.text);
}

static bool add_question(session *s, const question *q)
{
	question *questions = room_for_one(s->questions, s->nquestions, &s->room, sizeof *questions);
	if (!questions)
		return false;
	s->questions = questions;
	question *kept = &s->questions[s->nquestions++];
	*kept = *q;
	kept->line = write_question(s, q);
	return kept->line != NULL;
}

/* Draws one input: samples, mutants and joint moves in turn; the next kind if one has none. */
static bool draw_one(session *s, op_slot *slot, bool *found)
{
	drawer *d = &slot->drawer;
	enum drawn turn = slot->next, kind = turn;
	int64_t *in = ARENA_ARRAY(s->arena, int64_t, d->op->nsym), *out = NULL;
	*found = false;
	slot->next = (turn + 1) % DRAWN_KINDS;
	if (!in)
		return false;
	for (int i = 0; i < DRAWN_KINDS && !*found; i++) {
		kind = (turn + i) % DRAWN_KINDS;
		*found = draw_input(d, s->arena, kind, in);
	}
	if (!*found)
		return true;
	if (d->valid) {
		out = ARENA_ARRAY(s->arena, int64_t, d->op->nodim + 1u);
		if (!out)
			return false;
		memcpy(out, d->out, d->op->nodim * sizeof *out);
	}
	return add_question(s,
	    &(question){.slot = slot, .kind = kind, .asked = {.op = d->op, .in = in, .out = out, .drawn = DRAWN_NAMES[kind]}});
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

static bool as_predicted(const asked *q, const cJSON *out)
{
	unsigned n = 0, nodim = q->op->nodim;
	const cJSON *item;
	cJSON_ArrayForEach(item, out)
	{
		int64_t v;
		if (n == nodim || json_int64(item, &v) != JSON_INT || v != q->out[n++])
			return false;
	}
	return n == nodim;
}

static void note_wrong(session *s, const question *q, const answer *a)
{
	if (s->o->wrong)
		asked_tell(s->o->wrong, &q->asked, a);
	if (s->o->keep)
		asked_keep(a->outcome == OUTCOME_PASS ? &q->slot->pass : &q->slot->fail, &q->asked, a);
}

/* Stores accepted samples beside rejected inputs. Learning from rejections alone would find clauses that fit them and that
 * no record contradicts, since samples of a right rule are not records. */
static void note_right(session *s, const question *q, const answer *a)
{
	op_slot *slot = q->slot;
	if (!s->o->keep || q->kind != DRAWN_SAMPLE || slot->nright == MOST_RIGHT)
		return;
	asked_keep(&slot->right, &q->asked, a);
	slot->nright++;
}

static void count(session *s, const question *q, const answer *a)
{
	bool said = q->asked.out != NULL, was = a->outcome == OUTCOME_PASS;
	bool right = said && was && as_predicted(&q->asked, a->out);
	unsigned strata = draw_strata(q->asked.op, q->kind, q->asked.in);
	verify_op *v = q->slot->v;
	for (int i = 0; i < STRATA; i++) {
		counts *c = &q->slot->counts[i];
		if (!(strata >> i & 1))
			continue;
		*(said ? was ? &c->both : &c->said_only : was ? &c->was_only : &c->neither) += 1;
		c->right += right;
	}
	v->counted++;
	v->said += said;
	v->said_only += said && !was;
	v->was_only += was && !said;
	v->wrong_out += said && was && !right;
	if (said != was || (said && !right))
		note_wrong(s, q, a);
	else if (right)
		note_right(s, q, a);
}

static bool take_answer(void *user, int line, const cJSON *said, diag *d)
{
	session *s = user;
	const question *q = &s->questions[line];
	answer a;
	if (!answer_read(said, &a, d))
		return false;
	s->r->asked[q->kind]++;
	if (a.outcome != OUTCOME_SEEN) {
		s->answered++;
		q->slot->missing--;
	}
	if (answer_decides(&a, &s->r->undecided))
		count(s, q, &a);
	progress(s);
	return true;
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

/* The line that stores a signature's wrong answers, and right ones beside rejections, as records; NULL: out of memory. */
static const char *write_kept(session *s, op_slot *slot)
{
	buf_clear(&s->line);
	if (slot->fail.length && slot->right.length)
		buf_printf(&slot->pass, "%s%s", slot->pass.length ? "," : "", slot->right.text);
	kept_put(&s->line, slot->drawer.op, &slot->pass, &slot->fail);
	return s->line.failed ? NULL : arena_strdup(s->arena, s->line.text);
}

static bool send_kept(session *s, diag *d)
{
	const char **lines = malloc((s->nslots + (size_t)1) * sizeof *lines);
	bool ok = lines != NULL;
	int n = 0;
	for (uint32_t i = 0; ok && i < s->nslots; i++)
		if (s->slots[i].pass.length || s->slots[i].fail.length)
			ok = (lines[n++] = write_kept(s, &s->slots[i])) != NULL;
	ok = ok ? keeper_send(&s->r->keeper, lines, n, d) : diag_set(d, "out of memory");
	free(lines);
	return ok;
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

/* Checks signatures first … first + nslots - 1. */
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
		buf_free(&s->slots[i].right);
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
	return r->nops || diag_set(d, "no signature with a rule to verify");
}

bool verify(const verify_options *o, oracle *oracle, verify_result *result, diag *d)
{
	session s = {.o = o, .oracle = oracle, .r = result, .start = clock_seconds()};
	*result = (verify_result){.keeper.oracle = oracle};
	bool ok = choose_operators(&s, d);
	for (uint32_t i = 0; ok && i < result->nops; i += s.nslots) {
		uint64_t n = 1 + CHUNK / (quota(&s, i) + 1u);
		s.nslots = n < result->nops - i ? (uint32_t)n : result->nops - i;
		ok = run_chunk(&s, i, d);
	}
	ok = ok && keeper_save(&result->keeper, d);
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
