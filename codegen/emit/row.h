/* A row of the table: a signature as a line of macros that initialise its rs_op (tablerow.h). */
#ifndef ROW_H
#define ROW_H

#include "arrays.h"
#include "plan.h"

/* `shared` gets the arrays that the row refers to, or gives their names. */
void row_emit(buf *out, const plan_row *row, arrays *shared);

#endif
