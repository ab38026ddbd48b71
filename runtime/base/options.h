/* Options on a command line. getopt_long parses; one line that suggests a remedy replaces its messages. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <getopt.h>

/* The next option, as getopt_long returns it: -1 behind the last one. '?' after a message on standard error: the option is
 * unknown ("did you mean --time?"), was renamed, or lacks its argument. who: "rulefuzz run", for the message. letters is
 * getopt's string of short options. Set optind to 1 before the first call. */
int option_next(const char *who, int argc, char **argv, const char *letters, const struct option *options);

#endif
