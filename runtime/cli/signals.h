/* Signals that ask a command to stop. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP end nothing, but make this descriptor readable; every thread
 * can see them there. -1, and they end the program as before, when there is none. Call it before there are threads, folders or workers. */
int catch_signals(void);

/* Whether one of them has come since. */
bool signal_came(void);

#endif
