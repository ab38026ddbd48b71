/* What `rulefuzz ci` needs of `rulefuzz run` beside itself. */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include <stdbool.h>

/* Whether `run` would take these arguments; a message where not. Nothing is opened or made. */
bool run_would_start(int argc, char **argv);

#endif
