/* A row of the table: an operator as an initialiser of rs_op. */
#ifndef ROW_H
#define ROW_H

#include "arrays.h"
#include "plan.h"

/* `shared` gets the arrays that the row refers to, or gives their names. */
void row_emit(buf *out, const plan_row *row, const char *framework, arrays *shared);

#endif
