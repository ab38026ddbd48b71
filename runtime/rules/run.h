/* Runs decoded samplers (program.h). */
#ifndef RUN_H
#define RUN_H

#include "program.h"

/* Completes the call by the program, without the final check of the rule. False: a dead end. */
bool run_program(const program *p, rs_draw *d);

#endif
