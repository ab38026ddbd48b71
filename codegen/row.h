/* A row of the table: an operator as an initialiser of rs_op, complete in itself. */
#ifndef ROW_H
#define ROW_H

#include "plan.h"

void row_emit(buf *out, const plan_row *row);

#endif
