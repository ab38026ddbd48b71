#include "other_dtypes.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "need.h"

static const char *const DTYPES[] = {"bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
    "complex64", "complex128"};
enum { NDTYPES = sizeof DTYPES / sizeof *DTYPES };

/* The index in DTYPES of a plain tensor's dtype; -1: no plain tensor, or another dtype. */
static int dtype_of(const cJSON *value)
{
	const char *dtype = json_text(value, "dtype");
	if (!cJSON_HasObjectItem(value, "tensor") || cJSON_HasObjectItem(value, "range"))
		return -1;
	for (int k = 0; k < NDTYPES; k++)
		if (strcmp(DTYPES[k], dtype) == 0)
			return k;
	return -1;
}

static void count_dtypes(const cJSON *value, int *counts)
{
	const cJSON *item;
	int k = cJSON_IsObject(value) ? dtype_of(value) : -1;
	if (k >= 0)
		counts[k]++;
	if (cJSON_IsArray(value))
		cJSON_ArrayForEach(item, value) count_dtypes(item, counts);
}

static void replace_dtype(cJSON *value, int from, int to)
{
	cJSON *item;
	if (cJSON_IsObject(value) && dtype_of(value) == from)
		cJSON_ReplaceItemInObjectCaseSensitive(value, "dtype", cJSON_CreateString(DTYPES[to]));
	if (cJSON_IsArray(value))
		cJSON_ArrayForEach(item, value) replace_dtype(item, from, to);
}

static int commonest(const cJSON *args)
{
	int counts[NDTYPES] = {0}, best = -1;
	const cJSON *arg;
	cJSON_ArrayForEach(arg, args) count_dtypes(cJSON_GetObjectItemCaseSensitive(arg, "value"), counts);
	for (int k = 0; k < NDTYPES; k++)
		if (counts[k] && (best < 0 || counts[k] > counts[best]))
			best = k;
	return best;
}

static const int64_t *smallest(const operator *op)
{
	const int64_t *best = NULL;
	int64_t least = INT64_MAX;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *x = passing_record(op, k);
		int64_t size = 0;
		for (int i = 0; i < op->nsym; i++)
			size += op->roles[i].kind == ROLE_DIM && x[i] == 0 ? 1 << 20 : llabs(x[i] % 4096);
		if (size < least) {
			least = size;
			best = x;
		}
	}
	return best;
}

/* The signature with dtype `to` in place of `from`. NULL: it is no valid signature. */
static const operator *with_dtype(const operator *op, const cJSON *args, int from, int to, arena *memory)
{
	operator *other = NEED_ARRAY(memory, operator, 1);
	call *c = NEED_ARRAY(memory, call, 1);
	cJSON *object = cJSON_CreateObject(), *copy = cJSON_Duplicate(args, true), *arg;
	cJSON_ArrayForEach(arg, copy) replace_dtype(cJSON_GetObjectItemCaseSensitive(arg, "value"), from, to);
	char *text = need(cJSON_PrintUnformatted(copy), 1);
	cJSON_AddItemToObject(object, "args", copy);
	cJSON_AddItemToObject(object, "outputs", need(cJSON_Parse(op->outputs), 1));
	*other = *op;
	other->args = need(arena_strdup(memory, text), 1);
	other->name = need(arena_printf(memory, "%s:%s", op->name, DTYPES[to]), 1);
	other->call = c;
	bool ok = call_read(c, memory, object, op->path, op->line, NULL);
	free(text);
	cJSON_Delete(object);
	return ok ? other : NULL;
}

static void add_operator(asked_calls *a, const operator *op)
{
	cJSON *args = cJSON_Parse(op->args);
	int from = commonest(args);
	const int64_t *x = smallest(op);
	for (int to = 0; x && from >= 0 && to < NDTYPES; to++) {
		const operator *other = to != from ? with_dtype(op, args, from, to, a->memory) : NULL;
		if (other)
			asked_calls_append(a, other, x);
	}
	cJSON_Delete(args);
}

void asked_calls_add_dtypes(asked_calls *a, const asked_options *o)
{
	const char *api = "";
	int n = 0;
	for (int i = 0; i < a->records->n; i++) {
		const operator *op = &a->records->ops[i];
		if (strcmp(api, op->api) != 0) {
			api = op->api;
			n = 0;
		}
		if (!op->npass || n == DTYPE_OPERATORS || (o->op && fnmatch(o->op, op->name, 0) != 0))
			continue;
		n++;
		add_operator(a, op);
	}
}
