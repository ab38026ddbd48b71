/* The tables of classes and of runs, VALUES.tsv and RUNS.tsv, of operators of a few rules. */
#include "classes_read.h"
#include "input.h"

static void read_as(const char *path, bool (*reader)(rule_set *, const char *, unsigned *, diag *))
{
	rule_set rules;
	unsigned unknown = 0;
	diag d;
	if (!rules_read(&rules, "tests/fuzz/seeds/fuzz_rules/page.jsonl", &d))
		abort();
	reader(&rules, path, &unknown, &d);
	rules_free(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input in = input_open(data, size);
	read_as(in.path, classes_read);
	read_as(in.path, runs_read);
	input_close(&in);
	return 0;
}
