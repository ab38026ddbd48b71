#include "page_tried.h"

#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"
#include "text.h"

static int number_of(const rule_op *op)
{
	const char *number = name_number(op);
	return *number == '-' ? atoi(number + 1) : 0;
}

/* Prints a set of numbers below 64, given as bits: "2, 4 to 6". */
static void put_numbers(buf *to, uint64_t bits)
{
	bool any = false;
	for (int k = 0; k < 64; k++) {
		if (!(bits >> k & 1))
			continue;
		int end = k;
		while (end < 63 && bits >> (end + 1) & 1)
			end++;
		if (end == k)
			buf_printf(to, any ? ", %d" : "%d", k);
		else
			buf_printf(to, "%s%d%s%d", any ? ", " : "", k, end == k + 1 ? ", " : " to ", end);
		any = true;
		k = end;
	}
}

static void put_ranks(buf *to, const api_view *v)
{
	for (int a = 0; a < v->narguments; a++) {
		uint64_t ranks = 0;
		for (int i = 0; i < v->n && v->arguments[a].tensor; i++) {
			const call_value *x = call_named(v->rows[i].op->call, v->arguments[a].name);
			if (x && x->kind == CALL_TENSOR && x->count < 64)
				ranks |= (uint64_t)1 << x->count;
		}
		if (!ranks)
			continue;
		buf_puts(to, "rank ");
		put_numbers(to, ranks);
		if (v->narguments > 1) {
			buf_puts(to, " of ");
			name_comment(to, v->arguments[a].name);
		}
		buf_puts(to, "; ");
		return;
	}
}

enum { MOST_VALUES = 6 };

/* The values of an argument that is always a constant. Returns their number; 0: it is not, or there are too many. */
static int values_of(const api_view *v, const char *name, const char **texts)
{
	int n = 0;
	for (int i = 0; i < v->n; i++) {
		const call_value *x = call_named(v->rows[i].op->call, name);
		bool known = false;
		if (call_is_none(x))
			continue;
		if (x->kind != CALL_CONST || strchr(x->text, '.') || strlen(x->text) > 24)
			return 0;
		for (int k = 0; k < n; k++)
			known |= strcmp(texts[k], x->text) == 0;
		if (!known && n == MOST_VALUES)
			return 0;
		if (!known)
			texts[n++] = x->text;
	}
	return n;
}

/* "; axis = 0, 1, -1" */
static void put_values(buf *to, const api_view *v)
{
	for (int a = 0; a < v->narguments; a++) {
		const char *texts[MOST_VALUES];
		int n = values_of(v, v->arguments[a].name, texts);
		for (int k = 0; k < n; k++) {
			if (k == 0) {
				buf_puts(to, "; ");
				name_comment(to, v->arguments[a].name);
			}
			buf_puts(to, k ? ", " : " = ");
			name_comment(to, texts[k]);
		}
	}
}

static void put_tried(buf *out, const api_view *v)
{
	unsigned long passed = 0, failed = 0;
	buf line = {0};
	for (int i = 0; i < v->n; i++) {
		passed += v->rows[i].op->rule.passed;
		failed += v->rows[i].op->rule.failed;
	}
	put_ranks(&line, v);
	buf_printf(&line, "%zu combination%s of arguments; %lu calls accepted, %lu rejected", v->api->n, v->api->n == 1 ? "" : "s", passed, failed);
	put_values(&line, v);
	text_prose(out, " *   tried      ", " *       ", need_text(&line));
	buf_free(&line);
}

static void put_not_tried(buf *out, const api_heads *h, const api_view *v)
{
	buf line = {0};
	api_heads_put_unused(&line, h, v);
	if (line.length)
		text_prose(out, " *   not tried  ", " *       ", need_text(&line));
	buf_free(&line);
}

/* ---- signatures */

/* Whether a note applies to a signature; some notes count its calls. */
typedef size_t is_so(const rule_op *op);

static size_t has_no_rule(const rule_op *op)
{
	return !op->rule.out;
}

static size_t is_checked(const rule_op *op)
{
	return op->rule.out && op->rule.proof == PROOF_CHECKED;
}

static size_t is_unknown(const rule_op *op)
{
	return op->rule.out && op->rule.proof == PROOF_UNKNOWN;
}

static size_t is_thin(const rule_op *op)
{
	return op->rule.out && op->rule.thin;
}

static size_t is_by_records(const rule_op *op)
{
	return op->rule.out && op->by_records;
}

static size_t outliers(const rule_op *op)
{
	return op->outside;
}

static size_t empties(const rule_op *op)
{
	return op->empty;
}

/* "; proof unknown: 2, 4"; counts: "; accepted outliers excluded (7 calls)" */
static void put_note(buf *to, const page_api *api, const char *note, is_so *is, bool counts)
{
	size_t n = 0, calls = 0;
	uint64_t bits = 0;
	bool small = true;
	for (size_t i = 0; i < api->n; i++) {
		if (!is(api->list[i].op))
			continue;
		n++;
		calls += is(api->list[i].op);
		small &= number_of(api->list[i].op) < 64;
		bits |= (uint64_t)1 << (number_of(api->list[i].op) & 63);
	}
	if (!n)
		return;
	buf_printf(to, "; %s", note);
	if (counts)
		buf_printf(to, " (%zu call%s)", calls, calls == 1 ? "" : "s");
	if (n == api->n)
		return;
	buf_puts(to, ": ");
	if (small)
		put_numbers(to, bits);
	else
		buf_printf(to, "%zu of them", n);
}

static void put_signatures(buf *out, const api_view *v)
{
	static const struct {
		const char *text;
		is_so *is;
		bool counts;
	} NOTES[] = {{"no rule", has_no_rule, false}, {"only checked", is_checked, false}, {"proof unknown", is_unknown, false},
	    {"low support", is_thin, false}, {"generated from records only", is_by_records, false},
	    {"accepted outliers excluded", outliers, true}, {"accepted empty tensors excluded", empties, true}};
	buf line = {0};
	size_t n = v->api->n;
	int last = 0;
	for (size_t i = 0; i < n; i++)
		last = number_of(v->api->list[i].op) > last ? number_of(v->api->list[i].op) : last;
	if (n == 1)
		buf_printf(&line, "%d", last);
	else
		buf_printf(&line, "%zu, 0 to %d", n, last);
	size_t before = line.length;
	for (size_t k = 0; k < sizeof NOTES / sizeof *NOTES; k++)
		put_note(&line, v->api, NOTES[k].text, NOTES[k].is, NOTES[k].counts);
	if (line.length == before)
		buf_puts(&line, "; proved");
	text_prose(out, n == 1 ? " *   signature  " : " *   signatures ", " *       ", need_text(&line));
	buf_free(&line);
}

void page_tried_put(buf *out, const api_heads *h, const api_view *v)
{
	put_tried(out, v);
	put_not_tried(out, h, v);
	put_signatures(out, v);
}
