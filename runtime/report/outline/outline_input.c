#include "outline_input.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"

/* "1,2,3"; "?" for an item that is not an integer. */
static void put_numbers(const cJSON *list, buf *out)
{
	const cJSON *item;
	const char *comma = "";
	cJSON_ArrayForEach(item, list)
	{
		int64_t n = 0;
		if (json_int64(item, &n) == JSON_NOT_INT)
			buf_printf(out, "%s?", comma);
		else
			buf_printf(out, "%s%" PRId64, comma, n);
		comma = ",";
	}
}

/* The elements that a class of values names, of floats and of integers; "" for the default. */
static const char *class_text(const char *values, bool integers)
{
	static const struct {
		const char *name, *floats, *integers;
	} CLASSES[] = {{"unit", "0.1 to 0.9", "all ones"}, {"positive", "0.1 to 5", "1 to 5"}, {"small", "", ""},
	    {"large", "up to 10000", "up to 10000"}, {"finite", "any finite", "any"}, {"any", "any, NaN and infinities too", "any"}};
	for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++)
		if (strcmp(values, CLASSES[i].name) == 0)
			return integers ? CLASSES[i].integers : CLASSES[i].floats;
	return values;
}

/* One number as an element of a dtype, divided by a divisor. */
static void put_element(int64_t n, int64_t divisor, const char *dtype, buf *out)
{
	if (strcmp(dtype, "bool") == 0)
		buf_puts(out, n ? "true" : "false");
	else if (divisor > 1)
		buf_printf(out, "%" PRId64 "/%" PRId64, n, divisor);
	else
		buf_printf(out, "%" PRId64, n);
}

/* Elements from low to below high. */
static void put_range(int64_t low, int64_t high, int64_t divisor, const cJSON *t, buf *out)
{
	const char *dtype = json_text(t, "dtype");
	int64_t last = high > INT64_MIN ? high - 1 : high;
	bool scalar = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(t, "shape")) == 0;
	buf_puts(out, " = ");
	if (low != last) {
		put_element(low, divisor, dtype, out);
		buf_puts(out, " to ");
	} else if (!scalar) {
		buf_puts(out, "all ");
		if (strcmp(dtype, "bool") != 0 && (low == 0 || (low == 1 && divisor == 1))) {
			buf_puts(out, low ? "ones" : "zeros");
			return;
		}
	}
	put_element(last, divisor, dtype, out);
}

void outline_elements(const cJSON *t, buf *out)
{
	const cJSON *range = cJSON_GetObjectItemCaseSensitive(t, "range");
	const char *dtype = json_text(t, "dtype");
	bool integers = strncmp(dtype, "int", 3) == 0 || strncmp(dtype, "uint", 4) == 0;
	const char *class = class_text(json_text(t, "values"), integers);
	int64_t low = 0, high = 0, divisor = 1;
	if (cJSON_GetArraySize(range) == 3 && json_int64(cJSON_GetArrayItem(range, 2), &divisor) != JSON_INT)
		divisor = 1;
	if (cJSON_GetArraySize(range) >= 2 && json_int64(cJSON_GetArrayItem(range, 0), &low) != JSON_NOT_INT
	    && json_int64(cJSON_GetArrayItem(range, 1), &high) != JSON_NOT_INT)
		put_range(low, high, divisor, t, out);
	else if (*class)
		buf_printf(out, " = %s", class);
}

/* The memory layout of an input, if it is not contiguous. */
void outline_layout(const cJSON *t, buf *out)
{
	const cJSON *strides = cJSON_GetObjectItemCaseSensitive(t, "strides");
	int64_t n;
	if (json_int64(cJSON_GetObjectItemCaseSensitive(t, "same"), &n) == JSON_INT)
		buf_printf(out, ", the same tensor as t%" PRId64, n);
	if (cJSON_IsArray(strides)) {
		buf_puts(out, ", strides (");
		put_numbers(strides, out);
		buf_putc(out, ')');
	}
	if (json_int64(cJSON_GetObjectItemCaseSensitive(t, "offset"), &n) == JSON_INT)
		buf_printf(out, ", offset %" PRId64, n);
}

/* Its sizes, with the names of dimensions that are dynamic. */
void outline_shape(const cJSON *t, buf *out)
{
	const cJSON *size, *names = cJSON_GetObjectItemCaseSensitive(t, "dims");
	int i = 0;
	if (!cJSON_IsArray(names)) {
		put_numbers(cJSON_GetObjectItemCaseSensitive(t, "shape"), out);
		return;
	}
	cJSON_ArrayForEach(size, cJSON_GetObjectItemCaseSensitive(t, "shape"))
	{
		const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(names, i));
		int64_t n = 0;
		buf_puts(out, i++ ? "," : "");
		if (name)
			buf_puts(out, name);
		else if (json_int64(size, &n) == JSON_NOT_INT)
			buf_putc(out, '?');
		else
			buf_printf(out, "%" PRId64, n);
	}
}
