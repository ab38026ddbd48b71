/* NeuRI's rule synthesiser as published (section 3.2): the expression bank E_□, hole extension, Algorithm 1
 * and Algorithm 2. Selected by `rulesmith synth --layer neuri`; the default search (shape.c, clause.c)
 * covers the same grammar by columns and goes beyond it. */
#ifndef NEURI_H
#define NEURI_H

#include "solve.h"

/* The bank's expressions over holes, made once and shared by all threads (read-only). */
typedef struct neuri_bank neuri_bank;

neuri_bank *neuri_bank_new(int holes, int ops, int threads, prover *prover);
void neuri_bank_free(neuri_bank *b);

bool neuri_search(solver *s);

#endif
