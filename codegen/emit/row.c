#include "row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"
#include "rule_json.h"
#include "text.h"

typedef struct row_writer {
	arrays *shared;
	buf content; /* of the array in work */
	text_list list;
} row_writer;

/* A list of items as the content of an array. */
static void begin_array(row_writer *w)
{
	buf_clear(&w->content);
	w->list = text_list_begin(&w->content, 0, 0);
	w->list.tight = w->list.one_line = true;
}

static const char *end_array(row_writer *w, enum array_kind kind)
{
	return arrays_add(w->shared, kind, need_text(&w->content));
}

static const char *args_of(row_writer *w, const rule_op *op)
{
	buf item = {0};
	begin_array(w);
	for (unsigned i = 0; i < op->nargs; i++) {
		buf_clear(&item);
		buf_printf(&item, "{\"%s\",%u,%d}", op->args[i].name, op->args[i].value,
		    op->args[i].by_position);
		text_item(&w->list, need_text(&item));
	}
	buf_free(&item);
	return end_array(w, ARRAY_ARGS);
}

/* As tablerow.h names them. */
static const char *const DTYPE_C[RS_DTYPE_COUNT] = {[RS_BOOL] = "b8", [RS_UINT4] = "u4", [RS_UINT8] = "u8", [RS_UINT16] = "u16",
    [RS_UINT32] = "u32", [RS_UINT64] = "u64", [RS_INT4] = "i4", [RS_INT8] = "i8", [RS_INT16] = "i16", [RS_INT32] = "i32",
    [RS_INT64] = "i64", [RS_FLOAT16] = "f16", [RS_BFLOAT16] = "bf16", [RS_FLOAT32] = "f32", [RS_FLOAT64] = "f64",
    [RS_COMPLEX32] = "c32", [RS_COMPLEX64] = "c64", [RS_COMPLEX128] = "c128", [RS_STRING] = "str",
    [RS_OTHER] = "other"};

enum { LISTED = 6 }; /* INTS1 … INTS6 */

/* Whether values begin with a list of that many integers with consecutive symbols. */
static bool is_integer_list(const rs_value *v, const rs_value *end)
{
	if (v->kind != RS_LIST || v->count < 1 || v->count > LISTED || end - v <= v->count)
		return false;
	for (unsigned i = 1; i <= v->count; i++)
		if (v[i].kind != RS_INT || v[i].first != v[1].first + (i - 1))
			return false;
	return true;
}

static void put_value(buf *item, const rs_value *v)
{
	switch (v->kind) {
	case RS_TENSOR:
	case RS_RANGED:
		buf_printf(item, "%s(%s,%u,%u)", v->kind == RS_TENSOR ? "TENSOR" : "RANGED", DTYPE_C[v->dtype],
		    v->count, v->first);
		break;
	case RS_INT:
		buf_printf(item, "INT(%u)", v->first);
		break;
	case RS_LIST:
		buf_printf(item, "LIST(%u)", v->count);
		break;
	case RS_ELEMENTS:
		buf_printf(item, "ELEMENTS(%s, %u)", DTYPE_C[v->dtype], v->count);
		break;
	default:
		buf_puts(item, v->count ? "CHOICE(" : "TEXT(");
		name_literal(item, v->text);
		if (v->count)
			buf_printf(item, ", %u, %u", v->count, v->first);
		buf_putc(item, ')');
	}
}

static const char *values_of(row_writer *w, const rule_op *op)
{
	buf item = {0};
	begin_array(w);
	for (const rs_value *v = op->values, *end = v + op->nvalues; v < end; v++) {
		buf_clear(&item);
		if (is_integer_list(v, end)) {
			buf_printf(&item, "INTS%u(%u)", v->count, v[1].first);
			v += v->count;
		} else {
			put_value(&item, v);
		}
		text_item(&w->list, need_text(&item));
	}
	buf_free(&item);
	return end_array(w, ARRAY_VALUES);
}

static const char *floats_of(row_writer *w, const rule_op *op)
{
	buf item = {0};
	begin_array(w);
	for (unsigned i = 0; i < op->nfloats; i++) {
		buf_clear(&item);
		name_literal(&item, op->floats[i]);
		text_item(&w->list, need_text(&item));
	}
	buf_free(&item);
	return end_array(w, ARRAY_FLOATS);
}

static const char *dtypes_of(row_writer *w, const rule_op *op)
{
	begin_array(w);
	const unsigned width = op->nin + op->nout;
	for (unsigned i = 0; i < op->ndtypes * width; i++) {
		w->list.tight = i % width != 0;
		text_item(&w->list, DTYPE_C[op->dtypes[i]]);
	}
	return end_array(w, ARRAY_DTYPES);
}

static const char *classes_of(row_writer *w, const rule_op *op)
{
	char item[8];
	begin_array(w);
	for (unsigned i = 0; i < op->nin + RS_VALUES_COUNT; i++) {
		snprintf(item, sizeof item, "%u", op->classes[i]);
		text_item(&w->list, item);
	}
	return end_array(w, ARRAY_CLASSES);
}

static const char *sample_of(row_writer *w, const char *program)
{
	buf_clear(&w->content);
	text_bytes(&w->content, program, strlen(program));
	return end_array(w, ARRAY_SAMPLE);
}

/* ---- the row */

/* A field, or some by one macro. */
static void put_item(text_list *list, buf *item)
{
	text_item(list, need_text(item));
	buf_clear(item);
}

static void put_sampler(buf *out, row_writer *w, const plan_row *row)
{
	if (!row->sample) {
		buf_puts(out, "RECORDED");
		return;
	}
	const bool both = strcmp(row->back, row->sample) != 0;
	buf_printf(out, "%s%s(%s", row->sampler == RS_SAMPLER_DIRECT ? "DIRECT" : "BOUNDED", both ? "_BOTH" : "", sample_of(w, row->sample));
	if (both)
		buf_printf(out, ", %s", sample_of(w, row->back));
	buf_putc(out, ')');
}

/* The end of the name, whose beginning is the API, the rule and the numbers of records: of all rows. */
static void put_operator(buf *out, row_writer *w, const plan_row *row)
{
	const rule_op *op = row->op;
	name_literal(out, op->name + strlen(op->api));
	buf_putc(out, ',');
	name_literal(out, row->valid ? op->id : op->rule.why);
	if (row->valid) {
		buf_printf(out, ",%s,%s,", plan_function_key(row->valid), plan_function_key(row->propagate));
		put_sampler(out, w, row);
	}
	buf_printf(out, ",%u,%u", op->rule.passed, op->rule.failed);
}

static void put_flags(text_list *list, buf *item, const rule_op *op)
{
	static const char *const PROOFS[] = {
	    [PROOF_PROVED] = "RS_PROVED", [PROOF_CHECKED] = "RS_UNPROVED", [PROOF_UNKNOWN] = "RS_UNPROVED"};
	const char *flags[] = {op->rule.thin ? "RS_THIN" : NULL, op->rule.out ? PROOFS[op->rule.proof] : NULL,
	    op->delicate ? "RS_DELICATE" : NULL, op->random ? "RS_RANDOM" : NULL,
	    op->held ? "RS_HELD" : NULL, op->unfit ? "RS_UNFIT" : NULL, op->by_records ? "RS_RECORDED" : NULL};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (flags[i])
			buf_printf(item, "%s%s", item->length ? " | " : ".flags = ", flags[i]);
	if (strcmp(need_text(item), ".flags = RS_PROVED") == 0) { /* the most frequent ones */
		buf_clear(item);
		buf_puts(item, "PROVED");
	}
	if (item->length)
		put_item(list, item);
}

/* A rule gives a record's outputs; where it gives others, the record is of no use. */
static bool is_kept(const rule_op *op, const int64_t *record)
{
	int64_t *out = op->rule.out ? need(malloc((op->nodim + 1) * sizeof *out), op->nodim) : NULL;
	bool kept = !out || (rule_propagate(&op->rule, record, out)
			&& memcmp(out, record + op->nsym, op->nodim * sizeof *out) == 0);
	free(out);
	return kept;
}

static size_t record_width(const rule_op *op)
{
	return op->rule.out ? op->nsym : (size_t)op->nsym + op->nodim;
}

/* Bits of the narrowest type that holds all numbers of the kept records; 8: characters do. */
static unsigned record_bits(const rule_op *op)
{
	size_t all = (size_t)op->nsym + op->nodim;
	unsigned bits = 8;
	for (unsigned r = 0; r < op->nrecords; r++)
		for (size_t i = 0, n = is_kept(op, op->records + r * all) ? record_width(op) : 0; i < n; i++) {
			int64_t x = op->records[r * all + i];
			if (bits == 8 && (x <= -RS_RECORD_ZERO || x > UINT8_MAX - RS_RECORD_ZERO))
				bits = 16;
			while (bits > 8 && bits < 64 && (x < -(INT64_C(1) << (bits - 1)) || x >= INT64_C(1) << (bits - 1)))
				bits *= 2;
		}
	return bits;
}

static unsigned count_kept(const rule_op *op)
{
	unsigned kept = 0;
	for (unsigned r = 0; r < op->nrecords; r++)
		kept += is_kept(op, op->records + r * ((size_t)op->nsym + op->nodim));
	return kept;
}

/* The number of kept records, and all their numbers as one text. */
static void put_record_text(buf *out, const rule_op *op)
{
	const size_t all = (size_t)op->nsym + op->nodim;
	buf text = {0};
	for (unsigned r = 0; r < op->nrecords; r++)
		for (size_t i = 0, n = is_kept(op, op->records + r * all) ? record_width(op) : 0; i < n; i++)
			buf_putc(&text, (char)(op->records[r * all + i] + RS_RECORD_ZERO));
	buf_printf(out, "%u,", count_kept(op));
	text_bytes(out, need_text(&text), text.length);
	buf_free(&text);
}

/* A blank stands before each record. */
static void put_records(buf *out, text_list *list, buf *item, const rule_op *op)
{
	size_t all = (size_t)op->nsym + op->nodim, width = record_width(op);
	const unsigned kept = count_kept(op), bits = record_bits(op);
	if (width && kept && bits == 8) {
		buf_puts(item, "RECORDS(");
		put_record_text(item, op);
		put_item(list, item);
		buf_putc(out, ')');
		return;
	}
	if (width && kept)
		buf_printf(item, "RECORDS%u(%u", bits, kept);
	else
		buf_printf(item, ".nrecords = %u", kept);
	put_item(list, item);
	for (unsigned r = 0; r < op->nrecords; r++) {
		const int64_t *record = op->records + r * all;
		size_t n = is_kept(op, record) ? width : 0;
		for (size_t i = 0; i < n; i++) {
			if (record[i] == INT64_MIN)
				buf_puts(item, "INT64_MIN");
			else
				buf_printf(item, "%lld", (long long)record[i]);
			list->tight = i > 0;
			put_item(list, item);
		}
	}
	list->tight = false;
	buf_puts(out, width && kept ? ")" : "");
}

static void put_call(text_list *list, buf *item, row_writer *w, const rule_op *op)
{
	if (op->nargs) {
		const char *args = args_of(w, op);
		buf_printf(item, "CALL(%s, %s, %u, %u, %u)", args, values_of(w, op), op->nsym, op->nin, op->nodim);
	} else {
		buf_printf(item, ".nodim = %u", op->nodim);
	}
	put_item(list, item);
}

static void put_outputs(text_list *list, buf *item, row_writer *w, const rule_op *op)
{
	if (op->nfloats) {
		buf_printf(item, ".floats = floats_%s", floats_of(w, op));
		put_item(list, item);
	}
	for (unsigned i = 0; i < op->nout; i++) {
		buf_printf(item, "%s%u%s", i ? "" : "OUT(", op->outputs[i].rank, i + 1 < op->nout ? "" : ")");
		put_item(list, item);
	}
}

static void put_types(text_list *list, buf *item, row_writer *w, const rule_op *op)
{
	const char *dtypes = op->ndtypes && op->nin + op->nout ? dtypes_of(w, op) : NULL;
	const char *classes = op->classes ? classes_of(w, op) : NULL;
	if (dtypes) {
		buf_printf(item, "TYPES(%u, %s, %s)", op->ndtypes, dtypes, classes ? classes : "unknown");
	} else {
		buf_printf(item, ".ndtypes = %u", op->ndtypes);
		if (classes)
			buf_printf(item, ", .classes = classes_%s", classes);
	}
	put_item(list, item);
}

static void put_writes(text_list *list, buf *item, const rule_op *op)
{
	if (!op->writes)
		return;
	buf_printf(item, ".writes = 0x%llx", (unsigned long long)op->writes);
	put_item(list, item);
}

/* Whether one macro has most of the row: an ordinary signature with a rule. */
static bool is_plain(const plan_row *row)
{
	const rule_op *op = row->op;
	return row->valid && op->nargs && op->ndtypes && op->nout && record_bits(op) == 8 && record_width(op) && count_kept(op);
}

/* The fields that every plain row has, as ROW in tablerow.h. */
static void put_plain(buf *out, row_writer *w, const rule_op *op)
{
	const char *args = args_of(w, op), *values = values_of(w, op), *dtypes = dtypes_of(w, op);
	const char *classes = op->classes ? classes_of(w, op) : "unknown";
	buf_printf(out, ", %s,%s,%u,%u,%u, %u,%s,%s, ", args, values, op->nsym, op->nin, op->nodim, op->ndtypes, dtypes, classes);
	put_record_text(out, op);
}

static void put_general(buf *out, text_list *list, buf *item, row_writer *w, const rule_op *op)
{
	put_call(list, item, w, op);
	put_types(list, item, w, op);
	if (op->nrecords)
		put_records(out, list, item, op);
}

void row_emit(buf *out, const plan_row *row, arrays *shared)
{
	row_writer w = {.shared = shared};
	const bool plain = is_plain(row);
	buf item = {0};
	text_list list = text_list_begin(out, 0, 0);
	list.one_line = true;
	list.count = 1;
	buf_puts(out, plain ? "ROW(" : row->valid ? "FIELDS(" : "NO_RULE(");
	put_operator(out, &w, row);
	if (plain)
		put_plain(out, &w, row->op);
	else
		put_general(out, &list, &item, &w, row->op);
	put_outputs(&list, &item, &w, row->op);
	put_flags(&list, &item, row->op);
	put_writes(&list, &item, row->op);
	buf_puts(out, ")\n");
	buf_free(&item);
	buf_free(&w.content);
}
