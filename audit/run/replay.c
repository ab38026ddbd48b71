#include "replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "words.h"

static __attribute__((format(printf, 2, 3))) void wrong(replayed *x, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (!x->wrong++)
		vsnprintf(x->detail, sizeof x->detail, format, list);
	va_end(list);
}

/* True if one of its tensors, or of its outputs, is empty. A rule may reject as many such accepted records
 * as it states. */
static bool is_empty(const audited_rule *r, const int64_t *s, const int64_t *out)
{
	for (unsigned i = 0; i < r->nsym; i++)
		if (r->dimension[i] && s[i] == 0)
			return true;
	for (unsigned i = 0; i < r->nodim; i++)
		if (out[i] == 0)
			return true;
	return false;
}

static bool is_no_call(const audited_rule *r, const recorded_call *c, const int64_t *out)
{
	for (unsigned i = 0; c->passed && c->nout == r->nodim && i < r->nodim; i++)
		if (out[i] < 0)
			return true;
	return c->beyond;
}

static void replay_call(const rs_op *op, const audited_rule *r, const recorded *records, const recorded_call *c, int64_t *out, replayed *x)
{
	char in[120], said[80], was[80];
	const int64_t *s = records->number + c->in, *expected = records->number + c->out;
	row_text(in, sizeof in, s, c->nin);
	if (c->nin != r->nsym || (c->passed && c->nout != r->nodim)) {
		wrong(x, "%s:%u: %s does not have the signature's symbols", records->path, records->line, in);
		return;
	}
	if (is_no_call(r, c, expected)) {
		x->left++;
		return;
	}
	bool accepted = compiled_accepts(op, r, s, out);
	if (!c->passed && accepted)
		wrong(x, "%s:%u: %s was rejected, and the compiled rule accepts it", records->path, records->line, in);
	else if (!c->passed)
		x->failed++;
	else if (accepted && memcmp(out, expected, r->nodim * sizeof *out))
		wrong(x, "%s:%u: %s gave %s, and the compiled rule gives %s", records->path, records->line, in,
		    row_text(was, sizeof was, expected, r->nodim), row_text(said, sizeof said, out, r->nodim));
	else if (accepted)
		x->passed++;
	else if (x->empty < r->empty && is_empty(r, s, expected))
		x->empty++;
	else if (x->outside < r->outside)
		x->outside++;
	else
		wrong(x, "%s:%u: %s was accepted, and the compiled rule rejects it", records->path, records->line, in);
}

replayed replay(const rs_op *op, const audited_rule *r, const recorded *records)
{
	replayed x = {.hash = records->hash};
	int64_t *out = memory_new(r->nodim + 1u, sizeof *out);
	for (unsigned i = 0; i < records->ncalls; i++)
		replay_call(op, r, records, &records->call[i], out, &x);
	free(out);
	if (!x.wrong && (x.passed != r->passed || x.failed != r->failed || x.empty != r->empty || x.outside != r->outside))
		wrong(&x, "%s:%u: %u accepted, %u rejected, %u with empty tensors and %u others rejected; the rule states %u, %u, %u and %u",
		    records->path, records->line, x.passed, x.failed, x.empty, x.outside, r->passed, r->failed, r->empty, r->outside);
	return x;
}
