/* A hand-made rule table: every kind of operator that a generator must support. */
#ifndef TOY_TABLE_H
#define TOY_TABLE_H

#include "rulesmith.h"

static bool toy_always(const int64_t *s)
{
	(void)s;
	return true;
}

static bool toy_nothing(const int64_t *s, int64_t *out)
{
	(void)s, (void)out;
	return true;
}

static bool toy_same(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[1];
	return true;
}

static bool toy_add_valid(const int64_t *s)
{
	return s[0] == s[2] && s[1] == s[3];
}

static bool toy_matmul_valid(const int64_t *s)
{
	return s[1] == s[2];
}

static bool toy_matmul(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[3];
	return true;
}

static bool toy_split_valid(const int64_t *s)
{
	return s[2] > 0 && s[2] < s[0];
}

static bool toy_split(const int64_t *s, int64_t *out)
{
	out[0] = s[2];
	out[1] = s[1];
	out[2] = s[0] - s[2];
	out[3] = s[1];
	return true;
}

static bool toy_pool_valid(const int64_t *s)
{
	return s[2] > 0 && s[2] <= s[0];
}

static bool toy_pool(const int64_t *s, int64_t *out)
{
	out[0] = s[0] - s[2] + 1;
	out[1] = s[1];
	return true;
}

#define TOY_ONE {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2}
#define TOY_TWO TOY_ONE, {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2, .first = 2}
#define TOY_RANKS (const uint8_t[]){2, 2}
#define TOY_FLOATS                                                                                 \
	(const uint8_t[]){RS_FLOAT32, RS_FLOAT32, RS_FLOAT32, RS_INT64, RS_INT64, RS_INT64}

/* Sorted by name. */
static const rs_op TOY_OPS[] = {
    {.name = "torch.Tensor.scale-0", .api = "torch.Tensor.scale", .rule = "4", .valid = toy_always,
	.propagate = toy_same,
	.args = (const rs_arg[]){{"self", 0, 1}, {"from", 1, 0}, {"mode", 2, 0}},
	.values = (const rs_value[]){TOY_ONE, {.kind = RS_CONST, .text = "inf", .count = 2, .first = 1},
	    {.kind = RS_CONST, .text = "'mean'"}},
	.floats = (const char *const[]){"unused", "inf", "0.5"}, .out_ranks = TOY_RANKS,
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT64},
	.records = (const int64_t[]){2, 3, 0, 3}, .passed = 9, .nargs = 3, .nvalues = 3,
	.nsym = 2, .nin = 1, .nout = 1, .nodim = 2, .ndtypes = 1, .nrecords = 2},
    {.name = "torch.add-0", .api = "torch.add", .rule = "1", .valid = toy_add_valid,
	.propagate = toy_same, .args = (const rs_arg[]){{"input", 0, 1}, {"other", 1, 1}},
	.values = (const rs_value[]){TOY_TWO}, .out_ranks = TOY_RANKS, .dtypes = TOY_FLOATS,
	.records = (const int64_t[]){2, 3, 2, 3, 5, 4, 5, 4}, .passed = 9, .nargs = 2,
	.nvalues = 2, .nsym = 4, .nin = 2, .nout = 1, .nodim = 2, .ndtypes = 2, .nrecords = 2},
    {.name = "torch.cat-0", .api = "torch.cat", .why = "no candidate",
	.args = (const rs_arg[]){{"tensors", 0, 1}, {"dim", 3, 0}},
	.values = (const rs_value[]){{.kind = RS_LIST, .count = 2}, TOY_TWO,
	    {.kind = RS_CONST, .text = "0"}},
	.out_ranks = TOY_RANKS, .dtypes = TOY_FLOATS,
	.records = (const int64_t[]){2, 3, 1, 3, 3, 3, 4, 2, 4, 2, 8, 2}, .passed = 9, .nargs = 2,
	.nvalues = 4, .nsym = 4, .nin = 2, .nout = 1, .nodim = 2, .ndtypes = 2, .nrecords = 2},
    {.name = "torch.hostile-0", .api = "torch.hostile", .rule = "9", .valid = toy_always,
	.propagate = toy_same, .args = (const rs_arg[]){{"input", 0, 1}, {"x", 1, 1}},
	.values = (const rs_value[]){TOY_ONE, {.kind = RS_CONST, .text = "__import__('os')"}},
	.out_ranks = TOY_RANKS, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32},
	.records = (const int64_t[]){2, 3}, .passed = 9, .nargs = 2, .nvalues = 2, .nsym = 2,
	.nin = 1, .nout = 1, .nodim = 2, .ndtypes = 1, .nrecords = 1},
    {.name = "torch.matmul-0", .api = "torch.matmul", .rule = "2", .valid = toy_matmul_valid,
	.propagate = toy_matmul, .args = (const rs_arg[]){{"input", 0, 1}, {"other", 1, 1}},
	.values = (const rs_value[]){TOY_TWO}, .out_ranks = TOY_RANKS, .dtypes = TOY_FLOATS,
	.records = (const int64_t[]){2, 3, 3, 4, 5, 4, 4, 5}, .passed = 9, .nargs = 2,
	.nvalues = 2, .nsym = 4, .nin = 2, .nout = 1, .nodim = 2, .ndtypes = 2, .nrecords = 2},
    {.name = "torch.negative-0", .api = "torch.negative", .rule = "5", .valid = toy_always,
	.propagate = toy_nothing, .args = (const rs_arg[]){{"input", 0, 1}},
	.values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32}},
	.out_ranks = (const uint8_t[]){0}, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32},
	.passed = 1, .nargs = 1, .nvalues = 1, .nin = 1, .nout = 1, .ndtypes = 1, .nrecords = 1},
    {.name = "torch.pool-0", .api = "torch.pool", .rule = "6", .valid = toy_pool_valid,
	.propagate = toy_pool, .args = (const rs_arg[]){{"input", 0, 1}, {"size", 1, 1}},
	.values = (const rs_value[]){TOY_ONE, {.kind = RS_INT, .first = 2}}, .out_ranks = TOY_RANKS,
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32},
	.records = (const int64_t[]){6, 3, 2, 9, 4, 3}, .passed = 9, .nargs = 2,
	.nvalues = 2, .nsym = 3, .nin = 1, .nout = 1, .nodim = 2, .ndtypes = 1, .nrecords = 2},
    {.name = "torch.split-0", .api = "torch.split", .rule = "3", .valid = toy_split_valid,
	.propagate = toy_split, .args = (const rs_arg[]){{"input", 0, 1}, {"sizes", 1, 1}},
	.values = (const rs_value[]){TOY_ONE, {.kind = RS_LIST, .count = 1},
	    {.kind = RS_INT, .first = 2}},
	.out_ranks = TOY_RANKS,
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32, RS_FLOAT32},
	.records = (const int64_t[]){5, 3, 2}, .passed = 9, .nargs = 2, .nvalues = 3,
	.nsym = 3, .nin = 1, .nout = 2, .nodim = 4, .ndtypes = 1, .nrecords = 1},
    {.name = "torch.text-0", .api = "torch.text", .rule = "8", .valid = toy_always,
	.propagate = toy_same, .args = (const rs_arg[]){{"input", 0, 1}},
	.values = (const rs_value[]){TOY_ONE}, .out_ranks = TOY_RANKS,
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_STRING}, .records = (const int64_t[]){2, 3},
	.passed = 9, .nargs = 1, .nvalues = 1, .nsym = 2, .nin = 1, .nout = 1, .nodim = 2,
	.ndtypes = 1, .nrecords = 1},
    {.name = "torch.thin-0", .api = "torch.thin", .rule = "7", .valid = toy_always,
	.propagate = toy_same, .args = (const rs_arg[]){{"input", 0, 1}},
	.values = (const rs_value[]){TOY_ONE}, .out_ranks = TOY_RANKS,
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32}, .records = (const int64_t[]){2, 3},
	.passed = 1, .nargs = 1, .nvalues = 1, .nsym = 2, .nin = 1, .nout = 1, .nodim = 2,
	.ndtypes = 1, .nrecords = 1, .flags = RS_THIN},
};

enum {
	TOY_SCALE,
	TOY_ADD,
	TOY_CAT,
	TOY_HOSTILE,
	TOY_MATMUL,
	TOY_NEGATIVE,
	TOY_POOL,
	TOY_SPLIT,
	TOY_TEXT,
	TOY_THIN
};

static const rs_table TOY_TABLE = {.abi = RS_ABI, .framework = "torch", .version = "0",
    .fingerprint = "toy", .ops = TOY_OPS, .nops = sizeof TOY_OPS / sizeof *TOY_OPS};

#endif
