#include "comment.h"

#include <string.h>

#include "name.h"
#include "rule_json.h"
#include "need.h"
#include "text.h"

const char *comment_dtype(uint8_t dtype)
{
	static const char *const SHORT[RS_DTYPE_COUNT] = {[RS_UINT4] = "u4",
	    [RS_UINT8] = "u8",
	    [RS_UINT16] = "u16",
	    [RS_UINT32] = "u32",
	    [RS_UINT64] = "u64",
	    [RS_INT4] = "i4",
	    [RS_INT8] = "i8",
	    [RS_INT16] = "i16",
	    [RS_INT32] = "i32",
	    [RS_INT64] = "i64",
	    [RS_FLOAT16] = "f16",
	    [RS_BFLOAT16] = "bf16",
	    [RS_FLOAT32] = "f32",
	    [RS_FLOAT64] = "f64",
	    [RS_COMPLEX32] = "c32",
	    [RS_COMPLEX64] = "c64",
	    [RS_COMPLEX128] = "c128"};
	static const char *const LONG[RS_DTYPE_COUNT] = {
#define X(NAME, text, bytes) [RS_##NAME] = text,
	    RS_DTYPES(X)
#undef X
	};
	return SHORT[dtype] ? SHORT[dtype] : LONG[dtype];
}

/* Prints "s0, s1" or "s0..s3". */
static void put_symbols(buf *out, unsigned first, unsigned count)
{
	if (count > 2) {
		buf_printf(out, "s%u..s%u", first, first + count - 1);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		buf_printf(out, i ? ", s%u" : "s%u", first + i);
}

/* Whether the values from index `at` on are symbols with consecutive numbers. */
static bool is_run(const rule_op *op, unsigned at, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (op->values[at + i].kind != RS_INT || op->values[at + i].first != op->values[at].first + i)
			return false;
	return count > 2;
}

/* Prints the value at index *at and its descendants in Python syntax; moves *at behind them. */
static void put_value(buf *out, const rule_op *op, unsigned *at)
{
	const rs_value *v = &op->values[(*at)++];
	if (v->kind == RS_INT) {
		put_symbols(out, v->first, 1);
	} else if (rs_is_tensor(v->kind)) {
		buf_printf(out, "%s[", comment_dtype(v->dtype));
		put_symbols(out, v->first, v->count);
		buf_putc(out, ']');
		if (v->kind == RS_RANGED) {
			unsigned low = (unsigned)v->first + v->count;
			buf_printf(out, " in s%u..s%u-1", low, low + 1);
		}
	} else if (v->kind == RS_ELEMENTS) {
		buf_printf(out, "%s(", comment_dtype(v->dtype));
		put_value(out, op, at);
		buf_putc(out, ')');
	} else if (v->kind == RS_CONST) {
		name_comment(out, v->text);
	} else {
		buf_putc(out, '[');
		if (is_run(op, *at, v->count)) {
			put_symbols(out, op->values[*at].first, v->count);
			*at += v->count;
			buf_putc(out, ']');
			return;
		}
		for (unsigned i = 0; i < v->count; i++) {
			buf_puts(out, i ? ", " : "");
			put_value(out, op, at);
		}
		buf_putc(out, ']');
	}
}

/* torch.add(input: f32[s0, s1], other: f32[s2, s3], alpha=1) */
static void put_signature(buf *out, const rule_op *op, const char *name)
{
	unsigned at = 0;
	buf_printf(out, "%s(", name);
	for (unsigned i = 0; i < op->nargs; i++) {
		bool tensor = rs_is_tensor(op->values[op->args[i].value].kind);
		buf_printf(out, "%s%s%s", i ? ", " : "", op->args[i].name, tensor ? ": " : "=");
		put_value(out, op, &at);
	}
	buf_putc(out, ')');
}

/* Prints notes on accepted calls that the rule excludes. before, between: text before the first note and before the
 * second. */
static void put_left_out(buf *out, const rule_op *op, const char *before, const char *between)
{
	if (op->outside)
		buf_printf(out, "%s%u outliers excluded", before, op->outside);
	if (op->empty)
		buf_printf(out, "%sempty tensors excluded (%u accepted)", op->outside ? between : before, op->empty);
}

/* Prints "observed: 100 accepted, 90 rejected; proved; columns" (docs/reference/rule-notation.md). */
static void put_support(buf *out, const rule_op *op)
{
	static const char *const SAID[] = {[PROOF_NONE] = "nothing to prove", [PROOF_PROVED] = "proved",
	    [PROOF_CHECKED] = "checked", [PROOF_UNKNOWN] = "proof unknown"};
	buf_printf(out, "observed: %u accepted, %u rejected%s; %s", op->rule.passed, op->rule.failed,
	    op->rule.thin ? " (low support)" : "",
	    SAID[op->rule.proof]);
	if (op->by_records)
		buf_puts(out, "; generated from its records only");
	put_left_out(out, op, "; ", "; ");
	if (op->rule.layer[0]) {
		buf_puts(out, "; ");
		name_comment(out, op->rule.layer);
	}
}

void comment_operator(buf *out, const rule_op *op)
{
	buf line = {0};
	name_comment(&line, op->name);
	text_prose(out, " * ", " * ", need_text(&line));
	buf_clear(&line);
	put_signature(&line, op, op->api);
	text_prose(out, " *     ", " *         ", need_text(&line));
	buf_clear(&line);
	if (op->rule.out) {
		put_support(&line, op);
	} else {
		buf_puts(&line, "no rule: ");
		name_comment(&line, op->rule.why);
	}
	text_prose(out, " *     ", " *         ", need_text(&line));
	buf_free(&line);
}

static void put_outputs(buf *out, const rule_op *op)
{
	buf line = {0};
	for (unsigned i = 0, dim = 0; i < op->nout; i++) {
		if (op->outputs[i].rank == 0)
			buf_printf(out, " *     out%u is a scalar\n", i);
		for (unsigned j = 0; j < op->outputs[i].rank; j++) {
			buf_clear(&line);
			buf_printf(&line, "out%u[%u] = ", i, j);
			expr_print(&line, op->rule.out[dim++]);
			text_prose(out, " *     ", " *         ", need_text(&line));
		}
	}
	buf_free(&line);
}

static void put_clauses(buf *out, const rule_op *op)
{
	buf line = {0};
	buf_puts(out, op->rule.nclauses ? " *     valid when\n" : " *     valid for all dimensions\n");
	for (int i = 0; i < op->rule.nclauses; i++) {
		buf_clear(&line);
		expr_print(&line, op->rule.clauses[i]);
		text_prose(out, " *         ", " *             ", need_text(&line));
	}
	buf_free(&line);
}

void comment_mathematics(buf *out, const rule_op *op)
{
	buf_printf(out, " *\n * rule %s\n", op->id);
	put_outputs(out, op);
	put_clauses(out, op);
}
