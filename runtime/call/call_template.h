/* Templates of whole calls: functions from arguments to outputs whose number, rank or order depends on values, as those of split,
 * squeeze, moveaxis and einsum. One counts for an API if it does what the recorded signatures do, on their records and near them.
 *
 *   rows, templates, roles of arguments ──► readings that no record contradicts ──► an answer if all of them agree */
#ifndef CALL_TEMPLATE_H
#define CALL_TEMPLATE_H

#include "recorded.h"
#include "rule_evaluate.h"

/* Evaluates a call by the templates of its API. False: out of memory.
 *   out      the outcome; silent if templates disagree
 *   *counts  a template has enough records. Without it, out contradicts a rule but does not answer.
 *   *why     the reason of a rejection
 *   *dtypes  recorded calls accept these dtypes: all tensors have one that a row has */
bool call_template_evaluate(const recorded *rows, size_t n, const binding *b, arena *memory, rule_result *out, const char **why,
    bool *counts, bool *dtypes);

#endif
