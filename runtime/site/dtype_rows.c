#include "dtype_rows.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "room.h"

/* The one dtype of all tensors of a row, NULL if they differ. */
static const char *only_dtype(const cJSON *row)
{
	const char *only = NULL;
	const cJSON *side, *dtype;
	cJSON_ArrayForEach(side, row)
		cJSON_ArrayForEach(dtype, side) {
			const char *text = cJSON_GetStringValue(dtype);
			if (!text || (only && strcmp(only, text) != 0))
				return NULL;
			only = text;
		}
	return only;
}

static void put_side(buf *to, const cJSON *side)
{
	for (int i = 0; i < cJSON_GetArraySize(side); i++)
		buf_printf(to, "%s%s", i ? ", " : "", site_text(side, i));
	buf_puts(to, cJSON_GetArraySize(side) ? "" : "none");
}

/* The text of a row, to free; " " for a call without tensors, NULL: out of memory. */
static char *text_of(const cJSON *row)
{
	const cJSON *in = cJSON_GetArrayItem(row, 0), *results = cJSON_GetArrayItem(row, 1);
	const char *only = only_dtype(row);
	buf text = {0};
	if (only) {
		buf_puts(&text, only);
	} else if (cJSON_GetArraySize(in) + cJSON_GetArraySize(results) > 0) {
		put_side(&text, in);
		buf_puts(&text, " → ");
		put_side(&text, results);
	}
	if (!text.length && !text.failed)
		buf_puts(&text, " "); /* buf_take gives NULL for an empty text */
	return buf_take(&text);
}

static bool has(const dtype_rows *rows, const char *text)
{
	for (size_t i = 0; i < rows->n; i++)
		if (strcmp(rows->texts[i], text) == 0)
			return true;
	return false;
}

static bool make_room(dtype_rows *rows)
{
	char **texts = room_for_one(rows->texts, rows->n, &rows->room, sizeof *texts);
	rows->failed |= !texts;
	rows->texts = texts ? texts : rows->texts;
	return texts != NULL;
}

void dtype_rows_add(dtype_rows *rows, const site_op *op)
{
	const cJSON *row;
	cJSON_ArrayForEach(row, op->dtypes) {
		char *text = text_of(row);
		rows->failed |= !text;
		if (text && *text != ' ' && !has(rows, text) && make_room(rows)) {
			rows->texts[rows->n++] = text;
			continue;
		}
		free(text);
	}
}

void dtype_rows_put(buf *out, const dtype_rows *rows, size_t most)
{
	for (size_t i = 0; i < rows->n && i < most; i++) {
		buf_puts(out, i ? " <code>" : "<code>");
		escape_markup(out, rows->texts[i]);
		buf_puts(out, "</code>");
	}
	if (rows->n > most)
		buf_printf(out, " and %zu more", rows->n - most);
}

void dtype_rows_free(buf *out, dtype_rows *rows)
{
	out->failed |= rows->failed;
	for (size_t i = 0; i < rows->n; i++)
		free(rows->texts[i]);
	free(rows->texts);
}
