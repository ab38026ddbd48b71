#include "sarif.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "rulesmith.h"

/* The rules of the log are the kinds of findings: the candidates among the verdicts, so no kind can be missing. */
typedef struct kind {
	const char *name, *title, *help;
} kind;

static const kind *find_kind(enum verdict v)
{
	static const kind KINDS[] = {
	    {"inconsistency", "Wrong result",
		"The compiled model and the reference give different results, by more than the measured rounding error."},
	    {"accepts-invalid", "Invalid model accepted", "The compiler accepts an invalid model that the reference rejects."},
	    {"error", "Error in the compiler only", "The compiler raises an error for a valid model that the reference runs."},
	    {"crash", "Crash", "The process that compiles or runs a valid model dies."},
	    {"hang", "Hang", "Compiling or running a valid model exceeds the time limit."},
	    {"memory", "Too much memory", "Compiling or running a valid model exceeds the memory limit."},
	    {"", "Other failure", "The compiler fails on a valid model that the reference runs."}};
	const kind *k = KINDS;
	while (*k->name && strcmp(k->name, verdict_name(v)) != 0)
		k++;
	return k;
}

const char *sarif_title(enum verdict v)
{
	return find_kind(v)->title;
}

/* The place of a kind among the rules; -1: it is not a kind of finding. */
static int rule_of(const char *name)
{
	int place = 0;
	for (int v = 0; v < VERDICT_COUNT; v++) {
		if (!verdict_is_candidate((enum verdict)v))
			continue;
		if (strcmp(verdict_name((enum verdict)v), name) == 0)
			return place;
		place++;
	}
	return -1;
}

static void print_rules(buf *out)
{
	const char *comma = "";
	for (int v = 0; v < VERDICT_COUNT; v++) {
		if (!verdict_is_candidate((enum verdict)v))
			continue;
		const char *name = verdict_name((enum verdict)v);
		const kind *k = find_kind((enum verdict)v);
		buf_printf(out,
		    "%s{\"id\":\"rulefuzz/%s\",\"name\":\"%s\",\"shortDescription\":{\"text\":\"%s\"},\"fullDescription\":"
		    "{\"text\":\"%s\"},\"help\":{\"text\":\"%s The script at the location of the result reproduces it; it needs "
		    "only the framework.\"},\"defaultConfiguration\":{\"level\":\"error\"},\"properties\":{\"tags\":[\"fuzzing\","
		    "\"compiler\"]}}",
		    comma, name, name, k->title, k->help, k->help);
		comma = ",";
	}
}

static void print_place(const digest *g, const finding *f, buf *out)
{
	buf path = {0};
	digest_script_path(g, f, &path);
	if (!path.length)
		buf_printf(&path, "finding-%" PRId64 ".py", f->id);
	buf_puts(out, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
	buf_uri(out, buf_text(&path));
	buf_puts(out, "\"},\"region\":{\"startLine\":1}},\"logicalLocations\":[{\"kind\":\"function\",\"fullyQualifiedName\":");
	escape_json(out, f->apis, SARIF_TEXT);
	buf_puts(out, "}]}]");
	buf_free(&path);
}

/* Compared with the job before. SARIF has no state for regressed: it is reported as new. */
static void print_decision(const digest *g, const finding *f, enum change change, buf *out)
{
	enum status s = status_parse(f->status);
	if (g->job)
		buf_printf(out, ",\"baselineState\":\"%s\"", change == CHANGE_NEW || change == CHANGE_REGRESSED ? "new" : "unchanged");
	if (s != STATUS_KNOWN && s != STATUS_NOT_A_BUG)
		return;
	buf_puts(out, ",\"suppressions\":[{\"kind\":\"external\",\"status\":\"accepted\",\"justification\":");
	escape_json(out, *f->reason ? f->reason : f->status, SARIF_TEXT);
	buf_puts(out, "}]");
}

static void print_result(const digest *g, const digest_entry *e, buf *out)
{
	const finding *f = &e->f;
	char name[17];
	digest_fingerprint(f, name);
	buf_printf(out, "{\"ruleId\":\"rulefuzz/%s\",\"ruleIndex\":%d,\"level\":\"%s\",\"message\":{\"text\":", f->kind,
	    rule_of(f->kind), e->change == CHANGE_UNCHANGED && status_parse(f->status) == STATUS_FLAKY ? "warning" : "error");
	escape_json(out, f->title, SARIF_TEXT);
	buf_puts(out, "}");
	print_place(g, f, out);
	buf_printf(out, ",\"partialFingerprints\":{\"rulefuzzBucket/v1\":\"%s\"}", name);
	print_decision(g, f, e->change, out);
	buf_printf(out,
	    ",\"occurrenceCount\":%" PRId64 ",\"properties\":{\"id\":%" PRId64 ",\"seed\":\"%" PRIu64 "\",\"index\":\"%" PRIu64
	    "\",\"backend\":",
	    f->count > 0 ? f->count : 1, f->id, f->seed, f->index);
	escape_json(out, f->backend, SARIF_TEXT);
	buf_puts(out, ",\"status\":");
	escape_json(out, f->status, SARIF_TEXT);
	if (g->job)
		buf_printf(out, ",\"change\":\"%s\"", change_name(e->change));
	buf_puts(out, ",\"versions\":");
	escape_json(out, f->versions, SARIF_TEXT);
	buf_puts(out, "}}");
}

/* Fixed and unsupported findings are not results. */
static bool belongs(const digest_entry *e)
{
	bool shown = e->change != CHANGE_FIXED
		     && (e->change != CHANGE_CLOSED || status_parse(e->f.status) == STATUS_NOT_A_BUG);
	return shown && rule_of(e->f.kind) >= 0;
}

/* Prints results up to the limits; returns how many are omitted. */
static int print_results(const digest *g, size_t bytes, buf *out)
{
	enum { END = 2000 }; /* bytes behind the results */
	int printed = 0, left = 0;
	buf one = {0};
	for (int i = 0; i < g->nentries; i++) {
		if (!belongs(&g->entries[i]))
			continue;
		buf_clear(&one);
		print_result(g, &g->entries[i], &one);
		if (printed >= SARIF_RESULTS || out->length + one.length + END > bytes) {
			left++;
			continue;
		}
		buf_puts(out, printed++ ? ",\n" : "\n");
		buf_add(out, one.text, one.length);
	}
	buf_end(out, &one);
	return left;
}

void sarif_print(const digest *g, size_t bytes, buf *out)
{
	buf_puts(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
		      "{\"driver\":{\"name\":\"rulefuzz\",\"version\":\"" RS_VERSION "\",\"rules\":[");
	print_rules(out);
	buf_puts(out, "]}},\"automationDetails\":{\"id\":");
	buf id = {0};
	buf_printf(&id, "rulefuzz/%s/", g->backends);
	escape_json(out, buf_text(&id), SARIF_TEXT);
	buf_free(&id);
	buf_puts(out, "},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
	int left = print_results(g, bytes, out);
	buf_printf(out, "],\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d,\"toolExecutionNotifications\":[",
	    *g->trouble ? "false" : "true", g->exit_code);
	if (*g->trouble) {
		buf_puts(out, "{\"level\":\"error\",\"message\":{\"text\":");
		escape_json(out, g->trouble, SARIF_TEXT);
		buf_puts(out, "}}");
	}
	if (left)
		buf_printf(out, "%s{\"level\":\"warning\",\"message\":{\"text\":\"%d results are omitted: the limits are %d results and %zu bytes\"}}",
		    *g->trouble ? "," : "", left, SARIF_RESULTS, bytes);
	buf_puts(out, "]}]}]}\n");
}
