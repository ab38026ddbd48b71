/* Runs decoded samplers (program.h), and finds out which program a compiled one is. */
#ifndef RUN_H
#define RUN_H

#include "program.h"

/* Completes the call as the program says, but for the rule's own check. False: a dead end. */
bool run_program(const program *p, rs_draw *d);

enum { RUN_TEXT_WIDTH = 256 }; /* symbols and output dimensions of an operator whose sampler is asked */

/* The text that a compiled sampler of an operator with at most so many symbols and output dimensions hands to rs_run,
 * NULL where it hands none. It is the table's. */
const char *run_text(rs_sample_fn *sampler);

#endif
