/* A worker's answers, as the oracle reads them: to one model, to three, to the passes that make it fail, to
 * scripts and whether these show the failure. */
#include "said.h"
#include "verdict.h"

static void judge_them(judge *by)
{
	static char model[] = "{}";
	char *const models[] = {model, model, model};
	judgement one, three[3];
	char *text;
	diag d;
	if (judge_model(by, model, &one, &d)) {
		bool fails;
		judge_script(by, model, "title", &one, &text, &fails, &d);
		free(text);
		judge_short_script(by, model, "title", &one, &text, &d);
		free(text);
		judgement_free(&one);
	}
	if (judge_models(by, models, 3, three, &d))
		for (int i = 0; i < 3; i++)
			judgement_free(&three[i]);
	judge_pass(by, model, VERDICT_crash, &text, &d);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const ARGV[] = {"worker", NULL};
	const worker_options options = {.argv = ARGV, .start_seconds = 1, .call_seconds = 1e9, .stop_fd = -1};
	judge by = {.options = options, .backend = "fuzzed", .memory_mib = 64};
	said_open(data, size);
	judge_them(&by);
	judge_close(&by);
	return 0;
}
