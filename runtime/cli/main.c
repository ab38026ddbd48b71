/* rulefuzz: generates models from compiled rules and fuzzes compilers with them. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "suggest.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *group, *help;
} LIST[] = {
#define X(name, group, help) {#name, cmd_##name, group, help},
    COMMANDS(X)
#undef X
};

/* Whether a word is the name of a command, with hyphens for its underscores. */
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
	     "Fuzzes deep-learning compilers with valid models that are generated from operator rules.");
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
		if (i == 0 || strcmp(LIST[i].group, LIST[i - 1].group) != 0)
			printf("\n%s:\n", LIST[i].group);
		print_name(LIST[i].name);
		puts(LIST[i].help);
	}
	puts("\n`rulefuzz COMMAND --help` describes a command; `rulefuzz --version` prints version and ABI.\n\n"
	     "Exit codes: 0 success, 1 bad input or I/O error, 2 usage error, 3 a check failed or a new bug was\n"
	     "found, 4 stopped before the end, 5 a backend is missing or cannot start.");
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
	signal(SIGXFSZ, SIG_IGN); /* writing beyond a file size limit is then an error like a full disk */
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
