/* Time of a compiled rule: each signature with a rule evaluates its own records, and records with one symbol
 * changed, many times. usage: bench_eval [librules.so] [--json] "rule" is valid and propagate; "rs_eval" adds
 * the check that dimensions are not negative. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rulesmith.h"

enum { ROUNDS = 2000 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One signature's inputs: its records, then the same with one symbol increased by one. */
static int64_t *make_inputs(const rs_op *op, unsigned *n)
{
	int64_t *in = calloc((size_t)op->nrecords * 2 * (op->nsym + 1u), sizeof *in);
	*n = in ? op->nrecords * 2u : 0;
	for (unsigned i = 0; i < *n; i++) {
		int64_t *s = in + (size_t)i * op->nsym;
		for (unsigned j = 0; j < op->nsym; j++)
			s[j] = rs_record_number(op, (size_t)(i / 2) * rs_record_width(op) + j);
		if (op->nsym && i % 2)
			s[i / 2 % op->nsym]++;
	}
	return in;
}

static unsigned long run_rule(const rs_op *op, const int64_t *in, unsigned n, int64_t *out)
{
	unsigned long accepted = 0;
	for (unsigned i = 0; i < n; i++) {
		const int64_t *s = in + (size_t)i * op->nsym;
		accepted += op->valid(s) && op->propagate(s, out);
	}
	return accepted;
}

static unsigned long run_eval(const rs_op *op, const int64_t *in, unsigned n, int64_t *out)
{
	unsigned long accepted = 0;
	for (unsigned i = 0; i < n; i++)
		accepted += rs_eval(op, in + (size_t)i * op->nsym, out);
	return accepted;
}

typedef struct totals {
	unsigned operators;
	double calls, accepted, rule_ns, eval_ns, slowest;
	const char *slowest_op;
} totals;

static void measure(totals *t, const rs_op *op, int64_t *out)
{
	unsigned n;
	int64_t *in = make_inputs(op, &n);
	double start = now(), middle;
	unsigned long accepted = 0;
	for (int k = 0; k < ROUNDS; k++)
		accepted += run_rule(op, in, n, out);
	middle = now();
	for (int k = 0; k < ROUNDS; k++)
		accepted += run_eval(op, in, n, out);
	double calls = (double)n * ROUNDS;
	t->rule_ns += middle - start;
	t->eval_ns += now() - middle;
	t->calls += calls;
	t->accepted += (double)accepted / 2;
	t->operators++;
	if ((middle - start) / calls > t->slowest) {
		t->slowest = (middle - start) / calls;
		t->slowest_op = op->name;
	}
	free(in);
}

static void measure_all(totals *t, const rs_library *lib)
{
	int64_t out[UINT16_MAX + 1];
	for (uint32_t i = 0; i < lib->ntables; i++)
		for (uint32_t j = 0; j < lib->tables[i]->nops; j++)
			if (lib->tables[i]->ops[j].valid && lib->tables[i]->ops[j].nrecords)
				measure(t, &lib->tables[i]->ops[j], out);
}

int main(int argc, char **argv)
{
	const rs_library *lib = &rs_rules;
	char message[512];
	int json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
	if (argc - json > 1 && !(lib = rs_library_load(argv[1], message, sizeof message))) {
		fprintf(stderr, "error: %s\n", message);
		return 1;
	}
	totals t = {.slowest_op = "none"};
	measure_all(&t, lib);
	double calls = t.calls > 0 ? t.calls : 1;
	printf(
	    json
		? "{\"schema\":1,\"operators\":%u,\"rule_ns\":%.1f,\"rs_eval_ns\":%.1f,"
		  "\"accepted\":%.3f,"
		  "\"slowest_ns\":%.1f,\"slowest\":\"%s\"}\n"
		: "%u operators: a rule (valid and propagate) %.1f ns, rs_eval %.1f ns on average; "
		  "%.2f of the calls accepted; slowest %.1f ns, %s\n",
	    t.operators, t.rule_ns / calls, t.eval_ns / calls, t.accepted / calls, t.slowest,
	    t.slowest_op);
	return 0;
}
