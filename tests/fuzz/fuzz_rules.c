/* The reader of rules.jsonl, including expressions. */
#include "input.h"
#include "rules_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input in = input_open(data, size);
	rule_set rules;
	diag d;
	rules_read(&rules, in.path, &d);
	rules_free(&rules);
	input_close(&in);
	return 0;
}
