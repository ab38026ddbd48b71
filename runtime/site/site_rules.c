#include "site_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "framework.h"
#include "json.h"
#include "room.h"

enum { LONGEST_NAME = 200 }; /* maximum length of an API name, which becomes a file name */

const char *site_text(const cJSON *array, int i)
{
	const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(array, i));
	return text ? text : "";
}

const char *site_op_number(const site_op *op)
{
	const char *dash = strrchr(op->name, '-');
	return dash ? dash : op->name;
}

bool site_op_represents(const site_op *op)
{
	return op->out && strcmp(op->family, op->name) == 0;
}

/* Identifiers with dots in between. */
static bool is_dotted(const char *text)
{
	size_t length = strlen(text);
	bool begins = true;
	for (const char *p = text; *p; p++) {
		if (*p == '.' ? begins : !(isalpha((unsigned char)*p) || *p == '_' || (!begins && isdigit((unsigned char)*p))))
			return false;
		begins = *p == '.';
	}
	return length && !begins && length <= LONGEST_NAME;
}

static bool texts_only(const cJSON *array)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, array)
		if (!cJSON_IsString(item))
			return false;
	return true;
}

/* Reads the rule, if there is one. */
static bool read_rule(site_op *op, const char *path, long line, diag *d)
{
	op->out = cJSON_GetObjectItemCaseSensitive(op->json, "out");
	op->valid = cJSON_GetObjectItemCaseSensitive(op->json, "valid");
	if (!op->out && !op->valid)
		return true;
	if (!cJSON_IsArray(op->out) || !cJSON_IsArray(op->valid) || !texts_only(op->out) || !texts_only(op->valid))
		return diag_at(d, path, line, "keys \"out\" and \"valid\": expected two lists of strings");
	return true;
}

static int count_of(const cJSON *json, const char *key)
{
	int64_t n = 0;
	return json_int64(cJSON_GetObjectItemCaseSensitive(json, key), &n) == JSON_INT && n >= 0 && n < 1000000000 ? (int)n : 0;
}

static bool read_names(site_op *op, const char *path, long line, diag *d)
{
	if (!(op->name = json_string(op->json, "op", path, line, d)) || !(op->api = json_string(op->json, "api", path, line, d))
	    || !(op->framework = json_string(op->json, "framework", path, line, d)))
		return false;
	if (!is_dotted(op->api))
		return diag_at(d, path, line, "key \"api\": expected identifiers separated by dots, at most %d bytes", LONGEST_NAME);
	if (!is_dotted(op->framework) || strchr(op->framework, '.'))
		return diag_at(d, path, line, "key \"framework\": not an identifier");
	size_t length = strlen(op->api);
	if (strncmp(op->name, op->api, length) != 0 || op->name[length] != '-' || !isdigit((unsigned char)op->name[length + 1]))
		return diag_at(d, path, line, "key \"op\": expected the API's name, '-' and a number");
	op->number = atoi(op->name + length + 1);
	return true;
}

static bool read_op(site_op *op, const char *path, long line, diag *d)
{
	if (!read_names(op, path, line, d) || !(op->args = json_array(op->json, "args", path, line, d))
	    || !(op->outputs = json_array(op->json, "outputs", path, line, d)) || !read_rule(op, path, line, d))
		return false;
	int64_t nsym;
	if (json_int64(cJSON_GetObjectItemCaseSensitive(op->json, "nsym"), &nsym) != JSON_INT || nsym < 0 || nsym > UINT16_MAX)
		return diag_at(d, path, line, "key \"nsym\": expected a number of symbols");
	op->nsym = (int)nsym;
	op->version = json_text(op->json, "version");
	op->id = json_text(op->json, "id");
	op->why = json_text(op->json, "why");
	op->layer = json_text(op->json, "layer");
	op->proof = json_text(op->json, "proof");
	op->family = json_text(op->json, "family");
	op->passed = count_of(op->json, "passed");
	op->failed = count_of(op->json, "failed");
	op->thin = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(op->json, "thin"));
	op->dtypes = cJSON_GetObjectItemCaseSensitive(op->json, "dtypes");
	op->records = cJSON_GetObjectItemCaseSensitive(op->json, "records");
	return true;
}

static bool add(site_rules *r, size_t *room, cJSON *json, const char *path, long line, diag *d)
{
	site_op *ops = room_for_one(r->ops, r->nops, room, sizeof *ops);
	if (!ops) {
		cJSON_Delete(json);
		return diag_set(d, "out of memory");
	}
	r->ops = ops;
	site_op *op = &r->ops[r->nops++];
	*op = (site_op){.json = json};
	return read_op(op, path, line, d);
}

static bool read_lines(site_rules *r, jsonl *j, diag *d)
{
	size_t room = 0;
	int got;
	bool header = false;
	while ((got = jsonl_next(j, d)) > 0) {
		cJSON *json = json_parse(j->line, j->path, j->number, d);
		if (!json)
			return false;
		if (!header) {
			header = cJSON_HasObjectItem(json, "rules");
			cJSON_Delete(json);
			if (!header)
				return diag_at(d, j->path, j->number, "no header: not a file of rules");
			continue;
		}
		if (!add(r, &room, json, j->path, j->number, d))
			return false;
	}
	return got == 0 && (header || diag_at(d, j->path, 0, "no header: not a file of rules"));
}

static int by_api(const void *a, const void *b)
{
	const site_op *x = a, *y = b;
	int order = strcmp(x->framework, y->framework);
	order = order ? order : strcmp(x->api, y->api);
	order = order ? order : (x->number > y->number) - (x->number < y->number);
	return order ? order : strcmp(x->name, y->name);
}

static site_api api_of(site_op *op)
{
	const char *inside = framework_inside(op->framework, op->api);
	return (site_api){.name = op->api, .framework = op->framework, .version = op->version,
	    .file = inside ? inside : op->api, .ops = op};
}

static bool group(site_rules *r, const char *path, diag *d)
{
	if (!(r->apis = calloc(r->nops + 1, sizeof *r->apis)))
		return diag_set(d, "out of memory");
	if (r->nops)
		qsort(r->ops, r->nops, sizeof *r->ops, by_api);
	for (size_t i = 0; i < r->nops; i++) {
		site_op *op = &r->ops[i];
		if (i && by_api(op, op - 1) == 0)
			return diag_at(d, path, 0, "duplicate signature %.200s", op->name);
		if (!i || strcmp(op->api, op[-1].api) != 0 || strcmp(op->framework, op[-1].framework) != 0)
			r->apis[r->napis++] = api_of(op);
		r->apis[r->napis - 1].nops++;
		r->apis[r->napis - 1].rules += site_op_represents(op);
	}
	return true;
}

bool site_rules_read(site_rules *r, const char *path, diag *d)
{
	jsonl j;
	*r = (site_rules){0};
	if (!jsonl_open(&j, path, d))
		return false;
	bool ok = read_lines(r, &j, d) && group(r, path, d);
	jsonl_close(&j);
	return ok;
}

void site_rules_free(site_rules *r)
{
	for (size_t i = 0; i < r->nops; i++)
		cJSON_Delete(r->ops[i].json);
	free(r->ops);
	free(r->apis);
	*r = (site_rules){0};
}

const site_api *site_rules_find(const site_rules *r, const char *framework, const char *api)
{
	size_t low = 0, high = r->napis;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(r->apis[middle].framework, framework);
		order = order ? order : strcmp(r->apis[middle].name, api);
		if (order == 0)
			return &r->apis[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
