/* rulefuzz worker: the fast path, a worker within this program that `rulefuzz run` starts. */
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
	     "The fast path of `rulefuzz run`, which starts it by itself: runs each model in onnxruntime through\n"
	     "its C API, without and with graph optimizations, all of them or up to LEVEL: none, basic,\n"
	     "extended, layout. Reads requests from standard input and writes answers to standard output, in the\n"
	     "worker protocol (docs/reference/worker-protocol.md).\n\n"
	     "Example:\n"
	     "  rulefuzz worker onnxruntime --python .venv/bin/python\n\n"
	     "  --library FILE     the onnxruntime library (default $RULEFUZZ_ONNXRUNTIME)\n"
	     "  --python PATH      find the library in the onnxruntime package of this Python\n"
	     "  --help\n\n"
	     "Exit codes: 0 end of input, 5 the library cannot be loaded, 2 usage.");
	return EXIT_CLEAN;
}

static int serve(const char *name, const char *library)
{
	for (size_t i = 0; i < sizeof SCREENS / sizeof *SCREENS; i++)
		if (strcmp(SCREENS[i].name, name) == 0)
			return screen_serve(library, SCREENS[i].optimisation) ? EXIT_CLEAN : EXIT_BACKEND;
	return usage_error("worker", "unknown worker '%s'; there are onnxruntime and onnxruntime-LEVEL", name);
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
		return usage_error("worker", "expected the name of one worker");
	if (!library && ort_find(found, python))
		library = found;
	if (!library)
		return usage_error("worker", "no onnxruntime library; give --library FILE, or --python PATH of a Python with onnxruntime");
	return serve(argv[optind], library);
}
