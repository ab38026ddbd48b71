#include "rules.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"
#include "words.h"

char *rules_file(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	size_t room = 1 << 16, n = 0, got;
	char *p = f ? memory_new(room, 1) : NULL;
	while (p && (got = fread(p + n, 1, room - n - 1, f)) > 0) {
		n += got;
		if (room - n < 4096)
			p = memory_grow(p, room *= 2, 1);
	}
	if (f)
		fclose(f);
	if (p)
		p[n] = 0;
	*length = n;
	return p;
}

static const char *dtype_of(const cJSON *v)
{
	static const char *const NAMES[][2] = {{"bool", "b8"}, {"uint8", "u8"}, {"uint16", "u16"}, {"uint32", "u32"},
	    {"uint64", "u64"}, {"int8", "i8"}, {"int16", "i16"}, {"int32", "i32"}, {"int64", "i64"}, {"float16", "f16"},
	    {"bfloat16", "bf16"}, {"float32", "f32"}, {"float64", "f64"}, {"complex32", "c32"}, {"complex64", "c64"},
	    {"complex128", "c128"}, {"string", "str"}};
	const cJSON *d = cJSON_GetObjectItemCaseSensitive(v, "dtype");
	for (unsigned i = 0; cJSON_IsString(d) && i < sizeof NAMES / sizeof *NAMES; i++)
		if (!strcmp(d->valuestring, NAMES[i][0]))
			return NAMES[i][1];
	return "other";
}

static void say_symbols(words *w, const cJSON *list, audited_rule *r, bool dimensions)
{
	const cJSON *s;
	cJSON_ArrayForEach(s, list)
	{
		words_add(w, ",%s", cJSON_IsString(s) ? s->valuestring : "?");
		unsigned i = cJSON_IsString(s) ? (unsigned)atoi(s->valuestring + 1) : r->nsym;
		if (dimensions && i < r->nsym)
			r->dimension[i] = 1;
	}
}

static void say_value(words *w, const cJSON *v, audited_rule *r, int depth)
{
	const cJSON *tensor = cJSON_GetObjectItemCaseSensitive(v, "tensor"), *range = cJSON_GetObjectItemCaseSensitive(v, "range");
	const cJSON *constant = cJSON_GetObjectItemCaseSensitive(v, "const"), *item;
	if (cJSON_IsString(v)) {
		words_add(w, "I:%s", v->valuestring);
	} else if (cJSON_IsArray(v) && depth < 40) {
		words_add(w, "[");
		cJSON_ArrayForEach(item, v)
		{
			say_value(w, item, r, depth + 1);
			words_add(w, ";");
		}
		words_add(w, "]");
	} else if (tensor) {
		r->nin++;
		words_add(w, "%s:%s", range ? "R" : "T", dtype_of(v));
		say_symbols(w, tensor, r, true);
		say_symbols(w, range, r, false);
	} else if (constant) {
		words_add(w, "C:%s", cJSON_IsString(constant) ? constant->valuestring : "?");
	} else {
		words_add(w, "E:%s:", dtype_of(v));
		say_value(w, cJSON_GetObjectItemCaseSensitive(v, "elements"), r, depth + 1);
	}
}

static char *text_of(const cJSON *line, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(line, key);
	return cJSON_IsString(v) ? memory_text(v->valuestring) : NULL;
}

static unsigned count_of(const cJSON *line, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(line, key);
	return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 1e9 ? (unsigned)v->valuedouble : 0;
}

static char **texts_of(const cJSON *line, const char *key, unsigned *n)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, key), *v;
	char **text = memory_new((size_t)cJSON_GetArraySize(list) + 1, sizeof *text);
	*n = 0;
	cJSON_ArrayForEach(v, list) text[(*n)++] = memory_text(cJSON_IsString(v) ? v->valuestring : "");
	return text;
}

static void take_records(const cJSON *line, audited_rule *r)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "records"), *row, *v;
	unsigned width = r->nsym + r->nodim, n = 0;
	r->record = memory_new((size_t)cJSON_GetArraySize(list) * width + 1, sizeof *r->record);
	cJSON_ArrayForEach(row, list)
	{
		unsigned k = 0;
		cJSON_ArrayForEach(v, row)
		{
			if (k < width)
				r->record[n * width + k++] = v->valuedouble > 9e15 || v->valuedouble < -9e15 ? INT64_MAX : (int64_t)v->valuedouble;
		}
		n++;
	}
	r->nrecords = n;
}

static void take_outputs(const cJSON *line, audited_rule *r)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "outputs"), *v;
	cJSON_ArrayForEach(v, list)
	{
		unsigned rank = (unsigned)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(v, "tensor"));
		if (r->noutputs < 256)
			r->ranks[r->noutputs++] = (uint8_t)rank;
		r->nodim += rank;
	}
}

static bool take_rule(const cJSON *line, audited_rule *r)
{
	static words w;
	const cJSON *args = cJSON_GetObjectItemCaseSensitive(line, "args"), *a;
	r->op = text_of(line, "op");
	r->api = text_of(line, "api");
	r->framework = text_of(line, "framework");
	r->id = text_of(line, "id");
	r->why = text_of(line, "why");
	if (!r->op || !r->api || !r->framework)
		return false;
	r->nsym = count_of(line, "nsym");
	r->passed = count_of(line, "passed");
	r->failed = count_of(line, "failed");
	r->empty = count_of(line, "empty");
	r->outside = count_of(line, "outside");
	r->dimension = memory_new(r->nsym + 1, 1);
	r->valid = texts_of(line, "valid", &r->nvalid);
	r->out = texts_of(line, "out", &r->nout);
	w.n = 0;
	w.text[0] = 0;
	cJSON_ArrayForEach(a, args)
	{
		const cJSON *name = cJSON_GetObjectItemCaseSensitive(a, "name");
		bool by_position = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(a, "pos"));
		words_add(&w, "%s%s=", by_position ? "" : "*", cJSON_IsString(name) ? name->valuestring : "?");
		say_value(&w, cJSON_GetObjectItemCaseSensitive(a, "value"), r, 0);
		words_add(&w, "|");
	}
	r->call = memory_text(w.text);
	take_outputs(line, r);
	take_records(line, r);
	return true;
}

static int by_op(const void *a, const void *b)
{
	return strcmp(((const audited_rule *)a)->op, ((const audited_rule *)b)->op);
}

audited_rule *rules_find(const rules *r, const char *op)
{
	audited_rule key = {.op = (char *)op};
	return bsearch(&key, r->rule, r->n, sizeof key, by_op);
}

bool rules_read(const char *path, rules *into)
{
	size_t length;
	unsigned room = 1024, line = 0;
	char *text = rules_file(path, &length);
	if (!text) {
		fprintf(stderr, "%s: error: cannot read the file\n", path);
		return false;
	}
	*into = (rules){memory_new(room, sizeof *into->rule), 0};
	for (char *p = text, *end; *p; p = end + (*end == '\n')) {
		end = p + strcspn(p, "\n");
		line++;
		cJSON *j = cJSON_ParseWithLength(p, (size_t)(end - p));
		bool header = line == 1 && cJSON_GetObjectItemCaseSensitive(j, "rules");
		audited_rule r = {.hash = XXH3_64bits(p, (size_t)(end - p))};
		if (!header && (!cJSON_IsObject(j) || !take_rule(j, &r))) {
			fprintf(stderr, "%s:%u: error: no rule\n", path, line);
			return false;
		}
		cJSON_Delete(j);
		if (header)
			continue;
		if (into->n == room)
			into->rule = memory_grow(into->rule, (room *= 2), sizeof *into->rule);
		into->rule[into->n++] = r;
	}
	free(text);
	qsort(into->rule, into->n, sizeof *into->rule, by_op);
	return true;
}
