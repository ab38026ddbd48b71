/* The subcommands of rulefuzz, one file each (cmd_NAME.c). Each takes its own argc and argv (argv[0]
 * is the subcommand) and returns the program's exit code. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "rulesmith.h"

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_INPUT = 1,	  /* bad input or I/O */
	EXIT_USAGE = 2,
	EXIT_CHECK = 3,	  /* a check failed, or a new bug was found */
	EXIT_PARTIAL = 4, /* the budget was spent with partial output */
	EXIT_BACKEND = 5, /* a backend is missing or its worker cannot start */
};

/* COMMAND(name, one line of help) */
#define COMMANDS(COMMAND)                                                                          \
	COMMAND(eval, "answer whether calls are valid, and with which output shapes")              \
	COMMAND(rules, "list what the rule table knows, and why an operator has no rule")          \
	COMMAND(gen, "generate valid models")                                                      \
	COMMAND(coverage, "say how diverse models are, in numbers and charts")                     \
	COMMAND(run, "generate models, run them on a backend and its reference, keep findings")    \
	COMMAND(list, "list the findings in a database")                                           \
	COMMAND(show, "show one finding")                                                          \
	COMMAND(repro, "run a finding's repro script again in a fresh worker")                     \
	COMMAND(verify, "ask the live framework how often the rules are right")                    \
	COMMAND(validity, "run models by the framework alone: how many are valid?")

#define X(name, help) int cmd_##name(int argc, char **argv);
COMMANDS(X)
#undef X

/* The library named by --rules, or the one linked in when path is NULL. NULL after a message. */
const rs_library *open_rules(const char *path);

/* Prints "rulefuzz COMMAND: error: …" and "try --help"; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Parses a whole decimal number in low..high; false (after a message naming the option) otherwise. */
bool parse_number(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *value);

/* The same for N or A..B, both ends included; N is N..N. */
bool parse_range(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *from, int64_t *to);

#endif
