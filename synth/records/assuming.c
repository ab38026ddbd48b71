#include "record.h"

#include <string.h>

#include "need.h"

/* Room for one more, and where that stands: in place of the None of that name, or at the end. */
static int find_place(const operator *op, const char *name)
{
	int k = 0;
	while (k < op->nargs && strcmp(op->arguments[k].name, name) != 0)
		k++;
	return k;
}

const operator *operator_assuming(arena *memory, const operator *op, const char *name, int64_t value)
{
	operator *to = NEED_ARRAY(memory, operator, 1);
	call *c = NEED_ARRAY(memory, call, 1);
	int n = op->nargs, at = find_place(op, name);
	call_argument *args = NEED_ARRAY(memory, call_argument, n + 1);
	argument *arguments = NEED_ARRAY(memory, argument, n + 1);
	if (n) {
		memcpy(args, op->call->args, sizeof *args * (size_t)n);
		memcpy(arguments, op->arguments, sizeof *arguments * (size_t)n);
	}
	const char *text = need(arena_printf(memory, "%lld", (long long)value), 1);
	args[at] = (call_argument){.name = name, .value = {.kind = CALL_CONST, .text = text, .assumed = true}};
	arguments[at] = (argument){.name = name, .first = op->nsym, .fixed = true, .value = value};
	*c = *op->call;
	*to = *op;
	c->args = args;
	to->call = c;
	to->arguments = arguments;
	c->nargs = to->nargs = at == n ? n + 1 : n;
	return to;
}
