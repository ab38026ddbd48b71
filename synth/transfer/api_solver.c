#include "api_solver.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "symmetric_dimension.h"
#include "need.h"
#include "stages.h"

enum { MAX_TEMPLATES = 128, MAX_DISTANCE = 8, SUBSTITUTIONS = SUBSTITUTES * SUBSTITUTES };

/* A template at one output dimension of one operator, which agrees with its records. */
typedef struct fit {
	const expr *e;
	uint8_t template, align;
	uint8_t substitute; /* SUBSTITUTIONS: no argument was missing */
} fit;

typedef struct fits {
	fit *list;
	int n, room;
} fits;

typedef struct known {
	expr_template f;
	int count; /* number of output dimensions that it was found for */
	int order; /* of discovery */
} known;

/* Number of output dimensions that a template agrees with, per alignment: in all positions, and at the same position. */
typedef struct support {
	int refuted[WAYS]; /* dimensions where the template exists but records refute it */
	int all[WAYS], at[WAYS][MAX_DISTANCE];
	int missing[WAYS][SUBSTITUTIONS], missing_at[WAYS][SUBSTITUTIONS][MAX_DISTANCE];
} support;

typedef struct shapes {
	api_solver *f;
	known *templates;
	int ntemplates;
	fits **fits; /* per operator and output dimension */
	support *support; /* per template */
} shapes;

void api_solver_start(api_solver *f, const operator *const *ops, int n, const options *o)
{
	*f = (api_solver){.n = n, .pool = expr_pool_new(), .memory = arena_new(), .scratch = arena_new()};
	f->solvers = NEED_ARRAY(f->memory, solver, n);
	f->rules = NEED_ARRAY(f->memory, rule, n);
	f->alone = NEED_ARRAY(f->memory, const bool *, n);
	for (int i = 0; i < n; i++) {
		solver_start(&f->solvers[i], ops[i], f->pool, f->memory, o, &f->rules[i], f->stages);
		f->solvers[i].scratch = f->scratch;
	}
}

void api_solver_free(api_solver *f)
{
	expr_pool_free(f->pool);
	arena_free(f->memory);
	arena_free(f->scratch);
	*f = (api_solver){0};
}

/* ---- templates */

static int by_count(const void *a, const void *b)
{
	const known *x = a, *y = b;
	int order = x->count != y->count ? y->count - x->count : expr_compare(x->f.e, y->f.e);
	return order ? order : x->order - y->order;
}

static void add_template(shapes *h, const expr_template *g, int room)
{
	int k = 0;
	while (k < h->ntemplates && !expr_template_equal(&h->templates[k].f, g))
		k++;
	if (k == room)
		return;
	if (k == h->ntemplates) {
		h->templates[k] = (known){.f = *g, .order = k};
		h->ntemplates++;
	}
	h->templates[k].count++;
}

/* Collects each expression as a template, plain and with folds if there are any. */
static void collect_templates(shapes *h)
{
	api_solver *f = h->f;
	int room = 256;
	h->templates = ARENA_ARRAY(f->scratch, known, room);
	for (int i = 0; i < f->n; i++) {
		const operator *op = f->solvers[i].op;
		for (int d = 0; d < op->nodim; d++) {
			expr_template plain, folded;
			template_index at = expr_template_output(op, d);
			const expr *e = f->rules[i].out[d];
			bool ok = e && expr_template_of(&plain, f->pool, op, e, NULL, &at, false);
			if (ok)
				add_template(h, &plain, room);
			if (e && e->op != OP_SYM && expr_template_of(&folded, f->pool, op, e, NULL, &at, true) && (!ok || folded.e != plain.e))
				add_template(h, &folded, room);
		}
	}
	if (h->ntemplates)
		qsort(h->templates, (size_t)h->ntemplates, sizeof *h->templates, by_count);
	h->ntemplates = h->ntemplates < MAX_TEMPLATES ? h->ntemplates : MAX_TEMPLATES;
}

/* ---- matching */

static void add_fit(shapes *h, fits *to, fit x)
{
	if (to->n == to->room) {
		fit *more = ARENA_ARRAY(h->f->scratch, fit, to->room ? to->room * 2 : 8);
		if (to->n)
			memcpy(more, to->list, sizeof *more * (size_t)to->n);
		to->room = to->room ? to->room * 2 : 8;
		to->list = more;
	}
	to->list[to->n++] = x;
}

/* Cache of expressions that were tested. */
typedef struct test_cache {
	const expr *e[256];
	bool fits[256];
	int n;
} test_cache;

static bool ask(test_cache *a, const solver *s, int d, const expr *e)
{
	s->stages[STAGE_TEMPLATES].tried++;
	for (int k = 0; k < a->n; k++)
		if (a->e[k] == e)
			return a->fits[k];
	bool ok = solver_output_holds(s->op, d, e);
	if (a->n < 256) {
		a->e[a->n] = e;
		a->fits[a->n++] = ok;
	}
	return ok;
}

static void fit_template(shapes *h, int i, int d, int k, test_cache *a)
{
	const solver *s = &h->f->solvers[i];
	const operator *op = s->op;
	const expr_template *g = &h->templates[k].f;
	int left = op->out_pos[d], right = op->out_rank[d] - 1 - left;
	expr_template_tries t = {.most = 2};
	while (expr_template_try(&t, g, h->f->pool, op, left, right)) {
		if (!t.e || t.missing > t.most)
			continue;
		if (!ask(a, s, d, t.e))
			h->support[k].refuted[alignment_number(t.w)]++;
		else
			add_fit(h, &h->fits[i][d], (fit){t.e, (uint8_t)k, (uint8_t)alignment_number(t.w),
						       t.missing ? t.w.substitute : SUBSTITUTIONS});
	}
}

/* Adds a match to the support. A template with fewer indices agrees in every alignment. */
static void credit(shapes *h, const operator *op, int d, const fit *x)
{
	const expr_template *g = &h->templates[x->template].f;
	support *s = &h->support[x->template];
	int right = op->out_rank[d] - 1 - op->out_pos[d];
	for (int w = 0; w < WAYS; w++) {
		bool same = (!g->positional[0] || alignment_at(w).dims == alignment_at(x->align).dims)
		    && (!(g->positional[1] || g->n > 1) || alignment_at(w).values == alignment_at(x->align).values);
		if (!same)
			continue;
		int *all = x->substitute == SUBSTITUTIONS ? &s->all[w] : &s->missing[w][x->substitute];
		int *at = x->substitute == SUBSTITUTIONS ? s->at[w] : s->missing_at[w][x->substitute];
		++*all;
		at[right < MAX_DISTANCE ? right : MAX_DISTANCE - 1]++;
	}
}

static long support_of(const shapes *h, const operator *op, int d, const fit *x)
{
	const support *s = &h->support[x->template];
	int right = op->out_rank[d] - 1 - op->out_pos[d];
	right = right < MAX_DISTANCE ? right : MAX_DISTANCE - 1;
	long n = s->all[x->align] + 3 * s->at[x->align][right];
	if (x->substitute != SUBSTITUTIONS)
		n += s->missing[x->align][x->substitute] + 3 * s->missing_at[x->align][x->substitute][right];
	long fits = s->all[x->align] + 1, test_cache = fits + s->refuted[x->align];
	return n * fits * 16000 / test_cache / (16 + x->e->size); /* of two with equal support, the smaller one */
}

static void fit_all(shapes *h)
{
	api_solver *f = h->f;
	h->fits = ARENA_ARRAY(f->scratch, fits *, f->n);
	h->support = ARENA_ARRAY(f->scratch, support, h->ntemplates + 1);
	for (int i = 0; i < f->n; i++) {
		const operator *op = f->solvers[i].op;
		h->fits[i] = ARENA_ARRAY(f->scratch, fits, op->nodim + 1);
		for (int d = 0; d < op->nodim && op->npass; d++) {
			test_cache a = {.n = 0};
			for (int k = 0; k < h->ntemplates; k++)
				fit_template(h, i, d, k, &a);
			for (int k = 0; k < h->fits[i][d].n; k++)
				credit(h, op, d, &h->fits[i][d].list[k]);
		}
	}
}

static const fit *best_fit(const shapes *h, const operator *op, int d, const fits *list)
{
	const fit *best = NULL;
	long most = 0;
	for (int k = 0; k < list->n; k++) {
		const fit *x = &list->list[k];
		long n = support_of(h, op, d, x);
		if (!best || n > most || (n == most && expr_compare(x->e, best->e) < 0)) {
			best = x;
			most = n;
		}
	}
	return best;
}

/* Logs the choice and its alternatives. */
static void log_choice(const shapes *h, solver *s, int d, const fits *list, const fit *best)
{
	if (!s->log)
		return;
	solver_log(s, "API: ", best->e, "  (output %d, dimension %d: support %ld)", s->op->out_tensor[d],
	    s->op->out_pos[d], support_of(h, s->op, d, best));
	const expr *logged[4] = {best->e};
	for (int k = 0, n = 1; k < list->n && n < 4; k++) {
		const fit *x = &list->list[k];
		bool known = false;
		for (int j = 0; j < n; j++)
			known |= logged[j] == x->e;
		if (known)
			continue;
		logged[n++] = x->e;
		solver_log(s, "  fits as well: ", x->e, "  (support %ld)", support_of(h, s->op, d, x));
	}
}

static void offer_fits(const api_solver *f, int i, int d, const fits *list)
{
	if (!f->offer)
		return;
	for (int k = 0; k < list->n; k++)
		f->offer(f->user, i, d, list->list[k].e);
	if (f->rules[i].out[d])
		f->offer(f->user, i, d, f->rules[i].out[d]);
}

/* Records the expression before simplification. */
static void note_simplified(const shapes *h, int i, int d, const fit *x)
{
	const operator *op = h->f->solvers[i].op;
	alignment w = alignment_at(x->align);
	w.substitute = x->substitute == SUBSTITUTIONS ? 0 : x->substitute;
	int missing, left = op->out_pos[d], right = op->out_rank[d] - 1 - left;
	const expr *was;
	expr_template_apply(&h->templates[x->template].f, h->f->pool, op, NULL, left, right, w, &missing, &was);
	rule_note(&h->f->rules[i], h->f->memory, x->e, was);
}

/* Gives each output the template with most support in the API, among those that its records agree with. */
static void apply_templates(api_solver *f)
{
	arena_mark mark = arena_save(f->scratch);
	double from = clock_thread_seconds();
	shapes h = {.f = f};
	collect_templates(&h);
	fit_all(&h);
	for (int i = 0; i < f->n; i++) {
		solver *s = &f->solvers[i];
		for (int d = 0; d < s->op->nodim; d++) {
			const fit *x = best_fit(&h, s->op, d, &h.fits[i][d]);
			offer_fits(f, i, d, &h.fits[i][d]);
			if (!x || x->e == f->rules[i].out[d])
				continue;
			log_choice(&h, s, d, &h.fits[i][d], x);
			f->rules[i].out[d] = x->e;
			f->rules[i].layer = "family";
			note_simplified(&h, i, d, x);
		}
	}
	f->stages[STAGE_TEMPLATES].seconds += clock_thread_seconds() - from;
	arena_release(f->scratch, mark);
}

/* ---- variants: an index whose argument stands for two, because another argument was omitted, is split; negative values are
 * clamped to 0 */

enum { MAX_OCCURRENCES = 5 };

static int occurrences(const expr *e, const expr *symbol)
{
	if (e == symbol)
		return 1;
	return (e->a ? occurrences(e->a, symbol) + occurrences(e->b, symbol) : 0)
	    + (e->c ? occurrences(e->c, symbol) : 0);
}

/* e with the occurrences of a symbol replaced whose bit is set in mask, counted in preorder. */
static const expr *replace(expr_pool *pool, const expr *e, const expr *symbol, const expr *by, unsigned mask, int *met)
{
	if (e == symbol)
		return mask >> (*met)++ & 1 ? by : e;
	if (!e->a)
		return e;
	const expr *a = replace(pool, e->a, symbol, by, mask, met), *b = replace(pool, e->b, symbol, by, mask, met);
	if (e->c)
		return expr_ite(pool, replace(pool, e->c, symbol, by, mask, met), a, b);
	return expr_make(pool, e->op, a, b);
}

/* Tries symbol x in place of some occurrences of each integer of e. */
static const expr *vary(api_solver *f, int i, int d, const expr *e, const bool *used, int x)
{
	const solver *s = &f->solvers[i];
	for (int y = 0; y < s->op->nsym; y++) {
		const expr *symbol = expr_sym(f->pool, y), *by = expr_sym(f->pool, x);
		int n = used[y] && s->op->roles[y].kind != ROLE_DIM ? occurrences(e, symbol) : 0;
		for (unsigned mask = 1; n > 1 && n <= MAX_OCCURRENCES && mask + 1 < 1u << n; mask++) {
			int met = 0;
			const expr *other = replace(f->pool, e, symbol, by, mask, &met);
			if (solver_output_holds(s->op, d, other))
				return other;
		}
	}
	return NULL;
}

static const expr *find_variant(api_solver *f, const shapes *h, int i, int d)
{
	solver *s = &f->solvers[i];
	const operator *op = s->op;
	int left = op->out_pos[d], right = op->out_rank[d] - 1 - left;
	const expr *seen[64];
	int nseen = 0;
	for (int k = 0; k < h->ntemplates; k++)
		for (int a = 0; a < WAYS; a++) {
			alignment w = alignment_at(a);
			int missing, known = 0;
			const expr *was, *e = expr_template_apply(&h->templates[k].f, f->pool, op, NULL, left, right, w, &missing, &was);
			while (e && known < nseen && seen[known] != e)
				known++;
			if (!e || missing || e->size < 3 || known < nseen || nseen == 64)
				continue;
			seen[nseen++] = e;
			bool *used = ARENA_ARRAY(f->scratch, bool, op->nsym + 1);
			expr_mark_syms(e, used);
			const expr *clamped = expr_make(f->pool, OP_MAX, e, expr_const(f->pool, 0));
			if (solver_output_holds(s->op, d, clamped))
				return clamped;
			for (int x = 0; x < op->nsym; x++) {
				const expr *found = !used[x] && solver_moves(s, x, d) ? vary(f, i, d, e, used, x) : NULL;
				if (found)
					return found;
			}
		}
	return NULL;
}

/* Sets missing outputs to variants of templates of other signatures. */
static bool vary_templates(api_solver *f, int i)
{
	arena_mark mark = arena_save(f->scratch);
	shapes h = {.f = f};
	bool found = false;
	solver *s = &f->solvers[i];
	if (s->op->npass == 0)
		return false;
	collect_templates(&h);
	for (int d = 0; d < s->op->nodim; d++) {
		const expr *e = f->rules[i].out[d] ? NULL : find_variant(f, &h, i, d);
		if (!e)
			continue;
		solver_log(s, "variant: ", e, "  (output %d, dimension %d)", s->op->out_tensor[d], s->op->out_pos[d]);
		f->rules[i].out[d] = e;
		found = true;
	}
	arena_release(f->scratch, mark);
	return found;
}

/* ---- search */

static bool search_output(api_solver *f, int i, int d, enum effort effort)
{
	solver *s = &f->solvers[i];
	rule *r = &f->rules[i];
	int same = solver_same_column(s, d);
	if (same >= 0) {
		r->out[d] = r->out[same];
		return false; /* no template of its own */
	}
	arena_mark mark = arena_save(s->scratch);
	solver_log(s, "", NULL, "output %d, dimension %d%s", s->op->out_tensor[d], s->op->out_pos[d],
	    effort == EFFORT_FULL ? ", once more" : "");
	r->out[d] = stages_search(s, d, effort, &r->why);
	arena_release(s->scratch, mark);
	return r->out[d] != NULL;
}

static bool is_complete(const api_solver *f, int i)
{
	for (int d = 0; d < f->solvers[i].op->nodim; d++)
		if (!f->rules[i].out[d])
			return false;
	return true;
}

/* Operators sorted by number of passing records, descending: rules from many records are the most reliable. */
static int *by_records(api_solver *f)
{
	int *order = ARENA_ARRAY(f->memory, int, f->n + 1);
	for (int i = 0; i < f->n; i++) {
		int k = i;
		for (; k > 0 && f->solvers[order[k - 1]].op->npass < f->solvers[i].op->npass; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return order;
}

static void clear_reasons(api_solver *f)
{
	for (int i = 0; i < f->n; i++)
		if (f->solvers[i].op->npass && is_complete(f, i))
			f->rules[i].why = NULL;
}

static void search_expensive(api_solver *f)
{
	int *order = by_records(f);
	for (int k = 0; k < f->n; k++) {
		int i = order[k];
		bool found = !is_complete(f, i) && vary_templates(f, i);
		if (found)
			apply_templates(f);
		for (int d = 0; d < f->solvers[i].op->nodim && f->solvers[i].op->npass; d++)
			if (!f->rules[i].out[d]) {
				found |= search_output(f, i, d, EFFORT_FULL);
				if (!f->rules[i].out[d])
					break; /* without one output there is no rule */
			}
		if (found)
			apply_templates(f);
	}
}

/* Searches the outputs behind one that was not found: their template may fit it too. */
static void search_behind(api_solver *f)
{
	for (int i = 0; i < f->n; i++) {
		int d = 0, nodim = f->solvers[i].op->npass ? f->solvers[i].op->nodim : 0;
		bool found = false;
		while (d < nodim && f->rules[i].out[d])
			d++;
		for (d++; d < nodim; d++)
			if (!f->rules[i].out[d])
				found |= search_output(f, i, d, EFFORT_FULL);
		if (found)
			apply_templates(f);
	}
}

/* Tries symmetric dimensions for outputs that are still missing. */
static void search_symmetric(api_solver *f)
{
	for (int i = 0; i < f->n; i++) {
		solver *s = &f->solvers[i];
		bool found = false;
		for (int d = 0; d < s->op->nodim && s->op->npass; d++)
			if (!f->rules[i].out[d]) {
				arena_mark mark = arena_save(s->scratch);
				f->rules[i].out[d] = symmetric_dimension_search(s, d);
				arena_release(s->scratch, mark);
				found |= f->rules[i].out[d] != NULL;
			}
		if (found)
			apply_templates(f);
	}
}

void api_solver_find_shapes(api_solver *f)
{
	for (int i = 0; i < f->n; i++)
		for (int d = 0; d < f->solvers[i].op->nodim && f->solvers[i].op->npass; d++)
			search_output(f, i, d, EFFORT_QUICK);
	apply_templates(f);
	search_expensive(f);
	search_behind(f);
	search_symmetric(f);
	clear_reasons(f);
}

void api_solver_improve(api_solver *f, const functions *library)
{
	bool changed = false;
	for (int i = 0; i < f->n && library; i++) {
		solver *s = &f->solvers[i];
		rule *r = &f->rules[i];
		for (int d = 0; d < s->op->nodim && s->op->npass; d++) {
			int same = solver_same_column(s, d);
			arena_mark mark = arena_save(s->scratch);
			const expr *e = same >= 0 ? r->out[same]
			    : !r->out[d] || r->out[d]->size >= 2 ? functions_match(library, s, d, r->out[d])
								  : NULL;
			if (!e && !r->out[d])
				e = functions_product(library, s, d);
			arena_release(s->scratch, mark);
			if (!e || e == r->out[d])
				continue;
			r->out[d] = e;
			r->layer = "functions";
			changed = true;
		}
	}
	if (changed)
		apply_templates(f);
	clear_reasons(f);
}
