/* What the subcommands share: exit codes, usage errors, numbers in options, the rule library. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "rulesmith.h"

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_INPUT = 1,	  /* bad input or I/O */
	EXIT_USAGE = 2,
	EXIT_CHECK = 3,	  /* a check failed, or a new bug was found */
	EXIT_PARTIAL = 4, /* the budget was spent with partial output */
	EXIT_BACKEND = 5, /* a backend is missing or its worker cannot start */
};

/* The library named by --rules, or the one linked in when path is NULL. NULL after a message. One of a
 * user's own operators allows these to all processes that are started later (own_rules.h). */
const rs_library *open_rules(const char *path);

/* Prints "rulefuzz COMMAND: error: …" and "try --help"; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Parses a whole decimal number in low..high; false (after a message naming the option) otherwise. */
bool parse_number(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *value);

/* A time: seconds, or a number with s, m or h behind it. False after a message. */
bool parse_time(const char *command, const char *option, const char *text, double *seconds);

/* The same for N or A..B, both ends included; N is N..N. */
bool parse_range(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *from, int64_t *to);

/* The same for a time: seconds, or a number with s, m or h. */
bool parse_time(const char *command, const char *option, const char *text, double *seconds);

#endif
