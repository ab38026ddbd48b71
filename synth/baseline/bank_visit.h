/* Plans, and the candidates of a plan: what the enumeration looks at, and what it skips. */
#ifndef BANK_VISIT_H
#define BANK_VISIT_H

#include "bank_node.h"

/* Finds the ways to make an expression of so many operations and holes from smaller ones. */
void bank_make_plans(bank *b, int ops, int holes);
size_t bank_plan_candidates(const bank *b, plan p); /* at most: skipped ones counted */
/* The columns of a plan's right nodes, at block 0. The caller frees them. */
column *bank_right_columns(const bank *b, plan p);
/* Visits all candidates of a plan's left nodes begin … end-1 that are not skipped. */
typedef void bank_visit(void *context, uint64_t id, uint64_t fingerprint);
void bank_visit_candidates(const bank *b, int ops, int holes, int plan, const column *rights,
    uint32_t begin, uint32_t end, bank_visit *visit, void *context);

#endif
