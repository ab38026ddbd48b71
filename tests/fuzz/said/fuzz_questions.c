/* The questions file of `verify --questions`, against the linked table; the second half of the input is the
 * oracle's answers. */
#include "cli.h"
#include "confirm.h"
#include "said.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const rs_table *table;
	const uint8_t *half = size ? memchr(data, 0x1e, size) : NULL;
	size_t n = half ? (size_t)(half - data) : size;
	input in = input_open(data, n);
	confirm_result result;
	bool bad;
	diag d;
	if (!table)
		table = rs_library_table(open_rules(NULL), "torch");
	said_open(half ? half + 1 : data, half ? size - n - 1 : 0);
	oracle *o = oracle_new(&(oracle_options){.command = "oracle", .restarts = true});
	const confirm_options options = {.table = table, .path = in.path, .keep = true};
	confirm(&options, o, &result, &bad, &d);
	confirm_result_free(&result);
	oracle_free(o);
	input_close(&in);
	return 0;
}
