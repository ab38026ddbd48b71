#include "call_dtypes.h"

/* The dtypes that the collector runs each call with (traces/collect/records). */
static bool is_tried(uint8_t dtype)
{
	switch (dtype) {
	case RS_BOOL:
	case RS_INT32:
	case RS_INT64:
	case RS_FLOAT16:
	case RS_BFLOAT16:
	case RS_FLOAT32:
	case RS_FLOAT64:
	case RS_COMPLEX64: return true;
	default: return false;
	}
}

static bool has_row(const rs_op *op, const uint8_t *dtypes)
{
	const unsigned width = (unsigned)op->nin + op->nout;
	for (unsigned r = 0; r < op->ndtypes; r++) {
		unsigned i = 0;
		while (i < op->nin && (dtypes[i] == RS_OTHER || dtypes[i] == op->dtypes[r * width + i]))
			i++;
		if (i == op->nin)
			return true;
	}
	return op->ndtypes == 0;
}

bool dtype_row_uniform(const rs_op *op, uint8_t dtype)
{
	const unsigned width = (unsigned)op->nin + op->nout;
	for (unsigned r = 0; r < op->ndtypes; r++) {
		unsigned i = 0;
		while (i < op->nin && op->dtypes[r * width + i] == dtype)
			i++;
		if (i == op->nin)
			return true;
	}
	return op->ndtypes == 0 || dtype == RS_OTHER;
}

/* The number of rows with one dtype for all tensors. */
static unsigned uniform_rows(const rs_op *op)
{
	const unsigned width = (unsigned)op->nin + op->nout;
	unsigned n = 0;
	for (unsigned r = 0; r < op->ndtypes; r++) {
		const uint8_t *row = &op->dtypes[r * width];
		unsigned i = 1;
		while (i < op->nin && row[i] == row[0])
			i++;
		n += i >= op->nin;
	}
	return n;
}

/* Whether two rows have the same tensors: the dtypes of one are then evidence for the other, too. */
static bool same_tensors(const recorded *a, const recorded *b)
{
	if (a->bound.to != b->bound.to || a->op->nin != b->op->nin)
		return false;
	for (size_t i = 0; i < a->bound.to->n; i++)
		if ((a->bound.values[i] && a->bound.values[i]->kind == CALL_TENSOR)
		    != (b->bound.values[i] && b->bound.values[i]->kind == CALL_TENSOR))
			return false;
	return true;
}

/* Whether a row has one dtype for a tensor in all combinations. */
static bool is_fixed(const rs_op *op, unsigned tensor)
{
	const unsigned width = (unsigned)op->nin + op->nout;
	for (unsigned r = 1; r < op->ndtypes; r++)
		if (op->dtypes[r * width + tensor] != op->dtypes[tensor])
			return false;
	return op->ndtypes > 0;
}

/* Whether `other` accepts dtypes that a row does not have only since the collector never changed them there, as those of an index. */
static bool accepts_for(const rs_op *op, const rs_op *other, const uint8_t *dtypes)
{
	uint8_t own[UINT8_MAX + 1];
	for (unsigned i = 0; i < op->nin; i++)
		own[i] = is_fixed(op, i) && is_fixed(other, i) ? op->dtypes[i] : dtypes[i];
	return has_row(other, dtypes) && has_row(op, own);
}

/* Whether a row accepts dtypes, by its combinations or by those of another row with the same tensors. */
static bool row_accepts(const recorded *rows, size_t n, const recorded *row, const uint8_t *dtypes)
{
	bool found = has_row(row->op, dtypes);
	for (size_t i = 0; i < n && !found; i++)
		found = same_tensors(&rows[i], row) && accepts_for(row->op, rows[i].op, dtypes);
	return found;
}

bool dtype_rows_agree(const recorded *rows, size_t n, const recorded *row, const uint8_t *dtypes)
{
	const bool accepts = row_accepts(rows, n, row, dtypes);
	for (size_t i = 0; i < n; i++)
		if (same_tensors(&rows[i], row) && row_accepts(rows, n, &rows[i], dtypes) != accepts)
			return false;
	return true;
}

dtype_verdict dtype_rows_verdict(const recorded *rows, size_t n, const recorded *row, const uint8_t *dtypes)
{
	if (row_accepts(rows, n, row, dtypes))
		return DTYPES_ACCEPTED;
	for (size_t i = 0; i < n; i++)
		if (same_tensors(&rows[i], row) && has_row(rows[i].op, dtypes))
			return DTYPES_UNKNOWN; /* other arguments may decide */
	if (row->op->nin > 1 && uniform_rows(row->op) < 2) /* the collector changed only some of the tensors, such as those beside
	 * an index */
		return DTYPES_UNKNOWN;
	for (unsigned i = 0; i < row->op->nin; i++)
		if (!is_tried(dtypes[i]) || dtypes[i] != dtypes[0])
			return DTYPES_UNKNOWN;
	return DTYPES_REJECTED;
}
