/* Learns from calls of a known rule, and checks the result on other inputs. Include it after cmocka.h. */
#ifndef LEARNING_H
#define LEARNING_H

#include "rng.h"
#include "api_clauses.h"
#include "operators.h"

enum { MOST_SYMBOLS = 48, MOST_OUTPUTS = 6 };

/* Computes the output dimensions; false if the call is rejected. */
typedef bool truth(const int64_t *s, int64_t *out);

/* Dimensions from 0 to `dims`, other integers from low to high; the number of inputs whose neighbors are
 * queried. */
typedef struct draws {
	int64_t dims, low, high;
	int bases;
} draws;

static inline int64_t draw(rng *r, const draws *d, bool dim)
{
	return dim ? rng_range(r, 0, d->dims) : rng_range(r, d->low, d->high);
}

static inline void put_row(buf *b, const int64_t *x, int n)
{
	buf_putc(b, '[');
	for (int i = 0; i < n; i++)
		buf_printf(b, "%s%lld", i ? "," : "", (long long)x[i]);
	buf_putc(b, ']');
}

/* A random input and its neighbors, as augmentation makes them: each symbol stepped. */
static inline void put_records(buf *b, truth *is, const draws *d, const bool *dim, int nsym, int nodim, bool pass)
{
	rng r = rng_seed(5);
	const char *comma = "";
	buf_printf(b, ",\"%s\":[", pass ? "pass" : "fail");
	for (int k = 0; k < d->bases; k++) {
		int64_t x[MOST_SYMBOLS], base[MOST_SYMBOLS], out[MOST_OUTPUTS];
		for (int i = 0; i < nsym; i++)
			base[i] = draw(&r, d, dim[i]);
		for (int i = -1; i < nsym; i++) {
			memcpy(x, base, sizeof x);
			if (i >= 0)
				x[i] = draw(&r, d, dim[i]);
			if (is(x, out) != pass)
				continue;
			buf_puts(b, comma);
			buf_puts(b, pass ? "[" : "");
			put_row(b, x, nsym);
			if (pass) {
				buf_putc(b, ',');
				put_row(b, out, nodim);
			}
			buf_puts(b, pass ? "]" : "");
			comma = ",";
		}
	}
	buf_putc(b, ']');
}

/* Marks the symbols that are dimensions, from the arguments' letters (operators.h). */
static inline void mark_dimensions(const operator *op, bool *dim)
{
	for (int i = 0; i < op->nsym; i++)
		dim[i] = op->roles[i].kind == ROLE_DIM;
}

/* Number of 20,000 fresh inputs on which a rule errs. */
static inline int errors(const operator *op, const rule *r, truth *is, const draws *d, const bool *dim)
{
	rng g = rng_seed(77);
	int wrong = 0;
	for (int k = 0; k < 20000; k++) {
		int64_t x[MOST_SYMBOLS], out[MOST_OUTPUTS];
		for (int i = 0; i < op->nsym; i++)
			x[i] = draw(&g, d, dim[i]);
		bool valid = is(x, out);
		wrong += rule_accepts(op, r, x, valid ? out : NULL) != valid;
	}
	return wrong;
}

/* An operator without records, read for its symbols. */
static inline void read_dimensions(const char *args, const char *outs, bool *dim)
{
	buf b = {0};
	int nsym, nodim;
	records r;
	put_call(&b, "m.learned", 0, args, outs, &nsym, &nodim);
	assert_true(nsym <= MOST_SYMBOLS && nodim <= MOST_OUTPUTS);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	mark_dimensions(&r.ops[0], dim);
	records_free(&r);
}

/* An operator with its API's rule, learned from such records. */
typedef struct lesson {
	records r;
	api_solver f;
	options none;
	const operator *op;
	bool dim[MOST_SYMBOLS];
} lesson;

/* Solves the outputs of the operator just read. */
static inline void study_shapes(lesson *l)
{
	l->op = &l->r.ops[0];
	api_solver_start(&l->f, &l->op, 1, &l->none);
	api_solver_find_shapes(&l->f);
}

/* b: the operator's line; freed here. */
static inline void study_line(lesson *l, buf *b)
{
	read_lines(&l->r, b);
	study_shapes(l);
	api_clauses_find(&l->f);
}

/* The operator whose records are in a file; only its outputs, until api_clauses_find is called. */
static inline void study_file(lesson *l, const char *path)
{
	*l = (lesson){.op = NULL};
	assert_true(records_read(&l->r, &path, 1, refuse_none, NULL));
	study_shapes(l);
}

static inline void study(lesson *l, const char *args, const char *outs, truth *is, draws d)
{
	buf b = {0};
	int nsym, nodim;
	*l = (lesson){.op = NULL};
	read_dimensions(args, outs, l->dim);
	put_call(&b, "m.learned", 0, args, outs, &nsym, &nodim);
	put_records(&b, is, &d, l->dim, nsym, nodim, true);
	put_records(&b, is, &d, l->dim, nsym, nodim, false);
	buf_puts(&b, "}\n");
	study_line(l, &b);
}

static inline void forget(lesson *l)
{
	api_solver_free(&l->f);
	records_free(&l->r);
}

/* Learns from generated records, and compares on fresh inputs. */
static inline void learn(const char *args, const char *outs, truth *is, draws d)
{
	lesson l;
	buf text = {0};
	study(&l, args, outs, is, d);
	assert_null(l.f.rules[0].why);
	rule_print(&text, &l.f.rules[0]);
	int wrong = errors(l.op, &l.f.rules[0], is, &d, l.dim);
	if (wrong)
		fail_msg("%d errors: %s", wrong, text.text);
	buf_free(&text);
	forget(&l);
}

/* Asserts that a clause of the rule has this text. */
static inline void assert_says(const rule *r, const char *text)
{
	buf b = {0};
	for (int k = 0; k < r->nclauses; k++) {
		expr_print(&b, r->clauses[k]);
		buf_puts(&b, "; ");
	}
	if (!strstr(b.text, text))
		fail_msg("no clause %s, but: %s", text, b.text);
	buf_free(&b);
}

/* Asserts the formula of output dimension d of the operator whose records are in a file. */
static inline void expect_output(const char *path, int d, const char *text)
{
	lesson l;
	buf b = {0};
	study_file(&l, path);
	assert_non_null(l.f.rules[0].out[d]);
	expr_print(&b, l.f.rules[0].out[d]);
	assert_string_equal(b.text, text);
	buf_free(&b);
	forget(&l);
}

/* Asserts that the learned rule is right and contains this text. */
static inline void learn_saying(const char *text, const char *args, const char *outs, truth *is, draws d)
{
	lesson l;
	learn(args, outs, is, d);
	study(&l, args, outs, is, d);
	assert_says(&l.f.rules[0], text);
	forget(&l);
}

#endif
