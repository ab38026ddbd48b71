#include "sarif.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "rulesmith.h"

/* RULE(kind, what, help): the kinds of findings. */
#define RULES(RULE)                                                                                                    \
	RULE(inconsistency, "Wrong result",                                                                            \
	    "The compiled model gives other results than the reference, by more than rounding was seen to do.")        \
	RULE(error, "Error of the compiler only",                                                                      \
	    "The compiler raises an error for a valid model that the reference runs to its end.")                     \
	RULE(crash, "Crash", "The process that compiles or runs a valid model dies.")                                  \
	RULE(hang, "Hang", "Compiling or running a valid model does not end within the time limit.")                   \
	RULE(memory, "Too much memory", "Compiling or running a valid model takes more memory than the limit.")

static int rule_of(const char *kind)
{
	static const char *const KINDS[] = {
#define X(kind, what, help) #kind,
	    RULES(X)
#undef X
	};
	for (int i = 0; i < (int)(sizeof KINDS / sizeof *KINDS); i++)
		if (strcmp(kind, KINDS[i]) == 0)
			return i;
	return -1;
}

static void print_rules(buf *out)
{
	const char *comma = "";
#define X(kind, what, help)                                                                                            \
	buf_printf(out,                                                                                                \
	    "%s{\"id\":\"rulefuzz/" #kind "\",\"name\":\"" #kind "\",\"shortDescription\":{\"text\":\"" what            \
	    "\"},\"fullDescription\":{\"text\":\"" help "\"},\"help\":{\"text\":\"" help                               \
	    " The script at the result's place shows it: it needs the framework alone.\"}"                            \
	    ",\"defaultConfiguration\":{\"level\":\"error\"},\"properties\":{\"tags\":[\"fuzzing\",\"compiler\"]}}",    \
	    comma);                                                                                                    \
	comma = ",";
	RULES(X)
#undef X
}

/* A path as a URI reference: what is not unreserved in percents. */
static void put_uri(const char *path, buf *out)
{
	static const char PLAIN[] = "-._~/";
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (letter || strchr(PLAIN, c))
			buf_putc(out, (char)c);
		else
			buf_printf(out, "%%%02X", c);
	}
}

static void print_place(const digest *g, const finding *f, buf *out)
{
	buf path = {0};
	digest_script_path(g, f, &path);
	if (!path.length)
		buf_printf(&path, "finding-%" PRId64 ".py", f->id);
	buf_puts(out, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
	if (path.text)
		put_uri(path.text, out);
	buf_puts(out, "\"},\"region\":{\"startLine\":1}},\"logicalLocations\":[{\"kind\":\"function\",\"fullyQualifiedName\":");
	escape_json(out, f->apis, SARIF_TEXT);
	buf_puts(out, "}]}]");
	buf_free(&path);
}

static void print_decision(const finding *f, enum change change, buf *out)
{
	enum status s = status_parse(f->status);
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
	buf_printf(out, ",\"partialFingerprints\":{\"rulefuzzSignature/v1\":\"%s\"}", name);
	print_decision(f, e->change, out);
	buf_printf(out,
	    ",\"occurrenceCount\":%" PRId64 ",\"properties\":{\"id\":%" PRId64 ",\"seed\":\"%" PRIu64 "\",\"index\":\"%" PRIu64
	    "\",\"backend\":",
	    f->count > 0 ? f->count : 1, f->id, f->seed, f->index);
	escape_json(out, f->backend, SARIF_TEXT);
	buf_puts(out, ",\"status\":");
	escape_json(out, f->status, SARIF_TEXT);
	buf_puts(out, ",\"versions\":");
	escape_json(out, f->versions, SARIF_TEXT);
	buf_puts(out, "}}");
}

static bool belongs(const digest_entry *e)
{
	bool shown = e->change != CHANGE_FIXED
		     && (e->change != CHANGE_CLOSED || status_parse(e->f.status) == STATUS_NOT_A_BUG);
	return shown && rule_of(e->f.kind) >= 0;
}

/* As many as the limits let in; how many they do not. */
static int print_results(const digest *g, size_t bytes, buf *out)
{
	enum { END = 2000 }; /* bytes for what stands behind them */
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
		buf_printf(out, "%s{\"level\":\"warning\",\"message\":{\"text\":\"%d results are left out: a file may have %d, and %zu bytes\"}}",
		    *g->trouble ? "," : "", left, SARIF_RESULTS, bytes);
	buf_puts(out, "]}]}]}\n");
}
