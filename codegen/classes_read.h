/* What was learned by running operators and models, into the rules that it belongs to: classes of element values
 * (VALUES.tsv, by traces/collect/cli/values.py, docs/explanation/models.md), and what models showed (RUNS.tsv, by
 * traces/collect/cli/amend.py, docs/explanation/models.md).
 *
 *   op             accepts  gives
 *   torch.div-0    lp       lllfff
 *
 * A letter is a class; accepts has one for each input tensor ("." if there is none), gives one for each class.
 *
 *   op             use       why
 *   torch.lstm-9   never     killed by SIGABRT
 *   torch.gru-2    records   RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x8 and 5x8)
 *
 * use: never (generators leave it out), records (by its records, not by its rule), delicate (its classes are kept
 * even where finite elements are not asked for: it raises).
 */
#ifndef CLASSES_READ_H
#define CLASSES_READ_H

#include "rules_file.h"

/* False and d ("path:line: error: …") when the file cannot be read or a line is not as it should be. Operators that
 * the rules do not have are counted in unknown. */
bool classes_read(rule_set *rules, const char *path, unsigned *unknown, diag *d);
bool runs_read(rule_set *rules, const char *path, unsigned *unknown, diag *d);

#endif
