#include "form_text.h"

#include <string.h>

#include "json.h"

enum { DEEPEST = 20 };

static const char *short_dtype(const char *dtype)
{
	static const char *const NAMES[][2] = {{"uint4", "u4"}, {"uint8", "u8"}, {"uint16", "u16"}, {"uint32", "u32"}, {"uint64", "u64"}, {"int4", "i4"}, {"int8", "i8"},
	    {"int16", "i16"}, {"int32", "i32"}, {"int64", "i64"}, {"float16", "f16"}, {"bfloat16", "bf16"}, {"float32", "f32"},
	    {"float64", "f64"}, {"complex32", "c32"}, {"complex64", "c64"}, {"complex128", "c128"}};
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
		if (strcmp(NAMES[i][0], dtype) == 0)
			return NAMES[i][1];
	return dtype;
}

/* Whether all items are symbols: more than two in a row are written s0..s3. */
static bool all_symbols(const cJSON *list)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, list)
		if (!cJSON_IsString(item))
			return false;
	return true;
}

static void put_value(buf *out, const cJSON *value, int depth);

static void put_items(buf *out, const cJSON *list, int depth)
{
	int n = cJSON_GetArraySize(list);
	buf_putc(out, '[');
	if (n > 2 && all_symbols(list))
		buf_printf(out, "%s..%s", site_text(list, 0), site_text(list, n - 1));
	for (int i = 0; i < n && !(n > 2 && all_symbols(list)); i++) {
		buf_puts(out, i ? ", " : "");
		put_value(out, cJSON_GetArrayItem(list, i), depth + 1);
	}
	buf_putc(out, ']');
}

static void put_object(buf *out, const cJSON *value, int depth)
{
	const cJSON *tensor = cJSON_GetObjectItemCaseSensitive(value, "tensor"), *range = cJSON_GetObjectItemCaseSensitive(value, "range");
	const cJSON *elements = cJSON_GetObjectItemCaseSensitive(value, "elements");
	if (tensor) {
		buf_puts(out, short_dtype(json_text(value, "dtype")));
		put_items(out, tensor, depth);
		if (range)
			buf_printf(out, " in %s..%s-1", site_text(range, 0), site_text(range, 1));
	} else if (elements) {
		buf_printf(out, "%s(", short_dtype(json_text(value, "dtype")));
		put_value(out, elements, depth + 1);
		buf_putc(out, ')');
	} else {
		buf_puts(out, json_text(value, "const"));
	}
}

static void put_value(buf *out, const cJSON *value, int depth)
{
	if (depth > DEEPEST)
		buf_puts(out, "…");
	else if (cJSON_IsString(value))
		buf_puts(out, value->valuestring);
	else if (cJSON_IsArray(value))
		put_items(out, value, depth);
	else
		put_object(out, value, depth);
}

void form_text_put(buf *out, const site_op *op)
{
	const cJSON *arg;
	cJSON_ArrayForEach(arg, op->args) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(arg, "value");
		buf_printf(out, "%s%s%s", arg->prev->next ? ", " : "", json_text(arg, "name"),
		    cJSON_HasObjectItem(value, "tensor") ? ": " : "=");
		put_value(out, value, 0);
	}
}

/* ---- names of symbols */

static void name_value(buf *out, const cJSON *value, buf *path, int depth);

static void name_items(buf *out, const cJSON *list, buf *path, int depth)
{
	size_t length = path->length;
	int i = 0;
	const cJSON *item;
	cJSON_ArrayForEach(item, list) {
		buf_printf(path, "[%d]", i++);
		name_value(out, item, path, depth + 1);
		path->length = length;
		path->text[length] = 0;
	}
}

static void name_bounds(buf *out, const cJSON *range, const buf *path)
{
	if (cJSON_GetArraySize(range) == 2)
		buf_printf(out, "%s.low\n%s.high\n", path->text, path->text);
}

static void name_value(buf *out, const cJSON *value, buf *path, int depth)
{
	if (depth > DEEPEST || path->failed)
		return;
	if (cJSON_IsString(value)) {
		buf_printf(out, "%s\n", path->text);
	} else if (cJSON_IsArray(value)) {
		name_items(out, value, path, depth);
	} else {
		name_items(out, cJSON_GetObjectItemCaseSensitive(value, "tensor"), path, depth);
		name_bounds(out, cJSON_GetObjectItemCaseSensitive(value, "range"), path);
		if (cJSON_HasObjectItem(value, "elements"))
			name_value(out, cJSON_GetObjectItemCaseSensitive(value, "elements"), path, depth + 1);
	}
}

void form_text_names(buf *out, const site_op *op)
{
	const cJSON *arg;
	cJSON_ArrayForEach(arg, op->args) {
		buf path = {0};
		buf_puts(&path, json_text(arg, "name"));
		buf_puts(&path, path.length ? "" : "?");
		for (size_t i = 0; i < path.length; i++)
			if (path.text[i] == '\n')
				path.text[i] = ' ';
		name_value(out, cJSON_GetObjectItemCaseSensitive(arg, "value"), &path, 0);
		buf_end(out, &path);
	}
}

/* ---- kinds of symbols */

static void kind_value(buf *out, const cJSON *value, char kind, int depth)
{
	const cJSON *item;
	if (depth > DEEPEST)
		return;
	if (cJSON_IsString(value))
		buf_putc(out, kind);
	if (cJSON_IsArray(value))
		cJSON_ArrayForEach(item, value)
			kind_value(out, item, kind, depth + 1);
	if (!cJSON_IsObject(value))
		return;
	kind_value(out, cJSON_GetObjectItemCaseSensitive(value, "tensor"), 'd', depth + 1);
	kind_value(out, cJSON_GetObjectItemCaseSensitive(value, "range"), 'n', depth + 1);
	kind_value(out, cJSON_GetObjectItemCaseSensitive(value, "elements"), 'n', depth + 1);
}

void form_text_kinds(buf *out, const site_op *op)
{
	const cJSON *arg;
	cJSON_ArrayForEach(arg, op->args)
		kind_value(out, cJSON_GetObjectItemCaseSensitive(arg, "value"), 'n', 0);
}
