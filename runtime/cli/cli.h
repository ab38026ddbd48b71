/* Shared by the subcommands: exit codes, usage errors, options and their values, the rule library. Every function that
 * takes `command` prints at most one line, "rulefuzz COMMAND: error: …", to standard error. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "rulesmith.h"

struct option;

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_INPUT = 1,	  /* bad input or I/O error */
	EXIT_USAGE = 2,
	EXIT_CHECK = 3,	  /* a check failed, or a new bug was found */
	EXIT_PARTIAL = 4, /* stopped before the end, with partial output */
	EXIT_BACKEND = 5, /* a backend is missing or its worker cannot start */
};

/* The library named by --rules, or the built-in one if path is NULL. NULL after a message. A library of user-defined
 * operators also allows these operators in all processes started later (own_rules.h). */
const rs_library *open_rules(const char *path);

/* Prints the error and "try 'rulefuzz COMMAND --help'"; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the examples of a command (examples.def), the last part of its help text. Returns EXIT_CLEAN. */
int print_examples(const char *command);

/* The next option, as getopt_long returns it; '?' after a message, for which a command returns EXIT_USAGE
 * (runtime/base/options.h). Use it in place of getopt_long. */
int next_option(const char *command, int argc, char **argv, const char *letters, const struct option *options);

/* Prints "WHAT 'GIVEN'; did you mean NEAR?" as a usage error; near may be NULL. */
int unknown_name(const char *command, const char *what, const char *given, const char *near);

/* The same for a framework without rules in the library; `what` ends before the name. */
int unknown_framework(const char *command, const char *what, const rs_library *lib, const char *given);

/* The same for an API or a signature that a framework (NULL: any) does not have. */
int unknown_api(const char *command, const rs_library *lib, const char *framework, const char *given);
int unknown_signature(const char *command, const rs_library *lib, const char *framework, const char *given);

/* The parsers below return false after a message that names the option, the accepted values and the given one. */

/* A whole decimal number in low..high. */
bool parse_number(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *value);

/* N or A..B, both ends included; N is N..N. */
bool parse_range(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *from, int64_t *to);

/* A duration: seconds, or a number followed by s, m or h. 0 is accepted. */
bool parse_time(const char *command, const char *option, const char *text, double *seconds);

/* The same, above 0. */
bool parse_duration(const char *command, const char *option, const char *text, double *seconds);

#endif
