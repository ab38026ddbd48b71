/* A table written by hand, for the tests of rulefuzz: they need neither rulesmith nor generated/. */
#include "ruletable.h"

static bool positive(const int64_t *s)
{
	return s[0] > 0;
}

static bool always(const int64_t *s)
{
	(void)s;
	return true;
}

static bool same(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[1];
	return s[1] >= 0;
}

static bool scalar(const int64_t *s, int64_t *out)
{
	(void)s;
	(void)out;
	return true;
}

#define TENSOR_AND_INT                                                                             \
	.args = (const rs_arg[]){{"input", 0, 1}, {"k", 1, 1}},                                    \
	.values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1},         \
	    {.kind = RS_INT, .first = 1}},                                                         \
	.nargs = 2, .nvalues = 2, .nsym = 2, .nin = 1

/* Sorted by name, bytes. */
static const rs_op OPS[] = {
    {.name = "t.\"quoted\"-0", .api = "t.quoted", .rule = "0000000000000001", .valid = always,
	.propagate = scalar, TENSOR_AND_INT, .nout = 1, .out_ranks = (const uint8_t[]){0}},
    {.name = "t.echo-0", .api = "t.echo", .rule = "0000000000000002", .valid = always,
	.sampler = RS_SAMPLER_DIRECT,
	.propagate = same, TENSOR_AND_INT, .nout = 1, .out_ranks = (const uint8_t[]){2}, .nodim = 2,
	.passed = 7, .failed = 2, .flags = RS_PROVED},
    {.name = "t.mystery-0", .api = "t.mystery", .why = "a \"reason\"", TENSOR_AND_INT},
    {.name = "t.none-0", .api = "t.none", .rule = "0000000000000003", .valid = always, .propagate = scalar},
    {.name = "t.positive-0", .api = "t.positive", .rule = "0000000000000004", .valid = positive,
	.propagate = same, TENSOR_AND_INT, .nout = 1, .out_ranks = (const uint8_t[]){2}, .nodim = 2,
	.flags = RS_THIN},
    {.name = "t.\303\251-0", .api = "t.e", .why = "not ASCII"},
};

static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .version = "1.0",
    .fingerprint = "00000000000000ff", .ops = OPS, .nops = sizeof OPS / sizeof *OPS};
static const rs_table *const TABLES[] = {&TABLE};

#ifndef LIBRARY_ABI
#define LIBRARY_ABI RS_ABI
#endif
const rs_library rs_rules = {.abi = LIBRARY_ABI, .ntables = 1, .tables = TABLES};
