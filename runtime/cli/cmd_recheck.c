/* rulefuzz recheck: runs findings again with the installed versions: which are fixed, and which regressed. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "buf.h"
#include "commands.h"
#include "escape.h"
#include "status.h"

#define RUNS 3 /* in separate workers, before a status changes */

static int help(void)
{
	puts("usage: rulefuzz recheck [ID…] [--db FILE] [--json] [OPTION…]\n\n"
	     "Runs the minimized models of findings again, with the versions that are installed now. Findings\n"
	     "that do not fail any more become fixed, fixed ones that fail again become open, and those that\n"
	     "fail only sometimes become flaky. A status changes only if three fresh workers agree.\n\n"
	     "  ID…                default: all open, known, fixed and flaky findings\n"
	     "  --db FILE          default rulefuzz.db\n"
	     "  --json             print the outcomes as JSON: reproduces, not-reproduced, flaky, different\n"
	     "                     (fails in another way), inconclusive (the reference rejected the model, or\n"
	     "                     a worker ended)\n" AGAIN_HELP "\n"
	     "Exit codes: 0 none regressed, 3 a fixed one regressed, 4 stopped by a signal, 5 a worker cannot\n"
	     "start (the findings of other backends were rechecked), 1 bad input or I/O, 2 usage.");
	return EXIT_CLEAN;
}

typedef struct request {
	again_options o;
	store *s;
	bool json, opened; /* opened: the JSON was begun */
	int64_t rechecked, counts[RECHECK_COUNT], fixed, regressed;
} request;

static enum recheck_outcome outcome_of(const finding *f, const judgement *j)
{
	if (again_fails(f, j))
		return RECHECK_REPRODUCES;
	if (verdict_is_candidate(j->verdict))
		return RECHECK_DIFFERENT;
	return j->verdict == VERDICT_ok || j->verdict == VERDICT_rounding || j->verdict == VERDICT_unsupported
		   ? RECHECK_NOT_REPRODUCED
		   : RECHECK_INCONCLUSIVE;
}

/* fails: the finding has no short script, and its long script does not reproduce it. False and d: out of memory. */
static bool try_script(const finding *f, judge *by, const judgement *j, bool *fails, diag *d)
{
	char *script = NULL;
	*fails = false;
	bool ok = *f->short_script || judge_script(by, f->model, f->title, j, &script, fails, d);
	free(script);
	return ok;
}

/* Runs a model once, and if it fails and `script` is set, its script. Returns an exit code, and with EXIT_CLEAN the outcome. */
static int run_once(const finding *f, judge *by, bool script, enum recheck_outcome *outcome, diag *d)
{
	judgement j;
	if (!judge_model(by, f->model, &j, d))
		return EXIT_BACKEND;
	int code = j.verdict == VERDICT_stopped ? EXIT_PARTIAL : EXIT_CLEAN;
	*outcome = outcome_of(f, &j);
	bool fails = false;
	if (script && *outcome == RECHECK_REPRODUCES && !try_script(f, by, &j, &fails, d))
		code = EXIT_INPUT;
	if (fails)
		*outcome = RECHECK_FLAKY;
	judgement_free(&j);
	return code;
}

/* Runs a finding once, and in fresh workers as well if its status would change. */
static int run_enough(const finding *f, judge *by, enum recheck_outcome *outcome, diag *d)
{
	enum status before = status_parse(f->status);
	int code = run_once(f, by, before == STATUS_FLAKY, outcome, d); /* its script may be the flaky part */
	bool same = before != STATUS_FLAKY && status_after(before, *outcome) == before;
	for (int i = 1; code == EXIT_CLEAN && !same && i < RUNS && *outcome != RECHECK_FLAKY; i++) {
		enum recheck_outcome other = *outcome;
		judge fresh = again_judge(by);
		code = run_once(f, &fresh, false, &other, d);
		judge_close(&fresh);
		if (other != *outcome)
			*outcome = RECHECK_FLAKY;
	}
	return code;
}

/* The versions under test, without Python and rulefuzz: "torch 2.13.0+cpu". */
static void name_versions(const cJSON *versions, buf *out)
{
	const cJSON *one;
	cJSON_ArrayForEach(one, versions)
	{
		if (cJSON_IsString(one) && strcmp(one->string, "python") != 0 && strcmp(one->string, "rulefuzz") != 0)
			buf_printf(out, "%s%s %s", out->length ? ", " : "", one->string, one->valuestring);
	}
}

/* The length of a reason without the text of an earlier recheck, which is replaced. */
static size_t length_kept(const char *reason)
{
	static const char *const EARLIER[] = {"fixed in ", "regressed in ", "gone in ", "back in "};
	size_t kept = strlen(reason);
	for (size_t i = 0; i < sizeof EARLIER / sizeof *EARLIER; i++) {
		const char *at = strstr(reason, EARLIER[i]);
		if (at && (size_t)(at - reason) < kept)
			kept = (size_t)(at - reason);
	}
	while (kept && strchr("; ", reason[kept - 1]))
		kept--;
	return kept;
}

/* The reason of the new status: the reason before, and the outcome. */
static void put_reason(const finding *f, enum status status, const cJSON *versions, buf *why)
{
	buf names = {0};
	size_t kept = length_kept(f->reason);
	name_versions(versions, &names);
	buf_add(why, f->reason, kept);
	if (status == STATUS_FIXED || (status == STATUS_OPEN && status_parse(f->status) == STATUS_FIXED))
		buf_printf(why, "%s%s in %s", kept ? "; " : "", status == STATUS_FIXED ? "fixed" : "regressed",
		    names.length ? names.text : "this version");
	buf_free(&names);
}

static void open_json(request *r)
{
	if (!r->opened)
		printf("{\"schema\":1,\"command\":\"recheck\",\"findings\":[");
	r->opened = true;
}

static void print_json(request *r, const finding *f, enum recheck_outcome outcome, enum status after, const char *why)
{
	buf b = {0};
	open_json(r);
	buf_printf(&b, "%s{\"id\":%" PRId64 ",\"outcome\":\"%s\",\"before\":\"%s\",\"status\":\"%s\",\"reason\":",
	    r->rechecked ? "," : "", f->id, recheck_name(outcome), f->status, status_name(after));
	buf_json(&b, why);
	buf_puts(&b, ",\"title\":");
	buf_json(&b, f->title);
	printf("%s}", buf_text(&b));
	buf_free(&b);
}

static void print_outcome(const finding *f, enum recheck_outcome outcome, enum status after)
{
	static const char *const WORDS[] = {[RECHECK_REPRODUCES] = "reproduces",
	    [RECHECK_NOT_REPRODUCED] = "does not reproduce",
	    [RECHECK_FLAKY] = "reproduces sometimes",
	    [RECHECK_DIFFERENT] = "fails in another way",
	    [RECHECK_INCONCLUSIVE] = "inconclusive"};
	bool changed = strcmp(status_name(after), f->status) != 0;
	buf line = {0};
	escape_terminal(&line, f->title, false);
	printf("finding %" PRId64 ": ", f->id);
	if (changed)
		printf("%s, now %s (was %s): %s\n", WORDS[outcome], status_name(after), f->status, buf_text(&line));
	else if (outcome == RECHECK_REPRODUCES)
		printf("still reproduces: %s\n", buf_text(&line));
	else
		printf("%s, still %s: %s\n", WORDS[outcome], f->status, buf_text(&line));
	buf_free(&line);
}

static void print_finding(request *r, const finding *f, enum recheck_outcome outcome, enum status after, const char *why)
{
	if (r->json)
		print_json(r, f, outcome, after, why);
	else
		print_outcome(f, outcome, after);
	fflush(stdout);
}

static int recheck(void *context, const finding *f, judge *by, diag *d)
{
	request *r = context;
	enum recheck_outcome outcome = RECHECK_INCONCLUSIVE;
	by->alone = true;
	int code = run_enough(f, by, &outcome, d);
	if (code != EXIT_CLEAN)
		return code;
	enum status before = status_parse(f->status), after = status_after(before, outcome);
	char *versions = cJSON_PrintUnformatted(judge_versions(by));
	buf why = {0};
	if (after != before)
		put_reason(f, after, judge_versions(by), &why);
	else
		buf_puts(&why, f->reason);
	bool ok = versions && !why.failed;
	if (!ok)
		diag_set(d, "out of memory");
	ok = ok && store_checked(r->s, f, recheck_name(outcome), versions, status_name(after), buf_text(&why), d);
	if (ok)
		print_finding(r, f, outcome, after, buf_text(&why));
	bool regressed = before == STATUS_FIXED && after == STATUS_OPEN;
	r->rechecked++;
	r->counts[outcome]++;
	r->fixed += after == STATUS_FIXED && before != STATUS_FIXED;
	r->regressed += regressed;
	buf_free(&why);
	free(versions);
	return !ok ? EXIT_INPUT : regressed ? EXIT_CHECK : EXIT_CLEAN;
}

static bool wanted(void *context, const finding *f)
{
	(void)context;
	return !status_is_dismissed(status_parse(f->status));
}

static void summarise(request *r)
{
	if (r->json) {
		open_json(r);
		printf("],\"counts\":{\"rechecked\":%" PRId64, r->rechecked);
		for (int o = 0; o < RECHECK_COUNT; o++)
			printf(",\"%s\":%" PRId64, recheck_name((enum recheck_outcome)o), r->counts[o]);
		printf(",\"fixed\":%" PRId64 ",\"regressed\":%" PRId64 "}}\n", r->fixed, r->regressed);
		return;
	}
	const int64_t *n = r->counts;
	const struct {
		int64_t n;
		bool always;
		const char *text;
	} PARTS[] = {{n[RECHECK_REPRODUCES] - r->regressed, true, "still reproduce"}, {r->fixed, true, "fixed"},
	    {r->regressed, true, "regressed"}, {n[RECHECK_NOT_REPRODUCED] - r->fixed, false, "do not reproduce, as before"},
	    {n[RECHECK_FLAKY], false, "flaky"}, {n[RECHECK_DIFFERENT], false, "fail in another way"},
	    {n[RECHECK_INCONCLUSIVE], false, "inconclusive"}};
	const char *between = ": ";
	printf("rechecked %" PRId64 " %s", r->rechecked, r->rechecked == 1 ? "finding" : "findings");
	for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
		if (r->rechecked && (PARTS[i].always || PARTS[i].n > 0)) {
			printf("%s%" PRId64 " %s", between, PARTS[i].n > 0 ? PARTS[i].n : 0, PARTS[i].text);
			between = ", ";
		}
	putchar('\n');
}

int cmd_recheck(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {
	    AGAIN_OPTIONS, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.o = again_defaults("recheck")};
	optind = 1;
	for (int c; (c = next_option("recheck", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'j')
			r.json = true;
		else if (!again_option(&r.o, c, optarg))
			return EXIT_USAGE;
	}
	int code = again_each(&r.o, argc - optind, argv + optind, &r.s, wanted, recheck, &r);
	if (code != EXIT_INPUT && code != EXIT_USAGE)
		summarise(&r);
	else if (r.opened)
		puts("]}");
	return code;
}
