/* Runs decoded samplers (program.h), and gets the program of a compiled one. */
#ifndef RUN_H
#define RUN_H

#include "program.h"

/* Completes the call by the program, without the final check of the rule. False: a dead end. */
bool run_program(const program *p, rs_draw *d);

enum { RUN_TEXT_WIDTH = 256 }; /* maximum symbols and output dimensions of a signature whose sampler is queried */

/* The program text of a compiled sampler with at most that many symbols and output dimensions; NULL: it has none. The table
 * owns it. */
const char *run_text(rs_sample_fn *sampler);

#endif
