/* Which calls are compared with their newest version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_checks.h"

static kernel_checks checks;

/* Whether a call is due in a new model. */
static bool is_due(const char *api, const char *name)
{
	rs_op op = {.api = api, .name = name};
	graph_node node = {.op = &op, .next = GRAPH_NONE, .live = true};
	checks.models++;
	return kernel_checks_due(&checks, &node);
}

/* Models without such a call, so that the next one may be due. */
static void let_pass(void)
{
	for (int i = 0; i < KERNEL_CHECKS_ONE_IN; i++)
		assert_false(is_due("onnx.Add", "onnx.Add-1"));
}

/* The first calls of a signature, the 16th and the 32nd. */
static void older_versions(void **state)
{
	(void)state;
	memset(&checks, 0, sizeof checks);
	for (unsigned i = 1; i <= 40; i++) {
		bool due = i <= KERNEL_CHECKS_FIRST || i == 16 || i == 32;
		assert_int_equal(is_due("onnx.AveragePool_11", "onnx.AveragePool_11-3"), due);
		let_pass();
	}
	assert_true(is_due("onnx.AveragePool_11", "onnx.AveragePool_11-4"));
}

static void other_calls(void **state)
{
	(void)state;
	memset(&checks, 0, sizeof checks);
	static const char *const APIS[] = {"onnx.AveragePool", "torch.add", "onnx.com_microsoft.Gelu"};
	for (size_t i = 0; i < sizeof APIS / sizeof *APIS; i++)
		assert_false(is_due(APIS[i], APIS[i]));
}

/* One for so many models, however many new signatures there are. */
static void a_share(void **state)
{
	(void)state;
	char name[32];
	unsigned chosen = 0;
	memset(&checks, 0, sizeof checks);
	for (unsigned i = 0; i < 100 * KERNEL_CHECKS_ONE_IN; i++) {
		snprintf(name, sizeof name, "onnx.Pad_2-%u", i);
		chosen += is_due("onnx.Pad_2", name);
	}
	assert_in_range(chosen, 99, 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(older_versions), cmocka_unit_test(other_calls), cmocka_unit_test(a_share)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
