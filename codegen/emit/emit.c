#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_code.h"
#include "api_page.h"
#include "code_header.h"
#include "comment.h"
#include "lower.h"
#include "name.h"
#include "need.h"
#include "row.h"
#include "rulesmith.h"
#include "text.h"

enum {
	SHARD = 700000,         /* bytes of table rows in one file */
	MAX_FUNCTION = 1 << 20, /* bytes of C; what is larger no compiler should be asked to take */
	BATCHES = 16,           /* of a framework, at most */
};

void emit_files_free(emit_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		buf_free(&files->list[i].text);
	free(files->list);
	*files = (emit_files){0};
}

/* ---- functions */

static void put_locals(buf *out, const body *b, const char *const *names)
{
	char item[96];
	bool first = true;
	text_list list = text_list_begin(out, 2, 8 + 11);
	for (unsigned i = 0; i < b->nsym; i++) {
		if (!b->used[i])
			continue;
		buf_puts(out, first ? "\tconst wide " : "");
		first = false;
		snprintf(item, sizeof item, "%s = s[%u]", names[i], i);
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

enum { WIDEST = 120 };

/* The first line of a function, with who uses it ("" where that stands elsewhere) behind it, or above where that is long. */
static void put_head(buf *out, const char *head, const char *users)
{
	if (*users && strlen(head) + strlen(users) + sizeof " /*  */" > WIDEST) {
		text_prose(out, "/* ", " * ", users);
		out->length--; /* the end of the comment's line */
		buf_puts(out, " */\n");
		users = "";
	}
	buf_printf(out, *users ? "%s /* %s */\n" : "%s%s\n", head, users);
}

/* The clauses, the short ones first: they are cheap, and what they say spares the others checks of their own. */
static const expr **in_order(arena *memory, const rule_op *op)
{
	const expr **list = NEED_ARRAY(memory, const expr *, op->rule.nclauses);
	for (int i = 0; i < op->rule.nclauses; i++) {
		int k = i;
		for (; k > 0 && list[k - 1]->size > op->rule.clauses[i]->size; k--)
			list[k] = list[k - 1];
		list[k] = op->rule.clauses[i];
	}
	return list;
}

static void put_expressions(buf *out, arena *memory, const plan_function *f, const char *users)
{
	char head[192];
	arena_mark mark = arena_save(memory);
	const rule_op *op = f->row->op;
	bool propagates = f->kind == PLAN_PROPAGATE;
	const char *const *names = name_locals(memory, op);
	body b = propagates ? lower_propagate(memory, op->rule.out, op->nodim, op->nsym, names)
			       : lower_valid(memory, in_order(memory, op), op->rule.nclauses, op->nsym, names);
	snprintf(head, sizeof head, "bool %s(const int64_t *s%s)", f->name, propagates ? ", int64_t *out" : "");
	put_head(out, head, users);
	buf_puts(out, "{\n");
	put_locals(out, &b, names);
	if (propagates && op->nodim == 0)
		buf_puts(out, "\t(void)out;\n");
	for (unsigned i = 0; i < b.nlines; i++) {
		text_code(out, i ? "\n\t    && " : "\treturn ", b.lines[i]);
	}
	buf_puts(out, b.nlines ? ";\n}\n" : "\treturn true;\n}\n");
	arena_release(memory, mark);
}

static bool put_function(buf *out, arena *memory, const plan_function *f, const char *users, diag *d)
{
	size_t before = out->length;
	put_expressions(out, memory, f, users);
	if (out->length - before > MAX_FUNCTION)
		return diag_set(d,
		    "operator \"%.80s\": its rule takes %zu bytes of C, the most is %d",
		    f->row->op->name, out->length - before, MAX_FUNCTION);
	return true;
}

/* ---- files */

static emit_file *add_file(emit_files *files, const char *path)
{
	files->list = NEED_ROOM(files->list, files->count, files->room);
	emit_file *f = &files->list[files->count++];
	*f = (emit_file){.path = path};
	return f;
}

/* Puts the banner, with the hash of what follows it, in front of a finished body. */
static void finish(emit_file *f, buf *text)
{
	const char *body = need_text(text);
	buf_printf(&f->text, EMIT_BANNER RS_VERSION ", ABI %d, rules %016llx; do not edit. */\n", RS_ABI,
	    (unsigned long long)name_hash(body, text->length));
	buf_add(&f->text, body, text->length);
	need_text(&f->text);
	buf_free(text);
}

static const char *path_in(
    const rule_set *rules, const char *folder, const char *file, const char *end)
{
	return need(arena_printf(rules->memory, "%s/%s%s", folder, file, end), strlen(file));
}

static void put_code_header(emit_files *files)
{
	emit_file *f = add_file(files, "code.h");
	buf text = {0};
	code_header_put(&text);
	finish(f, &text);
}

/* Where a function stands that is not in this file's group. */
static void put_elsewhere(buf *out, const plan_function *f, const plan_row *row)
{
	if (f->shard)
		buf_printf(out, " *     %s is in shared_%c.c\n", f->name, f->shard);
	else if (strcmp(f->row->file, row->file) != 0)
		buf_printf(out, " *     %s is in %s.c\n", f->name, f->row->file);
	else if (f->row != row)
		buf_printf(out, " *     %s is in another group\n", f->name);
}

static bool same_program(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_functions(const plan_row *a, const plan_row *b)
{
	return a->valid == b->valid && a->propagate == b->propagate && same_program(a->sample, b->sample)
	       && same_program(a->back, b->back);
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
		comment_operator(out, api->rows[i]->op);
		done[i] = true;
	}
	if (!row->valid) {
		buf_puts(out, " */\n");
		return true;
	}
	comment_mathematics(out, row->op);
	static const char *const SAMPLED[] = {[RS_SAMPLER_RECORD] = "from records only",
	    [RS_SAMPLER_BOUNDED] = "with retries", [RS_SAMPLER_DIRECT] = "directly"};
	buf_printf(out, " *     sampled %s\n", SAMPLED[row->sampler]);
	const plan_function *parts[] = {row->valid, row->propagate};
	for (unsigned i = 0; i < 2; i++)
		put_elsewhere(out, parts[i], row);
	buf_puts(out, " */\n");
	bool first = true, ok = true;
	for (unsigned i = 0; i < 2 && ok; i++) {
		if (parts[i]->shard || parts[i]->row != row)
			continue;
		buf_puts(out, first ? "" : "\n");
		first = false;
		ok = put_function(out, rules->memory, parts[i], "", d);
	}
	return ok;
}

static const plan_function *function_of(const plan_row *row, bool shape)
{
	return shape ? row->propagate : row->valid;
}

static bool has_lines(const plan_api *api, bool shape)
{
	for (size_t i = 0; i < api->nrows; i++) {
		const plan_function *f = function_of(api->rows[i], shape);
		if (f && f->owner == api->rows[i])
			return true;
	}
	return false;
}

/* A function of the API, and a line for each of its signatures that no earlier API has. */
static void put_functions(buf *out, const plan_api *api, bool shape)
{
	const bool lines = has_lines(api, shape);
	if (lines || (shape && has_lines(api, false) && api_functions_call_shape(api->functions)))
		api_functions_put(out, api->functions, shape);
	buf_puts(out, lines ? "\n" : "");
	for (size_t i = 0; lines && i < api->nrows; i++) {
		const plan_row *row = api->rows[i];
		const plan_function *f = function_of(row, shape);
		if (!f || f->owner != row)
			continue;
		api_functions_put_line(out, api->functions, row->op, f->name, shape);
		buf_puts(out, " /* ");
		api_page_users(out, api, f);
		buf_puts(out, " */\n");
	}
}

/* The functions of single signatures, which no function of the API covers, each with its signatures. */
static bool put_own_functions(buf *out, const rule_set *rules, const plan_api *api, diag *d)
{
	bool ok = true;
	for (size_t i = 0; ok && i < api->nrows; i++) {
		const plan_row *row = api->rows[i];
		const plan_function *parts[] = {row->valid, row->propagate};
		for (unsigned k = 0; ok && k < 2; k++) {
			if (!parts[k] || parts[k]->shard || parts[k]->owner || parts[k]->row != row)
				continue;
			buf line = {0};
			api_page_users(&line, api, parts[k]);
			buf_putc(out, '\n');
			ok = put_function(out, rules->memory, parts[k], need_text(&line), d);
			buf_free(&line);
		}
	}
	return ok;
}

/* The file of another API that has a function; NULL: this file has it, or a shared one. */
static const char *other_file(const plan_row *row, const plan_function *f)
{
	if (!f || f->shard)
		return NULL;
	const char *file = f->owner ? f->owner->file : f->row->file;
	return file == row->file ? NULL : file;
}

/* Whether the file of the API prints none of its functions. */
static bool has_no_function(const plan_api *api)
{
	for (size_t i = 0; i < 2 * api->nrows; i++) {
		const plan_row *row = api->rows[i / 2];
		const plan_function *f = function_of(row, i % 2);
		if (f && !f->shard && !other_file(row, f))
			return false;
	}
	return true;
}

/* Names the files that have functions of this API, as the last line of its page, a comment. */
static void put_others(buf *page, const rule_set *rules, const plan_api *api)
{
	enum { NAMED = 2 };
	static const char END[] = " */\n";
	const char **files = NEED_ARRAY(rules->memory, const char *, 2 * api->nrows);
	size_t n = 0;
	buf text = {0};
	buf_puts(&text, has_no_function(api) ? "functions  in " : "functions  others in ");
	for (size_t i = 0; i < 2 * api->nrows; i++) {
		const plan_row *row = api->rows[i / 2];
		const char *file = other_file(row, function_of(row, i % 2));
		size_t k = 0;
		while (file && k < n && files[k] != file)
			k++;
		if (!file || k < n)
			continue;
		files[n++] = file;
		if (n <= NAMED)
			buf_printf(&text, "%s%s.c", n > 1 ? ", " : "", file);
	}
	if (n > NAMED)
		buf_printf(&text, ", and %zu other files", n - NAMED);
	if (n) {
		page->length -= sizeof END - 1;
		text_prose(page, " *   ", " *       ", need_text(&text));
		buf_puts(page, END);
	}
	buf_free(&text);
}

/* Without API rules, each rule stands above its functions. */
static bool put_groups(buf *out, const rule_set *rules, const plan_api *api, diag *d)
{
	bool *done = NEED_ARRAY(rules->memory, bool, api->nrows), ok = true;
	buf_printf(out, "/* %s: %zu operator%s */\n#include \"../code.h\"\n", api->name,
	    api->nrows, api->nrows == 1 ? "" : "s");
	for (size_t i = 0; ok && i < api->nrows; i++)
		if (!done[i])
			ok = put_group(out, rules, api, i, done, d);
	return ok;
}

static bool put_api(
    emit_files *files, const rule_set *rules, const plan *p, const plan_api *api, const api_heads *heads, diag *d)
{
	emit_file *f = add_file(files, path_in(rules, p->framework, api->file, ".c"));
	bool ok;
	buf text = {0};
	if (api_page_is_known(api)) {
		buf code = {0};
		put_functions(&code, api, true);
		put_functions(&code, api, false);
		ok = put_own_functions(&code, rules, api, d);
		api_page_put(&text, rules, heads, api);
		put_others(&text, rules, api);
		f->is_bare = !code.length;
		if (!f->is_bare)
			buf_printf(&text, "#include \"../code.h\"\n%s", need_text(&code));
		buf_free(&code);
	} else {
		ok = put_groups(&text, rules, api, d);
	}
	finish(f, &text);
	return ok;
}

static bool put_shared(emit_files *files, const rule_set *rules, const plan *p, diag *d)
{
	buf text = {0};
	bool ok = true;
	for (size_t i = 0; ok && i < p->nfunctions; i++) {
		if (!p->functions[i].shard || p->functions[i].owner)
			continue;
		if (!text.length)
			buf_puts(&text, "/* Functions of signatures without clauses or without output dimensions. */\n#include \"../code.h\"\n");
		buf_putc(&text, '\n');
		ok = put_function(&text, rules->memory, &p->functions[i], "", d);
	}
	if (text.length)
		finish(add_file(files, path_in(rules, p->framework, "shared_0", ".c")), &text);
	return ok;
}

/* ---- the table */

/* Appends a line that includes the file FRAMEWORK/WHAT_NN.h, which gets the text. */
static void put_part(
    emit_files *files, const rule_set *rules, const plan *p, const char *what, unsigned number, buf *text, buf *from)
{
	char name[24];
	snprintf(name, sizeof name, "%s_%02u", what, number);
	buf_printf(from, "#include \"%s.h\"\n", name);
	finish(add_file(files, path_in(rules, p->framework, name, ".h")), text);
}

/* The arrays that rows share, in data_NN.h. */
static void put_arrays(emit_files *files, const rule_set *rules, const plan *p, const arrays *shared, buf *table)
{
	buf text = {0};
	unsigned part = 0;
	for (size_t i = 0; i < shared->count; i++) {
		arrays_put(&text, &shared->list[i]);
		if (text.length > SHARD || i + 1 == shared->count)
			put_part(files, rules, p, "data", part++, &text, table);
	}
}

/* The rows, in table_NN.h, which the table includes. */
static void put_rows(emit_files *files, const rule_set *rules, const plan *p, arrays *shared, buf *table)
{
	buf rows = {0};
	unsigned shard = 0;
	for (size_t i = 0; i < p->nrows; i++) {
		const rule_op *op = p->rows[i].op;
		if (!rows.length || strcmp(op->api, p->rows[i - 1].op->api) != 0) {
			buf_puts(&rows, "#undef API\n#define API ");
			name_literal(&rows, op->api);
			buf_putc(&rows, '\n');
		}
		row_emit(&rows, &p->rows[i], shared);
		if (i + 1 == p->nrows || rows.length > SHARD)
			put_part(files, rules, p, "table", shard++, &rows, table);
	}
	buf_free(&rows);
}

/* A hash of all rows and functions of one framework: of the files from `from` on. */
static uint64_t fingerprint(const emit_files *files, size_t from)
{
	buf all = {0};
	for (size_t i = from; i < files->count; i++)
		buf_printf(&all, "%016llx",
		    (unsigned long long)name_hash(
			files->list[i].text.text, files->list[i].text.length));
	uint64_t hash = name_hash(buf_text(&all), all.length);
	buf_free(&all);
	return hash;
}

/* Collects the arrays that the rows share, and names them. */
static bool collect_arrays(const plan *p, arrays *shared, diag *d)
{
	buf rows = {0};
	for (size_t i = 0; i < p->nrows; i++)
		row_emit(&rows, &p->rows[i], shared);
	buf_free(&rows);
	return arrays_name(shared, d);
}

/* The rows twice: as declarations of their functions, then as the table. rows: the lines that include them. */
static void put_table(emit_files *files, const rule_set *rules, const plan *p, const char *arrays, const char *rows, uint64_t hash)
{
	buf text = {0};
	buf_printf(&text,
	    "/* One row a signature, sorted by name. */\n#include \"../code.h\"\n#include \"tablerow.h\"\n%s"
	    "\n#define FUNCTION(KIND, KEY) %s_##KIND##_##KEY\n"
	    "#define ROW DECLARE\n#define FIELDS DECLARE\n#define NO_RULE DECLARE_NONE\n%s"
	    "#undef ROW\n#undef FIELDS\n#undef NO_RULE\n#define ROW ROW_OP\n#define FIELDS FIELDS_OP\n#define NO_RULE NO_RULE_OP\n"
	    "static const rs_op OPS[] = {\n%s};\n\n"
	    "extern const rs_table rs_table_%s;\nconst rs_table rs_table_%s = {\n\t.abi = RS_ABI,\n\t.framework = \"%s\",\n\t.version = ",
	    arrays, p->framework, rows, rows, p->framework, p->framework, p->framework);
	name_literal(&text, p->version);
	buf_printf(&text, ",\n\t.fingerprint = \"%016llx\",\n\t.ops = OPS,\n\t.nops = %zu,\n};\n", (unsigned long long)hash, p->nrows);
	finish(add_file(files, path_in(rules, p->framework, "table", ".c")), &text);
}

/* The table with its arrays and rows. from: the first file of the framework. */
static bool put_tables(emit_files *files, const rule_set *rules, const plan *p, size_t from, diag *d)
{
	buf data = {0}, rows = {0};
	arrays shared = {.memory = rules->memory};
	const bool ok = collect_arrays(p, &shared, d);
	if (ok) {
		put_rows(files, rules, p, &shared, &rows);
		put_arrays(files, rules, p, &shared, &data);
		put_table(files, rules, p, buf_text(&data), buf_text(&rows), fingerprint(files, from));
	}
	arrays_free(&shared);
	buf_free(&data);
	buf_free(&rows);
	return ok;
}

/* The API rules of all frameworks. A library of another name (rs_forms) has none. */
static void put_apis(buf *to, const plan *plans, size_t n)
{
	buf_puts(to, "\n#ifndef rs_rules\n");
	for (size_t i = 0; i < n; i++)
		buf_printf(to, "extern const rs_api_rules rs_api_rules_%s;\n", plans[i].framework);
	if (n)
		buf_puts(to, "static const rs_api_rules *const API_RULES[] = {\n");
	for (size_t i = 0; i < n; i++)
		buf_printf(to, "\t&rs_api_rules_%s,\n", plans[i].framework);
	buf_printf(to, "%sconst rs_api_library rs_apis = {\n\t.version = RS_API_RULES,\n\t.n = %zu,\n\t.rules = %s,\n};\n#endif\n", n ? "};\n\n" : "", n,
	    n ? "API_RULES" : "NULL");
}

static void put_index(emit_files *files, const plan *plans, size_t n)
{
	buf text = {0};
	buf_puts(&text, "/* All tables. */\n#include \"apirules.h\"\n#include \"code.h\"\n\n");
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "extern const rs_table rs_table_%s;\n", plans[i].framework);
	if (n)
		buf_puts(&text, "\nstatic const rs_table *const TABLES[] = {\n");
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "\t&rs_table_%s,\n", plans[i].framework);
	buf_printf(&text,
	    "%s#pragma GCC visibility pop\n\n"
	    "const rs_library rs_rules = {\n\t.abi = RS_ABI,\n\t.ntables = %zu,\n\t.tables = "
	    "%s,\n};\n",
	    n ? "};\n\n" : "", n, n ? "TABLES" : "NULL");
	put_apis(&text, plans, n);
	finish(add_file(files, "index.c"), &text);
}

static void put_api_rules(emit_files *files, const rule_set *rules, const plan *p)
{
	buf text = {0};
	api_code_put(&text, p);
	finish(add_file(files, path_in(rules, p->framework, "api_rules", ".c")), &text);
}

static bool put_framework(emit_files *files, const rule_set *rules, const plan *p, const api_heads *heads, diag *d)
{
	size_t from = files->count;
	for (size_t i = 0; i < p->napis; i++)
		if (!put_api(files, rules, p, &p->apis[i], heads, d))
			return false;
	if (!put_shared(files, rules, p, d))
		return false;
	if (!put_tables(files, rules, p, from, d))
		return false;
	put_api_rules(files, rules, p);
	return true;
}

/* ---- batches: files that are compiled together, since a compiler takes longer to start than to read one */

/* The batch of a file, by a hash of its name, so that a new file joins one batch and moves no other. BATCHES: none, since
 * tables and API rules are compiled alone and headers not at all. */
static unsigned batch_of(const char *path)
{
	const char *file = strchr(path, '/'), *end = strrchr(path, '.');
	if (!file || strcmp(end, ".c") != 0 || strcmp(file, "/table.c") == 0 || strcmp(file, "/api_rules.c") == 0)
		return BATCHES;
	return (unsigned)(name_hash(file + 1, strlen(file + 1)) % BATCHES);
}

/* The batches of the files of one folder, from ... to of the list, which is sorted. */
static void put_folder_batches(emit_files *files, const rule_set *rules, size_t from, size_t to)
{
	for (unsigned k = 0; k < BATCHES; k++) {
		buf text = {0};
		for (size_t i = from; i < to; i++)
			if (!files->list[i].is_bare && batch_of(files->list[i].path) == k)
				buf_printf(&text, "#include \"../%s\"\n", files->list[i].path);
		const char *folder = files->list[from].path;
		int length = (int)strcspn(folder, "/");
		const char *path = need(arena_printf(rules->memory, "batches/%.*s_%x.inc", length, folder, k), (size_t)length);
		if (text.length)
			finish(add_file(files, path), &text);
		else
			buf_free(&text);
	}
}

static bool in_one_folder(const char *a, const char *b)
{
	size_t n = strcspn(a, "/");
	return n == strcspn(b, "/") && strncmp(a, b, n) == 0;
}

static void put_batches(emit_files *files, const rule_set *rules)
{
	size_t count = files->count;
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && in_one_folder(files->list[from].path, files->list[to].path);)
			to++;
		put_folder_batches(files, rules, from, to);
	}
}

/* ---- all of it */

static int by_path(const void *a, const void *b)
{
	return strcmp(((const emit_file *)a)->path, ((const emit_file *)b)->path);
}

bool emit_all(const rule_set *rules, const plan *plans, size_t nplans, const api_heads *heads, emit_files *files, diag *d)
{
	*files = (emit_files){0};
	put_code_header(files);
	bool ok = true;
	for (size_t i = 0; ok && i < nplans; i++)
		ok = put_framework(files, rules, &plans[i], heads, d);
	if (!ok)
		return false;
	put_index(files, plans, nplans);
	qsort(files->list, files->count, sizeof *files->list, by_path);
	put_batches(files, rules);
	qsort(files->list, files->count, sizeof *files->list, by_path);
	for (size_t i = 1; i < files->count; i++)
		if (strcmp(files->list[i].path, files->list[i - 1].path) == 0)
			return diag_set(d, "two APIs would be written to %s", files->list[i].path);
	return true;
}
