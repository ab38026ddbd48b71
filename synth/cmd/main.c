/* rulesmith: from records of operator calls to rules, and from rules to C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "smith_commands.h"
#include "need.h"
#include "prove.h"
#include "rulesmith.h"
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

static void help(void)
{
	puts("usage: rulesmith COMMAND [OPTION…]\n\n"
	     "Learns shape rules and input constraints of deep-learning operators from recorded calls.\n");
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
		printf("  %-9s %s\n", LIST[i].name, LIST[i].help);
	puts("\n`rulesmith COMMAND --help` has options and examples; `rulesmith --version` prints version, ABI and Z3.\n"
	     "Exit codes: 0 clean, 1 bad input or I/O, 2 usage, 3 a check failed,\n"
	     "5 the framework is missing.");
}

static int unknown_command(const char *given)
{
	suggestion near = suggest_start(given);
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
		suggest_see(&near, LIST[i].name);
	if (*near.name)
		fprintf(stderr, "rulesmith: error: unknown command '%s'; did you mean %s?\n", given, near.name);
	else
		fprintf(stderr, "rulesmith: error: unknown command '%s'; try 'rulesmith --help'\n", given);
	return 2;
}

static void *json_bytes(size_t n)
{
	return need(malloc(n), n);
}

int main(int argc, char **argv)
{
	cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = json_bytes, .free_fn = free});
	if (argc < 2) {
		fprintf(stderr, "rulesmith: error: no command; try 'rulesmith --help'\n");
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		help();
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("rulesmith %s, rule ABI %d, Z3 %s\n", RS_VERSION, RS_ABI, prover_version());
		return 0;
	}
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
		if (strcmp(argv[1], LIST[i].name) == 0)
			return LIST[i].run(argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
