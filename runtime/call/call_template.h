/* Templates of whole calls: functions from arguments to outputs whose number, rank or order depends on values, as for split,
 * squeeze, moveaxis and einsum. A template holds for an API if it agrees with the recorded signatures on their records and near
 * them.
 *
 *   rows, templates, roles of arguments ──► readings that no record contradicts ──► an answer if all of them agree */
#ifndef CALL_TEMPLATE_H
#define CALL_TEMPLATE_H

#include "recorded.h"
#include "rule_evaluate.h"

/* Evaluates a call by the templates of its API. False: out of memory.
 *   out      the outcome; silent if templates disagree
 *   *counts  a template has enough records. If not, out can contradict a rule but is not an answer.
 *   *why     the reason of a rejection
 *   *dtypes  recorded calls accept these dtypes: the dtype of each tensor occurs in a row */
bool call_template_evaluate(const recorded *rows, size_t n, const binding *b, arena *memory, rule_result *out, const char **why,
    bool *counts, bool *dtypes);

#endif
