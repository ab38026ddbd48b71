/* From one operator's records to its rule.
 *
 *   records ──► evidence (which symbol matters) ──► outputs (stages.c) ──► clauses (choose.c)
 *
 * Operators of one API are solved together (api_solver.c), and those of one argument structure compare what they
 * found (siblings.c).
 */
#ifndef SOLVE_H
#define SOLVE_H

#include "buf.h"
#include "expr.h"
#include "prove.h"
#include "record.h"
#include "rule.h"

/* Two passing records that differ in one symbol only. */
typedef struct step {
	int a, b;
} step;

typedef struct evidence {
	step **steps; /* nsym lists */
	int *nsteps;
} evidence;

typedef struct options {
	const struct neuri_bank *bank; /* NeuRI's algorithm and nothing else (neuri.h); NULL: all layers */
} options;

/* The stages of the search, for the statistics: those of stages.c in their order, forms, clauses. */
enum { SHAPE_STAGES = 7, STAGE_FORMS = SHAPE_STAGES, STAGE_CLAUSES, STAGE_COUNT };

typedef struct stage {
	long tried; /* expressions, forms or literals looked at */
	double seconds;
} stage;

const char *stage_name(int stage);

/* A symbol as a function of the others; e NULL: it is none. */
typedef struct explained {
	bool known;
	const expr *e;
} explained;

/* Everything that one operator's search needs; lives in one pool and one arena. */
typedef struct solver {
	const operator *op;
	expr_pool *pool;
	arena *scratch; /* released by the caller between operators */
	prover *prover;
	const options *options;
	const int64_t **cols; /* nsym + nodim columns over the passing records */
	evidence evidence;
	long work;   /* units spent (problem.h) */
	long limit;  /* of the operator's outputs */
	int tolerated; /* passing records that a clause may refuse, for a price: usually none */
	explained *explained; /* nsym: what shape_explain found */
	bool bound;  /* the target is a symbol: a step in another one that passes mostly leaves it as it was, by selection */
	rule *rule;
	stage *stages; /* STAGE_COUNT */
	buf *log; /* for rulesmith explain: what was tried and what refuted it; NULL: not wanted */
} solver;

/* Prepares the search for one operator's rule: columns and evidence, in `memory`, which must outlive s. r->why
 * says so when there is nothing to learn from. */
void solver_start(solver *s, const operator *op, expr_pool *pool, arena *memory, const options *o, rule *r,
    stage *stages);
/* Sorts clauses, checks the rule on every record (r->why otherwise). */
void solver_finish(solver *s);

/* Appends "text EXPR more" to the log, if there is one. */
void log_expr(solver *s, const char *text, const expr *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether two records that differ in one symbol only differ in output dimension d. */
bool solver_moves(const solver *s, int symbol, int d);
/* An earlier output dimension with the same column at the same place; -1: none. A rule of many outputs repeats
 * few of them. */
int same_column(const solver *s, int d);

/* How many values symbol i has in the passing records in which symbol z is not 0, in all where z is -1; up to `most`, at most
 * MOST_VALUES. */
enum { MOST_VALUES = 4 };
int values_of(const operator *op, int i, int z, int most);

/* How many passing records a clause refuses, counted no further than one beyond `most`. */
int clause_refused(const operator *op, const expr *clause, int most);
/* Whether a clause holds on every passing record. */
bool clause_holds(const operator *op, const expr *clause);
/* Marks, as bits, which of n rows of `width` numbers a clause refuses; those that are marked stay so. */
void clause_mark_refused(const expr *clause, const int64_t *rows, int n, int width, uint64_t *to);
/* The first of n passing records (rows: which; NULL: all from the first on) on which e does not give output dimension d, as an
 * index into these; -1: there is none. */
int output_refuted(const operator *op, int d, const expr *e, const int *rows, int n);
bool output_holds(const operator *op, int d, const expr *e); /* on every passing record */
/* Whether nothing was refused of an operator of several tensors while its passing records leave it open whether any
 * comparison of two symbols, or of one with a constant, must hold. */
bool untested(const operator *op);

#endif
