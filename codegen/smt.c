#include "smt.h"

static void put(buf *out, const expr *e)
{
	if (e->op == OP_SYM) {
		buf_printf(out, "s%lld", (long long)e->value);
		return;
	}
	if (e->op == OP_CONST) {
		buf_printf(out, e->value < 0 ? "(- %llu)" : "%llu",
		    e->value < 0 ? 0 - (unsigned long long)e->value : (unsigned long long)e->value);
		return;
	}
	buf_printf(out, "(%s ", OPS[e->op].smt);
	if (e->op == OP_ITE) {
		put(out, e->c);
		buf_putc(out, ' ');
	}
	put(out, e->a);
	buf_putc(out, ' ');
	put(out, e->b);
	buf_putc(out, ')');
}

void smt_rule(buf *out, const rule_op *op)
{
	buf_puts(out, "(define-fun valid () Bool (and true");
	for (int i = 0; i < op->rule.nclauses; i++) {
		buf_putc(out, ' ');
		put(out, op->rule.clauses[i]);
	}
	buf_puts(out, "))");
	for (unsigned i = 0; i < op->nodim; i++) {
		buf_printf(out, "(define-fun o%u () Int ", i);
		put(out, op->rule.out[i]);
		buf_putc(out, ')');
	}
}
