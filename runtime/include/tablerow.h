/* Macros for the rows of generated tables. Each sets some fields of rs_op (ruletable.h); all other fields are 0.
 *
 *   #define API "torch.mm"
 *   ROW("-0",3f0a91,40,12, 40916e,a547a8,4,2,2, 8,ed9e3c,f03b23, 2,"34451111", OUT(2)),
 *
 * This is the signature torch.mm-0. OP: its rule is RULE_3f0a91, with 40 accepted and 12 rejected records. CALL: its arguments
 * are args_40916e and values_a547a8, with 4 symbols, 2 input tensors and 2 output dimensions. TYPES: dtypes_ed9e3c has 8 dtype
 * tuples, and classes_f03b23 the classes of element values (unknown: none). RECORDS: it has two records, (3, 4, 4, 5) and
 * (1, 1, 1, 1), with one character per number. OUT: it has one output of rank 2. Rows that lack one of these are in braces.
 *
 * Data that several rows share stands above the rows; its name has the hash of its text.
 */
#ifndef TABLEROW_H
#define TABLEROW_H

#include "ruletable.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- rows */

/* OP, CALL, TYPES, RECORDS; then OUT and other fields. */
#define ROW(END, HASH, PASSED, FAILED, ARGS, VALUES, SYMBOLS, TENSORS, OUTPUTS, NDTYPES, DTYPES, CLASSES, NRECORDS, TEXT, ...) \
	{OP(END, HASH, PASSED, FAILED), CALL(ARGS, VALUES, SYMBOLS, TENSORS, OUTPUTS), TYPES(NDTYPES, DTYPES, CLASSES), \
	    RECORDS(NRECORDS, TEXT), __VA_ARGS__}

#define OP(END, HASH, PASSED, FAILED) .name = API END, .api = API, RULE_##HASH, \
	.passed = PASSED, .failed = FAILED
#define NO_RULE(END, WHY) .name = API END, .api = API, .why = WHY
#define CALL(ARGS, VALUES, SYMBOLS, TENSORS, OUTPUTS) \
	.args = args_##ARGS, .nargs = COUNT_OF(args_##ARGS), \
	.values = values_##VALUES, .nvalues = COUNT_OF(values_##VALUES), \
	.nsym = SYMBOLS, .nin = TENSORS, .nodim = OUTPUTS
#define OUT(...) .out_ranks = (const uint8_t[]){__VA_ARGS__}, .nout = sizeof((const uint8_t[]){__VA_ARGS__})
#define TYPES(ROWS, HASH, CLASSES) .ndtypes = ROWS, .dtypes = dtypes_##HASH, .classes = classes_##CLASSES
#define PROVED .flags = RS_PROVED
#define RECORDS(ROWS, TEXT) .nrecords = ROWS, .record_type = RS_RECORD_CHARS, .records = TEXT
#define RECORDS16(ROWS, ...) RECORDS_OF(INT16, int16_t, ROWS, __VA_ARGS__)
#define RECORDS32(ROWS, ...) RECORDS_OF(INT32, int32_t, ROWS, __VA_ARGS__)
#define RECORDS64(ROWS, ...) RECORDS_OF(INT64, int64_t, ROWS, __VA_ARGS__)
#define RECORDS_OF(NAME, TYPE, ROWS, ...) \
	.nrecords = ROWS, .record_type = RS_RECORD_##NAME, .records = (const TYPE[]){__VA_ARGS__}

/* ---- data shared by rows */

#define ARGS(HASH, ...) static const rs_arg args_##HASH[] = {__VA_ARGS__}
#define VALUES(HASH, ...) static const rs_value values_##HASH[] = {__VA_ARGS__}
#define DTYPES(HASH, ...) static const uint8_t dtypes_##HASH[] = {__VA_ARGS__}
#define CLASSES(HASH, ...) static const uint8_t classes_##HASH[] = {__VA_ARGS__}
#define SAMPLE(HASH, PROGRAM) static const char sample_##HASH[] = PROGRAM
#define classes_unknown NULL
#define FLOATS(HASH, ...) static const char *const floats_##HASH[] = {__VA_ARGS__}

/* ---- rules: id, hashes of both functions and of the sampler's program. BOTH: separate forward and backward samplers. */

#define DIRECT(FRAMEWORK, ID, VALID, PROPAGATE, SAMPLE) \
	DIRECT_BOTH(FRAMEWORK, ID, VALID, PROPAGATE, SAMPLE, SAMPLE)
#define BOUNDED(FRAMEWORK, ID, VALID, PROPAGATE, SAMPLE) \
	BOUNDED_BOTH(FRAMEWORK, ID, VALID, PROPAGATE, SAMPLE, SAMPLE)
#define DIRECT_BOTH(FRAMEWORK, ID, VALID, PROPAGATE, SAMPLE, BACK) \
	RECORDED(FRAMEWORK, ID, VALID, PROPAGATE), .sampler = RS_SAMPLER_DIRECT, \
	.sample = sample_##SAMPLE, .back = sample_##BACK
#define BOUNDED_BOTH(FRAMEWORK, ID, VALID, PROPAGATE, SAMPLE, BACK) \
	RECORDED(FRAMEWORK, ID, VALID, PROPAGATE), .sampler = RS_SAMPLER_BOUNDED, \
	.sample = sample_##SAMPLE, .back = sample_##BACK
#define RECORDED(FRAMEWORK, ID, VALID, PROPAGATE) \
	.rule = ID, .valid = FRAMEWORK##_valid_##VALID, .propagate = FRAMEWORK##_propagate_##PROPAGATE

/* ---- values of a call: rs_value */

#define TENSOR(DTYPE, RANK, FIRST) {RS_TENSOR, DTYPE, RANK, FIRST, NULL}
#define RANGED(DTYPE, RANK, FIRST) {RS_RANGED, DTYPE, RANK, FIRST, NULL}
#define INT(SYMBOL) {RS_INT, 0, 0, SYMBOL, NULL}
#define TEXT(LITERAL) {RS_CONST, 0, 0, 0, LITERAL}
#define CHOICE(LITERAL, COUNT, FIRST) {RS_CONST, 0, COUNT, FIRST, LITERAL}
#define LIST(COUNT) {RS_LIST, 0, COUNT, 0, NULL}
/* A list of integers, whose symbols are FIRST and those after it. */
#define INTS1(FIRST) LIST(1), INT(FIRST)
#define INTS2(FIRST) LIST(2), INT(FIRST), INT(FIRST + 1)
#define INTS3(FIRST) LIST(3), INT(FIRST), INT(FIRST + 1), INT(FIRST + 2)
#define INTS4(FIRST) LIST(4), INT(FIRST), INT(FIRST + 1), INT(FIRST + 2), INT(FIRST + 3)
#define INTS5(FIRST) LIST(5), INT(FIRST), INT(FIRST + 1), INT(FIRST + 2), INT(FIRST + 3), INT(FIRST + 4)
#define INTS6(FIRST) LIST(6), INT(FIRST), INT(FIRST + 1), INT(FIRST + 2), INT(FIRST + 3), INT(FIRST + 4), INT(FIRST + 5)
#define ELEMENTS(DTYPE, COUNT) {RS_ELEMENTS, DTYPE, COUNT, 0, NULL}

/* ---- dtypes */

enum {
	b8 = RS_BOOL, u4 = RS_UINT4, u8 = RS_UINT8, u16 = RS_UINT16, u32 = RS_UINT32, u64 = RS_UINT64,
	i4 = RS_INT4, i8 = RS_INT8, i16 = RS_INT16, i32 = RS_INT32, i64 = RS_INT64,
	f16 = RS_FLOAT16, bf16 = RS_BFLOAT16, f32 = RS_FLOAT32, f64 = RS_FLOAT64,
	c32 = RS_COMPLEX32, c64 = RS_COMPLEX64, c128 = RS_COMPLEX128, str = RS_STRING, other = RS_OTHER
};

#endif
