/* The dtypes that a call may have, according to the recorded combinations. */
#ifndef CALL_DTYPES_H
#define CALL_DTYPES_H

#include "recorded.h"

typedef enum dtype_verdict { DTYPES_ACCEPTED, DTYPES_REJECTED, DTYPES_UNKNOWN } dtype_verdict;

/* Decides the dtypes of a call's input tensors, in the order of a row. RS_OTHER fits any. rows: all of the API. */
dtype_verdict dtype_rows_verdict(const recorded *rows, size_t n, const recorded *row, const uint8_t *dtypes);

/* Whether all rows with the same tensors give the same answer for dtypes. */
bool dtype_rows_agree(const recorded *rows, size_t n, const recorded *row, const uint8_t *dtypes);

/* Whether a signature accepts this dtype for all of its tensors. RS_OTHER: any. */
bool dtype_row_uniform(const rs_op *op, uint8_t dtype);

#endif
