/* rulefuzz: models from compiled rules, and what they do to a compiler. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} LIST[] = {
#define X(name, help) {#name, cmd_##name, help},
    COMMANDS(X)
#undef X
};

static void help(void)
{
	puts("usage: rulefuzz COMMAND [OPTION…]\n\n"
	     "Fuzzes deep-learning compilers with valid models, built from compiled operator rules.\n");
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
		printf("  %-8s %s\n", LIST[i].name, LIST[i].help);
	puts("\n`rulefuzz COMMAND --help` tells more; `rulefuzz --version` prints version and ABI.\n"
	     "Exit codes: 0 clean, 1 bad input or I/O, 2 usage, 3 a check failed or a new bug was found,\n"
	     "4 budget spent with partial output, 5 infrastructure fault.");
}

int usage_error(const char *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "rulefuzz %s: error: ", command);
	vfprintf(stderr, format, args);
	fprintf(stderr, "; try 'rulefuzz %s --help'\n", command);
	va_end(args);
	return EXIT_USAGE;
}

bool parse_number(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *value)
{
	char *end;
	errno = 0;
	long long v = strtoll(text, &end, 10);
	if (errno || end == text || *end || v < low || v > high) {
		usage_error(command, "%s takes a whole number from %lld to %lld, not '%s'", option,
		    (long long)low, (long long)high, text);
		return false;
	}
	*value = v;
	return true;
}

const rs_library *open_rules(const char *path)
{
	char message[512];
	if (path) {
		const rs_library *lib = rs_library_load(path, message, sizeof message);
		if (!lib)
			fprintf(stderr, "error: %s\n", message);
		return lib;
	}
	const char *why = rs_library_check(&rs_rules);
	if (why)
		fprintf(stderr, "error: %s\n", why);
	return why ? NULL : &rs_rules;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "rulefuzz: error: no command; try 'rulefuzz --help'\n");
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		help();
		return EXIT_CLEAN;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("rulefuzz %s, rule ABI %d (reads %d to %d)\n", RS_VERSION, RS_ABI, RS_ABI_OLDEST,
		    RS_ABI);
		return EXIT_CLEAN;
	}
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
		if (strcmp(argv[1], LIST[i].name) == 0)
			return LIST[i].run(argc - 1, argv + 1);
	fprintf(stderr, "rulefuzz: error: unknown command '%s'; try 'rulefuzz --help'\n", argv[1]);
	return EXIT_USAGE;
}
