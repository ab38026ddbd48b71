/* A row of the table: an operator as an initialiser of rs_op. */
#ifndef ROW_H
#define ROW_H

#include "arrays.h"
#include "plan.h"

/* `samples` gets the programs of the row's samplers. */
void row_collect_samples(const plan_row *row, arrays *samples);
/* `shared` gets the arrays that the row refers to, or gives their names. `samples` is named. */
void row_emit(buf *out, const plan_row *row, const char *framework, arrays *shared, arrays *samples);

#endif
