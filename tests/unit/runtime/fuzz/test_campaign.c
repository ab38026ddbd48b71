/* Campaigns where there is no memory, against fake workers: what one ends with is what it ends with where there is some, or it
 * says that it has none and is gone on with to the same findings. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "failure.h"
#include "campaign.h"
#include "clock.h"
#include "file.h"
#include "no_memory.h"
#include "toy_table.h"

enum { FIRST = 2, COUNT = 6 }; /* the workers fail at models 3 and 5 */

/* SQLite's: nothing here is to outlive a power cut, and it takes most of the time. */
int fsync(int fd)
{
	return fd < 0 ? -1 : 0;
}

int fdatasync(int fd)
{
	return fsync(fd);
}

typedef struct tried {
	const char *mode; /* the worker's */
	int64_t batch;
	bool deferred; /* all failures wait; a second campaign triages them */
	bool screened; /* the same program is the fast path */
	bool learns; /* it goes on with what it learned before, so that other models follow: they end behind the first that fails */
	char folder[64], db[80], told[80], capabilities[96];
	char *findings; /* with memory */
	char *text;     /* that of the last listing */
} tried;

/* ---- what a database has */

static void remove_all(const tried *t)
{
	char path[96];
	static const char *const ENDS[] = {"", "-wal", "-shm", "-journal"};
	for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
		snprintf(path, sizeof path, "%s%s", t->db, ENDS[i]);
		unlink(path);
	}
	unlink(t->capabilities);
}

/* A list of findings without what is another's each time: ids of requests and times, which are in the answer. */
static char *findings_of(store *s)
{
	buf list = {0};
	diag d = {""};
	arena *a = arena_new();
	finding f;
	int found = 0;
	assert_non_null(a);
	buf_puts(&list, "findings:\n");
	for (int64_t id = 1; (found = store_get(s, id, &f, a, &d)) == 1 || id < 100001; id = found ? id + 1 : 100001) {
		buf title = {0};
		if (found != 1)
			continue;
		normalise(f.title, 400, &title); /* it has the message as it is, and that the request's id */
		buf_printf(&list, "%s %s %s %s\n%s\n%s\n%s%s%s%s\n%s%s%d %s %s\n", f.bucket, f.kind, f.class, f.status, buf_text(&title),
		    f.apis, f.model, f.original, f.script, f.short_script, f.versions, f.pass, (int)f.nodes, *f.detail ? "answer" : "none", f.log);
		buf_end(&list, &title);
	}
	if (found < 0)
		fail_msg("%s", d.text);
	arena_free(a);
	return buf_take(&list);
}

/* What was announced is stored. */
static void assert_announced(const tried *t, store *s)
{
	char line[1024];
	FILE *f = fopen(t->told, "r");
	arena *a = arena_new();
	assert_true(f && a);
	while (fgets(line, sizeof line, f)) {
		long long id;
		finding found;
		diag d = {""};
		if (sscanf(line, "new finding %lld: ", &id) == 1 && store_get(s, id, &found, a, &d) != 1)
			fail_msg("it is not stored: %s", line);
	}
	arena_free(a);
	fclose(f);
}

/* ---- a campaign */

/* Its standard error goes to a file, but for what the test itself says. */
static int divert(const tried *t)
{
	int kept = dup(2), to = open(t->told, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(kept >= 0 && to >= 0);
	dup2(to, 2);
	close(to);
	return kept;
}

static enum campaign_end begin_and_run(const tried *t, campaign_options *o, store *s, arena *a, diag *d)
{
	run_row run = {.backend = "fake", .framework = TOY_TABLE.framework, .seed = 1, .next = FIRST, .versions = "{}"};
	setting settings[] = {{"shard", "0/1"}};
	run.settings = settings;
	run.nsettings = 1;
	int found = runs_resume(s, &run, a, d);
	if (found < 0 || (!found && !runs_begin(s, &run, d)))
		return CAMPAIGN_INPUT;
	if (!t->learns)
		return campaign_run(o, s, &run, a, d);
	learner l;
	diag why = {""};
	capabilities *known = capabilities_new(&TOY_TABLE, "fake", "{\"fake\":\"1.0\"}");
	enum campaign_end end = CAMPAIGN_INPUT;
	if (diag_memory(d, known) && capabilities_read(known, t->capabilities, d)) {
		learner_open(&l, known, t->capabilities);
		o->learner = &l;
		end = campaign_run(o, s, &run, a, d);
		if (!learner_close(&l, &why) && end <= CAMPAIGN_SHORT) {
			*d = why;
			end = CAMPAIGN_INPUT;
		}
	}
	capabilities_free(known);
	return end;
}

static enum campaign_end go(const tried *t, diag *d)
{
	const char *const argv[] = {"sh", "tests/data/backends/fake.sh", t->mode, NULL};
	worker_options by = {.argv = argv, .start_seconds = 20, .call_seconds = 20, .stop_fd = -1};
	campaign_phases phases = {.since = clock_seconds()};
	campaign_options o = {.table = &TOY_TABLE, .gen = {.nodes_low = 2, .nodes_high = 2}, .worker = by, .backend = "fake",
	    .phases = &phases, .count = t->learns ? FIRST + 2 : COUNT, .jobs = 1, .batch = t->batch, .triage_share = t->deferred ? 0 : 1000};
	if (t->screened)
		o.screen = by;
	long at = memory.at;
	memory.at = 0; /* that a database is opened or says that it has no memory is seen elsewhere */
	arena *a = arena_new();
	store *s = store_open(t->db, true, d);
	assert_true(a && s);
	memory.at = at;
	memory.made = 0;
	enum campaign_end end = begin_and_run(t, &o, s, a, d);
	if (t->deferred && end == CAMPAIGN_DONE) {
		assert_int_equal(phases.found, 0);
		o.only_pending = true;
		end = begin_and_run(t, &o, s, a, d);
	}
	store_close(s);
	arena_free(a);
	return end;
}

/* The findings of the database, which t->text is then. */
static const char *look(tried *t)
{
	diag d = {""};
	free(t->text);
	store *s = store_open(t->db, false, &d);
	if (!s)
		fail_msg("%s", d.text);
	assert_announced(t, s);
	t->text = findings_of(s);
	store_close(s);
	return t->text;
}

static void assert_findings(tried *t, const char *when, long at)
{
	bool alike = t->learns ? strstr(look(t), t->findings) != NULL : strcmp(look(t), t->findings) == 0;
	if (!alike)
		fail_msg("%s, allocation %ld%s: %sinstead of %s", when, at, memory.on ? " and later ones" : "", t->text, t->findings);
}

/* Runs without memory, then with enough; the failed part is not counted. */
static bool runs(void *context)
{
	tried *t = context;
	diag d = {""}, again = {""};
	remove_all(t);
	int kept = divert(t);
	enum campaign_end end = go(t, &d);
	dup2(kept, 2);
	close(kept);
	long at = memory.at, made = memory.made;
	memory.at = 0;
	if (end != CAMPAIGN_DONE && !(end == CAMPAIGN_INPUT && strstr(d.text, "memory")))
		fail_msg("allocation %ld%s: end %d, %s", at, memory.on ? " and later ones" : "", (int)end, d.text);
	if (end != CAMPAIGN_DONE) {
		kept = divert(t);
		enum campaign_end then = go(t, &again);
		dup2(kept, 2);
		close(kept);
		if (then != CAMPAIGN_DONE)
			fail_msg("it cannot be gone on with: end %d, %s", (int)then, again.text);
	}
	if (t->findings) {
		assert_findings(t, end == CAMPAIGN_DONE ? "it ended well" : "gone on with", at);
	} else {
		look(t);
		t->findings = t->text;
		t->text = NULL;
	}
	memory.at = at;
	memory.made = made;
	return end == CAMPAIGN_DONE;
}

static void lacks_memory(tried t, int findings)
{
	strcpy(t.folder, "/tmp/rulefuzz-campaign-XXXXXX");
	assert_non_null(mkdtemp(t.folder));
	snprintf(t.db, sizeof t.db, "%s/db", t.folder);
	snprintf(t.told, sizeof t.told, "%s/told", t.folder);
	snprintf(t.capabilities, sizeof t.capabilities, "%s/capabilities.jsonl", t.folder);
	runs(&t);
	int n = 0;
	for (const char *c = t.findings; (c = strstr(c, "\nfake: ")); c++)
		n++;
	if (n != findings)
		fail_msg("%d findings: %s", n, t.findings);
	memory.fewer = 12;
	lack_memory(runs, &t);
	remove_all(&t);
	unlink(t.told);
	rmdir(t.folder);
	free(t.findings);
	free(t.text);
}

static void that_finds_errors(void **state)
{
	(void)state;
	lacks_memory((tried){.mode = "error"}, 2);
}

static void that_looks_first(void **state)
{
	(void)state;
	lacks_memory((tried){.mode = "differ", .screened = true}, 2);
}

static void that_triages_later(void **state)
{
	(void)state;
	lacks_memory((tried){.mode = "error", .deferred = true}, 2);
}

static void whose_worker_dies(void **state)
{
	(void)state;
	lacks_memory((tried){.mode = "crash"}, 1);
}

static void of_many_at_a_time(void **state)
{
	(void)state;
	lacks_memory((tried){.mode = "error", .batch = 3}, 2);
}

static void that_learns(void **state)
{
	(void)state;
	lacks_memory((tried){.mode = "unsupported", .learns = true}, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(that_finds_errors), cmocka_unit_test(that_looks_first), cmocka_unit_test(that_triages_later),
	    cmocka_unit_test(whose_worker_dies), cmocka_unit_test(of_many_at_a_time), cmocka_unit_test(that_learns)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
