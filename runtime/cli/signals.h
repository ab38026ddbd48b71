/* Signals that stop a command. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/* Makes SIGINT, SIGTERM and SIGHUP readable on the returned descriptor, for every thread, instead of ending the program. -1:
 * failure; they still end the program. Call it before threads, folders or workers exist. */
int catch_signals(void);

/* Whether one of them has arrived since. */
bool signal_came(void);

#endif
