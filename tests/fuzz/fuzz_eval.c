/* Lines for rulefuzz eval, against the linked table. */
#include <getopt.h>

#include "commands.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input in = input_open(data, size);
	char name[] = "eval", *argv[] = {name, in.path, NULL};
	static int quiet;
	if (!quiet++ && (!freopen("/dev/null", "w", stdout)))
		abort();
	optind = 1;
	cmd_eval(2, argv);
	input_close(&in);
	return 0;
}
