/* From the text of a call to its answer.
 *
 *   text ──parse──► call ──bind──► parameters ──► a recorded signature ──► its rule
 */
#include "call_answer.h"

#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "call_dtypes.h"
#include "call_evidence.h"
#include "call_reader.h"
#include "call_kinds.h"
#include "call_numbers.h"
#include "call_template.h"
#include "call_twin.h"
#include "dtype_evaluate.h"
#include "recorded.h"
#include "rule_explain.h"

typedef struct question {
	const rs_library *lib;
	arena *memory;
	call call;
	const overload *overloads;
	size_t noverloads;
	binding bound;
	recorded *rows;
	size_t nrows;
	const rs_table *table;
	const rs_api_library *apis;
	api_rules rules;
	const recorded *rejected; /* the recorded signature that rejects the call, NULL: none; with the call's symbols */
	const int64_t *symbols;
	bool vary; /* evidence_outputs_vary */
	dtype_answer dtypes; /* of the dtype rule */
	dtype_code dtype_rule;
	rule_result *said; /* the answer */
	const rule_result *rival; /* by a template with too few records; NULL: none */
	buf *out;
} question;

static bool memory_out(buf *out)
{
	out->failed = true;
	return false;
}

/* The dtypes of the outputs, if the dtype rule accepts the call. */
static void put_output_dtypes(const question *q)
{
	if (q->dtypes.outcome != RULE_ACCEPTS)
		return;
	buf_puts(q->out, ",\"dtypes\":[");
	for (unsigned i = 0; i < q->dtypes.nout; i++)
		buf_printf(q->out, "%s\"%s\"", i ? "," : "", rs_dtype_name((rs_dtype)q->dtypes.out[i]));
	buf_putc(q->out, ']');
}

static void answer_unknown(const question *q, const char *what)
{
	q->said->outcome = RULE_SILENT;
	buf_puts(q->out, "{\"api\":");
	buf_json(q->out, q->call.api);
	buf_puts(q->out, ",\"unknown\":");
	buf_json(q->out, what);
	put_output_dtypes(q);
	buf_putc(q->out, '}');
}

static void keep_outputs(rule_result *said, const uint8_t *ranks, unsigned n, const int64_t *dims)
{
	size_t total = 0;
	said->outcome = n <= RULE_OUTPUTS ? RULE_ACCEPTS : RULE_SILENT;
	said->nout = n;
	for (unsigned i = 0; i < n && n <= RULE_OUTPUTS; total += ranks[i++])
		said->ranks[i] = ranks[i];
	if (total)
		memcpy(said->dims, dims, total * sizeof *dims);
}

static void answer_outputs(const question *q, const char *from, const uint8_t *ranks, unsigned n, const int64_t *dims)
{
	keep_outputs(q->said, ranks, n, dims);
	buf_puts(q->out, "{\"api\":");
	buf_json(q->out, q->call.api);
	buf_puts(q->out, ",\"valid\":true,\"outputs\":[");
	for (unsigned i = 0; i < n; dims += ranks[i++]) {
		buf_puts(q->out, i ? "," : "");
		buf_ints(q->out, dims, ranks[i]);
	}
	buf_putc(q->out, ']');
	if (q->dtypes.nout == n)
		put_output_dtypes(q);
	buf_puts(q->out, ",\"signature\":");
	buf_json(q->out, from);
	buf_putc(q->out, '}');
}

static void answer_result(const question *q, const rule_result *result)
{
	uint8_t ranks[RULE_OUTPUTS];
	for (unsigned i = 0; i < result->nout; i++)
		ranks[i] = (uint8_t)result->ranks[i];
	answer_outputs(q, "", ranks, result->nout, result->dims);
}

static void answer_invalid(const question *q, const recorded *row, const int64_t *symbols, const char *why)
{
	q->said->outcome = RULE_REJECTS;
	buf_puts(q->out, "{\"api\":");
	buf_json(q->out, q->call.api);
	buf_puts(q->out, ",\"valid\":false,\"why\":");
	buf_json(q->out, why);
	if (row) {
		buf_puts(q->out, ",\"signature\":");
		buf_json(q->out, row->op->name);
		buf_puts(q->out, ",\"symbols\":");
		buf_ints(q->out, symbols, row->op->nsym);
	}
	buf_putc(q->out, '}');
}

/* The rows of an API, which stand together in its table. */
static const rs_op *find_rows(question *q, const char *api, size_t *n)
{
	for (uint32_t t = 0; t < q->lib->ntables; t++) {
		const rs_table *table = q->lib->tables[t];
		for (uint32_t i = 0; i < table->nops; i++)
			if (strcmp(table->ops[i].api, api) == 0) {
				q->table = table;
				for (*n = 1; i + *n < table->nops && strcmp(table->ops[i + *n].api, api) == 0;)
					++*n;
				return &table->ops[i];
			}
	}
	return NULL;
}

static void put_dtypes(buf *to, const recorded *row, const uint8_t *dtypes)
{
	for (unsigned i = 0; i < row->op->nin; i++)
		buf_printf(to, "%s%s", i ? ", " : "", rs_dtype_name((rs_dtype)dtypes[i]));
}

/* Answers for the dtypes of a call that fits a row. False: they are accepted, or unknown. */
static bool answer_dtypes(const question *q, const recorded *row, bool exact)
{
	if (q->dtypes.outcome == RULE_ACCEPTS)
		return false;
	uint8_t *dtypes = arena_zalloc(q->memory, row->op->nin + 1u);
	if (!dtypes)
		return memory_out(q->out);
	recorded_dtypes(row, &q->bound, dtypes);
	dtype_verdict verdict = dtype_rows_verdict(q->rows, q->nrows, row, dtypes);
	if (!exact && !dtype_rows_agree(q->rows, q->nrows, row, dtypes))
		verdict = DTYPES_UNKNOWN;
	if (verdict == DTYPES_ACCEPTED)
		return false;
	buf text = {0};
	buf_puts(&text, verdict == DTYPES_REJECTED ? "the dtypes are rejected: " : "the dtypes were never observed together: ");
	put_dtypes(&text, row, dtypes);
	if (verdict == DTYPES_REJECTED)
		answer_invalid(q, NULL, NULL, buf_text(&text));
	else
		answer_unknown(q, buf_text(&text));
	buf_end(q->out, &text);
	return true;
}

/* Answers by a recorded signature that the call fits. False: none accepts it; q->rejected is one that rejects it. */
static bool answer_recorded(question *q)
{
	const recorded *invalid = NULL;
	int64_t *symbols = NULL, *rejected = NULL;
	for (size_t i = 0; i < q->nrows; i++) {
		const recorded *row = &q->rows[i];
		if (!row->op->valid)
			continue;
		symbols = ARENA_ARRAY(q->memory, int64_t, row->op->nsym + 1u);
		int64_t *dims = ARENA_ARRAY(q->memory, int64_t, row->op->nodim + 1u);
		if (!symbols || !dims)
			return memory_out(q->out);
		if (!recorded_match(row, &q->bound, symbols))
			continue;
		if (answer_dtypes(q, row, true))
			return true;
		if (rs_eval(row->op, symbols, dims)) {
			answer_outputs(q, row->op->name, row->op->out_ranks, row->op->nout, dims);
			return true;
		}
		if (!invalid || row->op->nsym < invalid->op->nsym) { /* the simplest one explains best */
			rejected = symbols;
			invalid = row;
		}
	}
	q->rejected = invalid;
	q->symbols = rejected;
	return false;
}

/* The answer of one case of a rule of the API. */
typedef struct ruling {
	rule_result result;
	covering by;
	bool covers;
	buf missing;
} ruling;

static bool rule_on(const question *q, const rule_call *call, rule_case which, ruling *r)
{
	if (!evidence_gather(&q->rules, which, q->table, q->rows, q->nrows, q->memory, &r->by))
		return memory_out(q->out);
	r->by.dtypes = q->dtypes.outcome == RULE_ACCEPTS ? &q->dtype_rule : NULL;
	api_rule_evaluate(&q->rules, call, which, &r->result);
	if (r->result.outcome == RULE_SILENT) {
		buf_puts(&r->missing, "the rule of the API does not cover these arguments");
		return true;
	}
	r->covers = evidence_of(&r->by, &q->bound, &r->missing);
	if (!r->covers && !r->by.halves[0]) {
		buf again = {0};
		if (!evidence_split(&r->by, q->memory))
			return memory_out(q->out);
		r->covers = evidence_of(&r->by, &q->bound, &again);
		buf_end(q->out, &again);
	}
	if (r->covers && r->result.outcome == RULE_REJECTS
	    && !evidence_has_places(&r->by, &q->bound, api_rule_is_free_clause(&r->result))) {
		buf_puts(&r->missing, "the rule rejects the sizes by a clause that was only observed for other ranks or axes");
		r->covers = false;
	}
	return true;
}

static void answer_ruling(const question *q, const rule_call *call, const ruling *r)
{
	const recorded *like = evidence_like(&r->by, &q->bound);
	if (like && answer_dtypes(q, like, false))
		return;
	if (q->rival && !rule_results_equal(q->rival, &r->result)) {
		answer_unknown(q, "the rule and a template disagree, and too few records decide between them");
		return;
	}
	buf kinds = {0};
	if (r->result.outcome == RULE_ACCEPTS) {
		if (call_always_rejected(q->call.api, &q->bound, &kinds))
			answer_unknown(q, buf_text(&kinds));
		else
			answer_result(q, &r->result);
		buf_end(q->out, &kinds);
		return;
	}
	if (q->vary && r->result.outcome == RULE_REJECTS) {
		answer_unknown(q, "the rule rejects the sizes, but calls may have another number of outputs");
		return;
	}
	buf why = {0};
	api_rule_explain(&q->rules, call, r->by.which, &r->result, &why);
	answer_invalid(q, NULL, NULL, buf_text(&why));
	buf_end(q->out, &why);
}

enum { CASES_MOST = 64 };

/* The weight of a case that covers a call: a case with such rows before one that is extended to the call's ranks, and, if outputs
 * vary, one that accepts before one that rejects. */
static unsigned weight(const ruling *r, bool vary)
{
	return r->covers ? 1 + (vary && r->result.outcome == RULE_ACCEPTS) + 2 * !r->by.extended : 0;
}

/* The case of the highest weight. *agree: no other case of that weight, or none at all if it is extended, has another answer. */
static const ruling *choose_ruling(ruling *const *all, unsigned n, bool vary, bool *agree)
{
	const ruling *chosen = NULL;
	*agree = true;
	for (unsigned k = 0; k < n; k++) {
		const unsigned mine = weight(all[k], vary), best = chosen ? weight(chosen, vary) : 0;
		if (mine && mine == best)
			*agree = *agree && rule_results_equal(&chosen->result, &all[k]->result);
		if (mine > best) {
			chosen = all[k];
			*agree = true;
		}
	}
	for (unsigned k = 0; k < n && chosen && chosen->by.halves[0]; k++)
		*agree = *agree && (all[k]->result.outcome == RULE_SILENT || rule_results_equal(&chosen->result, &all[k]->result));
	return chosen;
}

/* The API rules of the call's framework; NULL: there are none. */
static const rs_api_rules *rules_of(const question *q)
{
	for (uint32_t i = 0; q->apis && i < q->apis->n; i++)
		if (strcmp(q->apis->rules[i]->framework, q->table->framework) == 0)
			return q->apis->rules[i];
	return NULL;
}

/* Finds the rules of the API in q->rules. */
static bool find_rules(question *q)
{
	return api_rule_find(rules_of(q), q->call.api, q->memory, &q->rules);
}

/* Answers by the rules of the whole API: if the cases that cover the call agree. False: none does; `missing` has the reason. */
static bool answer_ruled(question *q, buf *missing)
{
	if (!find_rules(q)) {
		buf_puts(missing, "no recorded signature has these ranks and arguments");
		return false;
	}
	rule_call call;
	rule_case cases[CASES_MOST];
	evidence_call(&q->rules, q->rows, q->nrows, &q->bound, false, &call);
	const unsigned n = api_rule_cases(&q->rules, &call, cases, CASES_MOST);
	ruling *all[CASES_MOST];
	for (unsigned k = 0; k < n; k++) {
		all[k] = ARENA_NEW(q->memory, ruling);
		if (!all[k] || !rule_on(q, &call, cases[k], all[k]))
			return memory_out(q->out);
	}
	bool agree;
	const ruling *chosen = choose_ruling(all, n, q->vary, &agree);
	for (unsigned k = 0; k < n; k++) {
		if (!missing->length && !all[k]->covers)
			buf_puts(missing, buf_text(&all[k]->missing));
		buf_free(&all[k]->missing);
	}
	if (chosen && agree) {
		answer_ruling(q, &call, chosen);
		return true;
	}
	if (chosen)
		buf_clear(missing);
	if (!missing->length)
		buf_puts(missing, chosen ? "the rules of the API disagree" : "no case of the rule has these arguments");
	return false;
}

/* The clause by which the rule of the API rejects a call that a recorded signature rejects, too. False: none is known. */
static bool explain_rejected(question *q, buf *why)
{
	rule_call call;
	rule_case cases[CASES_MOST];
	if (!find_rules(q))
		return false;
	evidence_call(&q->rules, q->rows, q->nrows, &q->bound, false, &call);
	const unsigned n = api_rule_cases(&q->rules, &call, cases, CASES_MOST);
	rule_result *result = ARENA_NEW(q->memory, rule_result);
	for (unsigned k = 0; result && k < n; k++) {
		if (!api_rule_may(&q->rules, &call, cases[k], q->rejected->op - q->table->ops))
			continue;
		api_rule_evaluate(&q->rules, &call, cases[k], result);
		if (result->outcome == RULE_REJECTS) {
			api_rule_explain(&q->rules, &call, cases[k], result, why);
			return true;
		}
	}
	return false;
}

/* Answers with the rejection by the recorded signature that the call fits. */
static void answer_rejected(question *q)
{
	buf why = {0};
	if (!explain_rejected(q, &why))
		buf_puts(&why, "the rule rejects the sizes");
	answer_invalid(q, q->rejected, q->symbols, buf_text(&why));
	buf_end(q->out, &why);
}

/* Answers by a template of whole calls. False: none holds. */
static bool answer_template(question *q)
{
	rule_result *found = ARENA_NEW(q->memory, rule_result);
	const char *why = NULL;
	bool counts, dtypes;
	if (!found || !call_template_evaluate(q->rows, q->nrows, &q->bound, q->memory, found, &why, &counts, &dtypes))
		return memory_out(q->out);
	q->rival = !counts && found->outcome != RULE_SILENT ? found : NULL;
	if (!counts)
		return false;
	if (found->outcome == RULE_REJECTS)
		answer_invalid(q, NULL, NULL, why);
	else if (found->outcome == RULE_SILENT)
		answer_unknown(q, "several templates agree with the recorded calls, but disagree on this one");
	else if (dtypes || q->dtypes.outcome == RULE_ACCEPTS)
		answer_result(q, found);
	else
		answer_unknown(q, "the dtypes were never observed together");
	return true;
}

/* Answers for a call that is bound. False: nothing decides. */
static bool answer_bound(question *q, buf *missing)
{
	const int no_axis = evidence_no_axis(q->rows, q->nrows, &q->bound);
	if (no_axis < 0 && answer_recorded(q))
		return true;
	if (no_axis < 0 && answer_template(q))
		return true;
	if (no_axis < 0 && q->rejected && !q->vary) {
		answer_rejected(q);
		return true;
	}
	if (no_axis < 0 && answer_ruled(q, missing))
		return true;
	if (no_axis < 0)
		return false;
	buf why = {0};
	buf_printf(&why, "%s = ", q->bound.to->parameters[no_axis].name);
	call_print(&why, bound_value(&q->bound, no_axis));
	buf_puts(&why, " is no axis of a tensor of that rank");
	answer_invalid(q, NULL, NULL, buf_text(&why));
	buf_end(q->out, &why);
	return true;
}

static bool has_dtype(const call_value *v)
{
	if (v && v->kind == CALL_TENSOR)
		return v->dtype != RS_OTHER;
	for (size_t i = 0; v && call_is_sequence(v) && i < v->n; i++)
		if (has_dtype(&v->items[i]))
			return true;
	return false;
}

/* Whether the call has tensors that the dtype rule does not cover. */
static bool has_other_tensors(const question *q, const dtype_code *code, const rule_call *call)
{
	for (size_t i = 0; i < q->bound.to->n; i++) {
		bool is_slot = false;
		for (unsigned k = 0; k < code->nslots; k++)
			is_slot = is_slot || call->arguments[k] == q->bound.values[i];
		if (!is_slot && has_dtype(q->bound.values[i]))
			return true;
	}
	return false;
}

/* Evaluates the dtype rule. True: it rejects the call, and the answer is written. */
static bool answer_by_dtype_rule(question *q)
{
	dtype_code *const code = &q->dtype_rule;
	rule_call call;
	if (!dtype_code_find(rules_of(q), q->call.api, code))
		return false;
	api_rules names = {.nargs = code->nargs};
	memcpy(names.arguments, code->arguments, sizeof names.arguments);
	evidence_call(&names, q->rows, q->nrows, &q->bound, true, &call);
	for (unsigned k = 0; k < code->nargs; k++) { /* the argument may occur in no record: the collector tried it alone */
		const int at = call.arguments[k] ? -1 : parameter_find(q->bound.to, code->arguments[k]);
		call.arguments[k] = at >= 0 && q->bound.values[at] && q->bound.values[at]->kind != CALL_NONE ? q->bound.values[at] : call.arguments[k];
	}
	buf why = {0};
	dtype_evaluate(code, &call, has_other_tensors(q, code, &call), &q->dtypes, &why);
	const bool rejected = q->dtypes.outcome == RULE_REJECTS;
	if (rejected)
		answer_invalid(q, NULL, NULL, buf_text(&why));
	buf_end(q->out, &why);
	return rejected;
}

/* Answers a call with a number that the framework rejects. False: there is none. */
static bool answer_by_numbers(question *q)
{
	for (size_t i = 0; i < q->bound.to->n; i++) {
		buf why = {0};
		const bool rejected = call_number(q->call.api, &q->bound, i, &why) == NUMBER_REJECTED;
		if (rejected)
			answer_invalid(q, NULL, NULL, buf_text(&why));
		buf_end(q->out, &why);
		if (rejected)
			return true;
	}
	return false;
}

/* Answers for a call that no rule covers. */
static void answer_uncovered(const question *q, const binding *b, const char *missing)
{
	buf why = {0};
	if (call_always_rejected(q->call.api, b, &why))
		answer_invalid(q, NULL, NULL, buf_text(&why));
	else
		answer_unknown(q, missing);
	buf_end(q->out, &why);
}

static bool answer_one(question *q)
{
	size_t nops = 0;
	const rs_op *ops = find_rows(q, q->call.api, &nops);
	if (!ops) {
		answer_unknown(q, "no rule of this name");
		return true;
	}
	q->overloads = signatures_find(q->call.api, q->memory, &q->noverloads);
	q->rows = q->overloads ? recorded_rows(ops, nops, &q->overloads, &q->noverloads, q->memory, &q->nrows) : NULL;
	if (!q->rows)
		return memory_out(q->out);
	if (!bind_overload(&q->call, q->overloads, q->noverloads, q->memory, &q->bound)) {
		answer_unknown(q, "no overload of the framework takes these arguments");
		return true;
	}
	if (answer_by_dtype_rule(q) || answer_by_numbers(q))
		return true;
	q->vary = evidence_outputs_vary(q->rows, q->nrows, &q->bound);
	buf missing = {0}, again = {0};
	const binding first = q->bound;
	if (!answer_bound(q, &missing) && !(bind_numbers(&first, q->overloads, q->noverloads, &q->bound) && answer_bound(q, &again))
	    && !(recorded_plain_tensors(q->rows, q->nrows, &first, q->memory, &q->bound) && answer_bound(q, &again)))
		answer_uncovered(q, &first, buf_text(&missing));
	buf_end(q->out, &missing);
	buf_end(q->out, &again);
	return true;
}

/* Appends the answer for a twin's call as the answer to the call itself. */
static void answer_as(const question *q, const question *twin)
{
	buf begin = {0};
	buf_puts(&begin, "{\"api\":");
	buf_json(&begin, twin->call.api);
	buf_puts(q->out, "{\"api\":");
	buf_json(q->out, q->call.api);
	if (!begin.failed)
		buf_puts(q->out, buf_text(twin->out) + begin.length);
	buf_end(q->out, &begin);
}

/* Answers a call by its API, or else by its twins with more records. If these contradict the API, the answer is unknown. */
static bool answer(question *q)
{
	call twins[TWINS_MOST];
	buf *const out = q->out;
	buf first = {0};
	q->out = &first;
	bool good = (q->said = ARENA_NEW(q->memory, rule_result)) && answer_one(q);
	q->out = out;
	const unsigned n = good ? call_twins(&q->call, q->memory, twins) : 0;
	bool done = false, agree = true;
	for (unsigned i = 0; i < n && good; i++) {
		buf text = {0};
		question twin = {.dtypes.outcome = RULE_SILENT, .lib = q->lib, .apis = q->apis, .memory = q->memory, .out = &text, .call = twins[i],
		    .said = ARENA_NEW(q->memory, rule_result)};
		good = twin.said && answer_one(&twin);
		const bool says = good && twin.nrows > q->nrows && twin.said->outcome != RULE_SILENT;
		if (says && q->said->outcome == RULE_SILENT && !done) {
			answer_as(q, &twin);
			done = true;
		} else if (says && q->said->outcome != RULE_SILENT) {
			agree = agree && rule_results_equal(q->said, twin.said);
		}
		buf_end(out, &text);
	}
	if (!agree)
		answer_unknown(q, "functions and methods of this name contradict each other");
	else if (good && !done)
		buf_add(out, buf_text(&first), first.length);
	buf_end(out, &first);
	return good;
}

bool answer_call(const rs_library *lib, const rs_api_library *apis, const char *text, buf *out)
{
	arena *memory = arena_new();
	if (!memory)
		return memory_out(out);
	question q = {.dtypes.outcome = RULE_SILENT, .lib = lib, .apis = apis && apis->version == RS_API_RULES ? apis : NULL, .memory = memory, .out = out};
	diag d = {{0}};
	const bool parsed = call_parse(text, memory, &q.call, &d);
	if (parsed) {
		answer(&q);
	} else {
		buf_puts(out, "{\"error\":");
		buf_json(out, diag_what(&d));
		buf_putc(out, '}');
	}
	arena_free(memory);
	return parsed;
}

char *rs_answer(const rs_library *lib, const rs_api_library *apis, const char *call)
{
	buf out = {0};
	answer_call(lib, apis, call, &out);
	return buf_take(&out);
}
