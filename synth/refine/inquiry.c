#include "inquiry.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "record_subset.h"
#include "need.h"

enum {
	DRAWS = 1200,	   /* mutants and joint moves drawn in a round */
	MAX_POINTS = 640,  /* maximum number of them that are compared */
	FIRST_SAMPLE = 28, /* questions of the first round that no rival requires; of a later round */
	LATER_SAMPLE = 12,
	FIRST_ROUND = 60,  /* questions about rivals */
	LATER_ROUND = 40,
	FIRST_SINGLE = 24, /* questions that violate one clause alone */
	LATER_SINGLE = 16,
	MAX_SINGLE = 3,   /* maximum number of them for one clause */
	SOLVED_SINGLE = 8, /* clauses for which Z3 searches a violation, in a round */
	JOINT_MOVES = 6,   /* joint moves that the rule accepts, and as many that it rejects */
	QUERIES = 32,	   /* Z3 queries of a round */
	MAX_UNKNOWN = 5,  /* maximum number of them without an answer */
	MAX_WRONG = 24,   /* maximum number of records that contradict the rule, in a round */
	MAX_SPARED = 30,  /* maximum number of records that refute a rival, in all rounds */
	MAX_KEPT = 400,
	EXPLORED = 60,	   /* questions of an exploration round */
	MAX_EXPLORED = 60, /* maximum number of passing records of all exploration rounds, and of failing ones */
	REPORTED_OPEN = 8, /* open rivals that a report names */
	OUT_ELEMENTS = 1 << 20, /* larger outputs are not queried */
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
	q->recent = ARENA_ARRAY(q->memory, int64_t *, MAX_WRONG + 1);
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

/* ---- points: candidate inputs */

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
	int npoints, most; /* most: question limit of this round */
	uint64_t open[RIVAL_WORDS]; /* rivals that no question covers yet */
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

/* Whether the predicted outputs are small enough to be computed. */
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

/* The stratum of an input: the verdict of the rule, and the boundaries that it lies on. */
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

/* Compares the rule and its rivals on an input. Returns false if the input may not be queried. */
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

/* One of six draws is a joint move; two continue from inputs that the rule accepted. Returns whether it is a joint move. */
static bool draw_point(const round *r, rng *g, single_violation *walk, int k, int64_t *x)
{
	const inquiry *q = r->q;
	const int64_t *const *recent = (const int64_t *const *)q->recent;
	if (k % 6 == 3 && point_move(&q->box, g, recent, q->nrecent, x))
		return true;
	if (k % 3 == 1)
		single_violation_draw(walk, x);
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
	single_violation walk;
	single_violation_start(&walk, &q->box, r->rule, r->seed, r->scratch);
	for (int k = 0; k < DRAWS && r->npoints < MAX_POINTS; k++) {
		bool joint = draw_point(r, g, &walk, k, x);
		point *p = &r->points[r->npoints];
		bool known = input_set_has(&q->asked, x) || !fill_point(r, p, x);
		for (int j = 0; !known && j < r->npoints; j++)
			known = memcmp(r->points[j].x, x, sizeof *x * (size_t)op->nsym) == 0;
		/* a call that violates several clauses is hardly informative */
		if (known || (p->view.failing > 1 && !joint && hopeless++ >= MAX_POINTS / 12))
			continue;
		p->joint = joint;
		r->npoints++;
		x = ARENA_ARRAY(r->scratch, int64_t, op->nsym + 1);
	}
}

/* ---- questions */

static void query(round *r, const point *p)
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

/* Greedily queries the point that distinguishes most open rivals before `end`. Few points suffice: after one unpredicted
 * answer the other rivals stay open. */
static void query_rivals(round *r, int end)
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
		query(r, &r->points[best]);
		for (int w = 0; w < RIVAL_WORDS; w++) /* even if already queried: no further question about these */
			r->open[w] &= ~r->points[best].differs[w];
	}
}

static bool violates_alone(const point *p, int clause)
{
	return !p->taken && p->view.only == clause && p->view.outside < 0;
}

/* Queries a random point that violates the clause alone. Returns false if there is none. */
static bool query_clause(round *r, rng *g, int clause)
{
	int n = 0;
	for (int k = 0; k < r->npoints; k++)
		n += violates_alone(&r->points[k], clause);
	int which = n ? (int)rng_below(g, (uint32_t)n) : -1;
	for (int k = 0; k < r->npoints; k++)
		if (violates_alone(&r->points[k], clause) && which-- == 0) {
			r->points[k].taken = true;
			query(r, &r->points[k]);
		}
	return n > 0;
}

/* Takes the clauses in turn. Each round starts at another clause. */
static void query_clauses(round *r, rng *g, int count, int number)
{
	inquiry *q = r->q;
	int n = r->rule->nclauses, before = q->nquestions;
	r->most += count;
	q->unbroken = 0;
	for (int turn = 0; turn < MAX_SINGLE; turn++)
		for (int k = 0; k < n && q->nquestions < before + count; k++) {
			bool any = query_clause(r, g, (k + number * count) % n);
			q->unbroken += turn == 0 && !any;
		}
}

/* Queries joint moves that the rule accepts, or rejects. They differ from the records in several symbols at once. A rule that
 * fixes one of two symbols that depend on each other, such as `w == 20` for 4*cells, rejects calls that it should accept. */
static void query_joint_moves(round *r, bool accepted)
{
	int before = r->q->nquestions;
	r->most += JOINT_MOVES;
	for (int k = 0; k < r->npoints && r->q->nquestions < before + JOINT_MOVES; k++) {
		point *p = &r->points[k];
		if (p->taken || !p->joint || p->view.accepts != accepted)
			continue;
		p->taken = true;
		query(r, p);
	}
}

static verdict close_proved(round *r, int k)
{
	r->q->tally.proved++;
	set_bit(r->q->closed, k);
	r->open[k / 64] &= ~((uint64_t)1 << k % 64);
	return PROVED;
}

/* Tries small dimensions first, whose inputs can be queried. Only the whole box proves equality. */
static verdict query_z3(round *r, int k, const expr **conditions)
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
			query(r, &p);
			return v;
		}
	}
	return UNKNOWN; /* they differ only where no question may be asked */
}

static void query_with_solver(round *r)
{
	inquiry *q = r->q;
	const expr **conditions = ARENA_ARRAY(r->scratch, const expr *, r->rule->nclauses + q->op->nodim + 1);
	int queries = 0, unknown = 0;
	prover_reset(r->finder); /* answers must not depend on earlier operators */
	for (int k = 0; k < q->rivals->n && queries < QUERIES && unknown < MAX_UNKNOWN; k++)
		if (bit(r->open, k)) {
			queries++;
			unknown += query_z3(r, k, conditions) == UNKNOWN;
		}
}

/* Lets Z3 search violations of clauses that no draw violated alone. */
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
		verdict v = single_violation_solve(&q->box, r->rule, c, r->pool, r->finder, r->seed % 1000 + 1, r->scratch, x);
		if (v == REFUTED && fill_point(r, &p, x))
			query(r, &p);
	}
}

/* Queries points of every stratum, rare strata first, independent of rivals. */
static void sample_strata(round *r, int count)
{
	int before = r->q->nquestions;
	for (int limit = 1; limit < 8; limit++)
		for (int k = 0; k < r->npoints && r->q->nquestions < before + count; k++) {
			point *p = &r->points[k];
			if (p->taken || r->strata[p->stratum % STRATA] >= limit)
				continue;
			p->taken = true;
			query(r, p);
		}
}

static void count_open(inquiry *q)
{
	int listed = 0;
	q->tally.open = q->rivals->n - common(q->closed, q->closed);
	buf_clear(&q->open);
	for (int k = 0; k < q->rivals->n && listed < REPORTED_OPEN; k++) {
		buf text = {0};
		if (bit(q->closed, k))
			continue;
		rival_print(&text, q->rivals, k);
		buf_puts(&q->open, listed++ ? "," : "");
		buf_json(&q->open, buf_text(&text));
		buf_free(&text);
	}
}

/* Whether the rule predicted the answer. */
static bool predicted(const inquiry *q, const rule *r, const question *k)
{
	return k->outcome == FAILED ? !rule_accepts(q->op, r, k->in, NULL) : rule_accepts(q->op, r, k->in, k->out);
}

/* Closes rivals that earlier answers refute. Not all of these answers are records. */
static void close_refuted(inquiry *q, const rule *r)
{
	for (int i = 0; i < q->nall; i++) {
		const question *k = &q->questions[i];
		if (k->outcome == UNDECIDED || !predicted(q, r, k))
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
	int sample_size = number ? LATER_SAMPLE : FIRST_SAMPLE;
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
	query_rivals(&r, q->rivals->branches);
	query_rivals(&r, q->rivals->n);
	if (last)
		q->stage = BY_SOLVER;
	if (q->stage == BY_SOLVER)
		query_with_solver(&r);
	query_clauses(&r, &g, number ? LATER_SINGLE : FIRST_SINGLE, number);
	if (q->stage == BY_SOLVER)
		solve_for_clauses(&r);
	query_joint_moves(&r, true);
	query_joint_moves(&r, false);
	r.most += sample_size;
	sample_strata(&r, sample_size);
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
			query(&r, &p);
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

/* A copy of sorted rows with one more row. */
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

/* Keeps an answer for the record file and, unless it is an outlier, as a record of the operator. */
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

/* Whether the answer is an outlier: an accepted call that the rule rejects although the records already contain outliers
 * (record_subset.h). */
static bool is_outlier(const inquiry *q, const question *k)
{
	return q->before.outside && k->outcome == PASSED && !rule_accepts(q->op, q->rivals->rule, k->in, NULL);
}

/* Keeps outliers, up to half the number that would make the inliers too small a part of the accepted calls. Only outliers
 * show that the rule may be too narrow. */
static void keep_outlier(inquiry *q, const question *k)
{
	if (2 * q->apart++ < subset_spare_outliers(&q->before))
		keep_answer(q, k, true);
}

/* Passing answers are the starting points of the next round. */
static void keep_explored(inquiry *q, const question *k)
{
	bool passed = k->outcome == PASSED;
	if (q->explored[passed] == MAX_EXPLORED)
		return;
	q->explored[passed]++;
	q->tally.wrong++;
	keep_answer(q, k, false);
	if (passed && q->nrecent <= MAX_WRONG)
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
			keep_explored(q, k);
			continue;
		}
		if (is_outlier(q, k)) {
			keep_outlier(q, k);
			continue;
		}
		if (!predicted(q, q->rivals->rule, k)) {
			q->tally.wrong++;
			if (wrong++ < MAX_WRONG) {
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
		if (killed && q->spared < MAX_SPARED) {
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
