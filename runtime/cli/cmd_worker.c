/* rulefuzz worker: a worker that is part of this program, as `rulefuzz run` starts it. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "ort.h"
#include "screen_worker.h"

static const struct {
	const char *name;
	int optimisation; /* of the target */
} SCREENS[] = {{"onnxruntime", ORT_OPTIMISE_ALL}, {"onnxruntime-layout", ORT_OPTIMISE_LAYOUT},
    {"onnxruntime-extended", ORT_OPTIMISE_EXTENDED}, {"onnxruntime-basic", ORT_OPTIMISE_BASIC},
    {"onnxruntime-none", ORT_OPTIMISE_NOTHING}};

static int help(void)
{
	puts("usage: rulefuzz worker onnxruntime[-LEVEL] [--library FILE | --python PATH]\n\n"
	     "What `rulefuzz run` starts for a first look at each model: onnxruntime by its C API, without and\n"
	     "with optimisation, all or up to a LEVEL: none, basic, extended, layout. It takes requests and answers\n"
	     "them as docs/reference/worker-protocol.md says.\n\n"
	     "  --library FILE     the library (default $RULEFUZZ_ONNXRUNTIME)\n"
	     "  --python PATH      or a Python whose package has it\n"
	     "  --help\n\n"
	     "Exit codes: 0 its input ended, 5 it cannot work here, 2 usage.");
	return EXIT_CLEAN;
}

static int serve(const char *name, const char *library)
{
	for (size_t i = 0; i < sizeof SCREENS / sizeof *SCREENS; i++)
		if (strcmp(SCREENS[i].name, name) == 0)
			return screen_serve(library, SCREENS[i].optimisation) ? EXIT_CLEAN : EXIT_BACKEND;
	return usage_error("worker", "there is no worker '%s'", name);
}

int cmd_worker(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"library", required_argument, NULL, 'l'},
	    {"python", required_argument, NULL, 'p'}, {"help", no_argument, NULL, 'h'}, {0}};
	const char *library = NULL, *python = "";
	char found[PATH_MAX];
	optind = 1;
	for (int c; (c = next_option("worker", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c != 'l' && c != 'p')
			return EXIT_USAGE;
		*(c == 'l' ? &library : &python) = optarg;
	}
	if (optind + 1 != argc)
		return usage_error("worker", "the name of one is wanted");
	if (!library && ort_find(found, python))
		library = found;
	if (!library)
		return usage_error("worker", "neither --library nor a --python that has it");
	return serve(argv[optind], library);
}
