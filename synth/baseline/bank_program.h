/* Evaluation of nodes. A program is one or several flattened nodes. A step's operands are leaves (below LEAVES: the
 * holes, then the two constants) or results of earlier steps. Shared nodes are one step. */
#ifndef BANK_PROGRAM_H
#define BANK_PROGRAM_H

#include "bank_node.h"

enum { LEAVES = HOLES + 2, MAX_STEPS = 2 * BANK_MAX_OPS };

typedef struct program_step {
	uint8_t op, left, right;
} program_step;

typedef struct program {
	int count;
	program_step steps[MAX_STEPS];
} program;

/* Adds a node with the holes of the mask; returns the operand of its value. */
int bank_compile(const bank *b, unsigned mask, const node *n, program *p);
void bank_run(const bank *b, const program *p, int block, column results[MAX_STEPS]);
const column *bank_value(const bank *b, int block, const column results[MAX_STEPS], int operand);

#endif
