/* Adds results of running operators and models to the rules (docs/explanation/models.md).
 *
 * VALUES.tsv has classes of element values (traces/collect/cli/values.py).
 *
 *   op             accepts  gives
 *   torch.div-0    lp       lllfff
 *
 * A letter is a class. `accepts` has one for each input tensor, or "." without inputs. `gives` has one for each class
 * of inputs.
 *
 * RUNS.tsv has results of models (traces/collect/cli/amend.py).
 *
 *   op             use       why
 *   torch.lstm-9   never     killed by SIGABRT
 *   torch.gru-2    records   RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x8 and 5x8)
 *
 *   use:
 *   never      Generators exclude the signature.
 *   records    Generators use its recorded calls, not its rule.
 *   delicate   Generators always keep to its classes, since it raises otherwise.
 */
#ifndef CLASSES_READ_H
#define CLASSES_READ_H

#include "rules_file.h"

/* False and d ("path:line: error: …") if the file cannot be read or a line is malformed. Counts signatures that are
 * not among the rules in unknown. */
bool classes_read(rule_set *rules, const char *path, unsigned *unknown, diag *d);
bool runs_read(rule_set *rules, const char *path, unsigned *unknown, diag *d);

#endif
