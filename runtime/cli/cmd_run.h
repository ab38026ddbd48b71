/* For `rulefuzz ci`: checks of `rulefuzz run` before it starts. */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include <stdbool.h>

/* Whether `run` accepts these arguments; prints a message if not. Opens and creates nothing. */
bool run_would_start(int argc, char **argv);

#endif
