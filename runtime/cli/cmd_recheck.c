/* rulefuzz recheck: findings run again with what is installed; which are gone, and which are back. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "buf.h"
#include "commands.h"
#include "status.h"

#define RUNS 3 /* in workers of their own, before a status changes */

static int help(void)
{
	puts("usage: rulefuzz recheck [ID…] [--db FILE] [--json] [OPTION…]\n\n"
	     "Runs the minimised models of findings again, by the versions that are installed now, and says\n"
	     "which do not fail any more: these are fixed; which fail although they were fixed: these are new\n"
	     "again; and which fail at times: these are flaky. What would change a status is run in three fresh\n"
	     "workers, which must agree.\n\n"
	     "  ID…                default: all that are new, known, fixed or flaky\n"
	     "  --db FILE          default rulefuzz.db\n"
	     "  --json             the outcomes as JSON\n" AGAIN_HELP "\n"
	     "Exit codes: 0 none is back, 3 one that was fixed is back, 4 stopped by a signal, 5 a worker cannot\n"
	     "start (the findings of other backends were rechecked), 1 bad input or I/O, 2 usage.");
	return EXIT_CLEAN;
}

typedef struct request {
	again_options o;
	store *s;
	bool json, opened; /* opened: the JSON, once it is known that there is something to say */
	int64_t rechecked, counts[RECHECK_COUNT], fixed, back;
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

/* Whether its script, of which no short one is known to show it, does not. False and d: no memory. */
static bool try_script(const finding *f, judge *by, const judgement *j, bool *fails, diag *d)
{
	char *script = NULL;
	*fails = false;
	bool ok = *f->short_script || judge_script(by, f->model, f->title, j, &script, fails, d);
	free(script);
	return ok;
}

/* Runs a model once, and its script where that is wanted and it fails: an exit code, and the outcome with EXIT_CLEAN. */
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

/* Runs it until it is clear: once where that changes nothing, otherwise also in fresh workers. */
static int run_enough(const finding *f, judge *by, enum recheck_outcome *outcome, diag *d)
{
	enum status before = status_parse(f->status);
	int code = run_once(f, by, before == STATUS_FLAKY, outcome, d); /* its script may be what made it flaky */
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

/* What is under test, without Python and ourselves: "torch 2.13.0+cpu". */
static void name_versions(const cJSON *versions, buf *out)
{
	const cJSON *one;
	cJSON_ArrayForEach(one, versions)
	{
		if (cJSON_IsString(one) && strcmp(one->string, "python") != 0 && strcmp(one->string, "rulefuzz") != 0)
			buf_printf(out, "%s%s %s", out->length ? ", " : "", one->string, one->valuestring);
	}
}

/* Why it has the status that it has now: what was said before, and what was seen. */
static void say_why(const finding *f, enum status status, const cJSON *versions, buf *why)
{
	buf names = {0};
	name_versions(versions, &names);
	const char *gone = strstr(f->reason, "gone in "), *back = strstr(f->reason, "back in ");
	const char *seen = gone && (!back || gone < back) ? gone : back; /* of the recheck before */
	int kept = seen ? (int)(seen - f->reason) : (int)strlen(f->reason);
	while (kept && strchr("; ", f->reason[kept - 1]))
		kept--;
	buf_printf(why, "%.*s", kept, f->reason);
	if (status == STATUS_FIXED || status == STATUS_OPEN)
		buf_printf(why, "%s%s in %s", kept ? "; " : "", status == STATUS_FIXED ? "gone" : "back",
		    names.length ? names.text : "this version");
	buf_free(&names);
}

static void open_json(request *r)
{
	if (!r->opened)
		printf("{\"schema\":1,\"command\":\"recheck\",\"findings\":[");
	r->opened = true;
}

static void say(request *r, const finding *f, enum recheck_outcome outcome, enum status after, const char *why)
{
	static const char *const WORDS[] = {[RECHECK_REPRODUCES] = "fails",
	    [RECHECK_NOT_REPRODUCED] = "is gone",
	    [RECHECK_FLAKY] = "fails at times",
	    [RECHECK_DIFFERENT] = "fails in another way",
	    [RECHECK_INCONCLUSIVE] = "cannot be judged"};
	bool changed = strcmp(status_name(after), f->status) != 0;
	if (r->json) {
		buf b = {0};
		open_json(r);
		buf_printf(&b, "%s{\"id\":%" PRId64 ",\"outcome\":\"%s\",\"before\":\"%s\",\"status\":\"%s\",\"reason\":",
		    r->rechecked ? "," : "", f->id, recheck_name(outcome), f->status, status_name(after));
		buf_json(&b, why);
		buf_puts(&b, ",\"title\":");
		buf_json(&b, f->title);
		printf("%s}", b.text);
		buf_free(&b);
	} else if (changed) {
		printf("finding %" PRId64 " %s: it is %s (was %s): %s\n", f->id, WORDS[outcome], status_name(after), f->status,
		    f->title);
	} else {
		printf("finding %" PRId64 " %s: it stays %s: %s\n", f->id, WORDS[outcome], f->status, f->title);
	}
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
		say_why(f, after, judge_versions(by), &why);
	else
		buf_puts(&why, f->reason);
	bool ok = versions && !why.failed;
	if (!ok)
		diag_set(d, "out of memory");
	ok = ok && store_checked(r->s, f, recheck_name(outcome), versions, status_name(after), buf_text(&why), d);
	if (ok)
		say(r, f, outcome, after, buf_text(&why));
	bool back = before == STATUS_FIXED && after == STATUS_OPEN;
	r->rechecked++;
	r->counts[outcome]++;
	r->fixed += after == STATUS_FIXED && before != STATUS_FIXED;
	r->back += back;
	buf_free(&why);
	free(versions);
	return !ok ? EXIT_INPUT : back ? EXIT_CHECK : EXIT_CLEAN;
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
		printf(",\"fixed\":%" PRId64 ",\"back\":%" PRId64 "}}\n", r->fixed, r->back);
		return;
	}
	printf("rechecked %" PRId64 ": %" PRId64 " fail, %" PRId64 " gone (%" PRId64 " of them fixed now), %" PRId64
	       " back, %" PRId64 " flaky, %" PRId64 " fail in another way, %" PRId64 " cannot be judged\n",
	    r->rechecked, r->counts[RECHECK_REPRODUCES], r->counts[RECHECK_NOT_REPRODUCED], r->fixed, r->back, r->counts[RECHECK_FLAKY],
	    r->counts[RECHECK_DIFFERENT], r->counts[RECHECK_INCONCLUSIVE]);
}

int cmd_recheck(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {
	    AGAIN_OPTIONS, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.o = again_defaults("recheck")};
	optind = 1;
	for (int c; (c = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1;) {
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
