/* From a candidate to a finding, against fake workers that fail by the model that they are given. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "small_model.h"
#include "failure.h"
#include "no_memory.h"
#include "triage.h"

static judge make(const char *argv[5], const char *mode, const char *file)
{
	argv[0] = "sh";
	argv[1] = "tests/data/backends/fake.sh";
	argv[2] = mode;
	argv[3] = file;
	argv[4] = NULL;
	return (judge){
	    .options = {.argv = argv, .start_seconds = 10, .call_seconds = 1, .stop_fd = -1},
	    .backend = "fake-x"};
}

static judgement check(judge *by, const char *model)
{
	diag d = {""};
	judgement j;
	if (!judge_model(by, model, &j, &d))
		fail_msg("%s", d.text);
	return j;
}

/* The advance is part of the share at the end, whether time or models limit the run. */
static void a_budget_is_a_share_of_the_run(void **state)
{
	(void)state;
	assert_float_equal(triage_budget(150, 300, 1, 10), 45, 1e-4);
	assert_float_equal(triage_budget(150, 300, 1.2, 10), 45, 1e-4);
	assert_float_equal(triage_budget(150, 3, 0.01, 10), 10.45, 1e-4); /* of 300 s */
	assert_float_equal(triage_budget(150, 20, 0.5, 2), 6, 1e-4);	   /* of 40 s */
	assert_float_equal(triage_budget(150, 20, 1, 2), 3, 1e-4);
	assert_float_equal(triage_budget(150, 1, 0.5, 2), 2, 1e-4);
	assert_float_equal(triage_budget(150, 20, 0, 2), 13, 1e-4); /* it may last for ever */
	assert_float_equal(triage_budget(0, 20, 0.5, 2), 0, 1e-4);
	assert_float_equal(triage_budget(0, 20, 0, 2), 0, 1e-4);
}

/* A worker that forks is kept, since it runs the next model in another process; others end. */
static void renews_a_worker_unless_it_forks(void **state)
{
	(void)state;
	static const struct {
		const char *mode;
		bool alone, kept;
	} CASES[] = {{"forks", true, true}, {"forks", false, false}, {"ok", true, false}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5];
		judge by = make(argv, CASES[i].mode, NULL);
		by.alone = CASES[i].alone;
		judgement j = check(&by, "{}");
		assert_int_equal(j.verdict, VERDICT_ok);
		judgement_free(&j);
		judge_renew(&by);
		assert_int_equal(by.worker != NULL, CASES[i].kept);
		judge_close(&by);
	}
}

static void the_same_fault_has_one_key(void **state)
{
	(void)state;
	const char *argv[5];
	judge by = make(argv, "error", NULL);
	judgement a = check(&by, "{\"index\":3,}"), b = check(&by, "{\"index\":5,}");
	assert_true(same_failure(&a, &b));
	assert_string_equal(a.key, b.key);
	assert_true(strcmp(a.message, b.message) != 0);
	char *title = failure_title(&a, "fake-x", "fake.op", "a pass"),
	     *name = failure_signature(a.key, "fake.op", "a pass");
	assert_string_equal(
	    title, "fake-x: op fails: cannot lower shape [1, 4] at 0x7f1 (a pass)");
	assert_string_equal(
	    name, "error|fake-x|FakeError|fake.py:lower|cannot lower shape [N] at @||a pass");
	free(title);
	free(name);
	judgement_free(&a);
	judgement_free(&b);
	judge_close(&by);
}

static void a_title_says_how_it_ended(void **state)
{
	(void)state;
	static const char *const CASES[][2] = {
	    {"crash", "fake-x: a crashes (SIGSEGV) while compiling"},
	    {"exit", "fake-x: a ends the process with exit code 7 while running"},
	    {"leave", "fake-x: a ends the process with exit code 0 while running"},
	    {"hang", "fake-x: a hangs while running"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5];
		judge by = make(argv, CASES[i][0], NULL);
		judgement j = check(&by, "{\"index\":3,}");
		char *title = failure_title(&j, "fake-x", "t.a", NULL);
		assert_string_equal(title, CASES[i][1]);
		free(title);
		judgement_free(&j);
		judge_close(&by);
	}
}

/* A worker's title is taken as it is; what it leaves out is the worker's answer in one line, cut between two words. */
static void a_title_says_what_the_worker_says(void **state)
{
	(void)state;
	static const struct {
		enum verdict verdict;
		const char *answer, *apis, *pass, *title;
	} CASES[] = {
	    {VERDICT_inconsistency, "{\"title\":\"Abs(NaN) returns 0 instead of NaN\"}", "onnx.Abs", "",
		"b: Abs(NaN) returns 0 instead of NaN"},
	    {VERDICT_inconsistency, "{\"title\":\"Abs returns 0\"}", "onnx.Abs", "EliminateDropout", "b: Abs returns 0 (EliminateDropout)"},
	    {VERDICT_inconsistency, "{\"title\":\"Abs returns 0\"}", "onnx.Abs", "as b-none", "b: Abs returns 0"},
	    {VERDICT_inconsistency, "{\"title\":\"Abs returns 0\"}", "onnx.Abs", "onnx.Neg writes over its inputs",
		"b: Neg writes over its inputs"},
	    {VERDICT_inconsistency, "{\"title\":\"F reads uninitialized memory\",\"owner\":\"r (reference)\"}", "onnx.F", "x",
		"r (reference): F reads uninitialized memory"},
	    {VERDICT_inconsistency, "{}", "onnx.Add_7", "", "b: Add_7 differs: shape [2] instead of [3]"},
	    {VERDICT_unsupported, "{}", "t.a + t.b + t.c + t.d", "", "b: a + b + 2 more is not supported: shape [2] instead of [3]"},
	    {VERDICT_accepts_invalid, "{}", "t.a_7", "", "b: accepts an invalid a_7: shape [2] instead of [3]"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		judgement j = {.verdict = CASES[i].verdict, .api = "", .message = "shape [2]\ninstead  of [3]",
		    .answer = cJSON_Parse(CASES[i].answer)};
		char *title = failure_title(&j, "b", CASES[i].apis, CASES[i].pass);
		assert_string_equal(title, CASES[i].title);
		free(title);
		cJSON_Delete(j.answer);
	}
}

static void a_title_is_cut_between_words(void **state)
{
	(void)state;
	char message[400] = "";
	for (int i = 0; i < 40; i++)
		strcat(message, "sevenths ");
	judgement j = {.verdict = VERDICT_error, .api = "", .message = message, .answer = cJSON_Parse("{}")};
	char *title = failure_title(&j, "b", "t.a", "");
	size_t n = strlen(title);
	assert_true(n < 180 && strcmp(title + n - strlen("sevenths …"), "sevenths …") == 0);
	free(title);
	cJSON_Delete(j.answer);
	/* a process that died has no answer: its last words are no title of themselves */
	j = (judgement){.verdict = VERDICT_crash, .api = "", .message = "", .signal = SIGABRT, .stage = "run",
	    .log = "noise\nthread 'main' panicked at src/x.rs:7:1:\nindex out of bounds: the len is 3\nmore\n"};
	title = failure_title(&j, "b", "t.a", NULL);
	assert_string_equal(title,
	    "b: a crashes (SIGABRT) while running: panicked at src/x.rs:7:1: index out of bounds: the len is 3");
	free(title);
}

static void lists_apis(void **state)
{
	(void)state;
	graph g;
	assert_true(graph_init(&g));
	char *apis = model_apis(&g);
	assert_string_equal(apis, "");
	free(apis);
	read_model(&g, SMALL_MODEL, NULL);
	apis = model_apis(&g);
	assert_string_equal(apis, "t.a + t.b + t.c"); /* each once */
	free(apis);
	graph_destroy(&g);
}

/* A crash that happens once is no finding: nothing fails the second time. */
static void what_does_not_happen_again_is_dropped(void **state)
{
	(void)state;
	const char *argv[5];
	char folder[] = "/tmp/rulefuzz-once-XXXXXX", file[64];
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof file, "%s/once", folder);
	graph g;
	assert_true(graph_init(&g));
	read_model(&g, SMALL_MODEL, NULL);
	judge by = make(argv, "once", file);
	judgement first = check(&by, SMALL_MODEL);
	assert_int_equal(first.verdict, VERDICT_crash);
	assert_int_equal(first.signal, SIGKILL);
	triage t;
	diag d = {""};
	assert_true(triage_reduce(&by, &g, &first, &(triage_options){.seconds = 5}, &t, &d));
	assert_false(t.again);
	triage_free(&t);
	judgement_free(&first);
	judge_close(&by);
	graph_destroy(&g);
	unlink(file);
	rmdir(folder);
}

/* What is kept as text is what is kept as a graph, and is read as that. */
static void assert_one_model(const triage *t)
{
	graph g;
	assert_true(graph_init(&g));
	read_model(&g, t->text, NULL);
	assert_true(graph_hash(&g) == graph_hash(&t->model));
	assert_int_equal(g.live_nodes, t->nodes);
	graph_destroy(&g);
}

/* A worker that fails wherever the model has a text: what triage makes of the small model. */
static void reduces_to(const char *text, int nodes, const char *apis)
{
	const char *argv[5];
	judge by = make(argv, "contains", text), fresh = by;
	graph g;
	diag d = {""};
	triage t;
	bool confirmed;
	char signature[128];
	assert_true(graph_init(&g));
	read_model(&g, SMALL_MODEL, NULL);
	judgement first = check(&by, SMALL_MODEL);
	assert_true(triage_reduce(&by, &g, &first, &(triage_options){.seconds = 60}, &t, &d));
	assert_true(t.again);
	assert_int_equal(t.nodes, nodes);
	assert_string_equal(t.apis, apis);
	snprintf(signature, sizeof signature, "crash|fake-x|compile|11|%s", apis);
	assert_string_equal(t.signature, signature);
	assert_one_model(&t);
	assert_true(triage_confirm(&fresh, &g, &first, &t, &confirmed, &d));
	assert_true(confirmed);
	assert_string_equal(t.script, "print(\"repro\")\n");
	assert_null(fresh.worker);
	triage_free(&t);
	judgement_free(&first);
	judge_close(&by);
	graph_destroy(&g);
}

static void reduces_and_confirms(void **state)
{
	(void)state;
	reduces_to("\"index\":3", 1, "t.a"); /* the first node is enough */
	reduces_to("t.b-0", 1, "t.b");
	reduces_to("t.c-0", 1, "t.c");
	reduces_to("[{\"ref\"", 1, "t.c");
	reduces_to("t.d-0", 1, "t.a");
	reduces_to("\"nodes\":[{\"op\":\"t.a-0\"", 1, "t.a");
	reduces_to("\"id\":3,\"shape\"", 2, "t.a + t.b"); /* enough tensors, whatever they are called */
}

/* With a worker that follows these rules (fake.sh): the reduced model, its key, and the number of
 * models tried. */
static int64_t differs_as(const char *rules, const char *apis, const char *key)
{
	const char *argv[5];
	judge by = make(argv, "shows", rules);
	graph g;
	diag d = {""};
	triage t;
	assert_true(graph_init(&g));
	read_model(&g, SMALL_MODEL, NULL);
	judgement first = check(&by, SMALL_MODEL);
	assert_int_equal(first.verdict, VERDICT_inconsistency);
	assert_true(triage_reduce(&by, &g, &first, &(triage_options){.seconds = 60}, &t, &d));
	assert_true(t.again);
	assert_string_equal(t.apis, apis);
	assert_string_equal(t.last.key, key);
	assert_one_model(&t);
	int64_t tried = t.tried;
	triage_free(&t);
	judgement_free(&first);
	judge_close(&by);
	graph_destroy(&g);
	return tried;
}

/* What is cut out shows the same kind of difference, of the same call where that can be. */
static void keeps_to_a_difference(void **state)
{
	(void)state;
	/* another call comes before and differs otherwise, or alike, which one call that is enough does not ask for */
	int64_t tried = differs_as(
	    "t.b-0:t.b:2 of 4 elements;t.a-0:t.a:shape [0] instead of [2];", "t.b", "inconsistency|fake-x|t.b|elements");
	assert_int_equal(tried,
	    differs_as("t.b-0:t.b:2 of 4 elements;t.a-0:t.a:1 of 2 elements;", "t.b", "inconsistency|fake-x|t.b|elements"));
	/* more are needed: what one of them shows alone is the same, seen elsewhere, where it is of the kind */
	differs_as("t.a-0 t.b-0 t.c-0:t.c:2 of 4 elements;t.a-0:t.a:1 of 2 elements;", "t.a", "inconsistency|fake-x|t.a|elements");
	differs_as("t.b-0 t.c-0:t.c:2 of 4 elements;t.b-0:t.b:1 of 2 elements;", "t.b", "inconsistency|fake-x|t.b|elements");
	differs_as("t.b-0 t.c-0:t.c:2 of 4 elements;t.b-0:t.b:dtype int8;", "t.b + t.c", "inconsistency|fake-x|t.c|elements");
	differs_as("t.b-0 t.c-0:t.c:shape [0];t.b-0:t.b:1 of 2 elements;", "t.b + t.c", "inconsistency|fake-x|t.c|shape");
}

#define CALL(name, from, to) \
	"{\"op\":\"torch." name "-0\",\"api\":\"torch." name "\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":" from "}}]," \
	"\"outputs\":[{\"id\":" to ",\"shape\":[2],\"dtype\":\"float32\"}]}"

/* The signature of a model of two calls with these regions, of a worker in this mode. To be freed. */
static char *signature_in(const char *mode, const char *file, const char *regions)
{
	const char *argv[5];
	judge by = make(argv, mode, file);
	graph g;
	diag d = {""};
	triage t;
	char model[2048];
	snprintf(model, sizeof model,
	    "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":3,\"values\":1,\"inputs\":[{\"id\":0,\"shape\":[2],\"dtype\":\"float32\"}],"
	    "\"nodes\":[" CALL("a", "0", "1") "," CALL("b", "1", "2") "],\"outputs\":[1,2],\"bodies\":[%s]}",
	    regions);
	assert_true(graph_init(&g));
	read_model(&g, model, NULL);
	judgement first = check(&by, model);
	assert_true(triage_reduce(&by, &g, &first, &(triage_options){.seconds = 60}, &t, &d));
	assert_true(t.again);
	char *signature = strdup(t.signature);
	triage_free(&t);
	judgement_free(&first);
	judge_close(&by);
	graph_destroy(&g);
	return signature;
}

#define COND "{\"kind\":\"ops.cond\",\"first\":0,\"last\":0}"
#define GRAD "{\"kind\":\"func.grad\",\"first\":1,\"last\":1}"
#define OWN "{\"kind\":\"autograd.Function\",\"first\":1,\"last\":1}"

/* An exception in a region, and a difference of several: of any calls. */
static void regions_stand_for_calls(void **state)
{
	static const struct {
		const char *mode, *file, *regions, *end;
	} CASES[] = {{"fails", "ops.cond", COND, "|ops.cond"}, {"fails", "torch.b-0", COND, "|torch.b"},
	    {"shows", "func.grad autograd.Function:torch.b:2 of 4 elements;", GRAD "," OWN, "||elements|func.grad + autograd.Function"},
	    {"shows", "func.grad torch.b-0:torch.b:2 of 4 elements;", GRAD "," OWN, "|torch.b|elements|torch.b"}};
	(void)state;
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		char *signature = signature_in(CASES[i].mode, CASES[i].file, CASES[i].regions);
		const size_t n = strlen(signature), end = strlen(CASES[i].end);
		assert_true(n >= end);
		assert_string_equal(signature + n - end, CASES[i].end);
		free(signature);
	}
}

/* Where only the model as generated fails in a fresh worker, that is the finding. */
/* How many models triage tries for one call, invalid or not, of a tensor of this size. */
static int64_t tried_of_one_call(bool invalid, int size)
{
	const char *argv[5];
	judge by = make(argv, "contains", "t.a-0");
	graph g;
	diag d = {""};
	triage t;
	char model[512];
	snprintf(model, sizeof model,
	    "{\"model\":1,\"framework\":\"t\",\"seed\":1,\"index\":3,\"values\":1%s,\"inputs\":[{\"id\":0,\"shape\":[%d],\"dtype\":\"float32\"}],"
	    "\"nodes\":[{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}}],"
	    "\"outputs\":[{\"id\":1,\"shape\":[2],\"dtype\":\"float32\"}]}],\"outputs\":[1]}",
	    invalid ? ",\"near_miss\":true" : "", size);
	assert_true(graph_init(&g));
	read_model(&g, model, NULL);
	judgement first = check(&by, model);
	assert_true(triage_reduce(&by, &g, &first, &(triage_options){.seconds = 60}, &t, &d));
	assert_true(t.again && t.reduced);
	const int64_t tried = t.tried;
	triage_free(&t);
	judgement_free(&first);
	judge_close(&by);
	graph_destroy(&g);
	return tried;
}

static void small_invalid_calls_stay_as_they_are(void **state)
{
	(void)state;
	const int64_t small = tried_of_one_call(true, 64);
	assert_true(small < tried_of_one_call(true, 65));
	assert_true(small < tried_of_one_call(false, 64));
}

static void goes_back_to_the_original(void **state)
{
	(void)state;
	const char *argv[5], *other[5];
	judge by = make(argv, "contains", "t.b-0"), fresh = make(other, "contains", "t.c-0");
	graph g;
	diag d = {""};
	triage t;
	bool confirmed;
	assert_true(graph_init(&g));
	read_model(&g, SMALL_MODEL, NULL);
	judgement first = check(&by, SMALL_MODEL);
	assert_true(triage_reduce(&by, &g, &first, &(triage_options){.seconds = 60}, &t, &d));
	assert_int_equal(t.nodes, 1);
	assert_true(triage_confirm(&fresh, &g, &first, &t, &confirmed, &d));
	assert_true(confirmed);
	assert_int_equal(t.nodes, 4);
	assert_string_equal(t.text, SMALL_MODEL);
	assert_string_equal(t.apis, "t.a + t.b + t.c");
	assert_one_model(&t);
	triage_free(&t);
	judgement_free(&first);
	judge_close(&by);
	graph_destroy(&g);
}

static void keeps_what_is_unsupported_as_it_is(void **state)
{
	(void)state;
	const char *argv[5];
	judge by = make(argv, "unsupported", NULL);
	graph g;
	diag d = {""};
	triage t;
	assert_true(graph_init(&g));
	read_model(&g, SMALL_MODEL, NULL);
	judgement j = check(&by, SMALL_MODEL);
	assert_int_equal(j.verdict, VERDICT_unsupported);
	assert_true(triage_as_it_is(&by, &g, &j, &t, &d));
	assert_null(j.answer);
	assert_string_equal(t.text, SMALL_MODEL);
	assert_int_equal(t.nodes, 4);
	assert_non_null(strstr(t.signature, "cannot lower shape [N] at @|t.a + t.b + t.c"));
	assert_string_equal(t.script, "print(\"repro\")\n");
	triage_free(&t);
	judge_close(&by);
	graph_destroy(&g);
}

/* A model, and how it failed; what the worker does that sees it again. */
typedef struct candidate {
	const char *mode, *text;
	const char *fresh; /* that of the worker which has run nothing else */
	graph model;
	judgement first;
} candidate;

static bool end(bool ok, triage *t, judge *by, judge *fresh, const diag *d)
{
	triage_free(t);
	judge_close(by);
	judge_close(fresh);
	if (!ok && !strstr(d->text, "memory"))
		fail_msg("%s", d->text);
	return ok;
}

static bool is_triaged(void *context)
{
	candidate *c = context;
	const char *argv[5], *other[5];
	judge by = make(argv, c->mode, c->text), fresh = make(other, c->mode, c->fresh);
	triage t;
	bool confirmed = false;
	diag d = {""};
	bool ok = triage_reduce(&by, &c->model, &c->first, &(triage_options){.seconds = 0}, &t, &d);
	if (ok && t.again) {
		assert_non_null(t.signature);
		ok = triage_confirm(&fresh, &c->model, &c->first, &t, &confirmed, &d);
		assert_true(!ok || !confirmed || t.title); /* it may lack a script */
	}
	if (ok && !confirmed) /* of what the worker said something was lost */
		ok = diag_set(&d, "out of memory: it did not fail a second time");
	return end(ok, &t, &by, &fresh, &d);
}

static bool is_kept_as_it_is(void *context)
{
	candidate *c = context;
	const char *argv[5];
	judge by = make(argv, c->mode, NULL), none = {.worker = NULL};
	triage t = {.text = NULL};
	judgement j;
	diag d = {""};
	bool ok = judge_model(&by, SMALL_MODEL, &j, &d);
	if (ok) {
		ok = triage_as_it_is(&by, &c->model, &j, &t, &d);
		assert_true(!ok || (t.signature && t.text && t.nodes == 4)); /* it may lack a script */
	}
	return end(ok, &t, &by, &none, &d);
}

static void lacks_memory(bool attempt(void *), candidate *c)
{
	const char *argv[5];
	judge by = make(argv, c->mode, c->text);
	assert_true(graph_init(&c->model));
	read_model(&c->model, SMALL_MODEL, NULL);
	c->first = check(&by, SMALL_MODEL);
	judge_close(&by);
	lack_memory(attempt, c);
	judgement_free(&c->first);
	graph_destroy(&c->model);
}

static void without_memory(void **state)
{
	(void)state;
	lacks_memory(is_triaged, &(candidate){.mode = "contains", .text = "t.b-0", .fresh = "t.b-0"});
	lacks_memory(is_kept_as_it_is, &(candidate){.mode = "unsupported"});
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_budget_is_a_share_of_the_run), cmocka_unit_test(renews_a_worker_unless_it_forks),
	    cmocka_unit_test(the_same_fault_has_one_key),
	    cmocka_unit_test(a_title_says_how_it_ended), cmocka_unit_test(a_title_says_what_the_worker_says),
	    cmocka_unit_test(a_title_is_cut_between_words), cmocka_unit_test(lists_apis),
	    cmocka_unit_test(what_does_not_happen_again_is_dropped),
	    cmocka_unit_test(reduces_and_confirms), cmocka_unit_test(keeps_to_a_difference), cmocka_unit_test(regions_stand_for_calls),
	    cmocka_unit_test(small_invalid_calls_stay_as_they_are),
	    cmocka_unit_test(goes_back_to_the_original),
	    cmocka_unit_test(keeps_what_is_unsupported_as_it_is), cmocka_unit_test(without_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
