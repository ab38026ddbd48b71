#include "call_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_reader.h"
#include "file.h"

EMBED(known_numbers);

/* The answers for arguments of an API: the rest of its row; NULL: there is none. `second` may be NULL. */
static const char *find_row(const char *api, const char *first, const char *second, const char *mark)
{
	buf begin = {0};
	const char *found = NULL;
	buf_printf(&begin, "%s\t%s%s%s%s\t", api, first, second ? " " : "", second ? second : "", mark);
	for (const char *at = known_numbers_begin; !begin.failed && !found && (at = strstr(at, buf_text(&begin))); at += begin.length)
		if (at == known_numbers_begin || at[-1] == '\n')
			found = at + begin.length;
	buf_free(&begin);
	return found;
}

static bool is_number(const call_value *v)
{
	return v && (v->kind == CALL_INT || (v->kind == CALL_FLOAT && isfinite(v->number)));
}

static double number_of(const call_value *v)
{
	return v->kind == CALL_INT ? (double)v->integer : v->number;
}

/* The first tensor, also one in a list; NULL: there is none. */
static const call_value *first_tensor(const binding *b)
{
	for (size_t i = 0; i < b->to->n; i++) {
		const call_value *v = b->values[i];
		if (v && call_is_sequence(v) && v->n)
			v = &v->items[0];
		if (v && v->kind == CALL_TENSOR)
			return v;
	}
	return NULL;
}

/* Whether the dtypes of the table's calls, float32 and int64, stand for a tensor's: it holds the number. *mark: of the row. */
static bool stands_for(const call_value *tensor, const call_value *v, const char **mark)
{
	enum { HALF_MOST = 65504, BYTE_MOST = 127 };
	const double size = fabs(number_of(v));
	*mark = "";
	switch (tensor ? (enum rs_dtype)tensor->dtype : RS_FLOAT32) {
	case RS_OTHER:
	case RS_FLOAT32:
	case RS_FLOAT64: return true;
	case RS_FLOAT16:
	case RS_BFLOAT16: return size <= HALF_MOST;
	case RS_INT8:
	case RS_INT16:
	case RS_INT32: *mark = "/int"; return v->kind == CALL_INT && size <= BYTE_MOST;
	case RS_INT64: *mark = "/int"; return v->kind == CALL_INT;
	default: return false;
	}
}

/* The answer of a row's ranges: "+0:1 -2:1e+30". */
static number_answer in_ranges(const char *row, double number, double *low, double *high)
{
	while (*row == '+' || *row == '-') {
		const bool accepted = *row == '+';
		char *end;
		*low = strtod(row + 1, &end);
		*high = *end == ':' ? strtod(end + 1, &end) : *low;
		if (number >= *low && number <= *high)
			return accepted ? NUMBER_ACCEPTED : NUMBER_REJECTED;
		row = end + (*end == ' ');
	}
	return NUMBER_UNKNOWN;
}

/* The answer of a row's comparisons: "+<= ->". */
static number_answer in_comparisons(const char *row, double a, double b)
{
	const char sign = a < b ? '<' : a > b ? '>' : '=';
	number_answer now = NUMBER_UNKNOWN;
	for (; *row && *row != '\n'; row++)
		if (*row == '+' || *row == '-')
			now = *row == '+' ? NUMBER_ACCEPTED : NUMBER_REJECTED;
		else if (*row == sign)
			return now;
	return NUMBER_UNKNOWN;
}

/* The answer for two numbers. */
static number_answer compare(const char *api, const binding *b, size_t i, size_t k, buf *why)
{
	const size_t first = i < k ? i : k, second = i < k ? k : i;
	const parameter *p = &b->to->parameters[first], *q = &b->to->parameters[second];
	const double x = number_of(bound_value(b, (int)first)), y = number_of(bound_value(b, (int)second));
	const char *row = find_row(api, p->name, q->name, "");
	const number_answer answer = row ? in_comparisons(row, x, y) : NUMBER_UNLISTED;
	if (answer == NUMBER_REJECTED && why)
		buf_printf(why, "%s = %g, %s = %g: rejected if %s %s %s", p->name, x, q->name, y, p->name, x < y ? "<" : x > y ? ">" : "==", q->name);
	return answer;
}

/* The answer for a number alone. */
static number_answer alone(const char *api, const binding *b, size_t i, buf *why)
{
	const parameter *p = &b->to->parameters[i];
	const call_value *v = bound_value(b, (int)i);
	const char *mark;
	double low = 0, high = 0;
	if (!stands_for(first_tensor(b), v, &mark))
		return NUMBER_UNLISTED;
	const char *row = find_row(api, p->name, NULL, mark);
	if (!row)
		return NUMBER_UNLISTED;
	const number_answer answer = in_ranges(row, number_of(v), &low, &high);
	if (answer == NUMBER_REJECTED && why)
		buf_printf(why, "%s = %g: rejected from %g to %g", p->name, number_of(v), low, high);
	return answer;
}

number_answer call_number(const char *api, const binding *b, size_t i, buf *why)
{
	number_answer worst = NUMBER_UNLISTED;
	if (!is_number(bound_value(b, (int)i)))
		return NUMBER_UNLISTED;
	for (size_t k = 0; k < b->to->n; k++) {
		if (k == i || !is_number(bound_value(b, (int)k)))
			continue;
		const number_answer answer = compare(api, b, i, k, why);
		if (answer == NUMBER_REJECTED)
			return answer;
		worst = worst == NUMBER_UNKNOWN || answer == NUMBER_UNLISTED ? worst : answer;
	}
	return worst == NUMBER_UNLISTED ? alone(api, b, i, why) : worst;
}
