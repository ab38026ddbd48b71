#include "reply.h"

#include <ctype.h>
#include <string.h>

#include "json.h"
#include "need.h"

enum { LONGEST_CAUSE = 160 };

const char *const REPLY_NAMES[REPLY_KINDS] = {[REPLY_LOST] = "lost", [REPLY_ACCEPTS] = "accepts", [REPLY_REFUSES] = "rejects",
    [REPLY_ELEMENTS] = "depends on elements", [REPLY_DIES] = "crashes", [REPLY_ABSENT] = "unknown"};
const char *const CHANGE_NAMES[CHANGES] = {[CHANGE_NONE] = "none", [CHANGE_LESS] = "less", [CHANGE_MORE] = "more", [CHANGE_SHAPE] = "shape",
    [CHANGE_DTYPE] = "dtype", [CHANGE_ELEMENTS] = "elements", [CHANGE_DIES] = "dies", [CHANGE_SURVIVES] = "survives", [CHANGE_GONE] = "gone", [CHANGE_NEW] = "new"};

static enum reply_kind kind_of(const char *outcome, const char *message)
{
	static const struct {
		const char *outcome;
		enum reply_kind kind;
	} LIST[] = {{"pass", REPLY_ACCEPTS}, {"other", REPLY_ACCEPTS}, {"fail", REPLY_REFUSES}, {"mixed", REPLY_ELEMENTS}, {"absent", REPLY_ABSENT}};
	for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
		if (strcmp(outcome, LIST[i].outcome) == 0)
			return LIST[i].kind;
	return strcmp(outcome, "lost") == 0 && strstr(message, "killed by SIG") ? REPLY_DIES : REPLY_LOST;
}

static void put_dims(buf *to, const cJSON *dims)
{
	const cJSON *dim;
	const char *between = "";
	buf_putc(to, '[');
	cJSON_ArrayForEach(dim, dims)
	{
		int64_t value = 0;
		json_int64(dim, &value);
		buf_puts(to, between);
		buf_int(to, value);
		between = ", ";
	}
	buf_putc(to, ']');
}

/* "outputs": [[[5, 2], "float32"], …] */
static void read_outputs(reply *to, const cJSON *outputs, arena *memory)
{
	buf shapes = {0}, dtypes = {0};
	const cJSON *output;
	cJSON_ArrayForEach(output, outputs)
	{
		const cJSON *dtype = cJSON_GetArrayItem(output, 1);
		buf_puts(&shapes, shapes.length ? ", " : "");
		put_dims(&shapes, cJSON_GetArrayItem(output, 0));
		buf_printf(&dtypes, "%s%s", dtypes.length ? ", " : "", cJSON_IsString(dtype) ? dtype->valuestring : "?");
	}
	to->shapes = keep(memory, &shapes);
	to->dtypes = keep(memory, &dtypes);
	buf_free(&shapes);
	buf_free(&dtypes);
}

reply reply_accepts(const operator *op, const int64_t *out, arena *memory)
{
	reply r = {.kind = REPLY_ACCEPTS, .message = ""};
	buf shapes = {0}, dtypes = {0};
	for (int i = 0; i < op->call->nout; i++) {
		const call_output *o = &op->call->outputs[i];
		buf_printf(&dtypes, "%s%s", i ? ", " : "", o->dtype);
		buf_puts(&shapes, i ? ", [" : "[");
		for (int k = 0; k < o->rank; k++)
			buf_printf(&shapes, "%s%lld", k ? ", " : "", (long long)out[o->first + k]);
		buf_putc(&shapes, ']');
	}
	r.shapes = keep(memory, &shapes);
	r.dtypes = keep(memory, &dtypes);
	buf_free(&shapes);
	buf_free(&dtypes);
	return r;
}

/* "out": the dimensions of all outputs in one list; ranks and dtypes are those of the signature. */
static reply read_out(const cJSON *out, const operator *op, arena *memory)
{
	int64_t *dims = NEED_ARRAY(memory, int64_t, op->nodim);
	if (cJSON_GetArraySize(out) != op->nodim)
		return (reply){.shapes = "", .dtypes = "", .message = "an answer with outputs of another number"};
	for (int k = 0; k < op->nodim; k++)
		if (json_int64(cJSON_GetArrayItem(out, k), &dims[k]) != JSON_INT)
			return (reply){.shapes = "", .dtypes = "", .message = "an answer with a dimension that is not a number"};
	return reply_accepts(op, dims, memory);
}

reply reply_read(const cJSON *line, const operator *op, arena *memory)
{
	const char *message = need(arena_strdup(memory, json_text(line, "message")), 1);
	reply r = {.kind = kind_of(json_text(line, "outcome"), message), .shapes = "", .dtypes = "", .message = message};
	const cJSON *outputs = cJSON_GetObjectItemCaseSensitive(line, "outputs"), *out = cJSON_GetObjectItemCaseSensitive(line, "out");
	if (r.kind != REPLY_ACCEPTS)
		return r;
	if (cJSON_IsArray(outputs))
		read_outputs(&r, outputs, memory);
	else if (cJSON_IsArray(out))
		r = read_out(out, op, memory);
	else
		r.dtypes = "no tensors";
	return r;
}

enum change reply_change(const reply *a, const reply *b)
{
	if (a->kind == REPLY_LOST || b->kind == REPLY_LOST)
		return CHANGE_NONE;
	if (a->kind == REPLY_ACCEPTS && b->kind == REPLY_ACCEPTS)
		return strcmp(a->dtypes, b->dtypes) != 0 ? CHANGE_DTYPE : strcmp(a->shapes, b->shapes) != 0 ? CHANGE_SHAPE : CHANGE_NONE;
	if (a->kind == b->kind)
		return CHANGE_NONE;
	if (a->kind == REPLY_ABSENT || b->kind == REPLY_ABSENT)
		return a->kind == REPLY_ABSENT ? CHANGE_NEW : CHANGE_GONE;
	if (a->kind == REPLY_DIES || b->kind == REPLY_DIES)
		return b->kind == REPLY_DIES ? CHANGE_DIES : CHANGE_SURVIVES;
	if (a->kind == REPLY_ELEMENTS || b->kind == REPLY_ELEMENTS)
		return CHANGE_ELEMENTS;
	return a->kind == REPLY_ACCEPTS ? CHANGE_LESS : CHANGE_MORE;
}

/* Normalizes a message: its first line, with N for each number and for each list of numbers. */
static void put_normal(buf *to, const char *message)
{
	for (const char *c = message; *c && *c != '\n' && to->length < LONGEST_CAUSE; c++) {
		bool begins = isdigit((unsigned char)*c) && (c == message || (!isalnum((unsigned char)c[-1]) && c[-1] != '_'));
		if (!begins) {
			buf_putc(to, isprint((unsigned char)*c) ? *c : '?');
			continue;
		}
		while (isdigit((unsigned char)c[1]) || (c[1] == '.' && isdigit((unsigned char)c[2])))
			c++;
		if (to->length && to->text[to->length - 1] == '-')
			to->text[--to->length] = '\0';
		if (to->length >= 3 && strcmp(to->text + to->length - 3, "N, ") == 0)
			to->text[to->length -= 2] = '\0';
		else
			buf_putc(to, 'N');
	}
}

const char *reply_cause(enum change c, const reply *a, const reply *b, arena *memory)
{
	const reply *says = c == CHANGE_MORE || c == CHANGE_NEW || c == CHANGE_SURVIVES
				    || (c == CHANGE_ELEMENTS && a->kind == REPLY_ELEMENTS)
				? a
				: b;
	buf text = {0};
	if (c == CHANGE_DTYPE)
		buf_printf(&text, "%s becomes %s", a->dtypes, b->dtypes);
	else if (c != CHANGE_SHAPE)
		put_normal(&text, says->message);
	const char *cause = keep(memory, &text);
	buf_free(&text);
	return cause;
}
