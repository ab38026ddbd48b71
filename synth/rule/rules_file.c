#include "rules_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identifier.h"
#include "json.h"
#include "keep.h"
#include "need.h"
#include "rule_json.h"

/* State while one line is converted to a rule_op. */
typedef struct reader {
	rule_set *rules;
	const char *path;
	long line;
	diag *d;
	rule_op *op;
	call call;
	rs_value *values; /* preorder */
	const char **floats;
} reader;

static bool bad(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(const reader *r, const char *format, ...)
{
	char message[900];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return diag_at(r->d, r->path, r->line, "%s", message);
}

/* ---- names */

static const char *copy(const reader *r, const char *text)
{
	return need(arena_strdup(r->rules->memory, text), strlen(text));
}

/* Reads and copies a required string. */
static bool read_string(const reader *r, const cJSON *o, const char *key, const char **to)
{
	const char *text = json_string(o, key, r->path, r->line, r->d);
	if (text)
		*to = copy(r, text);
	return text != NULL;
}

/* Reads an optional string. */
static bool read_optional(
    const reader *r, const cJSON *o, const char *key, const char *otherwise, const char **to)
{
	*to = otherwise;
	return !cJSON_GetObjectItemCaseSensitive(o, key) || read_string(r, o, key, to);
}

/* Reads a required integer in 0..high. */
static bool read_count(
    const reader *r, const cJSON *o, const char *key, uint64_t high, uint64_t *to)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
	int64_t v = 0;
	if (!item)
		return bad(r, "key \"%s\" is missing", key);
	if (json_int64(item, &v) != JSON_INT || v < 0 || (uint64_t)v > high)
		return bad(r, "key \"%s\": expected a whole number from 0 to %llu", key,
		    (unsigned long long)high);
	*to = (uint64_t)v;
	return true;
}

static bool fits(const reader *r, size_t n, size_t max, const char *items)
{
	return n <= max || bad(r, "%zu %s, the table's type holds %zu", n, items, max);
}

/* ---- element types */

static const struct {
	const char *text;
	uint8_t dtype;
} DTYPES[] = {
#define X(NAME, text, bytes) {text, RS_##NAME},
    RS_DTYPES(X)
#undef X
};

static uint8_t dtype_of(const char *text)
{
	for (size_t i = 0; i < sizeof DTYPES / sizeof *DTYPES; i++)
		if (strcmp(text, DTYPES[i].text) == 0)
			return DTYPES[i].dtype;
	return RS_OTHER;
}

/* ---- the call, in the layout of the table */

/* Adds the number of values and of floats in a value, including nested ones. */
static void count_values(const call_value *v, size_t *values, size_t *floats)
{
	++*values;
	*floats += v->kind == CALL_CONST ? (size_t)v->count : 0;
	for (int k = 0; v->items && k < v->count; k++)
		count_values(&v->items[k], values, floats);
}

static bool add_value(reader *r, const call_value *v)
{
	static const uint8_t KINDS[] = {[CALL_INT] = RS_INT, [CALL_TENSOR] = RS_TENSOR, [CALL_LIST] = RS_LIST,
	    [CALL_ELEMENTS] = RS_ELEMENTS, [CALL_CONST] = RS_CONST};
	rule_op *op = r->op;
	rs_value *to = &r->values[op->nvalues++];
	if (!fits(r, (size_t)v->count, UINT16_MAX, v->kind == CALL_LIST ? "values in a list" : "floats"))
		return false;
	*to = (rs_value){.kind = v->ranged ? RS_RANGED : KINDS[v->kind], .first = (uint16_t)v->first,
	    .count = (uint16_t)v->count};
	if (v->kind == CALL_TENSOR || v->kind == CALL_ELEMENTS)
		to->dtype = dtype_of(v->text);
	op->held |= v->held;
	if (v->kind == CALL_CONST) {
		to->text = v->text;
		to->first = (uint16_t)(v->count ? op->nfloats : 0);
		for (int k = 0; k < v->count; k++)
			r->floats[op->nfloats++] = v->seen[k];
	}
	for (int k = 0; v->items && k < v->count; k++)
		if (!add_value(r, &v->items[k]))
			return false;
	return true;
}

static bool read_args(reader *r)
{
	rule_op *op = r->op;
	const call *c = &r->call;
	size_t values = 0, floats = 0;
	for (int i = 0; i < c->nargs; i++)
		count_values(&c->args[i].value, &values, &floats);
	rule_arg *args = NEED_ARRAY(r->rules->memory, rule_arg, c->nargs);
	r->values = NEED_ARRAY(r->rules->memory, rs_value, values);
	r->floats = NEED_ARRAY(r->rules->memory, const char *, floats);
	for (int i = 0; i < c->nargs; i++) {
		args[i] = (rule_arg){c->args[i].name, op->nvalues, c->args[i].by_position};
		if (!add_value(r, &c->args[i].value))
			return false;
	}
	op->args = args;
	op->values = r->values;
	op->floats = r->floats;
	op->nargs = (unsigned)c->nargs;
	op->nsym = (unsigned)c->nsym;
	op->nin = (unsigned)c->nin;
	return fits(r, op->nargs, UINT16_MAX, "arguments") && fits(r, values, UINT16_MAX, "values")
	       && fits(r, floats, UINT16_MAX, "floats");
}

static bool read_outputs(reader *r)
{
	rule_op *op = r->op;
	const call *c = &r->call;
	rule_tensor *outputs = NEED_ARRAY(r->rules->memory, rule_tensor, c->nout);
	for (int i = 0; i < c->nout; i++) {
		if (!fits(r, (size_t)c->outputs[i].rank, UINT8_MAX, "dimensions of an output"))
			return false;
		outputs[i] = (rule_tensor){dtype_of(c->outputs[i].dtype), (uint8_t)c->outputs[i].rank};
	}
	op->outputs = outputs;
	op->nout = (unsigned)c->nout;
	op->nodim = (unsigned)c->nodim;
	return fits(r, op->nout, UINT16_MAX, "outputs");
}

static bool read_the_call(reader *r, const cJSON *o)
{
	call *kept = NEED_ARRAY(r->rules->memory, call, 1);
	if (!call_read(&r->call, r->rules->memory, o, r->path, r->line, r->d) || !read_args(r) || !read_outputs(r))
		return false;
	*kept = r->call;
	r->op->call = kept;
	return true;
}

/* ---- dtypes and records */

static bool read_dtype_list(
    const reader *r, const cJSON *list, unsigned n, const char *items, uint8_t *to)
{
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != (int)n)
		return bad(r, "key \"dtypes\": expected a row of %u %s", n, items);
	const cJSON *item;
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item))
			return bad(r, "key \"dtypes\": expected strings");
		*to++ = dtype_of(item->valuestring);
	}
	return true;
}

/* Without "dtypes", the only row is that of the record itself. */
static void recorded_dtypes(rule_op *op, uint8_t *row)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind))
			*row++ = op->values[i].dtype;
	for (unsigned i = 0; i < op->nout; i++)
		*row++ = op->outputs[i].dtype;
	op->ndtypes = 1;
}

static bool read_dtypes(reader *r, const cJSON *o)
{
	rule_op *op = r->op;
	unsigned width = op->nin + op->nout;
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "dtypes"), *item;
	if (list && !cJSON_IsArray(list))
		return bad(r, "key \"dtypes\": expected an array");
	size_t n = list ? (size_t)cJSON_GetArraySize(list) : 0;
	if (!fits(r, n, UINT16_MAX, "rows of dtypes"))
		return false;
	uint8_t *rows = NEED_ARRAY(r->rules->memory, uint8_t, (n ? n : 1) * width);
	op->dtypes = rows;
	if (n == 0)
		recorded_dtypes(op, rows);
	cJSON_ArrayForEach(item, list)
	{
		uint8_t *row = rows + (size_t)width * op->ndtypes++;
		if (!read_dtype_list(r, cJSON_GetArrayItem(item, 0), op->nin, "input tensors", row)
		    || !read_dtype_list(
			r, cJSON_GetArrayItem(item, 1), op->nout, "output tensors", row + op->nin))
			return false;
	}
	return true;
}

static bool read_records(reader *r, const cJSON *o)
{
	rule_op *op = r->op;
	int width = (int)(op->nsym + op->nodim);
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "records"), *row, *item;
	if (list && !cJSON_IsArray(list))
		return bad(r, "key \"records\": expected an array");
	size_t n = list ? (size_t)cJSON_GetArraySize(list) : 0;
	if (!fits(r, n, UINT16_MAX, "records"))
		return false;
	int64_t *to = NEED_ARRAY(r->rules->memory, int64_t, n * (size_t)width);
	op->records = to;
	op->nrecords = (unsigned)n;
	cJSON_ArrayForEach(row, list)
	{
		if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != width)
			return bad(r,
			    "key \"records\": expected rows of %u symbols and %u output dimensions",
			    op->nsym, op->nodim);
		cJSON_ArrayForEach(
		    item, row) if (json_int64(item, to++) == JSON_NOT_INT) return bad(r,
		    "key \"records\": expected integers");
	}
	return true;
}

/* ---- the rule */

static bool check_id(const reader *r, const char *id)
{
	if (strlen(id) != 16 || strspn(id, "0123456789abcdef") != 16)
		return bad(r, "key \"id\": expected 16 hexadecimal digits, not \"%.40s\"", id);
	return true;
}

static bool read_writes(reader *r, const cJSON *o)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "writes"), *item;
	if (list && !cJSON_IsArray(list))
		return bad(r, "key \"writes\": expected an array");
	cJSON_ArrayForEach(item, list)
	{
		int64_t input;
		if (json_int64(item, &input) != JSON_INT || input < 0 || input >= r->op->nin || input > 63)
			return bad(r, "key \"writes\": expected numbers of input tensors");
		r->op->writes |= (uint64_t)1 << input;
	}
	return true;
}

static bool read_calls(reader *r, const cJSON *o, const char *key, unsigned *to)
{
	const cJSON *calls = cJSON_GetObjectItemCaseSensitive(o, key);
	int64_t count = 0;
	if (calls && (json_int64(calls, &count) != JSON_INT || count < 1 || count > INT_MAX))
		return bad(r, "key \"%s\": expected a number of calls", key);
	*to = (unsigned)count;
	return true;
}

/* Keys of the call itself, present with and without a rule. */
static bool read_flags(reader *r, const cJSON *o)
{
	r->op->random = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "random"));
	r->op->delicate = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "delicate"));
	return read_calls(r, o, "empty", &r->op->empty) && read_calls(r, o, "outside", &r->op->outside) && read_writes(r, o);
}

/* Detaches the rules of the API. api_rule_read and dtype_rule_read parse them when all signatures are known. */
static void detach_api_rules(reader *r, cJSON *o)
{
	r->op->api_rule = cJSON_DetachItemFromObjectCaseSensitive(o, "api_rule");
	r->op->dtype_rule = cJSON_DetachItemFromObjectCaseSensitive(o, "dtype_rule");
}

static bool read_rule(reader *r, const cJSON *o)
{
	bool out = cJSON_GetObjectItemCaseSensitive(o, "out"), why = cJSON_GetObjectItemCaseSensitive(o, "why");
	rule_op *op = r->op;
	rule_store to = {r->rules->exprs, r->rules->memory};
	if (out && why)
		return bad(r, "both a rule (\"out\") and a reason for none (\"why\")");
	if (!out && !why)
		return bad(r, "neither a rule (\"out\") nor a reason for none (\"why\")");
	return rule_from_json(&op->rule, to, &r->call, o, r->path, r->line, r->d)
	       && (why || (read_string(r, o, "id", &op->id) && check_id(r, op->id)));
}

/* ---- a signature */

/* The first part of the API's name, as in records. */
static const char *first_part(const reader *r, const char *api)
{
	size_t n = strcspn(api, ".");
	return need(arena_strndup(r->rules->memory, api, n), n);
}

static bool read_names(reader *r, const cJSON *o)
{
	rule_op *op = r->op;
	if (!read_string(r, o, "op", &op->name) || !read_string(r, o, "api", &op->api))
		return false;
	if (op->name[0] == '\0')
		return bad(r, "key \"op\": the name is empty");
	if (!is_dotted(op->api))
		return bad(
		    r, "key \"api\": \"%.80s\" is not a name of dotted identifiers", op->api);
	if (!read_optional(r, o, "framework", first_part(r, op->api), &op->framework))
		return false;
	if (!is_identifier(op->framework))
		return bad(r, "key \"framework\": \"%.80s\" is not an identifier", op->framework);
	return read_optional(r, o, "version", "", &op->version);
}

static bool read_nsym(reader *r, const cJSON *o)
{
	uint64_t nsym = 0;
	if (!read_count(r, o, "nsym", UINT16_MAX, &nsym))
		return false;
	return nsym == r->op->nsym || bad(r, "key \"nsym\": %d, but \"args\" holds %u symbols", (int)nsym, r->op->nsym);
}

static bool read_op(rule_set *rules, rule_op *op, cJSON *o, const char *path, long line, diag *d)
{
	reader r = {.rules = rules, .path = path, .line = line, .d = d, .op = op};
	op->line = line;
	if (!cJSON_IsObject(o))
		return bad(&r, "expected an object");
	detach_api_rules(&r, o);
	return read_names(&r, o) && read_the_call(&r, o) && read_nsym(&r, o)
	       && read_dtypes(&r, o) && read_records(&r, o) && read_flags(&r, o) && read_rule(&r, o);
}

/* ---- the file */

typedef struct header {
	uint64_t operators, solved;
} header;

static bool read_header(header *h, const cJSON *o, const char *path, diag *d)
{
	reader r = {.path = path, .line = 1, .d = d};
	uint64_t format = 0;
	if (!cJSON_IsObject(o) || !cJSON_GetObjectItemCaseSensitive(o, "rules"))
		return bad(&r, "expected the header {\"rules\":1,…}");
	if (!read_count(&r, o, "rules", INT32_MAX, &format))
		return false;
	if (format != 1)
		return bad(&r, "rules of format %d, this rulesmith reads 1: run 'make rules'",
		    (int)format);
	return read_count(&r, o, "operators", INT32_MAX, &h->operators)
	       && read_count(&r, o, "solved", INT32_MAX, &h->solved);
}

static int by_framework_and_name(const void *a, const void *b)
{
	const rule_op *x = a, *y = b;
	int order = strcmp(x->framework, y->framework);
	return order ? order : strcmp(x->name, y->name);
}

static bool check_all(const rule_set *rules, const header *h, const char *path, diag *d)
{
	size_t solved = 0;
	for (size_t i = 0; i < rules->nops; i++) {
		solved += rules->ops[i].rule.out != NULL;
		if (i && by_framework_and_name(&rules->ops[i - 1], &rules->ops[i]) == 0) {
			long a = rules->ops[i - 1].line, b = rules->ops[i].line;
			return diag_at(d, path, a > b ? a : b, "duplicate operator \"%.80s\"",
			    rules->ops[i].name);
		}
	}
	if (rules->nops != h->operators)
		return diag_at(d, path, 1, "key \"operators\": %d, but %zu follow",
		    (int)h->operators, rules->nops);
	if (solved != h->solved)
		return diag_at(
		    d, path, 1, "key \"solved\": %d, but %zu follow", (int)h->solved, solved);
	return true;
}

typedef struct filter {
	rules_wanted *wanted; /* NULL: all */
	const void *user;
} filter;

static bool is_wanted(const filter *f, const cJSON *o)
{
	const char *op = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "op"));
	const char *api = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "api"));
	return !f->wanted || !op || !api || f->wanted(op, api, f->user); /* a line without names is an error, reported
									  * later */
}

static bool read_lines(rule_set *rules, jsonl *file, const filter *f, header *h, size_t *room, diag *d)
{
	int more;
	bool first = true;
	while ((more = jsonl_next(file, d)) > 0) {
		cJSON *o = json_parse(file->line, file->path, file->number, d);
		bool ok = o != NULL;
		if (ok && first)
			ok = read_header(h, o, file->path, d);
		else if (ok && is_wanted(f, o)) {
			rules->ops = NEED_ROOM(rules->ops, rules->nops, *room);
			rule_op *op = &rules->ops[rules->nops++];
			*op = (rule_op){0};
			ok = read_op(rules, op, o, file->path, file->number, d);
		}
		cJSON_Delete(o);
		if (!ok)
			return false;
		first = false;
	}
	if (more == 0 && first)
		return diag_at(d, file->path, 0, "the file is empty");
	return more == 0;
}

bool rules_read(rule_set *rules, const char *path, diag *d)
{
	return rules_read_some(rules, path, NULL, NULL, d);
}

bool rules_read_some(rule_set *rules, const char *path, rules_wanted *wanted, const void *user, diag *d)
{
	jsonl file;
	filter f = {wanted, user};
	header h = {0};
	size_t room = 0;
	*rules = (rule_set){.memory = arena_new(), .exprs = expr_pool_new()};
	rules->path = need(arena_strdup(rules->memory, path), strlen(path));
	if (!jsonl_open(&file, path, d))
		return false;
	bool ok = read_lines(rules, &file, &f, &h, &room, d);
	if (ok && rules->nops)
		qsort(rules->ops, rules->nops, sizeof *rules->ops, by_framework_and_name);
	ok = ok && (wanted || check_all(rules, &h, file.path, d));
	jsonl_close(&file);
	return ok;
}

void rules_free(rule_set *rules)
{
	for (size_t i = 0; i < rules->nops; i++)
		cJSON_Delete(rules->ops[i].api_rule);
	for (size_t i = 0; i < rules->nops; i++)
		cJSON_Delete(rules->ops[i].dtype_rule);
	free(rules->ops);
	expr_pool_free(rules->exprs);
	arena_free(rules->memory);
	*rules = (rule_set){0};
}

/* ---- writing */

static void write_records(buf *to, const operator *op, bool has_rule)
{
	int width = op->nsym + op->nodim;
	int *list = need(malloc(sizeof *list * (size_t)(op->npass + 1)), sizeof *list * (size_t)op->npass);
	int n = keep_records(op, has_rule, list);
	buf_puts(to, ",\"records\":[");
	for (int k = 0; k < n; k++) {
		if (k)
			buf_putc(to, ',');
		buf_ints(to, op->pass + (size_t)list[k] * width, (size_t)width);
	}
	buf_putc(to, ']');
	free(list);
}

void rules_write_header(buf *to, const char *tool, const char *z3, int operators, int complete)
{
	buf_printf(to, "{\"rules\":1,\"tool\":\"rulesmith %s\",\"z3\":\"%s\",\"operators\":%d,\"solved\":%d}\n",
	    tool, z3, operators, complete);
}

void rules_write(buf *to, const operator *op, const rule *r, const char *api_rule, const char *dtype_rule)
{
	buf_printf(to, "{\"op\":\"%s\",\"api\":\"%s\",\"framework\":\"%s\",\"version\":", op->name, op->api,
	    op->framework);
	buf_json(to, op->version);
	buf_printf(to, ",\"args\":%s,\"outputs\":%s", op->args, op->outputs);
	if (op->dtypes)
		buf_printf(to, ",\"dtypes\":%s", op->dtypes);
	if (op->delicate)
		buf_puts(to, ",\"delicate\":true");
	if (op->writes)
		buf_printf(to, ",\"writes\":%s", op->writes);
	if (op->random)
		buf_puts(to, ",\"random\":true");
	buf_printf(to, ",\"nsym\":%d", op->nsym);
	rule_to_json(to, r, op->nsym);
	if (api_rule)
		buf_printf(to, ",\"api_rule\":%s", api_rule);
	if (dtype_rule)
		buf_printf(to, ",\"dtype_rule\":%s", dtype_rule);
	if (op->empty)
		buf_printf(to, ",\"empty\":%d", op->empty);
	if (op->outside)
		buf_printf(to, ",\"outside\":%d", op->outside);
	write_records(to, op, !r->why);
	buf_puts(to, "}\n");
}
