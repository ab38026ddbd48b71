#include "rule_explain.h"

#include <assert.h>
#include <inttypes.h>

#include "rule_expression.h"

static const struct {
	const char *text;
	int binds; /* binding strength: a weaker operand gets parentheses */
	bool call;
} OPERATIONS[] = {[RS_API_ADD] = {" + ", 4, false}, [RS_API_SUB] = {" - ", 4, false}, [RS_API_MUL] = {"*", 5, false},
    [RS_API_DIV] = {"//", 5, false}, [RS_API_MOD] = {"%", 5, false}, [RS_API_MIN] = {"min", 6, true}, [RS_API_MAX] = {"max", 6, true},
    [RS_API_EQ] = {" == ", 3, false}, [RS_API_NE] = {" != ", 3, false}, [RS_API_LT] = {" < ", 3, false},
    [RS_API_LE] = {" <= ", 3, false}, [RS_API_GT] = {" > ", 3, false}, [RS_API_GE] = {" >= ", 3, false},
    [RS_API_AND] = {" and ", 2, false}, [RS_API_OR] = {" or ", 1, false}};

typedef struct piece {
	buf text;
	int binds;
	rule_value value;
} piece;

typedef struct explainer {
	const api_rules *api;
	rule_frame *frame;
	int64_t i;
	buf *numbers; /* the values of the last comparison's sides */
} explainer;

static void name_list(const explainer *e, rule_code *at, buf *to)
{
	const uint64_t head = code_u(at);
	const enum rs_api_list kind = head & 7;
	buf_puts(to, kind == RS_LIST_OUT ? "out" : e->api->arguments[head / 8]);
	if (kind == RS_LIST_BOUNDS)
		buf_puts(to, ".bounds");
	const uint64_t k = kind == RS_LIST_OUT || kind == RS_LIST_TENSOR_DIMS ? code_u(at) : 0;
	if (kind == RS_LIST_TENSOR_DIMS)
		buf_printf(to, "[%" PRIu64 "]", k);
	else if (k)
		buf_printf(to, "%" PRIu64, k);
}

static void name_reference(const explainer *e, rule_code at, buf *to)
{
	static const char *const FOLDS[] = {"prod", "sum", "min", "max"};
	const uint64_t flags = code_u(&at), base = flags & RS_REF_BASE;
	buf list = {0}, place = {0};
	name_list(e, &at, &list);
	if (base == RS_BASE_AXIS) {
		buf_puts(&place, e->api->arguments[code_u(&at)]);
		const int64_t offset = code_s(&at);
		if (offset)
			buf_printf(&place, " %c %" PRId64, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
	} else if (base != RS_BASE_FOLD) {
		buf_int(&place, code_s(&at) + (base == RS_BASE_INDEX ? e->i : 0));
	}
	const bool folds = base == RS_BASE_FOLD || flags & RS_REF_BUT;
	if (folds)
		buf_printf(to, "%s(", FOLDS[code_u(&at) & 3]);
	buf_puts(to, buf_text(&list));
	if (flags & RS_REF_BUT)
		buf_printf(to, " without [%s]", buf_text(&place));
	else if (!folds)
		buf_printf(to, "[%s]", buf_text(&place));
	buf_puts(to, folds ? ")" : "");
	buf_free(&list);
	buf_free(&place);
}

static void add_operand(buf *to, const piece *p, int binds)
{
	const bool inside = p->binds < binds;
	buf_printf(to, "%s%s%s", inside ? "(" : "", buf_text(&p->text), inside ? ")" : "");
}

static void put_number(buf *to, rule_value v)
{
	if (v.state == RULE_VALUE && v.value == (int64_t)v.value)
		buf_int(to, (int64_t)v.value);
	else
		buf_puts(to, "undefined");
}

/* Replaces the two topmost pieces by an operation on them. */
static void combine(const explainer *e, piece *stack, unsigned *n, enum rs_api_op op)
{
	piece *a = &stack[*n - 2], *b = &stack[*n - 1];
	buf text = {0};
	const int binds = OPERATIONS[op].binds;
	if (OPERATIONS[op].call) {
		buf_printf(&text, "%s(%s, %s)", OPERATIONS[op].text, buf_text(&a->text), buf_text(&b->text));
	} else {
		add_operand(&text, a, binds);
		buf_puts(&text, OPERATIONS[op].text);
		add_operand(&text, b, binds + 1);
	}
	const rule_value value = rule_operate(op, a->value, b->value);
	if (binds == 3 && !(value.state == RULE_VALUE && value.value)) {
		buf_puts(e->numbers, e->numbers->length ? "; " : "");
		put_number(e->numbers, a->value);
		buf_puts(e->numbers, " and ");
		put_number(e->numbers, b->value);
	}
	buf_free(&a->text);
	buf_free(&b->text);
	*a = (piece){.text = text, .binds = binds, .value = value};
	--*n;
}

static void choose(piece *stack, unsigned *n)
{
	piece *c = &stack[*n - 3], *a = &stack[*n - 2], *b = &stack[*n - 1];
	buf text = {0};
	buf_printf(&text, "%s if %s else %s", buf_text(&a->text), buf_text(&c->text), buf_text(&b->text));
	const rule_value value = c->value.state != RULE_VALUE ? c->value : c->value.value ? a->value : b->value;
	for (piece *p = c; p <= b; p++)
		buf_free(&p->text);
	*c = (piece){.text = text, .value = value};
	*n -= 2;
}

static void explain(const explainer *e, rule_code at, buf *to)
{
	piece stack[RULE_STACK];
	unsigned n = 0;
	for (uint64_t op; (op = code_u(&at)) != RS_API_END;) {
		if (op == RS_API_IF) {
			choose(stack, &n);
		} else if (op != RS_API_CONST && op != RS_API_REF) {
			combine(e, stack, &n, (enum rs_api_op)op);
		} else {
			piece *p = &stack[n++];
			*p = (piece){.binds = 7};
			if (op == RS_API_CONST) {
				p->value = (rule_value){RULE_VALUE, code_s(&at)};
				buf_int(&p->text, (int64_t)p->value.value);
			} else {
				name_reference(e, at, &p->text);
				p->value = rule_refer(e->frame, &at, e->i);
			}
		}
	}
	assert(n == 1);
	buf_puts(to, buf_text(&stack[0].text));
	buf_free(&stack[0].text);
}

void api_rule_explain(const api_rules *api, const rule_call *call, rule_case which, const rule_result *result, buf *to)
{
	if (!result->violated) {
		buf_puts(to, "an output would have a negative size");
		return;
	}
	rule_code defaults = api->code, at = result->violated;
	while (which.rule--)
		skip_rule(&defaults);
	rule_frame frame = {.arguments = call->arguments, .fallbacks = call->fallbacks, .defaults = defaults, .ranks = result->ranks, .dims = result->dims,
	    .nout = result->nout};
	buf numbers = {0};
	const explainer e = {.api = api, .frame = &frame, .i = result->index, .numbers = &numbers};
	skip_range(&at);
	explain(&e, at, to);
	if (numbers.length)
		buf_printf(to, ", but %s", numbers.text);
	buf_end(to, &numbers);
}
