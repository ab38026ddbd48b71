/* Rules and, compiled with -DTRUTH, what is true of the same operators: for the tests of rulefuzz
 * verify, whose oracle is rulefuzz eval with the other table. */
#include "ruletable.h"

#ifdef TRUTH
#define LEARNED(rule, truth) (truth)
#else
#define LEARNED(rule, truth) (rule)
#endif

static bool good(const int64_t *s)
{
	return s[1] > 0 && s[1] <= s[0];
}

static bool loose(const int64_t *s)
{
	return LEARNED(true, s[0] > 2) && s[1] > 0;
}

static bool strict(const int64_t *s)
{
	return s[1] > LEARNED(2, 0);
}

/* The two are equal, and small: a step of one of them alone shows nothing. */
static bool tied(const int64_t *s)
{
	return s[0] == s[1] && LEARNED(true, s[0] < 9);
}

static bool window(const int64_t *s, int64_t *out)
{
	out[0] = s[0] - s[1] + 1;
	return true;
}

static bool same(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return true;
}

static bool always(const int64_t *s)
{
	(void)s;
	return true;
}

static bool shape(const int64_t *s, int64_t *out)
{
	out[0] = LEARNED(s[0] + 1, s[0] + s[1]);
	return true;
}

#define COMMON                                                                                     \
	.args = (const rs_arg[]){{"input", 0, 1}, {"k", 1, 1}}, .nout = 1, .nodim = 1,             \
	.out_ranks = (const uint8_t[]){1}, .nargs = 2, .nvalues = 2, .nin = 1
#define RANK1                                                                                      \
	.values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1},         \
	    {.kind = RS_INT, .first = 1}},                                                         \
	.nsym = 2, .nrecords = 3
#define RANK4                                                                                      \
	.values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 4},         \
	    {.kind = RS_INT, .first = 4}},                                                         \
	.nsym = 5, .nrecords = 1

/* Sorted by name, bytes. */
static const rs_op OPS[] = {
    {.name = "t.good-0", .api = "t.good", .rule = "0000000000000001", .valid = good,
	.propagate = window, COMMON, RANK1, .records = (const int64_t[]){5, 2, 8, 3, 9, 9}},
    {.name = "t.loose-0", .api = "t.loose", .rule = "0000000000000002", .valid = loose,
	.propagate = same, COMMON, RANK1, .records = (const int64_t[]){5, 2, 8, 3, 9, 9}},
    {.name = "t.none-0", .api = "t.none", .why = "no rule", COMMON, RANK1,
	.records = (const int64_t[]){5, 2, 5, 8, 3, 8, 9, 9, 9}},
    {.name = "t.shape-0", .api = "t.shape", .rule = "0000000000000003", .valid = always,
	.propagate = shape, COMMON, RANK4, .records = (const int64_t[]){5, 1, 2, 3, 4}},
    {.name = "t.strict-0", .api = "t.strict", .rule = "0000000000000004", .valid = strict,
	.propagate = same, COMMON, RANK1, .records = (const int64_t[]){5, 3, 8, 4, 9, 9}},
    {.name = "t.thin-0", .api = "t.thin", .rule = "0000000000000004", .valid = strict, .flags = RS_THIN,
	.propagate = same, COMMON, RANK1, .records = (const int64_t[]){5, 3, 8, 4, 9, 9}},
    {.name = "t.tied-0", .api = "t.tied", .rule = "0000000000000005", .valid = tied,
	.propagate = same, COMMON, RANK1, .records = (const int64_t[]){2, 2, 4, 4, 8, 8}},
};

static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .version = "1.0",
    .fingerprint = "00000000000000fe", .ops = OPS, .nops = sizeof OPS / sizeof *OPS};
static const rs_table *const TABLES[] = {&TABLE};
const rs_library rs_rules = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};
