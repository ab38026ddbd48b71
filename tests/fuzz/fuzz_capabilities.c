/* Capabilities of a target as `rulefuzz run` wrote them, against the linked table. */
#include "capabilities.h"
#include "cli.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const rs_table *table;
	input in = input_open(data, size);
	diag d = {""};
	size_t n;
	if (!table)
		table = rs_library_table(open_rules(NULL), "onnx");
	capabilities *c = capabilities_new(table, NULL, NULL);
	if (c && capabilities_read(c, in.path, &d))
		capabilities_without(c, &n);
	capabilities_free(c);
	input_close(&in);
	return 0;
}
