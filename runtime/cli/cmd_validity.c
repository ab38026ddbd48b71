/* rulefuzz validity: models by the framework's own reference; the package rulefuzz does it. */
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
	     "Runs models, JSON lines on standard input as `rulefuzz gen` writes them, by the framework\n"
	     "alone, and says which are valid: a line for each, and a summary on standard error.\n"
	     "docs/explanation/models.md tells more.\n\n"
	     "  --quiet           the summary only\n"
	     "  --jobs N          processes (1)\n"
	     "  --show N          operators listed that failed most often (10)\n"
	     "  --failures FILE   every failed call\n"
	     "  --nonfinite FILE  operators that made infinities or NaN of finite elements\n"
	     "  --help\n\n"
	     "Its Python is $RULEFUZZ_PYTHON, or the framework's virtual environment, which\n"
	     "`make backends` makes. Exit codes: 0 done, 2 usage, 5 the framework is not installed.");
	return EXIT_CLEAN;
}

/* Becomes `python -m rulefuzz.validity ARGUMENTS…`; comes back when it cannot. */
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
		return usage_error("validity", "the framework comes first");
	if (!package_find(&p, &d) || !package_use(&p, &d) || !package_interpreter(&p, argv[1], NULL, python, &d)) {
		fprintf(stderr, "rulefuzz validity: %s\n", d.text);
		return EXIT_BACKEND;
	}
	return become(python, argc, argv);
}
