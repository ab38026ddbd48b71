#include "shown.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"
#include "ruletext.h"

static bool take_symbols(const char *detail, int64_t *s, unsigned n)
{
	const char *p = strstr(detail, " at [");
	if (!p)
		return false;
	p += 5;
	for (unsigned i = 0; i < n; i++) {
		char *end;
		s[i] = strtoll(p, &end, 10);
		if (end == p || *end != (i + 1 < n ? ',' : ']'))
			return false;
		p = end + 1;
	}
	return true;
}

static void say_row(FILE *f, const int64_t *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "%s%lld", i ? "," : "[", (long long)v[i]);
	fputs(n ? "]" : "[]", f);
}

/* Prints valid and propagate as the audit compares them with the text. */
static void print_compiled(FILE *f, const rs_op *op, const audited_rule *r, const int64_t *s)
{
	int64_t *out = memory_new(r->nodim + 1u, sizeof *out);
	fprintf(f, "valid %s", op->valid(s) ? "true" : "false");
	if (!op->propagate(s, out)) {
		fputs(", no outputs", f);
	} else {
		fputs(", outputs ", f);
		say_row(f, out, r->nodim);
	}
	free(out);
}

static bool say_text(FILE *f, const audited_rule *r, const int64_t *s)
{
	volatile bool valid = true, has = true; /* setjmp */
	int64_t *out = memory_new(r->nodim + 1u, sizeof *out);
	if (setjmp(terms_escape))
		return false;
	for (unsigned i = 0; i < r->nvalid; i++)
		valid = term_holds(ruletext_clause(r->valid[i], r->nsym), s) && valid;
	for (unsigned i = 0; i < r->nout && i < r->nodim; i++) {
		term *value;
		long double about;
		has = term_holds(ruletext_output(r->out[i], r->nsym, &value), s) && has;
		out[i] = has ? (int64_t)term_value(value, s, &about) : 0;
	}
	fprintf(f, "valid %s", valid ? "true" : "false");
	fputs(has ? ", outputs " : ", no outputs", f);
	if (has)
		say_row(f, out, r->nodim);
	free(out);
	return true;
}

bool shown_by_running(FILE *f, const rs_op *op, const audited_rule *r, const char *detail)
{
	int64_t *s = memory_new(r->nsym + 1u, sizeof *s);
	int status = 0;
	bool ok = take_symbols(detail, s, r->nsym);
	if (ok) {
		fprintf(f, "%s: at ", r->op);
		say_row(f, s, r->nsym);
		fputs(": the rule says ", f);
		ok = say_text(f, r, s);
		fputs("; the compiled functions say ", f);
		fflush(f);
		pid_t pid = fork();
		if (pid == 0) {
			print_compiled(f, op, r, s);
			fflush(f);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			fputs("nothing: they end their process", f);
		fputc('\n', f);
	}
	free(s);
	return ok;
}
