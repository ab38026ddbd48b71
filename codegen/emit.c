#include "emit.h"

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "lower.h"
#include "name.h"
#include "need.h"
#include "text.h"

enum {
	SHARD = 700000,		/* bytes of table rows in one file */
	MAX_FUNCTION = 1 << 20, /* bytes of C; what is larger no compiler should be asked to take */
};

void emit_files_free(emit_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		buf_free(&files->list[i].text);
	free(files->list);
	*files = (emit_files){0};
}

/* ---- comments: what a function was learned from, and as mathematics */

static const char *short_dtype(uint8_t dtype)
{
	static const char *const SHORT[RS_DTYPE_COUNT] = {[RS_UINT8] = "u8", [RS_UINT16] = "u16",
	    [RS_UINT32] = "u32", [RS_UINT64] = "u64", [RS_INT8] = "i8", [RS_INT16] = "i16",
	    [RS_INT32] = "i32", [RS_INT64] = "i64", [RS_FLOAT16] = "f16", [RS_BFLOAT16] = "bf16",
	    [RS_FLOAT32] = "f32", [RS_FLOAT64] = "f64", [RS_COMPLEX32] = "c32",
	    [RS_COMPLEX64] = "c64", [RS_COMPLEX128] = "c128"};
	static const char *const LONG[RS_DTYPE_COUNT] = {
#define X(NAME, text, bytes) [RS_##NAME] = text,
	    RS_DTYPES(X)
#undef X
	};
	return SHORT[dtype] ? SHORT[dtype] : LONG[dtype];
}

static void put_symbols(buf *out, unsigned first, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		buf_printf(out, i ? ", s%u" : "s%u", first + i);
}

/* The value at index *at and its descendants, as in Python; *at moves behind them. */
static void put_value(buf *out, const rule_op *op, unsigned *at)
{
	const rs_value *v = &op->values[(*at)++];
	if (v->kind == RS_INT) {
		put_symbols(out, v->first, 1);
	} else if (v->kind == RS_TENSOR) {
		buf_printf(out, "%s[", short_dtype(v->dtype));
		put_symbols(out, v->first, v->count);
		buf_putc(out, ']');
	} else if (v->kind == RS_CONST) {
		name_comment(out, v->text);
	} else {
		buf_putc(out, '[');
		for (unsigned i = 0; i < v->count; i++) {
			buf_puts(out, i ? ", " : "");
			put_value(out, op, at);
		}
		buf_putc(out, ']');
	}
}

/* torch.add(input: f32[s0, s1], other: f32[s2, s3], alpha=1) */
static void put_signature(buf *out, const rule_op *op)
{
	unsigned at = 0;
	buf_printf(out, "%s(", op->api);
	for (unsigned i = 0; i < op->nargs; i++) {
		bool tensor = op->values[op->args[i].value].kind == RS_TENSOR;
		buf_printf(out, "%s%s%s", i ? ", " : "", op->args[i].name, tensor ? ": " : "=");
		put_value(out, op, &at);
	}
	buf_putc(out, ')');
}

static void put_support(buf *out, const rule_op *op)
{
	buf_printf(out, "observed: agrees with %u passing and %u failing records%s", op->passed,
	    op->failed, op->thin ? " (thin: use with care)" : "");
	if (op->layer[0]) {
		buf_puts(out, "; layer ");
		name_comment(out, op->layer);
	}
}

static const char *proof_text(const char *proof)
{
	if (strcmp(proof, "proved") == 0)
		return "proved: every simplification on the way from the records to this form";
	if (strcmp(proof, "unknown") == 0)
		return "proof: unknown for some simplification, which was then not made";
	return "proof: none needed, nothing was simplified";
}

/* One operator's lines of a comment. */
static void put_operator(buf *out, const rule_op *op)
{
	buf line = {0};
	name_comment(&line, op->name);
	text_prose(out, " * ", " * ", line.text);
	buf_clear(&line);
	put_signature(&line, op);
	text_prose(out, " *     ", " *         ", line.text);
	buf_clear(&line);
	if (op->out) {
		put_support(&line, op);
	} else {
		buf_puts(&line, "no rule: ");
		name_comment(&line, op->why);
	}
	text_prose(out, " *     ", " *         ", line.text);
	if (op->out)
		text_prose(out, " *     ", " *         ", proof_text(op->proof));
	buf_free(&line);
}

static void put_outputs(buf *out, const rule_op *op)
{
	buf line = {0};
	for (unsigned i = 0, dim = 0; i < op->nout; i++) {
		if (op->outputs[i].rank == 0)
			buf_printf(out, " *     out%u is a scalar\n", i);
		for (unsigned j = 0; j < op->outputs[i].rank; j++) {
			buf_clear(&line);
			buf_printf(&line, "out%u[%u] = ", i, j);
			expr_print(&line, op->out[dim++]);
			text_prose(out, " *     ", " *         ", line.text);
		}
	}
	buf_free(&line);
}

static void put_clauses(buf *out, const rule_op *op)
{
	buf line = {0};
	buf_puts(out, op->nvalid ? " *     valid when\n" : " *     valid for all dimensions\n");
	for (unsigned i = 0; i < op->nvalid; i++) {
		buf_clear(&line);
		expr_print(&line, op->valid[i]);
		text_prose(out, " *         ", " *             ", line.text);
	}
	buf_free(&line);
}

static void put_mathematics(buf *out, const rule_op *op)
{
	buf_printf(out, " *\n * rule %s\n", op->id);
	put_outputs(out, op);
	put_clauses(out, op);
}

/* ---- functions */

static void put_locals(buf *out, const body *b)
{
	char item[48];
	bool first = true;
	text_list list = text_list_begin(out, 2, 8 + 11);
	for (unsigned i = 0; i < b->nsym; i++) {
		if (!b->used[i])
			continue;
		buf_puts(out, first ? "\tconst wide " : "");
		first = false;
		snprintf(item, sizeof item, "s%u = s[%u]", i, i);
		text_item(&list, item);
	}
	if (first)
		buf_puts(out, "\t(void)s;\n");
	else
		buf_puts(out, ";\n");
	list = text_list_begin(out, 2, 8 + 5);
	for (unsigned i = 0; i < b->ntemps; i++) {
		buf_puts(out, i ? "" : "\twide ");
		snprintf(item, sizeof item, b->may_skip ? "t%u = 0" : "t%u", i);
		text_item(&list, item);
	}
	if (b->ntemps)
		buf_puts(out, ";\n");
}

static bool put_function(buf *out, arena *memory, const plan_function *f, diag *d)
{
	arena_mark mark = arena_save(memory);
	size_t before = out->length;
	const rule_op *op = f->op;
	body b = f->propagates ? lower_propagate(memory, op->out, op->nodim, op->nsym)
			       : lower_valid(memory, op->valid, op->nvalid, op->nsym);
	buf_printf(out, "bool %s(const int64_t *s%s)\n{\n", f->name, f->propagates ? ", int64_t *out" : "");
	put_locals(out, &b);
	if (f->propagates && op->nodim == 0)
		buf_puts(out, "\t(void)out;\n");
	for (unsigned i = 0; i < b.nlines; i++) {
		text_code(out, i ? "\n\t    && " : "\treturn ", b.lines[i]);
	}
	buf_puts(out, b.nlines ? ";\n}\n" : "\treturn true;\n}\n");
	arena_release(memory, mark);
	if (out->length - before > MAX_FUNCTION)
		return diag_set(d, "operator \"%.80s\": its rule takes %zu bytes of C, the most is %d",
		    op->name, out->length - before, MAX_FUNCTION);
	return true;
}

/* ---- files */

static emit_file *add_file(emit_files *files, const char *path)
{
	if (files->count == files->room) {
		files->room = files->room ? files->room * 2 : 256;
		size_t bytes = files->room * sizeof *files->list;
		files->list = need(realloc(files->list, bytes), bytes);
	}
	emit_file *f = &files->list[files->count++];
	*f = (emit_file){.path = path};
	return f;
}

/* Puts the banner, with the hash of what follows it, in front of a finished body. */
static void finish(emit_file *f, buf *text)
{
	if (text->failed)
		need(NULL, text->length);
	buf_printf(&f->text,
	    EMIT_BANNER RULESMITH_VERSION ", rule ABI %d, rules %016llx.\n"
	    " * Do not edit; run `make rules`. docs/codegen.md explains the form. */\n"
	    "/* clang-format off */\n", /* it would put several conditions on a line */
	    RS_ABI, (unsigned long long)name_hash(text->text, text->length));
	buf_add(&f->text, text->text, text->length);
	if (f->text.failed)
		need(NULL, f->text.length);
	buf_free(text);
}

static const char *path_in(const rule_set *rules, const char *folder, const char *file, const char *end)
{
	return need(arena_printf(rules->memory, "%s/%s%s", folder, file, end), strlen(file));
}

static void put_code_header(emit_files *files)
{
	emit_file *f = add_file(files, "code.h");
	buf text = {0};
	buf_printf(&text,
	    "/* What every function here builds on. */\n"
	    "#ifndef GENERATED_CODE_H\n#define GENERATED_CODE_H\n\n#include \"ruletable.h\"\n\n"
	    "#if RS_ABI < %d\n"
	    "#error \"these rules have ABI %d and ruletable.h is older: update librulesmith\"\n"
	    "#elif RS_ABI_OLDEST > %d\n"
	    "#error \"these rules have ABI %d and ruletable.h is newer: run 'make rules'\"\n"
	    "#endif\n\n"
	    "/* rs_rules alone is seen from outside: else a library that is loaded into a program with rules\n"
	    " * of its own would get that program's tables in place of its own. */\n"
	    "#pragma GCC visibility push(hidden)\n\n"
	    "/* Stores an output dimension; false for what no dimension can be. */\n"
	    "static inline bool set_dim(int64_t *out, wide value)\n{\n"
	    "\t*out = (int64_t)value;\n"
	    "\treturn value >= 0 && value <= INT64_MAX;\n}\n\n#endif\n",
	    RS_ABI, RS_ABI, RS_ABI, RS_ABI);
	finish(f, &text);
}

/* Where a function stands that is not in this file's group. */
static void put_elsewhere(buf *out, const plan_function *f, const plan_row *row, bool above)
{
	if (f->shard)
		buf_printf(out, " *     %s is in shared_%c.c\n", f->name, f->shard);
	else if (above || f->op != row->op)
		buf_printf(out, " *     %s is above\n", f->name);
}

static bool same_functions(const plan_row *a, const plan_row *b)
{
	return a->valid == b->valid && a->propagate == b->propagate;
}

/* The operators of one API that follow one rule: a comment, then the functions that are theirs. */
static bool put_group(
    buf *out, const rule_set *rules, const plan_api *api, size_t at, bool *done, diag *d)
{
	const plan_row *row = api->rows[at];
	buf_puts(out, "\n/*\n");
	for (size_t i = at; i < api->nrows; i++) {
		if (done[i] || !same_functions(api->rows[i], row))
			continue;
		put_operator(out, api->rows[i]->op);
		done[i] = true;
	}
	if (!row->valid) {
		buf_puts(out, " */\n");
		return true;
	}
	/* f->op is the first operator by name that uses f, and groups stand in that order too. */
	put_mathematics(out, row->op);
	put_elsewhere(out, row->valid, row, false);
	put_elsewhere(out, row->propagate, row, false);
	buf_puts(out, " */\n");
	if (!row->valid->shard && row->valid->op == row->op
	    && !put_function(out, rules->memory, row->valid, d))
		return false;
	if (row->propagate->shard || row->propagate->op != row->op)
		return true;
	buf_puts(out, !row->valid->shard && row->valid->op == row->op ? "\n" : "");
	return put_function(out, rules->memory, row->propagate, d);
}

static bool put_api(emit_files *files, const rule_set *rules, const plan *p, const plan_api *api, diag *d)
{
	emit_file *f = add_file(files, path_in(rules, p->framework, api->file, ".c"));
	bool *done = NEED_ARRAY(rules->memory, bool, api->nrows), ok = true;
	buf text = {0};
	buf_printf(&text, "/* %s: %zu operator%s */\n#include \"../code.h\"\n", api->name, api->nrows,
	    api->nrows == 1 ? "" : "s");
	for (size_t i = 0; ok && i < api->nrows; i++)
		if (!done[i])
			ok = put_group(&text, rules, api, i, done, d);
	finish(f, &text);
	return ok;
}

static void put_users(buf *out, const plan_function *f)
{
	buf line = {0};
	buf_printf(&line, "%u operator%s: of %s", f->nops, f->nops == 1 ? "" : "s", f->op->api);
	if (f->second)
		buf_printf(&line, f->napis == 2 ? " and %s" : ", %s", f->second);
	if (f->napis > 2)
		buf_printf(&line, " and %u more API%s", f->napis - 2, f->napis == 3 ? "" : "s");
	text_prose(out, " * ", " * ", line.text);
	buf_free(&line);
}

static bool put_shared_function(buf *out, const rule_set *rules, const plan_function *f, diag *d)
{
	buf_puts(out, "\n/*\n");
	put_users(out, f);
	if (f->propagates) {
		rule_op flat = *f->op; /* other operators group the same dimensions otherwise */
		const rule_tensor all = {.rank = (uint8_t)(flat.nodim <= UINT8_MAX ? flat.nodim : 0)};
		flat.outputs = &all;
		flat.nout = all.rank ? 1 : 0;
		put_outputs(out, &flat);
	} else {
		put_clauses(out, f->op);
	}
	buf_puts(out, " */\n");
	return put_function(out, rules->memory, f, d);
}

static bool put_shared(emit_files *files, const rule_set *rules, const plan *p, char shard, diag *d)
{
	buf text = {0};
	bool ok = true;
	char name[16];
	for (size_t i = 0; ok && i < p->nfunctions; i++) {
		if (p->functions[i].shard != shard)
			continue;
		if (!text.length)
			buf_puts(&text, "/* Functions that operators of several APIs share. */\n"
					"#include \"../code.h\"\n");
		ok = put_shared_function(&text, rules, &p->functions[i], d);
	}
	if (text.length) {
		snprintf(name, sizeof name, "shared_%c", shard);
		finish(add_file(files, path_in(rules, p->framework, name, ".c")), &text);
	}
	return ok;
}

/* ---- the table */

static void put_args(buf *out, const rule_op *op)
{
	buf item = {0};
	buf_puts(out, "\t\t.args = (const rs_arg[]){");
	text_list list = text_list_begin(out, 3, 16 + 25);
	for (unsigned i = 0; i < op->nargs; i++) {
		buf_clear(&item);
		buf_printf(&item, "{\"%s\", %u, %d}", op->args[i].name, op->args[i].value,
		    op->args[i].by_position);
		text_item(&list, item.text);
	}
	buf_puts(out, "},\n");
	buf_free(&item);
}

static const char *const DTYPE_C[RS_DTYPE_COUNT] = {
#define X(NAME, text, bytes) "RS_" #NAME,
    RS_DTYPES(X)
#undef X
};

static void put_table_value(buf *item, const rs_value *v)
{
	static const char *const KIND[] = {"RS_TENSOR", "RS_INT", "RS_CONST", "RS_LIST"};
	buf_printf(item, "{.kind = %s", KIND[v->kind]);
	if (v->kind == RS_TENSOR)
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

static void put_values(buf *out, const rule_op *op)
{
	buf item = {0};
	buf_puts(out, "\t\t.values = (const rs_value[]){");
	text_list list = text_list_begin(out, 3, 16 + 29);
	for (unsigned i = 0; i < op->nvalues; i++) {
		buf_clear(&item);
		put_table_value(&item, &op->values[i]);
		text_item(&list, item.text);
	}
	buf_puts(out, "},\n");
	buf_free(&item);
}

static void put_floats(buf *out, const rule_op *op)
{
	buf item = {0};
	buf_puts(out, "\t\t.floats = (const char *const[]){");
	text_list list = text_list_begin(out, 3, 16 + 32);
	for (unsigned i = 0; i < op->nfloats; i++) {
		buf_clear(&item);
		name_literal(&item, op->floats[i]);
		text_item(&list, item.text);
	}
	buf_puts(out, "},\n");
	buf_free(&item);
}

static void put_dtypes(buf *out, const rule_op *op)
{
	buf_puts(out, "\t\t.dtypes = (const uint8_t[]){");
	text_list list = text_list_begin(out, 3, 16 + 28);
	for (unsigned i = 0; i < op->ndtypes * (op->nin + op->nout); i++)
		text_item(&list, DTYPE_C[op->dtypes[i]]);
	buf_puts(out, "},\n");
}

static void put_ranks(buf *out, const rule_op *op)
{
	char item[8];
	buf_puts(out, "\t\t.out_ranks = (const uint8_t[]){");
	text_list list = text_list_begin(out, 3, 16 + 31);
	for (unsigned i = 0; i < op->nout; i++) {
		snprintf(item, sizeof item, "%u", op->outputs[i].rank);
		text_item(&list, item);
	}
	buf_puts(out, "},\n");
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
	} all[] = {{"passed", op->passed}, {"failed", op->failed}, {"nargs", op->nargs},
	    {"nvalues", op->nvalues}, {"nsym", op->nsym}, {"nin", op->nin}, {"nout", op->nout},
	    {"nodim", op->nodim}, {"ndtypes", op->ndtypes}, {"nrecords", op->nrecords}};
	char item[48];
	text_list list = text_list_begin(out, 2, 16);
	buf_puts(out, "\t\t");
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (!all[i].value)
			continue;
		snprintf(item, sizeof item, ".%s = %u", all[i].name, all[i].value);
		text_item(&list, item);
	}
	bool proved = op->proof && strcmp(op->proof, "unknown") != 0; /* or nothing was to be proved */
	if (op->thin || proved)
		text_item(&list, op->thin && proved ? ".flags = RS_THIN | RS_PROVED"
				 : op->thin	    ? ".flags = RS_THIN"
						    : ".flags = RS_PROVED");
	buf_puts(out, list.count ? ",\n" : "\n");
}

static void put_string(buf *out, const char *key, const char *text)
{
	buf_printf(out, "\t\t.%s = ", key);
	name_literal(out, text);
	buf_puts(out, ",\n");
}

static void put_row(buf *out, const plan_row *row)
{
	const rule_op *op = row->op;
	buf_puts(out, "\t{\n");
	put_string(out, "name", op->name);
	put_string(out, "api", op->api);
	if (row->valid) {
		put_string(out, "rule", op->id);
		buf_printf(out, "\t\t.valid = %s,\n\t\t.propagate = %s,\n", row->valid->name,
		    row->propagate->name);
	} else {
		put_string(out, "why", op->why);
	}
	if (op->nargs)
		put_args(out, op);
	if (op->nvalues)
		put_values(out, op);
	if (op->nfloats)
		put_floats(out, op);
	if (op->nout)
		put_ranks(out, op);
	if (op->ndtypes && op->nin + op->nout)
		put_dtypes(out, op);
	if (op->nrecords && op->nsym + op->nodim)
		put_records(out, op);
	put_counts(out, op);
	buf_puts(out, "\t},\n");
}

static void put_prototypes(emit_files *files, const rule_set *rules, const plan *p)
{
	buf text = {0};
	buf_puts(&text, "/* The functions of this framework's table. */\n#include \"../code.h\"\n\n");
	for (size_t i = 0; i < p->nfunctions; i++)
		buf_printf(&text, "rs_%s_fn %s;\n", p->functions[i].propagates ? "propagate" : "valid",
		    p->functions[i].name);
	finish(add_file(files, path_in(rules, p->framework, "rules", ".h")), &text);
}

/* Rows that would make the table's file too large stand in table_NN.h, which it includes in their
 * place: a C array cannot be spread over files that are compiled apart. */
static void put_rows(emit_files *files, const rule_set *rules, const plan *p, buf *table)
{
	buf rows = {0};
	char name[24];
	unsigned shard = 0;
	for (size_t i = 0; i < p->nrows; i++) {
		put_row(&rows, &p->rows[i]);
		bool last = i + 1 == p->nrows;
		if (last && shard == 0) {
			buf_add(table, rows.text, rows.length);
		} else if (last || rows.length > SHARD) {
			snprintf(name, sizeof name, "table_%02u", shard++);
			buf_printf(table, "#include \"%s.h\"\n", name);
			finish(add_file(files, path_in(rules, p->framework, name, ".h")), &rows);
		}
	}
	buf_free(&rows);
}

/* A hash of all rows and functions of one framework: of the files from `from` on. */
static uint64_t fingerprint(const emit_files *files, size_t from)
{
	buf all = {0};
	for (size_t i = from; i < files->count; i++)
		buf_printf(&all, "%016llx",
		    (unsigned long long)name_hash(files->list[i].text.text, files->list[i].text.length));
	uint64_t hash = name_hash(all.length ? all.text : "", all.length);
	buf_free(&all);
	return hash;
}

static void put_table(emit_files *files, const rule_set *rules, const plan *p, size_t from)
{
	buf text = {0}, rows = {0};
	buf_puts(&text, "/* One row an operator, sorted by name. */\n#include \"rules.h\"\n\n"
			"static const rs_op OPS[] = {\n");
	put_rows(files, rules, p, &rows);
	buf_add(&text, rows.text, rows.length);
	finish(add_file(files, "rows"), &rows); /* for the fingerprint only */
	uint64_t hash = fingerprint(files, from);
	buf_free(&files->list[--files->count].text);
	buf_printf(&text, "};\n\nextern const rs_table rs_table_%s;\nconst rs_table rs_table_%s = {\n",
	    p->framework, p->framework);
	buf_printf(&text, "\t.abi = RS_ABI,\n\t.framework = \"%s\",\n\t.version = ", p->framework);
	name_literal(&text, p->version);
	buf_printf(&text, ",\n\t.fingerprint = \"%016llx\",\n\t.ops = OPS,\n\t.nops = %zu,\n};\n",
	    (unsigned long long)hash, p->nrows);
	finish(add_file(files, path_in(rules, p->framework, "table", ".c")), &text);
}

static void put_index(emit_files *files, const plan *plans, size_t n)
{
	buf text = {0};
	buf_puts(&text, "/* All tables. */\n#include \"code.h\"\n\n");
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "extern const rs_table rs_table_%s;\n", plans[i].framework);
	if (n)
		buf_puts(&text, "\nstatic const rs_table *const TABLES[] = {\n");
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "\t&rs_table_%s,\n", plans[i].framework);
	buf_printf(&text,
	    "%s#pragma GCC visibility pop\n\n"
	    "const rs_library rs_rules = {\n\t.abi = RS_ABI,\n\t.ntables = %zu,\n\t.tables = %s,\n};\n",
	    n ? "};\n\n" : "", n, n ? "TABLES" : "NULL");
	finish(add_file(files, "index.c"), &text);
}

static bool put_framework(emit_files *files, const rule_set *rules, const plan *p, diag *d)
{
	size_t from = files->count;
	for (size_t i = 0; i < p->napis; i++)
		if (!put_api(files, rules, p, &p->apis[i], d))
			return false;
	for (const char *shard = "0123456789abcdef"; *shard; shard++)
		if (!put_shared(files, rules, p, *shard, d))
			return false;
	put_prototypes(files, rules, p);
	put_table(files, rules, p, from);
	return true;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const emit_file *)a)->path, ((const emit_file *)b)->path);
}

bool emit_all(const rule_set *rules, const plan *plans, size_t nplans, emit_files *files, diag *d)
{
	*files = (emit_files){0};
	put_code_header(files);
	for (size_t i = 0; i < nplans; i++)
		if (!put_framework(files, rules, &plans[i], d))
			return false;
	put_index(files, plans, nplans);
	qsort(files->list, files->count, sizeof *files->list, by_path);
	for (size_t i = 1; i < files->count; i++)
		if (strcmp(files->list[i].path, files->list[i - 1].path) == 0)
			return diag_set(d, "two APIs would be written to %s", files->list[i].path);
	return true;
}
