#include "page.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

struct page {
	cJSON *tree;
	const cJSON *arguments, *defaults, *outputs, *clauses;
};

page *page_read(const char *json)
{
	page *p = need(calloc(1, sizeof *p), sizeof *p);
	p->tree = json ? need(cJSON_Parse(json), strlen(json)) : NULL; /* cannot fail: cJSON printed the text */
	p->arguments = cJSON_GetObjectItemCaseSensitive(p->tree, "arguments");
	p->defaults = cJSON_GetObjectItemCaseSensitive(p->tree, "defaults");
	p->outputs = cJSON_GetObjectItemCaseSensitive(p->tree, "outputs");
	p->clauses = cJSON_GetObjectItemCaseSensitive(p->tree, "clauses");
	return p;
}

void page_free(page *p)
{
	cJSON_Delete(p->tree);
	free(p);
}

static const char *text_at(const cJSON *list, int k)
{
	const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(list, k));
	return text ? text : "";
}

int page_arguments(const page *p)
{
	return cJSON_GetArraySize(p->arguments);
}

const char *page_argument(const page *p, int k)
{
	return text_at(p->arguments, k);
}

int page_defaults(const page *p)
{
	return cJSON_GetArraySize(p->defaults);
}

const char *page_default(const page *p, int k, const char **argument)
{
	const cJSON *item = cJSON_GetArrayItem(p->defaults, k);
	const char *text = cJSON_GetStringValue(item);
	*argument = item && item->string ? item->string : "";
	return text ? text : "";
}

int page_outputs(const page *p)
{
	return cJSON_GetArraySize(p->outputs);
}

const char *page_output(const page *p, int k)
{
	return text_at(p->outputs, k);
}

int page_clauses(const page *p)
{
	return cJSON_GetArraySize(p->clauses);
}

static int count(const cJSON *clause, const char *key)
{
	const cJSON *n = cJSON_GetObjectItemCaseSensitive(clause, key);
	return cJSON_IsNumber(n) ? n->valueint : -1;
}

page_clause page_clause_at(const page *p, int k)
{
	const cJSON *clause = cJSON_GetArrayItem(p->clauses, k);
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(clause, "text"));
	bool overfitted = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(clause, "fitted"));
	bool empty = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(clause, "empty"));
	return (page_clause){text ? text : "", count(clause, "refused"), count(clause, "alone"), count(clause, "passed"), empty, overfitted};
}
