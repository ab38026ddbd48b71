/* Versions of ONNX's operators, and the operators of an operator set. A model of the oldest possible operator set also runs on
 * targets that support only old sets, and reaches more of a compiler's code. rulefuzz/frameworks/onnx_evaluate.py uses the same
 * rules. */
#ifndef OP_VERSIONS_H
#define OP_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ruletable.h"

enum {
	OP_NO_DTYPE = 0xff, /* an omitted input */
	OP_SET_FIRST = 7,   /* the oldest set that onnxruntime promises to run */
	OP_SET_BODIES = 16, /* the oldest in which If and Loop accept all types */
	OP_SET_LAST = 26,   /* the set of the records: as in rulefuzz/frameworks/onnx_evaluate.py */
};

/* The oldest operator set, at least 7, in which an operator of these dtypes (rs_dtype) is the same call as in the newest.
 * 0: the table does not know the operator. */
int op_oldest_set(const char *operator, const uint8_t *inputs, size_t nin, const uint8_t *outputs, size_t nout);

/* The newest operator set, at most 26, in which an API is in force: 18 for "onnx.AveragePool_11", 26 for "onnx.Add". 0: the
 * API is not an operator of ONNX, or is newer. */
int op_newest_set(const char *api);

/* The oldest set that an operator of another domain, such as "com_microsoft.Gelu", loads with; mostly 7. */
int op_set_beside(const char *name);

enum { OP_PLACES = 256 };

/* An input of an operator: a tensor of the call, written elements, or None if it is omitted. */
typedef struct op_place {
	const rs_value *value;
	unsigned tensor; /* the index of a tensor */
} op_place;

/* Finds the inputs of a signature's operator, at most `most`. Returns their number. */
size_t op_places(const rs_op *op, op_place *list, size_t most);

/* Operator sets from one on, up to another. */
typedef struct op_sets {
	int first, last; /* first > last: none */
} op_sets;

static inline bool op_sets_have(op_sets s, int set)
{
	return s.first <= set && set <= s.last;
}

/* The sets that have a call of these dtypes, inputs before outputs as in a row of rs_op.dtypes. A version that equals the one in
 * force at set 26 has that one's name. */
op_sets op_sets_of(const rs_op *op, const uint8_t *row);
bool op_in_set(const rs_op *op, const uint8_t *row, int set);

int op_ir_version(int set); /* of the release of ONNX that has the set, from 7 to 26 */

/* 11 for "onnx.AveragePool_11"; 0: the name has no version. */
int op_version(const char *api);

/* The length of an operator's name in "AveragePool_11". */
size_t op_name_length(const char *versioned);

/* strcmp, for a name of n bytes. */
int op_name_order(const char *known, const char *name, size_t n);
/* The first of `count` rows of `size` bytes with a name of n bytes; count: none. Each row starts with its name, and they are
 * sorted by it. */
size_t op_first_row(const void *rows, size_t count, size_t size, const char *name, size_t n);

#endif
