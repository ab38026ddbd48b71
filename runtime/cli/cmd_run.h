/* For other commands: checks of `rulefuzz run` before it starts, and triage without a run. */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include <stdbool.h>

#include "again.h"

/* Whether `run` accepts these arguments; prints a message if not. Opens and creates nothing. */
bool run_would_start(int argc, char **argv);

/* The worse of the exit codes of two backends. */
int worse_exit(int a, int b);

typedef struct pending_choice {
	double seconds; /* in all; 0: no limit */
	double reduce;  /* for one failure */
	int64_t jobs;
	bool json;
} pending_choice;

/* Triages the failures of a database that wait for a backend. Prints a summary, and returns an exit code. */
int run_pending(const again_options *a, const char *backend, const char *framework, const pending_choice *choice);

#endif
