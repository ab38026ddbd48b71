#include "api_rule_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api_rule_put.h"
#include "identifier.h"
#include "json.h"
#include "need.h"

enum { MOST_LINES = 256, MAX_DEPTH = 64, MAX_SIZE = 2000 };

typedef struct reader {
	api_rule *r;
	const char *path;
	long line;
	diag *d;
	template *t; /* the current expression, and which of its references are optional */
	bool *asks;
	int size;
	bool outputs; /* the expression may refer to outputs */
} reader;

static bool bad(const reader *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(const reader *x, const char *format, ...)
{
	char what[600];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	return diag_at(x->d, x->path, x->line, "key \"api_rule\": %s", what);
}

static const cJSON *get(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* ---- words, numbers, lists */

static bool read_word(const reader *x, const cJSON *item, const char *const *words, int n, uint8_t *to)
{
	for (int k = 0; cJSON_IsString(item) && k < n; k++)
		if (strcmp(item->valuestring, words[k]) == 0) {
			*to = (uint8_t)k;
			return true;
		}
	return bad(x, "expected one of \"%s\" … \"%s\"", words[0], words[n - 1]);
}

static bool read_number(const reader *x, const cJSON *item, int least, int most, int16_t *to)
{
	int64_t v;
	if (!item || json_int64(item, &v) != JSON_INT || v < least || v > most)
		return bad(x, "expected a whole number from %d to %d", least, most);
	*to = (int16_t)v;
	return true;
}

/* An optional number, by default 0. */
static bool read_count(const reader *x, const cJSON *o, const char *key, int16_t *to)
{
	*to = 0;
	return !get(o, key) || read_number(x, get(o, key), 0, LIST_LENGTH, to);
}

static bool read_argument(const reader *x, const cJSON *item, const char **to)
{
	*to = cJSON_IsString(item) ? api_calls_name(&x->r->calls, item->valuestring) : NULL;
	return *to || bad(x, "no signature has the argument \"%.80s\"", cJSON_IsString(item) ? item->valuestring : "");
}

static bool read_list(const reader *x, const cJSON *item, list_name *to)
{
	int n = cJSON_IsArray(item) ? cJSON_GetArraySize(item) : 0;
	*to = (list_name){.item = -1};
	if (n < 2 || n > 3)
		return bad(x, "expected a list [\"dims\",ARGUMENT]");
	if (!read_word(x, cJSON_GetArrayItem(item, 0), LIST_NAMES, NAMES_OF(LIST_NAMES), &to->kind))
		return false;
	if (to->kind == LIST_OUT && !x->outputs)
		return bad(x, "only a clause refers to outputs");
	if (to->kind == LIST_OUT) {
		to->argument = LIST_OUTPUT;
		return n == 2 ? read_number(x, cJSON_GetArrayItem(item, 1), 0, INT16_MAX, &to->item) : bad(x, "expected [\"out\",K]");
	}
	if (!read_argument(x, cJSON_GetArrayItem(item, 1), &to->argument))
		return false;
	if (n == 3 && to->kind != LIST_DIMS)
		return bad(x, "only dims are of a tensor of a list");
	return n == 2 || read_number(x, cJSON_GetArrayItem(item, 2), 0, INT16_MAX, &to->item);
}

/* ---- expressions */

static bool read_position(const reader *x, const cJSON *item, reference *to)
{
	const cJSON *kind = cJSON_GetArrayItem(item, 0);
	if (!cJSON_IsArray(item)) {
		to->base = AT_NUMBER;
		return read_number(x, item, -LIST_LENGTH, LIST_LENGTH, &to->offset);
	}
	int n = cJSON_GetArraySize(item);
	const char *is = cJSON_IsString(kind) ? kind->valuestring : "";
	if (n == 2 && strcmp(is, "i") == 0) {
		to->base = AT_INDEX;
	} else if (n == 3 && strcmp(is, "axis") == 0) {
		to->base = AT_AXIS;
		to->axis = (list_name){.item = -1, .kind = LIST_ITEMS};
		if (!read_argument(x, cJSON_GetArrayItem(item, 1), &to->axis.argument))
			return false;
	} else {
		return bad(x, "expected a position: a number, [\"i\",K] or [\"axis\",ARGUMENT,K]");
	}
	return read_number(x, cJSON_GetArrayItem(item, n - 1), -LIST_LENGTH, LIST_LENGTH, &to->offset);
}

/* {"each":…} or {"optional":true} */
static bool read_option(const reader *x, const cJSON *item, reference *to, bool folds, bool *optional)
{
	const cJSON *each = get(item, "each");
	if (!cJSON_IsObject(item))
		return bad(x, "expected an option of a reference, {\"each\":…} or {\"optional\":true}");
	*optional |= cJSON_IsTrue(get(item, "optional"));
	if (!each)
		return true;
	if (!read_word(x, each, EACH_NAMES, NAMES_OF(EACH_NAMES), &to->each))
		return false;
	bool counts = size_factor_counts(to->each);
	if (!folds || to->each == AS_IS || to->fold != (counts ? OP_ADD : OP_MUL) || (counts && to->others))
		return bad(x, "\"each\" is of products, and those that count are of sums");
	if (to->each != COPIED)
		return true;
	if (!read_list(x, get(item, "from"), &to->copied))
		return false;
	return to->copied.kind == LIST_DIMS || bad(x, "only dimensions are copied");
}

static bool read_fold(const reader *x, const cJSON *item, reference *to)
{
	static const uint8_t FOLDS[] = {OP_MUL, OP_ADD, OP_MIN, OP_MAX};
	for (int k = 0; k < 4; k++)
		if (cJSON_IsString(item) && strcmp(item->valuestring, OPS[FOLDS[k]].text) == 0) {
			to->fold = FOLDS[k];
			return true;
		}
	return bad(x, "expected the operation of a fold: *, +, min or max");
}

/* The index of a reference in the expression; -1 with d set if there are too many. */
static int add_reference(const reader *x, const reference *r, bool optional)
{
	template *t = x->t;
	int k = 0;
	while (k < t->n && !reference_same(&t->refs[k], r))
		k++;
	if (k == MAX_REFERENCES) {
		bad(x, "more than %d references in an expression", MAX_REFERENCES);
		return -1;
	}
	if (k == t->n) {
		t->refs[t->n++] = *r;
		if (x->asks)
			x->asks[k] = optional;
	}
	if (optional && !x->asks)
		return bad(x, "only a clause has optional references"), -1;
	return k;
}

/* ["at",LIST,POSITION], ["fold",OP,LIST] or ["but",OP,LIST,POSITION], followed by options. */
static const expr *read_reference(const reader *x, const cJSON *item, const char *is)
{
	reference r = {.base = AT_NUMBER};
	bool fold = *is == 'f', but = *is == 'b', optional = false;
	const cJSON *at = item->child->next;
	if (fold || but) {
		if (!read_fold(x, at, &r))
			return NULL;
		at = at->next;
	}
	if (!read_list(x, at, &r.list))
		return NULL;
	at = at->next;
	if (!fold) {
		if (!read_position(x, at, &r))
			return NULL;
		at = at->next;
	} else {
		r.base = ALL;
	}
	r.others = but;
	for (; at; at = at->next)
		if (!read_option(x, at, &r, fold || but, &optional))
			return NULL;
	if (but && (r.fold != OP_MUL || r.list.kind == LIST_BOUNDS))
		return bad(x, "all but one are of products"), NULL;
	if (r.list.kind == LIST_BOUNDS && (r.base != AT_NUMBER || r.offset < 0 || r.offset > 1))
		return bad(x, "bounds are at 0 and 1"), NULL;
	int k = add_reference(x, &r, optional);
	return k < 0 ? NULL : expr_sym(x->r->calls.pool, k);
}

static int operation_of(const char *text)
{
	if (strcmp(text, "if") == 0)
		return OP_ITE;
	for (int op = 0; op < OP_COUNT; op++)
		if (OPS[op].text && op != OP_CONST && op != OP_SYM && op != OP_ITE && strcmp(OPS[op].text, text) == 0)
			return op;
	return -1;
}

static const expr *read_expr(reader *x, const cJSON *item, bool condition, int depth);

static const expr *read_operation(reader *x, const cJSON *item, int op, bool condition, int depth)
{
	bool joins = op == OP_AND || op == OP_OR, compares = op_is_comparison(op), choice = op == OP_ITE;
	const cJSON *first = item->child->next, *second = first ? first->next : NULL, *third = second ? second->next : NULL;
	expr_pool *pool = x->r->calls.pool;
	if (condition != (joins || compares))
		return bad(x, "expected a %s", condition ? "condition" : "number"), NULL;
	if (!second || !third != !choice || (third && third->next))
		return bad(x, "an operation of a wrong number of operands"), NULL;
	const expr *a = read_expr(x, choice ? second : first, joins, depth + 1);
	const expr *b = a ? read_expr(x, choice ? third : second, joins, depth + 1) : NULL;
	const expr *c = b && choice ? read_expr(x, first, true, depth + 1) : NULL;
	if (!b || (choice && !c))
		return NULL;
	return choice ? expr_ite(pool, c, a, b) : expr_make(pool, (enum op)op, a, b);
}

static const expr *read_expr(reader *x, const cJSON *item, bool condition, int depth)
{
	const cJSON *first = cJSON_IsArray(item) ? item->child : NULL;
	const char *is = cJSON_IsString(first) ? first->valuestring : "";
	int64_t v;
	if (depth > MAX_DEPTH || ++x->size > MAX_SIZE)
		return bad(x, "an expression is deeper than %d or longer than %d", MAX_DEPTH, MAX_SIZE), NULL;
	if (!first) {
		if (condition || !item || json_int64(item, &v) != JSON_INT)
			return bad(x, "expected an expression"), NULL;
		return expr_const(x->r->calls.pool, v);
	}
	if (strcmp(is, "at") == 0 || strcmp(is, "fold") == 0 || strcmp(is, "but") == 0)
		return condition || !first->next ? bad(x, "expected a condition"), NULL : read_reference(x, item, is);
	int op = operation_of(is);
	return op < 0 ? bad(x, "unknown operation \"%.40s\"", is), NULL : read_operation(x, item, op, condition, depth);
}

static bool read_range(const reader *x, const cJSON *o, index_range *to)
{
	static const char *const WAYS[] = {"none", "right", "left"};
	const cJSON *over = get(o, "over"), *but = get(o, "but");
	*to = (index_range){.way = RANGE_NONE};
	if (!o)
		return true;
	if (!cJSON_IsObject(o) || !read_word(x, get(o, "from"), WAYS, NAMES_OF(WAYS), &to->way) || !read_count(x, o, "only", &to->only)
	    || !read_count(x, o, "head", &to->head) || !read_count(x, o, "tail", &to->tail) || (over && !read_list(x, over, &to->over)))
		return cJSON_IsObject(o) ? false : bad(x, "expected a range");
	if (!over)
		to->over = (list_name){.argument = NULL};
	if (but)
		to->but = (list_name){.item = -1, .kind = LIST_ITEMS};
	return !but || read_argument(x, but, &to->but.argument);
}

/* {"range":…,"is":…} */
static bool read_line(reader *x, const cJSON *o, bool condition, template *t, bool *asks, index_range *where)
{
	*t = (template){.n = 0};
	x->t = t;
	x->asks = asks;
	x->size = 0;
	x->outputs = condition;
	if (!cJSON_IsObject(o))
		return bad(x, "expected {\"range\":…,\"is\":…}");
	bool ok = read_range(x, get(o, "range"), where) && (t->e = read_expr(x, get(o, "is"), condition, 0));
	x->outputs = false;
	if (!ok)
		return false;
	for (int k = 0; k < t->n && where->way == RANGE_NONE; k++)
		if (t->refs[k].base == AT_INDEX)
			return bad(x, "a position i without a range");
	return true;
}

/* ---- cases */

/* An argument of the API that the signatures of this rule need not have. */
static bool read_foreign(const reader *x, const cJSON *item, const char **to)
{
	if (!cJSON_IsString(item) || !is_identifier(item->valuestring))
		return bad(x, "the argument of a guard is an identifier");
	*to = need(arena_strdup(x->r->calls.memory, item->valuestring), strlen(item->valuestring));
	return true;
}

static bool read_term(const reader *x, const cJSON *o, guard_term *to)
{
	const cJSON *value = get(o, "value");
	uint8_t aspect = 0;
	if (!cJSON_IsObject(o) || !read_foreign(x, get(o, "argument"), &to->argument)
	    || !read_word(x, get(o, "is"), ASPECT_NAMES, NAMES_OF(ASPECT_NAMES), &aspect))
		return cJSON_IsObject(o) ? false : bad(x, "expected a term of a guard");
	to->aspect = (enum guard_aspect)aspect;
	to->differs = cJSON_IsTrue(get(o, "not"));
	if (!cJSON_IsString(value) || strlen(value->valuestring) >= sizeof to->value)
		return bad(x, "a guard's value is a text of less than %zu bytes", sizeof to->value);
	strcpy(to->value, value->valuestring);
	return true;
}

static bool read_guard(const reader *x, const cJSON *item, api_guard *to)
{
	*to = (api_guard){.kind = FOR_ALL};
	if (!item)
		return true;
	if (cJSON_IsString(item) && strcmp(item->valuestring, "signatures") == 0) {
		to->kind = FOR_SIGNATURES;
		return true;
	}
	int n = cJSON_IsArray(item) ? cJSON_GetArraySize(item) : 0;
	if (n < 1 || n > GUARD_TERMS)
		return bad(x, "a guard has 1 to %d terms", GUARD_TERMS);
	to->kind = FOR_GUARDED;
	to->g.n = n;
	for (int k = 0; k < n; k++)
		if (!read_term(x, cJSON_GetArrayItem(item, k), &to->g.terms[k]))
			return false;
	return true;
}

/* The signatures of a case. A signature may be in one case of a kind only. */
static bool read_members(const reader *x, const cJSON *list, bool shape, bool **to, int *count)
{
	const api_calls *f = &x->r->calls;
	const cJSON *item;
	*to = NEED_ARRAY(f->memory, bool, f->n);
	*count = 0;
	if (!cJSON_IsArray(list))
		return bad(x, "expected the signatures of a case");
	cJSON_ArrayForEach(item, list) {
		int i = 0;
		while (i < f->n && cJSON_IsString(item) && strcmp(f->forms[i].of.name, item->valuestring) != 0)
			i++;
		if (!cJSON_IsString(item) || i == f->n)
			return bad(x, "\"%.80s\" is no signature of the rule", cJSON_IsString(item) ? item->valuestring : "");
		if ((*to)[i] || (shape ? api_rule_shape_case(x->r, i) : api_rule_accept_case(x->r, i)) >= 0)
			return bad(x, "\"%.80s\" is in two cases", item->valuestring);
		(*to)[i] = true;
		++*count;
	}
	return *count > 0 || bad(x, "a case without signatures");
}

/* The array of a key, with at most `most` items. */
static const cJSON *array_of(const reader *x, const cJSON *o, const char *key, int most)
{
	const cJSON *list = cJSON_IsObject(o) ? get(o, key) : NULL;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > most)
		return bad(x, "\"%s\": expected an array of at most %d items", key, most), NULL;
	return list;
}

/* Rejections in each signature of the case; unknown without the key. */
static bool read_evidence(const reader *x, const cJSON *o, const api_clauses *of, api_clause *to)
{
	const cJSON *list = get(o, "rejects"), *item = list ? list->child : NULL, *alone = get(o, "alone");
	if (!list)
		return true;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != of->nmembers || !cJSON_IsNumber(alone))
		return bad(x, "\"rejects\": expected %d numbers, and \"alone\"", of->nmembers);
	to->rejects = NEED_ARRAY(x->r->calls.memory, int, x->r->calls.n);
	for (int i = 0; i < x->r->calls.n; i++) {
		if (!of->members[i])
			continue;
		to->rejects[i] = item->valueint;
		item = item->next;
	}
	to->alone = alone->valueint;
	to->empty = cJSON_IsTrue(get(o, "empty"));
	return true;
}

static bool read_accept(reader *x, const cJSON *o, api_clauses *to, api_guard *guard)
{
	const cJSON *list = array_of(x, o, "clauses", MOST_LINES), *item;
	*to = (api_clauses){.n = 0};
	if (!list || !read_guard(x, get(o, "guard"), guard) || !read_members(x, get(o, "signatures"), false, &to->members, &to->nmembers))
		return false;
	to->list = NEED_ARRAY(x->r->calls.memory, api_clause, cJSON_GetArraySize(list));
	cJSON_ArrayForEach(item, list) {
		api_clause *c = &to->list[to->n++];
		if (!read_line(x, item, true, &c->t, c->asks, &c->where) || !read_evidence(x, item, to, c))
			return false;
		if (c->where.way != RANGE_NONE && !c->where.over.argument && !c->where.only)
			return bad(x, "the range of a clause is over a list");
	}
	return true;
}

static bool read_whole(const reader *x, const cJSON *o, whole_shape *to)
{
	/* minimum and maximum number of lists */
	static const uint8_t LEAST[] = {1, 2, 2, 2, 2, 3, 2, 3, 2, 1, 3}, MOST[] = {1, 3, 2, 3, 3, 3, 2, 3, 2, 1, 3};
	const cJSON *list = array_of(x, o, "of", MAX_WHOLE), *item;
	*to = (whole_shape){.of = 0};
	if (!list || !read_word(x, get(o, "shape"), WHOLE_NAMES, NAMES_OF(WHOLE_NAMES), &to->kind))
		return false;
	cJSON_ArrayForEach(item, list) if (!read_list(x, item, &to->lists[to->of++])) return false;
	int16_t cut = 0;
	if ((get(o, "otherwise") && !read_word(x, get(o, "otherwise"), OTHERWISE_NAMES, NAMES_OF(OTHERWISE_NAMES), &to->otherwise))
	    || !read_count(x, o, "cut", &cut))
		return false;
	to->cut = (uint8_t)cut;
	to->one = cJSON_IsTrue(get(o, "one"));
	bool number = to->kind == WHOLE_SET || to->kind == WHOLE_INSERT;
	if (to->of < LEAST[to->kind] || to->of > MOST[to->kind] || (number && to->one != (to->of == 2)))
		return bad(x, "the shape \"%s\" of %d lists", WHOLE_NAMES[to->kind], to->of);
	if (to->cut && to->kind != WHOLE_SAME && to->kind != WHOLE_BROADCAST)
		return bad(x, "a cut is of \"same\" and \"broadcast\"");
	return true;
}

static bool read_rank(const reader *x, const cJSON *o, output_rank *to)
{
	const cJSON *list, *item;
	int16_t plus = 0;
	*to = (output_rank){.known = false};
	if (!o)
		return true;
	if (!(list = array_of(x, o, "lists", 2)) || !read_number(x, get(o, "plus"), -LIST_LENGTH, LIST_LENGTH, &plus))
		return false;
	cJSON_ArrayForEach(item, list) if (!read_list(x, item, &to->lists[to->n++])) return false;
	to->plus = plus;
	to->known = true;
	return true;
}

static bool read_tensor(reader *x, const cJSON *o, tensor_shape *to)
{
	*to = (tensor_shape){.is_whole = cJSON_IsObject(o) && get(o, "shape")};
	if (to->is_whole && !read_whole(x, o, &to->whole))
		return false;
	if (to->is_whole && !to->whole.cut)
		return !get(o, "dims") || bad(x, "\"dims\" beside a whole shape without a cut");
	const cJSON *list = array_of(x, o, "dims", MAX_LINES), *item;
	if (!list || !read_rank(x, get(o, "rank"), &to->rank))
		return false;
	cJSON_ArrayForEach(item, list) {
		shape_line *l = &to->lines[to->nlines++];
		if (!read_line(x, item, false, &l->t, NULL, &l->where))
			return false;
		if (l->where.way == RANGE_NONE || l->where.over.argument || l->where.but.argument)
			return bad(x, "the range of an output is over its own dimensions");
	}
	return true;
}

static bool read_shapes(reader *x, const cJSON *o, api_shapes *to, api_guard *guard)
{
	const cJSON *list = array_of(x, o, "outputs", UINT16_MAX), *item;
	const api_calls *f = &x->r->calls;
	*to = (api_shapes){.ntensors = 0};
	if (!list || !read_guard(x, get(o, "guard"), guard) || !read_members(x, get(o, "signatures"), true, &to->members, &to->nmembers))
		return false;
	to->tensors = NEED_ARRAY(f->memory, tensor_shape, cJSON_GetArraySize(list));
	cJSON_ArrayForEach(item, list) if (!read_tensor(x, item, &to->tensors[to->ntensors++])) return false;
	for (int i = 0; i < f->n; i++)
		if (to->members[i] && f->forms[i].of.call->nout != (int)to->ntensors)
			return bad(x, "\"%.80s\" has %d outputs, not %u", f->forms[i].of.name, f->forms[i].of.call->nout, to->ntensors);
	return true;
}

static bool read_defaults(const reader *x, const cJSON *o)
{
	api_calls *f = &x->r->calls;
	const cJSON *item;
	if (!cJSON_IsObject(o))
		return bad(x, "expected \"defaults\"");
	cJSON_ArrayForEach(item, o) {
		default_of d = {api_calls_name(f, item->string), NULL, 0};
		if (!d.argument || f->ndefaults == f->most_defaults)
			return bad(x, "a default of \"%.80s\", which no signature has", item->string);
		if (cJSON_IsString(item) && api_calls_name(f, item->valuestring))
			d.instead = api_calls_name(f, item->valuestring);
		else if (json_int64(item, &d.number) != JSON_INT)
			return bad(x, "a default is an argument or a whole number");
		f->defaults[f->ndefaults++] = d;
	}
	return true;
}

static bool read_rule(reader *x, const cJSON *o)
{
	api_rule *r = x->r;
	int16_t version;
	const cJSON *item;
	if (!cJSON_IsObject(o))
		return bad(x, "expected an object");
	if (!read_number(x, get(o, "version"), API_RULE_VERSION, API_RULE_VERSION, &version) || !read_defaults(x, get(o, "defaults")))
		return false;
	api_calls_place(&r->calls);
	const cJSON *accept = array_of(x, o, "accept", API_CASES), *shapes = accept ? array_of(x, o, "shapes", API_CASES) : NULL;
	if (!shapes)
		return false;
	cJSON_ArrayForEach(item, accept) {
		if (!read_accept(x, item, &r->accept[r->naccept], &r->accept_guards[r->naccept]))
			return false;
		r->naccept++;
	}
	cJSON_ArrayForEach(item, shapes) {
		if (!read_shapes(x, item, &r->shapes[r->nshapes], &r->shape_guards[r->nshapes]))
			return false;
		r->nshapes++;
	}
	return true;
}

api_rule *api_rule_read(arena *memory, expr_pool *pool, const cJSON *object, const api_signature *list, int n, const char *path, long line,
    diag *d)
{
	api_rule *r = NEED_ARRAY(memory, api_rule, 1);
	reader x = {.r = r, .path = path, .line = line, .d = d};
	r->calls = api_calls_of(memory, memory, pool, list, n);
	bool ok = read_rule(&x, object);
	api_calls_found(&r->calls);
	return ok ? r : NULL;
}
