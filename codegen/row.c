#include "row.h"

#include <stdio.h>
#include <string.h>

#include "name.h"
#include "need.h"
#include "rule_json.h"
#include "smt.h"
#include "text.h"

enum { MAX_SMT = 1 << 14, SMT_LINE = 80 }; /* bytes */

typedef struct row_writer {
	arrays *shared;
	text_list list; /* the row's references to them */
	buf content;    /* of the array in work */
} row_writer;

/* A list of items as the content of an array; what it is assigned to is in front. */
static void begin_array(buf *content, text_list *list)
{
	buf_clear(content);
	buf_putc(content, '{');
	*list = text_list_begin(content, 1, 8 + 1);
}

static void end_array(row_writer *w, const char *key, const char *type)
{
	char item[96];
	buf_putc(&w->content, '}');
	if (w->content.failed)
		need(NULL, w->content.length);
	snprintf(item, sizeof item, ".%s = %s", key, arrays_add(w->shared, type, key, w->content.text));
	text_item(&w->list, item);
}

static void put_args(row_writer *w, const rule_op *op)
{
	buf item = {0};
	text_list list;
	begin_array(&w->content, &list);
	for (unsigned i = 0; i < op->nargs; i++) {
		buf_clear(&item);
		buf_printf(&item, "{\"%s\", %u, %d}", op->args[i].name, op->args[i].value,
		    op->args[i].by_position);
		text_item(&list, item.text);
	}
	end_array(w, "args", "rs_arg");
	buf_free(&item);
}

static const char *const DTYPE_C[RS_DTYPE_COUNT] = {
#define X(NAME, text, bytes) "RS_" #NAME,
    RS_DTYPES(X)
#undef X
};

static void put_table_value(buf *item, const rs_value *v)
{
	static const char *const KIND[] = {
	    "RS_TENSOR", "RS_INT", "RS_CONST", "RS_LIST", "RS_RANGED", "RS_ELEMENTS"};
	buf_printf(item, "{.kind = %s", KIND[v->kind]);
	if (rs_is_tensor(v->kind) || v->kind == RS_ELEMENTS)
		buf_printf(item, ", .dtype = %s", DTYPE_C[v->dtype]);
	if (v->count)
		buf_printf(item, ", .count = %u", v->count);
	if (v->first)
		buf_printf(item, ", .first = %u", v->first);
	if (v->text) {
		buf_puts(item, ", .text = ");
		name_literal(item, v->text);
	}
	buf_putc(item, '}');
}

static void put_values(row_writer *w, const rule_op *op)
{
	buf item = {0};
	text_list list;
	begin_array(&w->content, &list);
	for (unsigned i = 0; i < op->nvalues; i++) {
		buf_clear(&item);
		put_table_value(&item, &op->values[i]);
		text_item(&list, item.text);
	}
	end_array(w, "values", "rs_value");
	buf_free(&item);
}

static void put_floats(row_writer *w, const rule_op *op)
{
	buf item = {0};
	text_list list;
	begin_array(&w->content, &list);
	for (unsigned i = 0; i < op->nfloats; i++) {
		buf_clear(&item);
		name_literal(&item, op->floats[i]);
		text_item(&list, item.text);
	}
	end_array(w, "floats", "char *const");
	buf_free(&item);
}

static void put_dtypes(row_writer *w, const rule_op *op)
{
	text_list list;
	begin_array(&w->content, &list);
	for (unsigned i = 0; i < op->ndtypes * (op->nin + op->nout); i++)
		text_item(&list, DTYPE_C[op->dtypes[i]]);
	end_array(w, "dtypes", "uint8_t");
}

static void put_classes(row_writer *w, const rule_op *op)
{
	char item[8];
	text_list list;
	begin_array(&w->content, &list);
	for (unsigned i = 0; i < op->nin + RS_VALUES_COUNT; i++) {
		snprintf(item, sizeof item, "%u", op->classes[i]);
		text_item(&list, item);
	}
	end_array(w, "classes", "uint8_t");
}

static void put_ranks(row_writer *w, const rule_op *op)
{
	char item[8];
	text_list list;
	begin_array(&w->content, &list);
	for (unsigned i = 0; i < op->nout; i++) {
		snprintf(item, sizeof item, "%u", op->outputs[i].rank);
		text_item(&list, item);
	}
	end_array(w, "out_ranks", "uint8_t");
}

static void put_records(buf *out, const rule_op *op)
{
	char item[32];
	buf_puts(out, "\t\t.records = (const int64_t[]){");
	text_list list = text_list_begin(out, 3, 16 + 29);
	for (unsigned i = 0; i < op->nrecords * (op->nsym + op->nodim); i++) {
		if (op->records[i] == INT64_MIN)
			snprintf(item, sizeof item, "INT64_MIN");
		else
			snprintf(item, sizeof item, "%lld", (long long)op->records[i]);
		text_item(&list, item);
	}
	buf_puts(out, "},\n");
}

/* Counts that are 0 are left out, as are the pointers to nothing. */
static void put_counts(buf *out, const rule_op *op)
{
	const struct {
		const char *name;
		unsigned value;
	} all[] = {{"passed", op->rule.passed}, {"failed", op->rule.failed}, {"nargs", op->nargs},
	    {"nvalues", op->nvalues}, {"nsym", op->nsym}, {"nin", op->nin}, {"nout", op->nout},
	    {"nodim", op->nodim}, {"ndtypes", op->ndtypes}, {"nrecords", op->nrecords}};
	char item[120]; /* all flags at once */
	text_list list = text_list_begin(out, 2, 16);
	buf_puts(out, "\t\t");
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (!all[i].value)
			continue;
		snprintf(item, sizeof item, ".%s = %u", all[i].name, all[i].value);
		text_item(&list, item);
	}
	static const char *const PROOFS[] = {
	    [PROOF_PROVED] = "RS_PROVED", [PROOF_CHECKED] = "RS_UNPROVED", [PROOF_UNKNOWN] = "RS_UNPROVED"};
	const char *flags[] = {op->rule.thin ? "RS_THIN" : NULL, op->rule.out ? PROOFS[op->rule.proof] : NULL,
	    op->delicate ? "RS_DELICATE" : NULL, op->random ? "RS_RANDOM" : NULL,
	    op->held ? "RS_HELD" : NULL, op->unfit ? "RS_UNFIT" : NULL};
	size_t n = 0;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (flags[i])
			n += (size_t)snprintf(item + n, sizeof item - n, "%s%s", n ? " | " : ".flags = ", flags[i]);
	if (n)
		text_item(&list, item);
	if (op->writes) {
		snprintf(item, sizeof item, ".writes = 0x%llx", (unsigned long long)op->writes);
		text_item(&list, item);
	}
	buf_puts(out, list.count ? ",\n" : "\n");
}

static void put_string(buf *out, const char *key, const char *text)
{
	buf_printf(out, "\t\t.%s = ", key);
	name_literal(out, text);
	buf_puts(out, ",\n");
}

/* What a solver is told of a rule whose sampler may meet a dead end. */
static void put_smt(buf *out, const rule_op *op)
{
	buf text = {0};
	smt_rule(&text, op);
	if (text.failed)
		need(NULL, text.length);
	if (text.length < MAX_SMT) {
		buf_puts(out, "\t\t.smt =");
		for (size_t i = 0; i < text.length; i += SMT_LINE) {
			const char *part = text.text + i;
			char piece[SMT_LINE + 1];
			snprintf(piece, sizeof piece, "%s", part);
			buf_puts(out, "\n\t\t\t");
			name_literal(out, piece);
		}
		buf_puts(out, ",\n");
	}
	buf_free(&text);
}

void row_emit(buf *out, const plan_row *row, arrays *shared)
{
	const rule_op *op = row->op;
	row_writer w = {.shared = shared};
	buf_puts(out, "\t{\n");
	put_string(out, "name", op->name);
	put_string(out, "api", op->api);
	if (row->valid) {
		put_string(out, "rule", op->id);
		buf_printf(out, "\t\t.valid = %s,\n\t\t.propagate = %s,\n", row->valid->name,
		    row->propagate->name);
		if (row->sample)
			buf_printf(out, "\t\t.sample = %s,\n\t\t.back = %s,\n\t\t.sampler = %s,\n",
			    row->sample->name, row->back->name,
			    row->sampler == RS_SAMPLER_DIRECT ? "RS_SAMPLER_DIRECT"
							      : "RS_SAMPLER_BOUNDED");
		if (row->sampler != RS_SAMPLER_DIRECT)
			put_smt(out, op);
	} else {
		put_string(out, "why", op->rule.why);
	}
	w.list = text_list_begin(out, 2, 16);
	buf_puts(out, "\t\t");
	if (op->nargs)
		put_args(&w, op);
	if (op->nvalues)
		put_values(&w, op);
	if (op->nfloats)
		put_floats(&w, op);
	if (op->nout)
		put_ranks(&w, op);
	if (op->ndtypes && op->nin + op->nout)
		put_dtypes(&w, op);
	if (op->classes)
		put_classes(&w, op);
	buf_puts(out, w.list.count ? ",\n" : "\n");
	if (op->nrecords && op->nsym + op->nodim)
		put_records(out, op);
	put_counts(out, op);
	buf_puts(out, "\t},\n");
	buf_free(&w.content);
}
