/* Plans, and the candidates of a plan that the enumeration evaluates. */
#ifndef BANK_VISIT_H
#define BANK_VISIT_H

#include "bank_node.h"

/* Lists the plans for expressions of this many operations and holes. */
void bank_make_plans(bank *b, int ops, int holes);
size_t bank_plan_candidates(const bank *b, plan p); /* including skipped ones */
/* The columns of a plan's right nodes in block 0. The caller frees them. */
column *bank_right_columns(const bank *b, plan p);
/* Visits the candidates of a plan's left nodes begin … end-1, except skipped ones. */
typedef void bank_visit(void *context, uint64_t id, uint64_t fingerprint);
void bank_visit_candidates(const bank *b, int ops, int holes, int plan, const column *rights,
    uint32_t begin, uint32_t end, bank_visit *visit, void *context);

#endif
