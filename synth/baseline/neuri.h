/* NeuRI's rule synthesizer as published (section 3.2): the expression bank E_□, hole extension, Algorithm 1 and
 * Algorithm 2. A baseline: `rulesmith synth --layer neuri` runs it instead of the pipeline's search. */
#ifndef NEURI_H
#define NEURI_H

#include "solve.h"

/* The bank's expressions, created once and read by all threads. */
typedef struct neuri_bank neuri_bank;

neuri_bank *neuri_bank_new(int holes, int ops, int threads, prover *prover);
void neuri_bank_free(neuri_bank *b);

bool neuri_search(solver *s);

#endif
