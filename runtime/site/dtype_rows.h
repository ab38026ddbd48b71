/* The dtypes that signatures were recorded with, each combination once: "float32" if all tensors of a call have it, else
 * "int64, float32 → float32". */
#ifndef DTYPE_ROWS_H
#define DTYPE_ROWS_H

#include "buf.h"
#include "site_rules.h"

typedef struct dtype_rows {
	char **texts; /* n, in the order of the records */
	size_t n, room;
	bool failed;
} dtype_rows;

void dtype_rows_add(dtype_rows *rows, const site_op *op);

/* HTML: at most `most` combinations, and how many more there are. */
void dtype_rows_put(buf *out, const dtype_rows *rows, size_t most);

/* Frees the rows; out of memory is passed on to out->failed. */
void dtype_rows_free(buf *out, dtype_rows *rows);

#endif
