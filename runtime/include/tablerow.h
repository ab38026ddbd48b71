/* Macros for the rows of generated tables. Each sets some fields of rs_op (ruletable.h); all other fields are 0.
 *
 *   #define API "torch.mm"
 *   ROW("-0","3f0a91…",91c5e2aa,5f5e5de9,DIRECT(c8bf81),40,12, 40916e,a547a8,4,2,2, 8,ed9e3c,f03b23, 2,"34451111", OUT(2))
 *
 * This is the signature torch.mm-0. Its rule is 3f0a91…, with the functions torch_valid_91c5e2aa and torch_propagate_5f5e5de9,
 * the sampler sample_c8bf81, 40 accepted and 12 rejected records. Its arguments are args_40916e and values_a547a8, with 4
 * symbols, 2 input tensors and 2 output dimensions. dtypes_ed9e3c has 8 dtype tuples, and classes_f03b23 the classes of element
 * values (unknown: none). It has two records, (3, 4, 4, 5) and (1, 1, 1, 1), with one character per number, and one output, of
 * rank 2. FIELDS is a row that lacks one of these, and NO_RULE one without a rule.
 *
 * A table includes its rows twice: ROW, FIELDS and NO_RULE first declare the functions (DECLARE), then initialise rs_op. Data
 * that several rows share stands above the rows; its name has the hash of its text.
 */
#ifndef TABLEROW_H
#define TABLEROW_H

#include "ruletable.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- rows */

#define ROW_OP(END, ID, VALID, PROPAGATE, SAMPLER, PASSED, FAILED, ARGS, VALUES, SYMBOLS, TENSORS, OUTPUTS, NDTYPES, DTYPES, CLASSES, NRECORDS, TEXT, ...) \
	{OP(END, PASSED, FAILED), RULE(ID, VALID, PROPAGATE), SAMPLER, CALL(ARGS, VALUES, SYMBOLS, TENSORS, OUTPUTS), \
	    TYPES(NDTYPES, DTYPES, CLASSES), RECORDS(NRECORDS, TEXT), __VA_ARGS__},
#define FIELDS_OP(END, ID, VALID, PROPAGATE, SAMPLER, PASSED, FAILED, ...) \
	{OP(END, PASSED, FAILED), RULE(ID, VALID, PROPAGATE), SAMPLER, __VA_ARGS__},
#define NO_RULE_OP(END, WHY, PASSED, FAILED, ...) {OP(END, PASSED, FAILED), .why = WHY, __VA_ARGS__},

/* The functions of a row. FUNCTION of the table: the name of a kind and a key. */
#define DECLARE(END, ID, VALID, PROPAGATE, ...) \
	rs_valid_fn FUNCTION(valid, VALID); \
	rs_propagate_fn FUNCTION(propagate, PROPAGATE);
#define DECLARE_NONE(...)

#define OP(END, PASSED, FAILED) .name = API END, .api = API, .passed = PASSED, .failed = FAILED
#define RULE(ID, VALID, PROPAGATE) \
	.rule = ID, .valid = FUNCTION(valid, VALID), .propagate = FUNCTION(propagate, PROPAGATE)
/* Programs. BOTH: separate forward and backward samplers. */
#define RECORDED .sampler = RS_SAMPLER_RECORD
#define DIRECT(SAMPLE) DIRECT_BOTH(SAMPLE, SAMPLE)
#define BOUNDED(SAMPLE) BOUNDED_BOTH(SAMPLE, SAMPLE)
#define DIRECT_BOTH(SAMPLE, BACK) .sampler = RS_SAMPLER_DIRECT, .sample = sample_##SAMPLE, .back = sample_##BACK
#define BOUNDED_BOTH(SAMPLE, BACK) .sampler = RS_SAMPLER_BOUNDED, .sample = sample_##SAMPLE, .back = sample_##BACK
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
