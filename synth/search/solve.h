/* From the records of one signature to its rule.
 *
 *   records ──► evidence (relevant symbols) ──► outputs (stages.c) ──► clauses (choose.c)
 *
 * The signatures of an API are solved together (family.c). APIs with the same argument structure compare their rules
 * (siblings.c).
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
	step **steps; /* nsym lists of steps */
	int *nsteps;
} evidence;

typedef struct options {
	const struct neuri_bank *bank; /* run NeuRI's algorithm only (neuri.h); NULL: run all layers */
} options;

/* The stages of the search, for statistics: the stages of rows.c in order, then templates and clauses. */
enum { SHAPE_STAGES = 7, STAGE_TEMPLATES = SHAPE_STAGES, STAGE_CLAUSES, STAGE_COUNT };

typedef struct stage {
	long tried; /* number of expressions, templates or literals tried */
	double seconds;
} stage;

const char *stage_name(int stage);

/* A symbol as a function of the others; e is NULL if there is none. */
typedef struct explained {
	bool known;
	const expr *e;
} explained;

/* State of the search for one signature; lives in one pool and one arena. */
typedef struct solver {
	const operator *op;
	expr_pool *pool;
	arena *scratch; /* released by the caller between signatures */
	prover *prover;
	const options *options;
	const int64_t **cols; /* nsym + nodim columns over the passing records */
	evidence evidence;
	long work;   /* units spent (problem.h) */
	long limit;  /* maximum units for the outputs */
	int tolerated; /* maximum number of passing records that a clause may reject, at a cost; usually 0 */
	explained *explained; /* nsym: cached results of stages_explain */
	bool target_is_symbol;  /* the target is a symbol, so records are selected by it: it rarely changes when another
				 * symbol does */
	rule *rule;
	stage *stages; /* STAGE_COUNT */
	buf *log; /* for rulesmith explain: expressions tried and the records that refuted them; may be NULL */
} solver;

/* Prepares the search for one signature: computes columns and evidence in `memory`, which must outlive s. Sets r->why
 * if there are no passing records. */
void solver_start(solver *s, const operator *op, expr_pool *pool, arena *memory, const options *o, rule *r,
    stage *stages);
/* Sorts the clauses and checks the rule on all records. Sets r->why if it disagrees with one. */
void solver_finish(solver *s);

/* Appends "text EXPR more" to the log, if there is one. */
void solver_log(solver *s, const char *text, const expr *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether output dimension d differs between two records that differ only in `symbol`. */
bool solver_moves(const solver *s, int symbol, int d);
/* An earlier output dimension with the same column, in a tensor of the same rank and at the same position; -1 if
 * there is none. APIs with many outputs repeat a few of them. */
int solver_same_column(const solver *s, int d);

/* The number of values of symbol i in the passing records with symbol z != 0 (all records if z is -1). Stops at
 * `max`, which is at most SOLVER_MAX_VALUES. */
enum { SOLVER_MAX_VALUES = 4 };
int solver_values(const operator *op, int i, int z, int max);

/* The number of passing records that a clause rejects; counting stops at max + 1. */
int solver_clause_rejections(const operator *op, const expr *clause, int max);
/* Whether a clause holds on every passing record. */
bool solver_clause_holds(const operator *op, const expr *clause);
/* Sets bit k if the clause rejects row k of n rows of `width` values. Never clears a bit. */
void solver_mark_rejected(const expr *clause, const int64_t *rows, int n, int width, uint64_t *to);
/* The first index k < n where e differs from output dimension d on passing record rows[k] (or record k, if rows is
 * NULL); -1 if there is none. */
int solver_output_refuted(const operator *op, int d, const expr *e, const int *rows, int n);
bool solver_output_holds(const operator *op, int d, const expr *e); /* on every passing record */
/* Whether constraints are untested: the signature has several tensors and no failing record, and the passing records
 * do not rule out every comparison between two symbols or of a symbol with a constant. */
bool solver_untested(const operator *op);

#endif
