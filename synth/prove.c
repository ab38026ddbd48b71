/* Z3 by its C API.
 *
 * An expression becomes a pair of Z3 terms: its value, and the condition under which it has one. If the
 * condition does not hold, the value is free (whatever Z3 likes), so no query may look at it. Comparisons fold
 * both into one Boolean: false without a value.
 *
 * Z3's integers have no bound, so the 128-bit limit of base/arith.h does not apply. Two expressions proved equal
 * here can differ if one of them leaves 128 bits and has no value. For int64 symbols that takes a product of
 * more than two of them. Z3's own div and mod round so that the remainder is never negative. The floor forms are
 * built from their cases with a positive divisor, in which both agree.
 *
 * References: Z3_mk_context_rc leaves counting to the caller. Every AST is counted as soon as it is made and
 * remembered on a stack, which is released when its query ends.
 *
 * Errors: Z3 forgets an error at its next call. So the prover remembers it until the query ends, whose result is
 * then UNKNOWN. A term that failed is NULL, as are terms made of it. NULL has no other meaning.
 */
#include "prove.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <z3.h>
#include <z3_version.h>

#include "need.h"
#include "rng.h"

enum {
	/* An rlimit counts Z3's own steps: the same on every machine and under any load (a million take about a
	 * second). It does not count steps inside a product of three or more symbols. There the clock ends the
	 * query. A result that depends on the clock is not reproducible, so the clock's limit is far beyond that
	 * of the steps. */
	STEPS = 1000000,
	GUARD_MS = 10000,
	FIND_STEPS = 30000,
	FIND_GUARD_MS = 10000,
	QUERIES_PER_CONTEXT = 4000, /* a context never gives back all of its memory */
	CONTEXT_BYTES = 16 << 20, /* several times the size of a Z3 context */
	WITNESSES = 48,
	WITNESS_SYMBOLS = 64,
};

struct prover {
	Z3_context z3;
	Z3_sort integers;
	Z3_ast *held; /* counted references of the current query */
	size_t n_held, capacity;
	int queries; /* of this context */
	long asked, unknown;
	bool models; /* a finder */
	bool used;   /* Z3 was asked something in this context */
	bool failed; /* an error in the current query */
};

static void end_without_memory(void)
{
	fputs("rulesmith: error: out of memory in Z3\n", stderr);
	_Exit(1);
}

/* The default handler exits. Here the code is read after each query; but without memory an answer would differ from that
 * of another machine. */
static void take_error(Z3_context z3, Z3_error_code code)
{
	(void)z3;
	if (code == Z3_MEMOUT_FAIL)
		end_without_memory();
}

/* Z3 throws std::bad_alloc, and std::system_error if it gets no thread for its clock. C cannot catch them, and they would
 * abort the process. std::set_terminate has no C declaration; if it is not found, they still do. */
static void end_on_exceptions(void)
{
	typedef void handler(void);
	handler *(*set)(handler *);
	*(void **)&set = dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE");
	if (set)
		set(end_without_memory);
}

/* ---- the context */

/* Z3 4.8 reads a null pointer if memory runs out while it makes a context: ends the process before that. */
static void need_room(void)
{
	void *room = mmap(NULL, CONTEXT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		end_without_memory();
	munmap(room, CONTEXT_BYTES);
}

static void open_context(prover *p)
{
	end_on_exceptions();
	need_room();
	Z3_config config = Z3_mk_config();
	if (!config)
		end_without_memory();
	Z3_set_param_value(config, "model", p->models ? "true" : "false");
	p->z3 = Z3_mk_context_rc(config);
	Z3_del_config(config);
	if (!p->z3)
		end_without_memory();
	Z3_set_error_handler(p->z3, take_error);
	p->integers = Z3_mk_int_sort(p->z3);
	Z3_inc_ref(p->z3, Z3_sort_to_ast(p->z3, p->integers));
	p->queries = 0;
	p->used = false;
}

static void close_context(prover *p)
{
	Z3_dec_ref(p->z3, Z3_sort_to_ast(p->z3, p->integers));
	Z3_del_context(p->z3);
}

static prover *new_prover(bool models)
{
	prover *p = need(calloc(1, sizeof *p), sizeof *p);
	p->models = models;
	open_context(p);
	return p;
}

prover *prover_new(void)
{
	return new_prover(false);
}

prover *prover_new_finder(void)
{
	return new_prover(true);
}

void prover_reset(prover *p)
{
	p->queries = 0;
	if (!p->used) /* as good as new */
		return;
	close_context(p);
	open_context(p);
}

void prover_free(prover *p)
{
	if (!p)
		return;
	close_context(p);
	free(p->held);
	free(p);
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *prover_version(void)
{
	return TEXT(Z3_MAJOR_VERSION) "." TEXT(Z3_MINOR_VERSION) "." TEXT(Z3_BUILD_NUMBER);
}

void prover_counts(const prover *p, long *asked, long *unknown)
{
	*asked = p->asked;
	*unknown = p->unknown;
}

bool is_linear(const expr *e)
{
	switch ((enum op)e->op) {
	LEAF_OPS(OP_CASE)
		return true;
	case OP_MUL:
		if (expr_max_sym(e->a) >= 0 && expr_max_sym(e->b) >= 0)
			return false;
		break;
	case OP_DIV:
	case OP_MOD:
		if (e->b->op != OP_CONST)
			return false;
		break;
	case OP_ADD:
	case OP_SUB:
	case OP_MIN:
	case OP_MAX:
	CHOICE_OPS(OP_CASE)
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break;
	}
	return is_linear(e->a) && is_linear(e->b) && (!e->c || is_linear(e->c));
}

static Z3_ast fail(prover *p)
{
	p->failed = true;
	return NULL;
}

/* Notes whether the last call failed. */
static void note_error(prover *p)
{
	p->failed |= Z3_get_error_code(p->z3) != Z3_OK;
}

/* Counts a new AST and remembers it until the query ends. */
static Z3_ast hold(prover *p, Z3_ast ast)
{
	note_error(p);
	if (!ast || p->failed)
		return fail(p);
	p->held = NEED_ROOM(p->held, p->n_held, p->capacity);
	Z3_inc_ref(p->z3, ast);
	return p->held[p->n_held++] = ast;
}

static void release(prover *p)
{
	while (p->n_held)
		Z3_dec_ref(p->z3, p->held[--p->n_held]);
}

/* ---- constructors */

typedef Z3_ast unary(Z3_context, Z3_ast);
typedef Z3_ast binary(Z3_context, Z3_ast, Z3_ast);
typedef Z3_ast nary(Z3_context, unsigned, const Z3_ast *);

static Z3_ast with_one(prover *p, unary *make, Z3_ast a)
{
	return a ? hold(p, make(p->z3, a)) : fail(p);
}

static Z3_ast with_two(prover *p, binary *make, Z3_ast a, Z3_ast b)
{
	return a && b ? hold(p, make(p->z3, a, b)) : fail(p);
}

static Z3_ast with_both(prover *p, nary *make, Z3_ast a, Z3_ast b)
{
	return a && b ? hold(p, make(p->z3, 2, (Z3_ast[]){a, b})) : fail(p);
}

static Z3_ast number(prover *p, int64_t value)
{
	return hold(p, Z3_mk_int64(p->z3, value, p->integers));
}

/* Of a number below 0 Z3 makes no name, reports an error, and would then make the same constant of all that have none. */
static Z3_ast symbol(prover *p, int64_t index)
{
	Z3_symbol name = Z3_mk_int_symbol(p->z3, (int)index);
	note_error(p);
	return p->failed ? NULL : hold(p, Z3_mk_const(p->z3, name, p->integers));
}

static Z3_ast z3_not(prover *p, Z3_ast a)
{
	return with_one(p, Z3_mk_not, a);
}

static Z3_ast z3_and(prover *p, Z3_ast a, Z3_ast b)
{
	return with_both(p, Z3_mk_and, a, b);
}

static Z3_ast z3_or(prover *p, Z3_ast a, Z3_ast b)
{
	return with_both(p, Z3_mk_or, a, b);
}

static Z3_ast z3_if(prover *p, Z3_ast condition, Z3_ast yes, Z3_ast no)
{
	return condition && yes && no ? hold(p, Z3_mk_ite(p->z3, condition, yes, no)) : fail(p);
}

static Z3_ast z3_negate(prover *p, Z3_ast a)
{
	return with_one(p, Z3_mk_unary_minus, a);
}

static Z3_ast z3_add(prover *p, Z3_ast a, Z3_ast b)
{
	return with_both(p, Z3_mk_add, a, b);
}

static Z3_ast z3_sub(prover *p, Z3_ast a, Z3_ast b)
{
	return with_both(p, Z3_mk_sub, a, b);
}

static Z3_ast z3_mul(prover *p, Z3_ast a, Z3_ast b)
{
	return with_both(p, Z3_mk_mul, a, b);
}

static Z3_ast z3_eq(prover *p, Z3_ast a, Z3_ast b)
{
	return with_two(p, Z3_mk_eq, a, b);
}

static Z3_ast z3_ne(prover *p, Z3_ast a, Z3_ast b)
{
	return z3_not(p, z3_eq(p, a, b));
}

static Z3_ast z3_lt(prover *p, Z3_ast a, Z3_ast b)
{
	return with_two(p, Z3_mk_lt, a, b);
}

static Z3_ast z3_le(prover *p, Z3_ast a, Z3_ast b)
{
	return with_two(p, Z3_mk_le, a, b);
}

static Z3_ast z3_gt(prover *p, Z3_ast a, Z3_ast b)
{
	return with_two(p, Z3_mk_gt, a, b);
}

static Z3_ast z3_ge(prover *p, Z3_ast a, Z3_ast b)
{
	return with_two(p, Z3_mk_ge, a, b);
}

/* Is the term a numeral above 0? Then a division needs no case for a negative divisor. */
static bool positive_numeral(prover *p, Z3_ast a)
{
	int64_t value;
	return a && Z3_is_numeral_ast(p->z3, a) && Z3_get_numeral_int64(p->z3, a, &value) && value > 0;
}

/* b > 0: Z3's div is the floor. b < 0: a/b = -a/-b, and -b > 0. */
static Z3_ast z3_div(prover *p, Z3_ast a, Z3_ast b)
{
	Z3_ast up = with_two(p, Z3_mk_div, a, b);
	if (positive_numeral(p, b))
		return up;
	Z3_ast below = z3_negate(p, b), down = with_two(p, Z3_mk_div, z3_negate(p, a), below);
	return z3_if(p, z3_gt(p, b, number(p, 0)), up, down);
}

/* By a numeral: Z3's mod, which it knows much about. Otherwise the remainder is computed from the quotient: a
 * second kind of term beside the quotient costs Z3 more than it helps. */
static Z3_ast z3_mod(prover *p, Z3_ast a, Z3_ast b)
{
	if (positive_numeral(p, b))
		return with_two(p, Z3_mk_mod, a, b);
	return z3_sub(p, a, z3_mul(p, b, z3_div(p, a, b)));
}

static Z3_ast z3_min(prover *p, Z3_ast a, Z3_ast b)
{
	return z3_if(p, z3_le(p, a, b), a, b);
}

static Z3_ast z3_max(prover *p, Z3_ast a, Z3_ast b)
{
	return z3_if(p, z3_ge(p, a, b), a, b);
}

/* ---- expressions to terms */

/* When something has a value: always, the usual case, kept out of Z3; else where `where` holds. */
typedef struct condition {
	bool always;
	Z3_ast where; /* NULL unless always: an error */
} condition;

static const condition ALWAYS = {.always = true};

typedef struct term {
	Z3_ast value;
	condition defined;
} term;

static condition all_of(prover *p, condition a, condition b)
{
	if (a.always || b.always)
		return a.always ? b : a;
	return (condition){.where = z3_and(p, a.where, b.where)};
}

/* The condition as a term. */
static Z3_ast term_of(prover *p, condition c)
{
	return c.always ? hold(p, Z3_mk_true(p->z3)) : c.where;
}

static Z3_ast clause_term(prover *p, const expr *e);
static term arith_term(prover *p, const expr *e);

static term ite_term(prover *p, const expr *e)
{
	Z3_ast condition = clause_term(p, e->c);
	term yes = arith_term(p, e->a), no = arith_term(p, e->b);
	term t = {z3_if(p, condition, yes.value, no.value), ALWAYS};
	if (!yes.defined.always || !no.defined.always)
		t.defined = (struct condition){
		    .where = z3_if(p, condition, term_of(p, yes.defined), term_of(p, no.defined))};
	return t;
}

static term arith_term(prover *p, const expr *e)
{
	if (e->op == OP_CONST)
		return (term){number(p, e->value), ALWAYS};
	if (e->op == OP_SYM)
		return (term){symbol(p, e->value), ALWAYS};
	if (e->op == OP_ITE)
		return ite_term(p, e);
	if (!op_is_arith(e->op)) /* a comparison is not a number */
		return (term){fail(p), ALWAYS};
	term a = arith_term(p, e->a), b = arith_term(p, e->b), t = {0};
	t.defined = all_of(p, a.defined, b.defined);
	if (OPS[e->op].divides && !positive_numeral(p, b.value))
		t.defined = all_of(p, t.defined, (condition){.where = z3_ne(p, b.value, number(p, 0))});
	switch ((enum op)e->op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		t.value = z3_##name(p, a.value, b.value);                                          \
		break;
		ARITH_OPS(X)
#undef X
	LEAF_OPS(OP_CASE)
	CHOICE_OPS(OP_CASE)
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break;
	}
	return t;
}

static Z3_ast compare_term(prover *p, const expr *e)
{
	if (!op_is_comparison(e->op)) /* a number is not a comparison */
		return fail(p);
	term a = arith_term(p, e->a), b = arith_term(p, e->b);
	Z3_ast holds = NULL;
	switch ((enum op)e->op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		holds = z3_##name(p, a.value, b.value);                                            \
		break;
		COMPARE_OPS(X)
#undef X
	LEAF_OPS(OP_CASE)
	ARITH_OPS(OP_CASE)
	CHOICE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break;
	}
	return term_of(p, all_of(p, all_of(p, a.defined, b.defined), (condition){.where = holds}));
}

/* Of two clauses one term. Which is made first shows in Z3's answers, and C leaves it open in a call: b, as gcc has it. */
static Z3_ast clauses_term(prover *p, Z3_ast (*make)(prover *, Z3_ast, Z3_ast), const expr *a, const expr *b)
{
	Z3_ast second = clause_term(p, b), first = clause_term(p, a);
	return make(p, first, second);
}

static Z3_ast clause_term(prover *p, const expr *e)
{
	if (e->op == OP_AND)
		return clauses_term(p, z3_and, e->a, e->b);
	if (e->op == OP_OR)
		return clauses_term(p, z3_or, e->a, e->b);
	return compare_term(p, e);
}

/* make(symbol i, value). Both terms are made here in a fixed order, since C does not order arguments. */
static Z3_ast bound_term(prover *p, Z3_ast (*make)(prover *, Z3_ast, Z3_ast), int i, int64_t value)
{
	Z3_ast bound = number(p, value), x = symbol(p, i);
	return make(p, x, bound);
}

/* ---- queries */

static void set(prover *p, Z3_params params, const char *name, unsigned value)
{
	Z3_params_set_uint(p->z3, params, Z3_mk_string_symbol(p->z3, name), value);
}

/* The plain solver answers most queries in a tenth of a millisecond. Z3_mk_solver takes five to set up tactics
 * for nonlinear integers, which then stop at no rlimit. NULL on an error. */
static Z3_solver open_solver(prover *p, unsigned steps, unsigned guard_ms, unsigned seed)
{
	p->used = true;
	Z3_solver solver = Z3_mk_simple_solver(p->z3);
	note_error(p);
	if (!solver || p->failed)
		return NULL;
	Z3_solver_inc_ref(p->z3, solver);
	Z3_params limits = Z3_mk_params(p->z3);
	Z3_params_inc_ref(p->z3, limits);
	set(p, limits, "rlimit", steps);
	set(p, limits, "timeout", guard_ms);
	if (seed)
		set(p, limits, "random_seed", seed);
	Z3_solver_set_params(p->z3, solver, limits);
	note_error(p);
	Z3_params_dec_ref(p->z3, limits);
	return solver;
}

/* NULL is a term that failed. */
static void assert_that(prover *p, Z3_solver solver, Z3_ast condition)
{
	if (!condition || p->failed) {
		fail(p);
		return;
	}
	Z3_solver_assert(p->z3, solver, condition);
	note_error(p);
}

static Z3_lbool check(prover *p, Z3_solver solver)
{
	if (p->failed)
		return Z3_L_UNDEF;
	Z3_lbool answer = Z3_solver_check(p->z3, solver);
	note_error(p);
	if (answer == Z3_L_UNDEF && strstr(Z3_solver_get_reason_unknown(p->z3, solver), "memo")) /* memout, out of memory */
		end_without_memory();
	return answer;
}

/* Counts a query, and starts it in a fresh context when the old one has served long. */
static void begin(prover *p)
{
	p->asked++;
	p->failed = false;
	if (p->queries++ >= QUERIES_PER_CONTEXT)
		prover_reset(p);
}

/* Ends a query: whatever went wrong stays in the old context, and what Z3 said then counts for nothing. */
static verdict end(prover *p, Z3_lbool answer)
{
	release(p);
	if (p->failed) {
		answer = Z3_L_UNDEF;
		p->used = true;
		prover_reset(p);
	}
	p->unknown += answer == Z3_L_UNDEF;
	return answer == Z3_L_FALSE ? PROVED : answer == Z3_L_TRUE ? REFUTED : UNKNOWN;
}

/* Is there no assignment under which the n conditions hold together? Ends the query. */
static verdict refute(prover *p, const Z3_ast *conditions, int n)
{
	Z3_lbool answer = Z3_L_UNDEF;
	Z3_solver solver = p->failed ? NULL : open_solver(p, STEPS, GUARD_MS, 0);
	if (solver) {
		for (int i = 0; i < n; i++)
			assert_that(p, solver, conditions[i]);
		answer = check(p, solver);
		Z3_solver_dec_ref(p->z3, solver);
	}
	return end(p, answer);
}

/* A few small values find most refutations in microseconds, and are the same in every run. Half of
 * the points have no zero and no negative value. */
static void witness_point(rng *r, int round, const bool *domain, int nsym, int64_t *s)
{
	int64_t reach = 2 + round / 4;
	for (int i = 0; i < WITNESS_SYMBOLS; i++) {
		bool dimension = i < nsym && domain && domain[i];
		int64_t low = round % 2 ? 1 : dimension ? 0 : -reach;
		s[i] = rng_range(r, low, reach + 1);
	}
}

static bool differ_at(const expr *a, const expr *b, const int64_t *s)
{
	wide x, y;
	if (!b)
		return !expr_holds(a, s);
	if (expr_is_bool(a))
		return expr_holds(a, s) != expr_holds(b, s);
	bool has_x = expr_eval(a, s, &x), has_y = expr_eval(b, s, &y);
	return has_x != has_y || (has_x && x != y);
}

/* On what inputs a and b are compared: all, where w is NULL. */
static bool is_inside(const where *w, const int64_t *s)
{
	for (int i = 0; w && i < w->n; i++)
		if (!expr_holds(w->holds[i], s))
			return false;
	return true;
}

static int highest_symbol(const where *w, const expr *a, const expr *b)
{
	int highest = b && expr_max_sym(b) > expr_max_sym(a) ? expr_max_sym(b) : expr_max_sym(a);
	for (int i = 0; w && i < w->n; i++)
		highest = expr_max_sym(w->holds[i]) > highest ? expr_max_sym(w->holds[i]) : highest;
	return highest;
}

static bool witness_differs(const expr *a, const expr *b, const where *w)
{
	int64_t s[WITNESS_SYMBOLS];
	if (highest_symbol(w, a, b) >= WITNESS_SYMBOLS)
		return false;
	rng r = rng_seed(b ? 1 : 2);
	for (int round = 0; round < WITNESSES; round++) {
		witness_point(&r, round, w ? w->domain : NULL, w ? w->nsym : 0, s);
		if (is_inside(w, s) && differ_at(a, b, s))
			return true;
	}
	return false;
}

/* Only one of two expressions has a value, or both have and they differ. */
static Z3_ast values_differ(prover *p, const expr *a, const expr *b)
{
	term x = arith_term(p, a), y = arith_term(p, b);
	condition both = all_of(p, x.defined, y.defined);
	Z3_ast differ = term_of(p, all_of(p, both, (condition){.where = z3_ne(p, x.value, y.value)}));
	if (both.always)
		return differ;
	return z3_or(p, z3_ne(p, term_of(p, x.defined), term_of(p, y.defined)), differ);
}

static Z3_ast differ_term(prover *p, const expr *a, const expr *b)
{
	if (!b)
		return z3_not(p, clause_term(p, a));
	if (expr_is_bool(a))
		return clauses_term(p, z3_ne, a, b);
	return values_differ(p, a, b);
}

/* What holds of the inputs, then one more condition, which is left to the caller: conditions[returned]. */
static int inside_terms(prover *p, const where *w, Z3_ast *conditions)
{
	int n = 0;
	for (int i = 0; w && i < w->n; i++)
		conditions[n++] = clause_term(p, w->holds[i]);
	for (int i = 0; w && w->domain && i < w->nsym; i++)
		if (w->domain[i])
			conditions[n++] = bound_term(p, z3_ge, i, 0);
	return n;
}

verdict prove_agree(prover *p, const expr *a, const expr *b, const where *w)
{
	begin(p);
	if (witness_differs(a, b, w))
		return REFUTED;
	size_t most = w ? (size_t)w->n + (size_t)w->nsym + 1 : 1;
	Z3_ast *conditions = need(malloc(most * sizeof *conditions), most * sizeof *conditions);
	int n = inside_terms(p, w, conditions);
	conditions[n++] = differ_term(p, a, b);
	verdict v = refute(p, conditions, n);
	free(conditions);
	return v;
}

verdict prove_equal(prover *p, const expr *a, const expr *b)
{
	return prove_agree(p, a, b, NULL);
}

verdict prove_implied(prover *p, const expr *const *clauses, int n, const expr *clause,
    const bool *domain, int nsym)
{
	where w = {clauses, n, domain, nsym};
	return prove_agree(p, clause, NULL, &w);
}

/* ---- where two readings differ */

/* Values of the symbols from the solver's model; false when one is no int64. A symbol that no condition mentions gets
 * the value of its box that is nearest to 1. */
static bool read_model(prover *p, Z3_solver solver, const distinction *d, int64_t *x)
{
	Z3_model model = Z3_solver_get_model(p->z3, solver);
	if (!model)
		return false;
	bool ok = true;
	Z3_model_inc_ref(p->z3, model);
	for (int i = 0; ok && i < d->nsym; i++) {
		Z3_ast value = NULL, x_i = symbol(p, i);
		ok = x_i && Z3_model_eval(p->z3, model, x_i, false, &value) && hold(p, value);
		if (ok && !Z3_is_numeral_ast(p->z3, value))
			x[i] = d->low[i] > 1 ? d->low[i] : d->high[i] < 1 ? d->high[i] : 1;
		else
			ok = ok && Z3_get_numeral_int64(p->z3, value, &x[i]);
	}
	Z3_model_dec_ref(p->z3, model);
	return ok;
}

static void assert_distinction(prover *p, Z3_solver solver, const distinction *d)
{
	for (int i = 0; i < d->nsym; i++) {
		assert_that(p, solver, bound_term(p, z3_ge, i, d->low[i]));
		assert_that(p, solver, bound_term(p, z3_le, i, d->high[i]));
	}
	for (int k = 0; k < d->n; k++)
		assert_that(p, solver, clause_term(p, d->holds[k]));
	assert_that(p, solver, differ_term(p, d->a, d->b));
}

verdict prover_distinguish(prover *p, const distinction *d, int64_t *x)
{
	begin(p);
	Z3_solver solver = open_solver(p, FIND_STEPS, FIND_GUARD_MS, d->seed);
	Z3_lbool answer = Z3_L_UNDEF;
	if (solver) {
		assert_distinction(p, solver, d);
		answer = check(p, solver);
		if (answer == Z3_L_TRUE && !(p->models && read_model(p, solver, d, x)))
			answer = Z3_L_UNDEF;
		Z3_solver_dec_ref(p->z3, solver);
	}
	return end(p, answer);
}
