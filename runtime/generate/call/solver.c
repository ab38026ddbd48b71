#include "solver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "sampling.h"

#define BUDGET "400000" /* Z3 resource units: tens of milliseconds */

/* The used part of Z3's C interface: only handles and texts. */
typedef void *config_fn(void);
typedef void *context_fn(void *config);
typedef void delete_fn(void *);
typedef void handler_fn(void *context, void *handler);
typedef const char *eval_fn(void *context, const char *text);

struct solver {
	void *library, *context;
	delete_fn *delete_context;
	eval_fn *eval;
	buf text;
	solver_stats stats;
};

static const char PRELUDE[] =
    "(reset)(set-option :rlimit " BUDGET ")(set-option :smt.random_seed 1)"
    "(define-fun fdiv ((a Int) (b Int)) Int (ite (> b 0) (div a b) (div (- a) (- b))))"
    "(define-fun fmod ((a Int) (b Int)) Int (- a (* b (fdiv a b))))"
    "(define-fun imin ((a Int) (b Int)) Int (ite (< a b) a b))"
    "(define-fun imax ((a Int) (b Int)) Int (ite (> a b) a b))";

static void *load(void)
{
	static const char *const NAMES[] = {"libz3.so.4", "libz3.so"};
	void *library = NULL;
	for (size_t i = 0; !library && i < sizeof NAMES / sizeof *NAMES; i++)
		library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

static bool connect(solver *s)
{
	config_fn *config;
	context_fn *context;
	delete_fn *delete_config;
	handler_fn *handler;
	*(void **)&config = dlsym(s->library, "Z3_mk_config");
	*(void **)&context = dlsym(s->library, "Z3_mk_context");
	*(void **)&delete_config = dlsym(s->library, "Z3_del_config");
	*(void **)&handler = dlsym(s->library, "Z3_set_error_handler");
	*(void **)&s->delete_context = dlsym(s->library, "Z3_del_context");
	*(void **)&s->eval = dlsym(s->library, "Z3_eval_smtlib2_string");
	if (!config || !context || !delete_config || !handler || !s->delete_context || !s->eval)
		return false;
	void *c = config();
	s->context = context(c);
	delete_config(c);
	if (s->context)
		handler(s->context, NULL); /* errors are reported as text in the answer */
	return s->context != NULL;
}

solver *solver_open(char *message, size_t size)
{
	solver *s = calloc(1, sizeof *s);
	if (!s || !(s->library = load())) {
		snprintf(message, size, "%s%s", s ? "libz3 is not installed (Debian: libz3-4): " : "out of memory", s ? dlerror() : "");
		free(s);
		return NULL;
	}
	if (connect(s))
		return s;
	snprintf(message, size, "libz3 is too old: no Z3_eval_smtlib2_string");
	solver_close(s);
	return NULL;
}

void solver_close(solver *s)
{
	if (!s)
		return;
	if (s->context)
		s->delete_context(s->context);
	if (s->library)
		dlclose(s->library);
	buf_free(&s->text);
	free(s);
}

solver_stats solver_get_stats(const solver *s)
{
	return s->stats;
}

static void put_number(buf *b, int64_t value)
{
	buf_printf(b, value < 0 ? "(- %llu)" : "%llu",
	    value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

static void put_equal(buf *b, char what, unsigned index, int64_t value)
{
	buf_printf(b, "(assert (= %c%u ", what, index);
	put_number(b, value);
	buf_puts(b, "))");
}

static void put_between(buf *b, unsigned symbol, int64_t low, int64_t high)
{
	buf_puts(b, "(assert (<= ");
	put_number(b, low);
	buf_printf(b, " s%u ", symbol);
	put_number(b, high);
	buf_puts(b, "))");
}

static void put_question(buf *b, const rs_op *op, const rs_draw *d)
{
	buf_puts(b, PRELUDE);
	for (unsigned i = 0; i < op->nsym; i++)
		buf_printf(b, "(declare-const s%u Int)", i);
	buf_puts(b, op->smt);
	buf_puts(b, "(assert valid)");
	for (unsigned i = 0; i < op->nodim; i++) {
		if (d->wanted[i])
			put_equal(b, 'o', i, d->out[i]);
		else
			buf_printf(b, "(assert (>= o%u 0))", i);
	}
	for (unsigned i = 0; i < op->nsym; i++) {
		if (d->known[i])
			put_equal(b, 's', i, d->s[i]);
		else
			put_between(b, i, d->low[i], d->high[i] > d->low[i] ? d->high[i] : d->low[i]);
	}
	buf_puts(b, "(check-sat)(get-value (");
	for (unsigned i = 0; i < op->nsym; i++)
		buf_printf(b, " s%u", i);
	buf_puts(b, "))");
}

/* "((s0 3) (s1 (- 4)))" */
static bool read_values(const char *text, const rs_op *op, int64_t *s)
{
	for (unsigned i = 0; i < op->nsym; i++) {
		char name[16];
		snprintf(name, sizeof name, "(s%u ", i);
		const char *at = strstr(text, name);
		if (!at)
			return false;
		at += strlen(name);
		bool negative = strncmp(at, "(- ", 3) == 0;
		char *end;
		long long value = strtoll(at + (negative ? 3 : 0), &end, 10);
		if (*end != ')')
			return false;
		s[i] = negative ? -value : value;
		text = end;
	}
	return true;
}

bool solver_complete(solver *s, const rs_op *op, rs_draw *d)
{
	if (!op->smt || !op->nsym)
		return false;
	s->stats.asked++;
	buf_clear(&s->text);
	put_question(&s->text, op, d);
	const char *answer = s->text.failed ? "" : s->eval(s->context, s->text.text);
	if (!answer || strncmp(answer, "sat", 3) != 0) {
		*(answer && strncmp(answer, "unsat", 5) == 0 ? &s->stats.none : &s->stats.unknown) += 1;
		return false;
	}
	if (!read_values(answer, op, d->s)) {
		s->stats.unknown++;
		return false;
	}
	s->stats.found++;
	return true;
}
