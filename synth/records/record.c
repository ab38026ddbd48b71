#include "record.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "buf.h"
#include "json.h"

enum { MAX_SYMBOLS = 4096, MAX_OUTPUT_DIMS = 16384, MAX_NESTING = 16 };

/* What the reading of one line needs: where it is, and the operator that it fills. */
typedef struct line_reader {
	records *r;
	operator *op;
	const char *path;
	long line;
	diag *d;
	buf form, constants, ranks;
	role *roles; /* grows to MAX_SYMBOLS */
	int depth;
} line_reader;

#define BAD(l, ...) diag_at((l)->d, (l)->path, (l)->line, __VA_ARGS__)

/* ---- names */

static bool is_identifier(const char *s, size_t n)
{
	if (n == 0 || (s[0] >= '0' && s[0] <= '9'))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(s[i] == '_' || (s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'z')
			|| (s[i] >= 'A' && s[i] <= 'Z')))
			return false;
	return true;
}

static bool is_dotted(const char *s)
{
	for (;;) {
		size_t n = strcspn(s, ".");
		if (!is_identifier(s, n))
			return false;
		if (!s[n])
			return true;
		s += n + 1;
	}
}

/* Operator names are an API, a dash and a number: they become file and symbol names. */
static bool is_op_name(const char *name, const char *api)
{
	size_t n = strlen(api);
	if (strncmp(name, api, n) != 0 || name[n] != '-' || !name[n + 1])
		return false;
	return name[n + 1 + strspn(name + n + 1, "0123456789")] == '\0' && strlen(name) < n + 12;
}

/* ---- arguments */

/* "s12" or "o3" at its place in the order; anything else is refused. */
static bool check_symbol(line_reader *l, const char *text, char letter, int expected)
{
	char want[16];
	snprintf(want, sizeof want, "%c%d", letter, expected);
	if (strcmp(text, want) != 0)
		return BAD(l, "symbol \"%s\" where \"%s\" is due (symbols are numbered in order)", text, want);
	return true;
}

static bool add_symbol(line_reader *l, const char *text, role where)
{
	operator *op = l->op;
	if (op->nsym >= MAX_SYMBOLS)
		return BAD(l, "more than %d symbols", MAX_SYMBOLS);
	if (!check_symbol(l, text, 's', op->nsym))
		return false;
	l->roles[op->nsym++] = where;
	return true;
}

/* The bounds of a tensor's elements: a list of two integers, to the search. */
static bool add_range(line_reader *l, const cJSON *range, role where)
{
	if (!range)
		return true;
	if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2)
		return BAD(l, "key \"range\": expected two symbols");
	const cJSON *bound;
	where = (role){.kind = ROLE_ITEM, .arg = where.arg, .list = (uint16_t)++l->op->nlists, .len = 2};
	buf_putc(&l->form, 'r');
	cJSON_ArrayForEach(bound, range)
	{
		if (!cJSON_IsString(bound))
			return BAD(l, "a bound of a range is not a symbol");
		if (!add_symbol(l, bound->valuestring, where))
			return false;
		where.pos++;
	}
	return true;
}

static bool add_tensor(line_reader *l, const cJSON *value, role where)
{
	const cJSON *dims = json_array(value, "tensor", l->path, l->line, l->d);
	if (!dims || !json_string(value, "dtype", l->path, l->line, l->d))
		return false;
	int rank = cJSON_GetArraySize(dims), d = 0;
	buf_printf(&l->form, "t%d", rank);
	buf_printf(&l->ranks, "%d,", rank);
	const cJSON *dim;
	where.kind = ROLE_DIM;
	where.tensor = (uint16_t)l->op->nin++;
	where.len = (uint16_t)rank;
	cJSON_ArrayForEach(dim, dims)
	{
		where.pos = (uint16_t)d++;
		if (!cJSON_IsString(dim))
			return BAD(l, "a tensor's dimension is not a symbol");
		if (!add_symbol(l, dim->valuestring, where))
			return false;
	}
	return add_range(l, cJSON_GetObjectItemCaseSensitive(value, "range"), where);
}

static bool add_value(line_reader *l, const cJSON *value, role where);

static bool add_list(line_reader *l, const cJSON *value, role where)
{
	int n = cJSON_GetArraySize(value), i = 0;
	if (++l->depth > MAX_NESTING)
		return BAD(l, "lists are nested more than %d deep", MAX_NESTING);
	where.outer = where.pos;
	where.outer_len = where.kind == ROLE_ITEM ? where.len : 0;
	where.kind = ROLE_ITEM;
	where.list = (uint16_t)++l->op->nlists;
	where.len = (uint16_t)n;
	buf_putc(&l->form, '[');
	const cJSON *item;
	cJSON_ArrayForEach(item, value)
	{
		where.pos = (uint16_t)i++;
		if (!add_value(l, item, where))
			return false;
	}
	buf_putc(&l->form, ']');
	l->depth--;
	return true;
}

static bool add_value(line_reader *l, const cJSON *value, role where)
{
	if (cJSON_IsString(value)) {
		buf_putc(&l->form, 'i');
		return add_symbol(l, value->valuestring, where);
	}
	if (cJSON_IsArray(value))
		return add_list(l, value, where);
	if (cJSON_GetObjectItemCaseSensitive(value, "tensor"))
		return add_tensor(l, value, where);
	const cJSON *elements = cJSON_GetObjectItemCaseSensitive(value, "elements");
	if (elements) {
		if (!json_string(value, "dtype", l->path, l->line, l->d))
			return false;
		buf_putc(&l->form, 'e');
		int tensors = l->op->nin;
		if (!add_value(l, elements, where))
			return false;
		return l->op->nin == tensors || BAD(l, "key \"elements\": a tensor within");
	}
	buf_putc(&l->form, 'c');
	if (!cJSON_IsString(cJSON_GetObjectItemCaseSensitive(value, "const")))
		return BAD(l, "a value is none of a symbol, a tensor, elements, a constant and a list");
	return true;
}

/* The text of a constant that is an integer. */
static bool is_integer(const cJSON *value, int64_t *to)
{
	const cJSON *elements = cJSON_GetObjectItemCaseSensitive(value, "elements");
	if (elements)
		return is_integer(elements, to);
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(value, "const");
	if (!cJSON_IsString(text) || !text->valuestring[0])
		return false;
	char *end;
	errno = 0;
	*to = strtoll(text->valuestring, &end, 10);
	return errno == 0 && *end == '\0';
}

static bool read_args(line_reader *l, const cJSON *args)
{
	const cJSON *arg;
	int i = 0;
	l->op->arguments = ARENA_ARRAY(l->r->memory, argument, cJSON_GetArraySize(args) + 1);
	cJSON_ArrayForEach(arg, args)
	{
		const char *name = json_string(arg, "name", l->path, l->line, l->d);
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(arg, "value");
		if (!name)
			return false;
		if (!is_identifier(name, strlen(name)))
			return BAD(l, "argument name \"%.100s\" is not an identifier", name);
		if (!cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(arg, "pos")))
			return BAD(l, "argument \"%s\": key \"pos\": expected true or false", name);
		if (!value)
			return BAD(l, "argument \"%s\": key \"value\" is missing", name);
		buf_putc(&l->form, ',');
		role where = {.kind = ROLE_INT, .arg = (uint16_t)i, .len = 1};
		argument *a = &l->op->arguments[i++];
		*a = (argument){.name = arena_strdup(l->r->memory, name), .first = l->op->nsym};
		a->fixed = is_integer(value, &a->value);
		if (!add_value(l, value, where))
			return false;
		a->count = l->op->nsym - a->first;
		const cJSON *constant = cJSON_GetObjectItemCaseSensitive(value, "const");
		if (cJSON_IsString(constant) && !a->fixed)
			buf_printf(&l->constants, "%s;", constant->valuestring);
		else
			buf_putc(&l->constants, ';');
	}
	l->op->nargs = i;
	return true;
}

static bool read_outputs(line_reader *l, const cJSON *outputs)
{
	operator *op = l->op;
	const cJSON *out, *dim;
	int total = 0;
	buf_puts(&l->form, "->");
	cJSON_ArrayForEach(out, outputs)
	{
		const cJSON *dims = json_array(out, "tensor", l->path, l->line, l->d);
		if (!dims || !json_string(out, "dtype", l->path, l->line, l->d))
			return false;
		buf_printf(&l->form, "t%d", cJSON_GetArraySize(dims));
		total += cJSON_GetArraySize(dims);
	}
	if (total > MAX_OUTPUT_DIMS)
		return BAD(l, "more than %d output dimensions", MAX_OUTPUT_DIMS);
	op->out_tensor = ARENA_ARRAY(l->r->memory, uint16_t, total);
	op->out_pos = ARENA_ARRAY(l->r->memory, uint16_t, total);
	op->out_rank = ARENA_ARRAY(l->r->memory, uint16_t, total);
	cJSON_ArrayForEach(out, outputs)
	{
		const cJSON *dims = cJSON_GetObjectItemCaseSensitive(out, "tensor");
		int d = 0;
		cJSON_ArrayForEach(dim, dims)
		{
			if (!cJSON_IsString(dim))
				return BAD(l, "an output's dimension is not a symbol");
			if (!check_symbol(l, dim->valuestring, 'o', op->nodim))
				return false;
			op->out_tensor[op->nodim] = (uint16_t)op->nout;
			op->out_rank[op->nodim] = (uint16_t)cJSON_GetArraySize(dims);
			op->out_pos[op->nodim++] = (uint16_t)d++;
		}
		op->nout++;
	}
	return true;
}

/* ---- runs */

static bool read_row(line_reader *l, const cJSON *row, int n, int64_t *to, const char *what, int number)
{
	if (!cJSON_IsArray(row))
		return BAD(l, "%s record %d: expected an array", what, number);
	int got = cJSON_GetArraySize(row), i = 0;
	if (got != n)
		return BAD(l, "%s record %d: %d values where %d are due", what, number, got, n);
	const cJSON *item;
	cJSON_ArrayForEach(item, row)
	{
		enum json_int kind = json_int64(item, to + i++);
		if (kind == JSON_NOT_INT) {
			char *text = cJSON_PrintUnformatted(item);
			BAD(l, "%s record %d, value %d: expected an integer, not %.60s", what, number, i,
			    text ? text : "?");
			free(text);
			return false;
		}
		l->r->beyond += kind == JSON_BEYOND;
	}
	return true;
}

static bool read_pass(line_reader *l, const cJSON *runs)
{
	operator *op = l->op;
	int width = op->nsym + op->nodim;
	op->pass = ARENA_ARRAY(l->r->memory, int64_t, (size_t)cJSON_GetArraySize(runs) * width + 1);
	const cJSON *run;
	cJSON_ArrayForEach(run, runs)
	{
		int64_t *row = op->pass + (size_t)op->npass++ * width;
		if (!cJSON_IsArray(run) || cJSON_GetArraySize(run) != 2)
			return BAD(l, "passing record %d: expected [[inputs], [outputs]]", op->npass);
		if (!read_row(l, run->child, op->nsym, row, "passing", op->npass)
		    || !read_row(l, run->child->next, op->nodim, row + op->nsym, "passing", op->npass))
			return false;
	}
	return true;
}

static bool read_fail(line_reader *l, const cJSON *runs)
{
	operator *op = l->op;
	op->fail = ARENA_ARRAY(l->r->memory, int64_t, (size_t)cJSON_GetArraySize(runs) * op->nsym + 1);
	const cJSON *run;
	cJSON_ArrayForEach(run, runs)
	{
		int64_t *row = op->fail + (size_t)op->nfail++ * op->nsym;
		if (!read_row(l, run, op->nsym, row, "failing", op->nfail))
			return false;
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

/* Sorts rows and drops equal ones, so that neither order nor repetition in a file matters. */
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

/* A failing record whose input also passed failed for another reason than its shape. */
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

/* ---- a line, a file, all files */

static const char *kept_json(line_reader *l, const cJSON *item)
{
	char *text = item ? cJSON_PrintUnformatted(item) : NULL;
	const char *kept = text ? arena_strdup(l->r->memory, text) : NULL;
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
	op->name = arena_strdup(m, name);
	op->api = arena_strdup(m, api);
	op->framework = cJSON_IsString(framework) ? arena_strdup(m, framework->valuestring)
						  : arena_strndup(m, api, strcspn(api, "."));
	if (!is_identifier(op->framework, strlen(op->framework)))
		return BAD(l, "framework \"%.100s\" is not an identifier", op->framework);
	op->version = arena_strdup(m, cJSON_IsString(version) ? version->valuestring : "");
	return true;
}

static uint64_t hash_operator(const operator *op)
{
	uint64_t h = XXH3_64bits(op->args, strlen(op->args));
	h = XXH3_64bits_withSeed(op->form, strlen(op->form), h);
	h = XXH3_64bits_withSeed(op->pass, (size_t)op->npass * (op->nsym + op->nodim) * sizeof(int64_t), h);
	return XXH3_64bits_withSeed(op->fail, (size_t)op->nfail * op->nsym * sizeof(int64_t), h);
}

static bool read_operator(line_reader *l, const cJSON *tree)
{
	operator *op = l->op;
	const cJSON *args, *outputs, *pass, *fail;
	if (!cJSON_IsObject(tree))
		return BAD(l, "expected an object");
	if (!read_names(l, tree) || !(args = json_array(tree, "args", l->path, l->line, l->d))
	    || !(outputs = json_array(tree, "outputs", l->path, l->line, l->d))
	    || !(pass = json_array(tree, "pass", l->path, l->line, l->d))
	    || !(fail = json_array(tree, "fail", l->path, l->line, l->d)))
		return false;
	if (!read_args(l, args) || !read_outputs(l, outputs) || !read_pass(l, pass) || !read_fail(l, fail))
		return false;
	op->args = kept_json(l, args);
	op->outputs = kept_json(l, outputs);
	op->dtypes = kept_json(l, cJSON_GetObjectItemCaseSensitive(tree, "dtypes"));
	op->writes = kept_json(l, cJSON_GetObjectItemCaseSensitive(tree, "writes"));
	op->random = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "random"));
	op->delicate = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "delicate"));
	op->form = arena_strdup(l->r->memory, l->form.text);
	op->ranks = arena_strdup(l->r->memory, l->ranks.text ? l->ranks.text : "");
	op->constants = arena_strdup(l->r->memory, l->constants.text ? l->constants.text : "");
	op->roles = ARENA_ARRAY(l->r->memory, role, op->nsym + 1);
	memcpy(op->roles, l->roles, sizeof *op->roles * (size_t)op->nsym);
	op->path = arena_strdup(l->r->memory, l->path);
	op->line = l->line;
	op->npass = sort_rows(op->pass, op->npass, op->nsym + op->nodim);
	op->nfail = sort_rows(op->fail, op->nfail, op->nsym);
	drop_conflicts(op);
	op->hash = hash_operator(op);
	return true;
}

static void read_line(line_reader *l, const char *text, records_report *report, void *user)
{
	records *r = l->r;
	if ((r->n & (r->n - 1)) == 0) { /* room doubles at every power of two */
		operator *more = realloc(r->ops, sizeof *r->ops * (size_t)(r->n ? r->n * 2 : 1));
		if (!more) {
			fprintf(stderr, "error: out of memory for %d operators\n", r->n * 2);
			exit(1);
		}
		r->ops = more;
	}
	operator op = {0};
	l->op = &op;
	l->depth = 0;
	buf_clear(&l->form);
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
	role *roles = malloc(sizeof *roles * MAX_SYMBOLS);
	line_reader l = {.r = r, .path = path, .d = &d, .roles = roles};
	while (roles && (more = jsonl_next(&j, &d)) > 0) {
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
	free(roles);
	buf_free(&l.form);
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
		names = realloc(names, sizeof *names * (n + 1));
		names[n++] = arena_printf(r->memory, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
		    e->d_name);
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

static bool refuse_duplicates(records *r, records_report *report, void *user)
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
	return refuse_duplicates(r, report, user) && ok && r->bad == 0;
}

void records_free(records *r)
{
	free(r->ops);
	arena_free(r->memory);
	*r = (records){0};
}
