/* rulefuzz validity: counts the models that the framework itself accepts. The Python package rulefuzz does the work. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "package.h"

static int help(void)
{
	puts("usage: rulefuzz validity FRAMEWORK [OPTION…] <MODELS\n\n"
	     "Runs models in the framework without a compiler and counts the valid ones: one line per model on\n"
	     "standard output, a summary on standard error. MODELS are JSON lines from `rulefuzz gen`.\n\n"
	     "  --quiet           print only the summary\n"
	     "  --jobs N          number of processes (default 1)\n"
	     "  --show N          list the N signatures that fail most often (default 10)\n"
	     "  --failures FILE   write every failed call to FILE\n"
	     "  --nonfinite FILE  write the signatures that made infinities or NaN from finite values to FILE\n"
	     "  -h, --help        show this text\n\n"
	     "The Python is $RULEFUZZ_PYTHON or that of the framework's virtual environment.\n"
	     "Exit codes: 0 success, 2 usage, 5 the framework is not installed.");
	return print_examples("validity");
}

/* Replaces this process by `python -m rulefuzz.validity ARGUMENTS…`; returns only if that fails. */
static int become(const char *python, int argc, char **argv)
{
	const char **args = calloc((size_t)argc + 4, sizeof *args);
	if (!args) {
		fprintf(stderr, "rulefuzz validity: error: out of memory\n");
		return EXIT_INPUT;
	}
	args[0] = python;
	args[1] = "-m";
	args[2] = "rulefuzz.validity";
	for (int i = 1; i < argc; i++)
		args[i + 2] = argv[i];
	execvp(python, (char *const *)args);
	fprintf(stderr, "rulefuzz validity: error: cannot run %s: %s\n", python, strerror(errno));
	free(args);
	return EXIT_BACKEND;
}

int cmd_validity(int argc, char **argv)
{
	package p;
	diag d = {""};
	char python[PATH_MAX];
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return help();
	if (argc < 2 || argv[1][0] == '-')
		return usage_error("validity", "expected a FRAMEWORK before the options");
	if (!rs_library_table(&rs_rules, argv[1]))
		return unknown_framework("validity", "unknown framework", &rs_rules, argv[1]);
	if (!package_find(&p, &d) || !package_use(&p, &d) || !package_interpreter(&p, argv[1], NULL, python, &d)) {
		fprintf(stderr, "rulefuzz validity: %s\n", d.text);
		return EXIT_BACKEND;
	}
	return become(python, argc, argv);
}
