#include "record.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "buf.h"
#include "identifier.h"
#include "json.h"
#include "need.h"

/* State while one line is read: its location and the signature to fill. */
typedef struct line_reader {
	records *r;
	operator *op;
	const char *path;
	long line;
	diag *d;
	buf structure, constants, ranks;
	bool beyond; /* the current record has an integer beyond int64 */
} line_reader;

#define BAD(l, ...) diag_at((l)->d, (l)->path, (l)->line, __VA_ARGS__)

/* A signature is named after its API, a dash and a number. The name becomes part of file and symbol names. */
static bool is_op_name(const char *name, const char *api)
{
	size_t n = strlen(api);
	if (strncmp(name, api, n) != 0 || name[n] != '-' || !name[n + 1])
		return false;
	return name[n + 1 + strspn(name + n + 1, "0123456789")] == '\0' && strlen(name) < n + 12;
}

/* ---- roles of symbols */

static void assign_value_roles(line_reader *l, const call_value *v, role where);

static void assign_roles(line_reader *l, int first, int count, role where)
{
	for (int k = 0; k < count; k++, where.pos++)
		l->op->roles[first + k] = where;
}

/* To the search, the bounds of a tensor's elements are a list of two integers. */
static void assign_tensor_roles(line_reader *l, const call_value *v, role where)
{
	operator *op = l->op;
	buf_printf(&l->structure, "t%d", v->count);
	buf_printf(&l->ranks, "%d,", v->count);
	where.kind = ROLE_DIM;
	where.tensor = (uint16_t)op->nin++;
	where.pos = 0;
	where.len = (uint16_t)v->count;
	assign_roles(l, v->first, v->count, where);
	if (!v->ranged)
		return;
	buf_putc(&l->structure, 'r');
	assign_roles(l, v->first + v->count, 2,
	    (role){.kind = ROLE_ITEM, .arg = where.arg, .list = (uint16_t)++op->nlists, .len = 2, .end = true});
}

static void assign_list_roles(line_reader *l, const call_value *v, role where)
{
	where.outer = where.pos;
	where.outer_len = where.kind == ROLE_ITEM ? where.len : 0;
	where.kind = ROLE_ITEM;
	where.list = (uint16_t)++l->op->nlists;
	where.len = (uint16_t)v->count;
	buf_putc(&l->structure, '[');
	for (int k = 0; k < v->count; k++) {
		where.pos = (uint16_t)k;
		assign_value_roles(l, &v->items[k], where);
	}
	buf_putc(&l->structure, ']');
}

static void assign_value_roles(line_reader *l, const call_value *v, role where)
{
	switch ((enum call_kind)v->kind) {
	case CALL_INT:
		buf_putc(&l->structure, 'i');
		l->op->roles[v->first] = where;
		return;
	case CALL_TENSOR:
		assign_tensor_roles(l, v, where);
		return;
	case CALL_LIST:
		assign_list_roles(l, v, where);
		return;
	case CALL_ELEMENTS:
		buf_putc(&l->structure, 'e');
		assign_value_roles(l, v->items, where);
		return;
	case CALL_CONST:
		buf_putc(&l->structure, 'c');
		return;
	}
}

/* The number of symbols in a value; they are consecutive. */
static int count_symbols(const call_value *v)
{
	int n = v->kind == CALL_INT ? 1 : v->kind == CALL_TENSOR ? v->count + 2 * v->ranged : 0;
	for (int k = 0; v->items && k < v->count; k++)
		n += count_symbols(&v->items[k]);
	return n;
}

static void assign_argument_roles(line_reader *l)
{
	operator *op = l->op;
	const call *c = op->call;
	int first = 0;
	op->roles = NEED_ARRAY(l->r->memory, role, c->nsym);
	op->arguments = NEED_ARRAY(l->r->memory, argument, c->nargs);
	for (int i = 0; i < c->nargs; i++) {
		const call_value *v = &c->args[i].value;
		argument *a = &op->arguments[i];
		*a = (argument){.name = c->args[i].name, .first = first, .count = count_symbols(v)};
		a->fixed = call_integer(v, &a->value);
		first += a->count;
		buf_putc(&l->structure, ',');
		assign_value_roles(l, v, (role){.kind = ROLE_INT, .arg = (uint16_t)i, .len = 1});
		if (v->kind == CALL_CONST && !a->fixed)
			buf_puts(&l->constants, v->text);
		buf_putc(&l->constants, ';');
	}
	op->nargs = c->nargs;
	op->nsym = c->nsym;
}

static void assign_outputs(line_reader *l)
{
	operator *op = l->op;
	const call *c = op->call;
	op->out_tensor = NEED_ARRAY(l->r->memory, uint16_t, c->nodim);
	op->out_pos = NEED_ARRAY(l->r->memory, uint16_t, c->nodim);
	op->out_rank = NEED_ARRAY(l->r->memory, uint16_t, c->nodim);
	buf_puts(&l->structure, "->");
	for (int i = 0; i < c->nout; i++) {
		buf_printf(&l->structure, "t%d", c->outputs[i].rank);
		for (int k = 0; k < c->outputs[i].rank; k++) {
			int d = c->outputs[i].first + k;
			op->out_tensor[d] = (uint16_t)i;
			op->out_rank[d] = (uint16_t)c->outputs[i].rank;
			op->out_pos[d] = (uint16_t)k;
		}
	}
	op->nout = c->nout;
	op->nodim = c->nodim;
}

/* ---- records */

static bool read_row(line_reader *l, const cJSON *row, int n, int64_t *to, const char *outcome, int number)
{
	if (!cJSON_IsArray(row))
		return BAD(l, "%s record %d: expected an array", outcome, number);
	int got = cJSON_GetArraySize(row), i = 0;
	if (got != n)
		return BAD(l, "%s record %d: expected %d values, got %d", outcome, number, n, got);
	const cJSON *item;
	cJSON_ArrayForEach(item, row)
	{
		enum json_int kind = json_int64(item, to + i++);
		if (kind == JSON_NOT_INT) {
			char *text = cJSON_PrintUnformatted(item);
			BAD(l, "%s record %d, value %d: expected an integer, not %.60s", outcome, number, i,
			    text ? text : "?");
			free(text);
			return false;
		}
		l->beyond |= kind == JSON_BEYOND;
	}
	return true;
}

/* Whether to keep the record just read. Integers beyond int64 would be rounded, and negative output dimensions are
 * errors of the framework. */
static bool is_kept(line_reader *l, const int64_t *out, int nodim)
{
	bool below = false;
	for (int d = 0; d < nodim; d++)
		below |= out[d] < 0;
	l->r->beyond += l->beyond;
	l->r->below += below && !l->beyond;
	bool kept = !below && !l->beyond;
	l->beyond = false;
	return kept;
}

static bool read_pass(line_reader *l, const cJSON *runs)
{
	operator *op = l->op;
	int width = op->nsym + op->nodim;
	op->pass = NEED_ARRAY(l->r->memory, int64_t, (size_t)cJSON_GetArraySize(runs) * width);
	const cJSON *run;
	int number = 0;
	cJSON_ArrayForEach(run, runs)
	{
		int64_t *row = op->pass + (size_t)op->npass * width;
		number++;
		if (!cJSON_IsArray(run) || cJSON_GetArraySize(run) != 2)
			return BAD(l, "passing record %d: expected [[inputs], [outputs]]", number);
		if (!read_row(l, run->child, op->nsym, row, "passing", number)
		    || !read_row(l, run->child->next, op->nodim, row + op->nsym, "passing", number))
			return false;
		op->npass += is_kept(l, row + op->nsym, op->nodim);
	}
	return true;
}

static bool read_fail(line_reader *l, const cJSON *runs)
{
	operator *op = l->op;
	op->fail = NEED_ARRAY(l->r->memory, int64_t, (size_t)cJSON_GetArraySize(runs) * op->nsym);
	const cJSON *run;
	int number = 0;
	cJSON_ArrayForEach(run, runs)
	{
		if (!read_row(l, run, op->nsym, op->fail + (size_t)op->nfail * op->nsym, "failing", ++number))
			return false;
		op->nfail += is_kept(l, NULL, 0);
	}
	return true;
}

static int compare_rows(const void *a, const void *b, void *width)
{
	const int64_t *x = a, *y = b;
	for (int i = 0; i < *(int *)width; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* Sorts rows and removes duplicates, so that the order and repetitions in a file have no influence. */
static int sort_rows(int64_t *rows, int n, int width)
{
	size_t bytes = (size_t)width * sizeof *rows;
	if (n == 0 || width == 0)
		return n ? 1 : 0;
	qsort_r(rows, (size_t)n, bytes, compare_rows, &width);
	int kept = 1;
	for (int i = 1; i < n; i++)
		if (memcmp(rows + (size_t)i * width, rows + (size_t)(kept - 1) * width, bytes) != 0)
			memmove(rows + (size_t)kept++ * width, rows + (size_t)i * width, bytes);
	return kept;
}

/* A failing record with a passing duplicate failed for a reason other than its integers. */
static void drop_conflicts(operator *op)
{
	int kept = 0, at = 0;
	for (int i = 0; i < op->nfail; i++) {
		const int64_t *f = op->fail + (size_t)i * op->nsym, *p = NULL;
		int order = 1;
		for (; at < op->npass && order > 0; at += order > 0) {
			p = op->pass + (size_t)at * (op->nsym + op->nodim);
			order = compare_rows(f, p, &op->nsym);
		}
		if (order == 0 && p)
			op->conflicts++;
		else
			memmove(op->fail + (size_t)kept++ * op->nsym, f, (size_t)op->nsym * sizeof *f);
	}
	op->nfail = kept;
}

/* ---- lines, files, folders */

static const char *kept_json(line_reader *l, const cJSON *item)
{
	char *text = item ? need(cJSON_PrintUnformatted(item), 1) : NULL;
	const char *kept = text ? need(arena_strdup(l->r->memory, text), 1) : NULL;
	free(text);
	return kept;
}

static bool read_names(line_reader *l, const cJSON *tree)
{
	operator *op = l->op;
	arena *m = l->r->memory;
	const char *name = json_string(tree, "op", l->path, l->line, l->d);
	const char *api = name ? json_string(tree, "api", l->path, l->line, l->d) : NULL;
	if (!api)
		return false;
	if (!is_dotted(api))
		return BAD(l, "API name \"%.100s\" is not made of identifiers and dots", api);
	if (!is_op_name(name, api))
		return BAD(l, "operator name \"%.100s\" is not \"%.100s-NUMBER\"", name, api);
	const cJSON *framework = cJSON_GetObjectItemCaseSensitive(tree, "framework");
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(tree, "version");
	op->name = need(arena_strdup(m, name), 1);
	op->api = need(arena_strdup(m, api), 1);
	bool given = cJSON_IsString(framework);
	op->framework = need(given ? arena_strdup(m, framework->valuestring) : arena_strndup(m, api, strcspn(api, ".")), 1);
	if (!is_identifier(op->framework))
		return BAD(l, "framework \"%.100s\" is not an identifier", op->framework);
	op->version = need(arena_strdup(m, cJSON_IsString(version) ? version->valuestring : ""), 1);
	return true;
}

bool record_is_of_empty(const operator *op, const int64_t *symbols)
{
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && symbols[i] == 0)
			return true;
	return false;
}

int64_t record_product(const int64_t *symbols, const int *which, int n)
{
	int64_t product = 1;
	for (int k = 0; k < n; k++)
		if (__builtin_mul_overflow(product, symbols[which[k]], &product) || product < 0)
			return -1;
	return product;
}

uint64_t operator_hash(const operator *op)
{
	uint64_t h = XXH3_64bits(op->args, strlen(op->args));
	h = XXH3_64bits_withSeed(op->structure, strlen(op->structure), h);
	h = XXH3_64bits_withSeed(op->pass, (size_t)op->npass * (op->nsym + op->nodim) * sizeof(int64_t), h);
	return XXH3_64bits_withSeed(op->fail, (size_t)op->nfail * op->nsym * sizeof(int64_t), h);
}

static bool read_call(line_reader *l, const cJSON *tree)
{
	operator *op = l->op;
	call *c = need(ARENA_NEW(l->r->memory, call), sizeof *c);
	op->call = c;
	if (!call_read(c, l->r->memory, tree, l->path, l->line, l->d))
		return false;
	assign_argument_roles(l);
	assign_outputs(l);
	op->args = kept_json(l, cJSON_GetObjectItemCaseSensitive(tree, "args"));
	op->outputs = kept_json(l, cJSON_GetObjectItemCaseSensitive(tree, "outputs"));
	op->structure = arena_strdup(l->r->memory, need_text(&l->structure));
	op->ranks = arena_strdup(l->r->memory, need_text(&l->ranks));
	op->constants = arena_strdup(l->r->memory, need_text(&l->constants));
	return true;
}

static bool read_operator(line_reader *l, const cJSON *tree)
{
	operator *op = l->op;
	const cJSON *pass, *fail;
	if (!cJSON_IsObject(tree))
		return BAD(l, "expected an object");
	if (!read_names(l, tree) || !(pass = json_array(tree, "pass", l->path, l->line, l->d))
	    || !(fail = json_array(tree, "fail", l->path, l->line, l->d)) || !read_call(l, tree) || !read_pass(l, pass)
	    || !read_fail(l, fail))
		return false;
	op->dtypes = kept_json(l, cJSON_GetObjectItemCaseSensitive(tree, "dtypes"));
	op->writes = kept_json(l, cJSON_GetObjectItemCaseSensitive(tree, "writes"));
	op->random = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "random"));
	op->delicate = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "delicate"));
	op->path = need(arena_strdup(l->r->memory, l->path), 1);
	op->line = l->line;
	op->npass = sort_rows(op->pass, op->npass, op->nsym + op->nodim);
	op->nfail = sort_rows(op->fail, op->nfail, op->nsym);
	drop_conflicts(op);
	op->hash = operator_hash(op);
	return true;
}

static void read_line(line_reader *l, const char *text, records_report *report, void *user)
{
	records *r = l->r;
	r->ops = NEED_ROOM(r->ops, r->n, r->room);
	operator op = {0};
	l->op = &op;
	buf_clear(&l->structure);
	buf_clear(&l->constants);
	buf_clear(&l->ranks);
	cJSON *tree = json_parse(text, l->path, l->line, l->d);
	if (tree && read_operator(l, tree)) {
		r->ops[r->n++] = op;
	} else {
		r->bad++;
		report(l->d, user);
	}
	cJSON_Delete(tree);
}

static bool read_file(records *r, const char *path, records_report *report, void *user)
{
	diag d;
	jsonl j;
	long before = r->lines;
	int more = 0;
	if (!jsonl_open(&j, path, &d)) {
		report(&d, user);
		return false;
	}
	line_reader l = {.r = r, .path = path, .d = &d};
	while ((more = jsonl_next(&j, &d)) > 0) {
		l.line = j.number;
		r->lines++;
		read_line(&l, j.line, report, user);
	}
	if (more < 0)
		report(&d, user);
	if (more == 0 && r->lines == before) {
		diag_at(&d, path, 1, "the file is empty: no records");
		report(&d, user);
		more = -1;
	}
	buf_free(&l.structure);
	buf_free(&l.constants);
	buf_free(&l.ranks);
	jsonl_close(&j);
	return more == 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool read_folder(records *r, const char *path, records_report *report, void *user)
{
	DIR *dir = opendir(path);
	diag d;
	char **names = NULL;
	size_t n = 0;
	bool ok = true;
	if (!dir) {
		diag_at(&d, path, 0, "cannot open: %s", strerror(errno));
		report(&d, user);
		return false;
	}
	for (struct dirent *e; (e = readdir(dir));) {
		size_t length = strlen(e->d_name);
		if (length < 7 || e->d_name[0] == '.' || strcmp(e->d_name + length - 6, ".jsonl") != 0)
			continue;
		names = need(realloc(names, sizeof *names * (n + 1)), sizeof *names * (n + 1));
		const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
		names[n++] = need(arena_printf(r->memory, "%s%s%s", path, slash, e->d_name), 1);
	}
	closedir(dir);
	if (n)
		qsort(names, n, sizeof *names, by_text);
	for (size_t i = 0; i < n; i++)
		ok = read_file(r, names[i], report, user) && ok;
	if (n == 0) {
		diag_at(&d, path, 0, "the folder holds no *.jsonl");
		report(&d, user);
		ok = false;
	}
	free(names);
	return ok;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const operator *)a)->name, ((const operator *)b)->name);
}

static bool report_duplicates(records *r, records_report *report, void *user)
{
	bool ok = true;
	diag d;
	if (r->n)
		qsort(r->ops, (size_t)r->n, sizeof *r->ops, by_name);
	for (int i = 1; i < r->n; i++) {
		const operator *a = &r->ops[i - 1], *b = &r->ops[i];
		if (strcmp(a->name, b->name) != 0)
			continue;
		diag_at(&d, b->path, b->line, "operator \"%s\" is also at %s:%ld", b->name, a->path, a->line);
		report(&d, user);
		ok = false;
	}
	return ok;
}

bool records_read(records *r, const char *const *paths, int npaths, records_report *report, void *user)
{
	*r = (records){.memory = arena_new()};
	bool ok = true;
	for (int i = 0; i < npaths; i++) {
		struct stat st;
		bool folder = stat(paths[i], &st) == 0 && S_ISDIR(st.st_mode);
		ok = (folder ? read_folder : read_file)(r, paths[i], report, user) && ok;
	}
	return report_duplicates(r, report, user) && ok && r->bad == 0;
}

void records_free(records *r)
{
	free(r->ops);
	arena_free(r->memory);
	*r = (records){0};
}

/* ---- arguments */

int argument_tensors(const operator *op, const argument *a)
{
	const role *first = a->count ? &op->roles[a->first] : NULL;
	return first && first->kind == ROLE_DIM && first->list ? op->roles[a->first + a->count - 1].tensor - first->tensor + 1 : 0;
}

/* Called millions of times: comparing the first character avoids most calls of strcmp. */
int operator_argument(const operator *op, const char *name)
{
	for (int i = 0; i < op->nargs; i++) {
		const char *at = op->arguments[i].name;
		if (at == name || (*at == *name && strcmp(at, name) == 0))
			return i;
	}
	return -1;
}

const operator *operator_assuming(arena *memory, const operator *op, const char *name, int64_t value)
{
	operator *to = NEED_ARRAY(memory, operator, 1);
	call *c = NEED_ARRAY(memory, call, 1);
	int n = op->nargs, none = operator_argument(op, name), at = none < 0 ? n : none; /* replaces None, or is
											  * appended */
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

const operator *operator_from_end(arena *memory, const operator *op, const char *count)
{
	operator *to = NEED_ARRAY(memory, operator, 1);
	call *c = NEED_ARRAY(memory, call, 1);
	call_output *outputs = NEED_ARRAY(memory, call_output, op->nout);
	argument *arguments = NEED_ARRAY(memory, argument, op->nargs);
	int at = count ? operator_argument(op, count) : -1;
	*to = *op;
	*c = *op->call;
	to->call = c;
	to->arguments = arguments;
	for (int k = 0; k < op->nargs; k++)
		arguments[k] = op->arguments[k];
	if (at >= 0)
		arguments[at].counts = true;
	to->out_tensor = NEED_ARRAY(memory, uint16_t, op->nodim);
	to->from_end = !op->from_end;
	for (int t = 0; t < op->nout; t++)
		outputs[t] = op->call->outputs[op->nout - 1 - t];
	for (int d = 0; d < op->nodim; d++)
		to->out_tensor[d] = (uint16_t)(op->nout - 1 - op->out_tensor[d]);
	c->outputs = outputs;
	return to;
}
