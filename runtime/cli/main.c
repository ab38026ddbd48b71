/* rulefuzz: models from compiled rules, and what they do to a compiler. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "suggest.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} LIST[] = {
#define X(name, help) {#name, cmd_##name, help},
    COMMANDS(X)
#undef X
};

/* Whether a word names a command. */
static bool is_name(const char *word, const char *name)
{
	for (; *word && *name; word++, name++)
		if (*word != (*name == '_' ? '-' : *name))
			return false;
	return !*word && !*name;
}

static void print_name(const char *name)
{
	printf("  ");
	int n = 0;
	for (; name[n]; n++)
		putchar(name[n] == '_' ? '-' : name[n]);
	printf("%*s ", n < 15 ? 15 - n : 0, "");
}

static void help(void)
{
	puts("usage: rulefuzz COMMAND [OPTION…]\n\n"
	     "Fuzzes deep-learning compilers with valid models, built from compiled operator rules.\n");
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
		print_name(LIST[i].name);
		puts(LIST[i].help);
	}
	puts("\n`rulefuzz COMMAND --help` tells more; `rulefuzz --version` prints version and ABI.\n"
	     "Exit codes: 0 clean, 1 bad input or I/O, 2 usage, 3 a check failed or a new bug was found,\n"
	     "4 budget spent with partial output, 5 infrastructure fault.");
}

static int unknown_command(const char *word)
{
	suggestion s = suggest_start(word);
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
		char name[32];
		snprintf(name, sizeof name, "%s", LIST[i].name);
		for (char *c = name; *c; c++)
			*c = *c == '_' ? '-' : *c;
		suggest_see(&s, name);
	}
	if (*s.name)
		fprintf(stderr, "rulefuzz: error: unknown command '%s'; did you mean %s?\n", word, s.name);
	else
		fprintf(stderr, "rulefuzz: error: unknown command '%s'; try 'rulefuzz --help'\n", word);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	signal(SIGXFSZ, SIG_IGN); /* a limit of a file's size is an error of writing, as a full disk is */
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
		if (is_name(argv[1], LIST[i].name))
			return LIST[i].run(argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
