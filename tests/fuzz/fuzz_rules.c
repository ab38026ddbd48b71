/* The reader of rules.jsonl, including expressions, and that of API rules, whose instances are looked at, too. */
#include <stdlib.h>
#include <string.h>

#include "api_rule_read.h"
#include "input.h"
#include "instance.h"
#include "need.h"
#include "rules_file.h"

static void look_at(const rule_set *rules, const rule_op *of)
{
	api_signature *list = NEED_ARRAY(rules->memory, api_signature, rules->nops);
	diag d;
	int n = 0;
	for (size_t i = 0; i < rules->nops; i++) {
		const rule_op *op = &rules->ops[i];
		if (op->rule.out && strcmp(op->api, of->api) == 0)
			list[n++] = (api_signature){op->name, op->call, &op->rule};
	}
	const api_rule *r = api_rule_read(rules->memory, rules->exprs, of->api_rule, list, n, "rules", of->line, &d);
	for (int k = 0; r && k < n; k++)
		api_rule_is_instance(r, k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input in = input_open(data, size);
	rule_set rules;
	diag d;
	bool ok = rules_read(&rules, in.path, &d);
	for (size_t i = 0; ok && i < rules.nops; i++)
		if (rules.ops[i].api_rule)
			look_at(&rules, &rules.ops[i]);
	rules_free(&rules);
	input_close(&in);
	return 0;
}
