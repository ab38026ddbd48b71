#include "inquiry.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "record_subset.h"
#include "need.h"

enum {
	DRAWS = 1200,	   /* mutants and joint moves looked at in a round */
	MAX_POINTS = 640,  /* of these, what is worth comparing */
	FIRST_STROLL = 28, /* questions of the first round that no rival asks for, and of a later one */
	LATER_STROLL = 12,
	FIRST_ROUND = 60,  /* questions for rivals */
	LATER_ROUND = 40,
	FIRST_SINGLE = 24, /* questions that break one clause alone */
	LATER_SINGLE = 16,
	MOST_SINGLE = 3,   /* of these, for one clause */
	SOLVED_SINGLE = 8, /* clauses that Z3 is to break alone, in a round */
	JOINT_MOVES = 6,   /* questions that are joint moves which the rule accepts; and as many that it rejects */
	QUERIES = 32,	   /* of Z3, in a round */
	MOST_UNKNOWN = 5,  /* of these without an answer */
	MOST_WRONG = 24,   /* records that contradict the rule, in a round */
	MOST_SPARED = 30,  /* records that refute a rival, in all rounds */
	MAX_KEPT = 400,
	EXPLORED = 60,	   /* questions of a round about an operator without a rule */
	MOST_EXPLORED = 60, /* records of all such rounds that pass, and as many that fail */
	SAID_OPEN = 8, /* open rivals that a report names */
	OUT_ELEMENTS = 1 << 20, /* larger outputs are not asked for */
	STRATA = 256
};

void inquiry_start(inquiry *q, operator *op, int budget, uint64_t seed)
{
	*q = (inquiry){.op = op, .before = *op, .memory = arena_new(), .budget = budget};
	q->seed = XXH3_64bits_withSeed(op->name, strlen(op->name), seed);
	q->box = box_of(op, q->memory);
	q->rivals = ARENA_NEW(q->memory, rivals);
	q->kept = ARENA_ARRAY(q->memory, answer_record, MAX_KEPT);
	q->questions = need(calloc((size_t)budget + 1, sizeof *q->questions), (size_t)budget * sizeof *q->questions);
	q->recent = ARENA_ARRAY(q->memory, int64_t *, MOST_WRONG + 1);
	q->asked = (input_set){.nsym = op->nsym};
	input_set_add_records(&q->asked, op);
}

void inquiry_free(inquiry *q)
{
	*q->op = q->before;
	arena_free(q->memory);
	buf_free(&q->open);
	free(q->questions);
	input_set_free(&q->asked);
	buf_free(&q->last);
}

/* ---- points: inputs that a question could be about */

typedef struct point {
	int64_t *x;
	rule_view view;
	uint64_t differs[RIVAL_WORDS];
	int stratum;
	bool taken, joint; /* joint: a joint move */
} point;

typedef struct round {
	inquiry *q;
	const rule *rule;
	expr_pool *pool;
	arena *scratch;
	prover *finder;
	point *points;
	int npoints, most; /* most: questions of this round */
	uint64_t open[RIVAL_WORDS]; /* rivals that no question asks about yet */
	int strata[STRATA];
	unsigned seed;
} round;

static bool bit(const uint64_t *w, int k)
{
	return w[k / 64] >> k % 64 & 1;
}

static void set_bit(uint64_t *w, int k)
{
	w[k / 64] |= (uint64_t)1 << k % 64;
}

static int common(const uint64_t *a, const uint64_t *b)
{
	int n = 0;
	for (int w = 0; w < RIVAL_WORDS; w++)
		n += __builtin_popcountll(a[w] & b[w]);
	return n;
}

/* Whether the outputs that the rule foretells are small enough to be made. */
static bool small_outputs(const round *r, const int64_t *x)
{
	const operator *op = r->q->op;
	wide n = 1;
	for (int d = 0; d < op->nodim; d++) {
		wide v;
		if (d == 0 || op->out_tensor[d] != op->out_tensor[d - 1])
			n = 1;
		if (!expr_eval(r->rule->out[d], x, &v) || v < 0)
			return true; /* the rule rejects it */
		n *= v > OUT_ELEMENTS ? OUT_ELEMENTS + 1 : v;
		if (n > OUT_ELEMENTS)
			return false;
	}
	return true;
}

/* What kind of input it is: what the rule says, and which borders it lies at. */
static int stratum_of(const inquiry *q, const rule_view *v, const int64_t *x)
{
	bool empty = false, one = false, negative = false, far = false;
	for (int i = 0; i < q->op->nsym; i++) {
		bool dim = q->op->roles[i].kind == ROLE_DIM;
		empty |= dim && x[i] == 0;
		one |= dim && x[i] == 1;
		negative |= !dim && x[i] < 0;
		far |= x[i] > BOX_HIGH || (!dim && x[i] < BOX_LOW);
	}
	int verdict = v->accepts ? 0 : v->failing == 0 ? 1 : v->failing > 1 ? 2 : 3 + v->only % 13;
	return verdict * 16 + empty * 8 + one * 4 + negative * 2 + far;
}

/* Compares the rule and its rivals on an input; false when it is not to be asked. */
static bool fill_point(const round *r, point *p, const int64_t *x)
{
	const inquiry *q = r->q;
	if (!box_allows(&q->box, x))
		return false;
	*p = (point){.x = (int64_t *)x, .view = rule_look(q->op, r->rule, x)};
	if (p->view.accepts && !small_outputs(r, x))
		return false;
	for (int k = 0; k < q->rivals->n; k++)
		if (!bit(q->closed, k) && rival_differs(q->rivals, k, &p->view, x))
			set_bit(p->differs, k);
	p->stratum = stratum_of(q, &p->view, x);
	return true;
}

/* Of six draws, one is a joint move and two go on from what the rule accepted before. Whether it is a joint move. */
static bool draw_point(const round *r, rng *g, single *walk, int k, int64_t *x)
{
	const inquiry *q = r->q;
	const int64_t *const *recent = (const int64_t *const *)q->recent;
	if (k % 6 == 3 && point_move(&q->box, g, recent, q->nrecent, x))
		return true;
	if (k % 3 == 1)
		single_draw(walk, x);
	else
		point_draw(&q->box, g, recent, q->nrecent, k % 12 == 0, x);
	return false;
}

static void draw_points(round *r, rng *g)
{
	inquiry *q = r->q;
	const operator *op = q->op;
	r->points = ARENA_ARRAY(r->scratch, point, MAX_POINTS + 1);
	int64_t *x = ARENA_ARRAY(r->scratch, int64_t, op->nsym + 1);
	int hopeless = 0;
	single walk;
	single_start(&walk, &q->box, r->rule, r->seed, r->scratch);
	for (int k = 0; k < DRAWS && r->npoints < MAX_POINTS; k++) {
		bool joint = draw_point(r, g, &walk, k, x);
		point *p = &r->points[r->npoints];
		bool known = input_set_has(&q->asked, x) || !fill_point(r, p, x);
		for (int j = 0; !known && j < r->npoints; j++)
			known = memcmp(r->points[j].x, x, sizeof *x * (size_t)op->nsym) == 0;
		/* A call that violates several clauses tells little. */
		if (known || (p->view.failing > 1 && !joint && hopeless++ >= MAX_POINTS / 12))
			continue;
		p->joint = joint;
		r->npoints++;
		x = ARENA_ARRAY(r->scratch, int64_t, op->nsym + 1);
	}
}

/* ---- questions */

static void ask(round *r, const point *p)
{
	inquiry *q = r->q;
	const operator *op = q->op;
	if (q->budget <= 0 || q->nquestions >= r->most || !input_set_add(&q->asked, p->x))
		return;
	question *k = &q->questions[q->nall++];
	q->nquestions++;
	*k = (question){0};
	memcpy(k->differs, p->differs, sizeof k->differs);
	k->in = ARENA_ARRAY(q->memory, int64_t, op->nsym + 1);
	k->out = ARENA_ARRAY(q->memory, int64_t, op->nodim + 1);
	memcpy(k->in, p->x, sizeof *k->in * (size_t)op->nsym);
	q->budget--;
	r->strata[p->stratum % STRATA]++;
	for (int w = 0; w < RIVAL_WORDS; w++)
		r->open[w] &= ~p->differs[w];
}

/* Asks for the open rivals before `end`: the point that distinguishes most of them, and again. Few points are
 * enough, since one unforeseen answer leaves the other rivals as they are. */
static void ask_for_rivals(round *r, int end)
{
	uint64_t mask[RIVAL_WORDS] = {0}, differs[RIVAL_WORDS];
	for (int k = 0; k < end; k++)
		set_bit(mask, k);
	int most = r->q->budget;
	for (int asked = 0; asked < most; asked++) {
		int best = -1, score = 0;
		for (int k = 0; k < r->npoints; k++) {
			for (int w = 0; w < RIVAL_WORDS; w++)
				differs[w] = r->points[k].differs[w] & mask[w];
			int n = r->points[k].taken ? 0 : common(differs, r->open);
			n = n > 4 ? 4 : n;
			if (n > score) {
				score = n;
				best = k;
			}
		}
		if (best < 0 || r->q->nquestions >= r->most)
			return;
		r->points[best].taken = true;
		ask(r, &r->points[best]);
		for (int w = 0; w < RIVAL_WORDS; w++) /* asked before: no other question about these */
			r->open[w] &= ~r->points[best].differs[w];
	}
}

static bool breaks_alone(const point *p, int clause)
{
	return !p->taken && p->view.only == clause && p->view.outside < 0;
}

/* One of the points that break the clause alone; false where there is none. */
static bool ask_for_clause(round *r, rng *g, int clause)
{
	int n = 0;
	for (int k = 0; k < r->npoints; k++)
		n += breaks_alone(&r->points[k], clause);
	int which = n ? (int)rng_below(g, (uint32_t)n) : -1;
	for (int k = 0; k < r->npoints; k++)
		if (breaks_alone(&r->points[k], clause) && which-- == 0) {
			r->points[k].taken = true;
			ask(r, &r->points[k]);
		}
	return n > 0;
}

/* Each clause in turn, from one round to the next beginning with another. */
static void ask_for_clauses(round *r, rng *g, int count, int number)
{
	inquiry *q = r->q;
	int n = r->rule->nclauses, before = q->nquestions;
	r->most += count;
	q->unbroken = 0;
	for (int turn = 0; turn < MOST_SINGLE; turn++)
		for (int k = 0; k < n && q->nquestions < before + count; k++) {
			bool any = ask_for_clause(r, g, (k + number * count) % n);
			q->unbroken += turn == 0 && !any;
		}
}

/* Joint moves that the rule accepts, or rejects. They differ from the records in several symbols at once. A rule
 * that fixes one of two numbers that move together, as `w == 20` for 4*cells, rejects calls that it should
 * accept. */
static void ask_joint_moves(round *r, bool accepted)
{
	int before = r->q->nquestions;
	r->most += JOINT_MOVES;
	for (int k = 0; k < r->npoints && r->q->nquestions < before + JOINT_MOVES; k++) {
		point *p = &r->points[k];
		if (p->taken || !p->joint || p->view.accepts != accepted)
			continue;
		p->taken = true;
		ask(r, p);
	}
}

static verdict close_proved(round *r, int k)
{
	r->q->tally.proved++;
	set_bit(r->q->closed, k);
	r->open[k / 64] &= ~((uint64_t)1 << k % 64);
	return PROVED;
}

/* First with small dimensions, whose inputs can be asked; only the whole box proves that there is nothing to ask. */
static verdict ask_z3(round *r, int k, const expr **conditions)
{
	inquiry *q = r->q;
	const operator *op = q->op;
	int64_t *low = ARENA_ARRAY(r->scratch, int64_t, op->nsym + 1), *high = ARENA_ARRAY(r->scratch, int64_t, op->nsym + 1);
	int64_t *x = ARENA_ARRAY(r->scratch, int64_t, op->nsym + 1);
	distinction d = {.low = low, .high = high, .nsym = op->nsym, .seed = r->seed % 1000 + 1};
	box_bounds(&q->box, -1, low, high);
	if (rival_distinction(q->rivals, k, true, conditions, &d) && prover_distinguish(r->finder, &d, x) == PROVED)
		return close_proved(r, k);
	rival_distinction(q->rivals, k, false, conditions, &d);
	for (int whole = 0; whole < 2; whole++) {
		point p;
		box_bounds(&q->box, whole ? -1 : box_small_side(&q->box), low, high);
		verdict v = prover_distinguish(r->finder, &d, x);
		if (v == PROVED && whole)
			return close_proved(r, k);
		if (v == UNKNOWN)
			return v;
		if (v == REFUTED)
			box_repair(&q->box, x);
		if (v == REFUTED && fill_point(r, &p, x) && bit(p.differs, k)) {
			ask(r, &p);
			return v;
		}
	}
	return UNKNOWN; /* they differ where no question may be asked */
}

static void ask_by_solver(round *r)
{
	inquiry *q = r->q;
	const expr **conditions = ARENA_ARRAY(r->scratch, const expr *, r->rule->nclauses + q->op->nodim + 1);
	int queries = 0, unknown = 0;
	prover_reset(r->finder); /* the same answers whatever was asked about other operators */
	for (int k = 0; k < q->rivals->n && queries < QUERIES && unknown < MOST_UNKNOWN; k++)
		if (bit(r->open, k)) {
			queries++;
			unknown += ask_z3(r, k, conditions) == UNKNOWN;
		}
}

/* What no draw broke alone, Z3 may. */
static void solve_for_clauses(round *r)
{
	inquiry *q = r->q;
	int queries = 0;
	r->most += SOLVED_SINGLE;
	for (int c = 0; c < r->rule->nclauses && queries < SOLVED_SINGLE; c++) {
		bool broken = false;
		point p;
		for (int k = 0; k < r->npoints && !broken; k++)
			broken = r->points[k].view.only == c && r->points[k].view.outside < 0;
		if (broken)
			continue;
		int64_t *x = ARENA_ARRAY(r->scratch, int64_t, q->op->nsym + 1);
		queries++;
		verdict v = single_solve(&q->box, r->rule, c, r->pool, r->finder, r->seed % 1000 + 1, r->scratch, x);
		if (v == REFUTED && fill_point(r, &p, x))
			ask(r, &p);
	}
}

/* What no rival asks for: of every kind of input some, those first that lie at borders of their own. */
static void stroll(round *r, int count)
{
	int before = r->q->nquestions;
	for (int limit = 1; limit < 8; limit++)
		for (int k = 0; k < r->npoints && r->q->nquestions < before + count; k++) {
			point *p = &r->points[k];
			if (p->taken || r->strata[p->stratum % STRATA] >= limit)
				continue;
			p->taken = true;
			ask(r, p);
		}
}

static void count_open(inquiry *q)
{
	int said = 0;
	q->tally.open = q->rivals->n - common(q->closed, q->closed);
	buf_clear(&q->open);
	for (int k = 0; k < q->rivals->n && said < SAID_OPEN; k++) {
		buf text = {0};
		if (bit(q->closed, k))
			continue;
		rival_print(&text, q->rivals, k);
		buf_puts(&q->open, said++ ? "," : "");
		buf_json(&q->open, buf_text(&text));
		buf_free(&text);
	}
}

/* Whether the rule foretold an answer. */
static bool foretold(const inquiry *q, const rule *r, const question *k)
{
	return k->outcome == FAILED ? !rule_accepts(q->op, r, k->in, NULL) : rule_accepts(q->op, r, k->in, k->out);
}

/* What earlier answers refute. They need not all be records. */
static void close_refuted(inquiry *q, const rule *r)
{
	for (int i = 0; i < q->nall; i++) {
		const question *k = &q->questions[i];
		if (k->outcome == UNDECIDED || !foretold(q, r, k))
			continue;
		rule_view v = rule_look(q->op, r, k->in);
		for (int j = 0; j < q->rivals->n; j++)
			if (rival_differs(q->rivals, j, &v, k->in))
				set_bit(q->closed, j);
	}
}

void inquiry_prepare(inquiry *q, const rule *rule, expr_pool *pool, arena *scratch, prover *finder, int number, bool last,
    const expr *const *offered, const int *where, int noffered)
{
	buf text = {0};
	rule_print(&text, rule);
	if (!q->last.text || strcmp(q->last.text, text.text) != 0)
		q->stage = BY_TRIAL;
	buf_free(&q->last);
	q->last = text;
	q->nquestions = 0;
	q->exploring = false;
	if (q->stage == FINISHED || q->budget <= 0 || q->op->nsym == 0)
		return;
	arena_mark mark = arena_save(scratch);
	int stroll_for = number ? LATER_STROLL : FIRST_STROLL;
	round r = {.q = q, .rule = rule, .pool = pool, .scratch = scratch, .finder = finder,
	    .most = number ? LATER_ROUND : FIRST_ROUND};
	rng g = rng_seed(q->seed + (uint64_t)number * 0x9e3779b97f4a7c15u);
	r.seed = (unsigned)rng_next(&g);
	memset(q->closed, 0, sizeof q->closed);
	rivals_collect(q->rivals, q->op, rule, pool, scratch, offered, where, noffered);
	close_refuted(q, rule);
	for (int k = 0; k < q->rivals->n; k++)
		if (!bit(q->closed, k))
			set_bit(r.open, k);
	draw_points(&r, &g);
	ask_for_rivals(&r, q->rivals->branches);
	ask_for_rivals(&r, q->rivals->n);
	if (last)
		q->stage = BY_SOLVER;
	if (q->stage == BY_SOLVER)
		ask_by_solver(&r);
	ask_for_clauses(&r, &g, number ? LATER_SINGLE : FIRST_SINGLE, number);
	if (q->stage == BY_SOLVER)
		solve_for_clauses(&r);
	ask_joint_moves(&r, true);
	ask_joint_moves(&r, false);
	r.most += stroll_for;
	stroll(&r, stroll_for);
	count_open(q);
	arena_release(scratch, mark);
}

/* ---- an operator without a rule */

static bool explore_point(const inquiry *q, rng *g, int k, int64_t *x)
{
	const int64_t *const *recent = (const int64_t *const *)q->recent;
	return (k % 2 ? point_part(&q->box, g, recent, q->nrecent, x) : point_move(&q->box, g, recent, q->nrecent, x))
	    && box_allows(&q->box, x);
}

void inquiry_explore(inquiry *q, arena *scratch, int number)
{
	arena_mark mark = arena_save(scratch);
	round r = {.q = q, .scratch = scratch, .most = EXPLORED};
	rng g = rng_seed(q->seed + (uint64_t)number * 0x9e3779b97f4a7c15u);
	point p = {.x = ARENA_ARRAY(scratch, int64_t, q->op->nsym + 1)};
	buf_clear(&q->last);
	q->stage = BY_TRIAL;
	q->nquestions = 0;
	q->exploring = true;
	for (int k = 0; k < DRAWS; k++)
		if (explore_point(q, &g, k, p.x))
			ask(&r, &p);
	arena_release(scratch, mark);
}

/* ---- answers */

static int compare_rows(const int64_t *a, const int64_t *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* A list of rows with one more, sorted. */
static int64_t *insert_row(arena *memory, const int64_t *rows, int n, int width, const int64_t *row)
{
	int64_t *to = ARENA_ARRAY(memory, int64_t, (size_t)(n + 1) * width + 1);
	int at = 0;
	while (at < n && compare_rows(rows + (size_t)at * width, row, width) < 0)
		at++;
	if (at)
		memcpy(to, rows, sizeof *to * (size_t)at * width);
	memcpy(to + (size_t)at * width, row, sizeof *to * (size_t)width);
	if (n > at)
		memcpy(to + (size_t)(at + 1) * width, rows + (size_t)at * width, sizeof *to * (size_t)(n - at) * width);
	return to;
}

/* Keeps an answer to be written, and as a record of the operator unless it is an outlier. */
static void keep_answer(inquiry *q, const question *k, bool apart)
{
	operator *op = q->op;
	bool passed = k->outcome == PASSED;
	if (q->nkept == MAX_KEPT)
		return;
	q->tally.kept++;
	answer_record *a = &q->kept[q->nkept++];
	*a = (answer_record){.passed = passed, .row = ARENA_ARRAY(q->memory, int64_t, op->nsym + op->nodim + 1)};
	memcpy(a->row, k->in, sizeof *a->row * (size_t)op->nsym);
	if (passed)
		memcpy(a->row + op->nsym, k->out, sizeof *a->row * (size_t)op->nodim);
	if (apart)
		return;
	if (passed) {
		op->pass = insert_row(q->memory, op->pass, op->npass++, op->nsym + op->nodim, a->row);
	} else {
		op->fail = insert_row(q->memory, op->fail, op->nfail++, op->nsym, a->row);
	}
}

/* Whether it is an outlier: an accepted call that the rule rejects, and says so (record_subset.h). */
static bool stands_apart(const inquiry *q, const question *k)
{
	return q->before.outside && k->outcome == PASSED && !rule_accepts(q->op, q->rivals->rule, k->in, NULL);
}

/* Keeps outliers, up to half the number that would make the inliers too small a part of the accepted calls. Only
 * outliers show that the rule may be too narrow. */
static void keep_apart(inquiry *q, const question *k)
{
	if (2 * q->apart++ < subset_spare_outliers(&q->before))
		keep_answer(q, k, true);
}

/* What passes is worth most: the next round moves on from it. */
static void learn_explored(inquiry *q, const question *k)
{
	bool passed = k->outcome == PASSED;
	if (q->explored[passed] == MOST_EXPLORED)
		return;
	q->explored[passed]++;
	q->tally.wrong++;
	keep_answer(q, k, false);
	if (passed && q->nrecent <= MOST_WRONG)
		q->recent[q->nrecent++] = k->in;
}

void inquiry_learn(inquiry *q)
{
	int wrong = 0;
	q->nrecent = 0;
	for (int i = q->nall - q->nquestions; i < q->nall; i++) {
		question *k = &q->questions[i];
		q->tally.questions++;
		if (k->outcome == UNDECIDED) {
			q->tally.lost++;
			continue;
		}
		if (q->exploring) {
			learn_explored(q, k);
			continue;
		}
		if (stands_apart(q, k)) {
			keep_apart(q, k);
			continue;
		}
		if (!foretold(q, q->rivals->rule, k)) {
			q->tally.wrong++;
			if (wrong++ < MOST_WRONG) {
				q->recent[q->nrecent++] = k->in;
				keep_answer(q, k, false);
			}
			continue;
		}
		int before = common(q->closed, q->closed);
		for (int w = 0; w < RIVAL_WORDS; w++)
			q->closed[w] |= k->differs[w];
		int killed = common(q->closed, q->closed) - before;
		q->tally.killed += killed;
		if (killed && q->spared < MOST_SPARED) {
			q->spared++;
			keep_answer(q, k, false);
		}
	}
	if (q->exploring)
		return;
	count_open(q);
	if (wrong == 0)
		q->stage = q->stage == BY_TRIAL && (q->tally.open || q->unbroken) ? BY_SOLVER : FINISHED;
}
