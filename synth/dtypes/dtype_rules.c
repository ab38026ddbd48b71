#include "dtype_rules.h"

#include <stdlib.h>
#include <string.h>

#include "fit_dtypes.h"
#include "need.h"

static int by_name(const void *name, const void *api)
{
	return strcmp(name, ((const dtype_api *)api)->name);
}

static void fit_api(dtype_rules *to, const dtype_trials *t, const dtype_api *api, const dtype_table *promotion, int op)
{
	arena *scratch = arena_new();
	buf text = {0};
	const dtype_rule *r = fit_dtypes(scratch, t, api, promotion);
	to->apis++;
	if (r) {
		to->rules++;
		dtype_rule_write(&text, r);
		to->json[op] = keep(to->memory, &text);
	}
	buf_free(&text);
	arena_free(scratch);
}

static bool fit_table(dtype_rules *to, const records *r, const int *list, int n, const char *path, diag *d)
{
	dtype_trials t;
	bool ok = dtype_trials_read(&t, path, d);
	const dtype_table *promotion = ok ? fit_dtypes_promotion(to->memory, &t) : NULL;
	for (int k = 0; ok && t.napis && k < n; k++) {
		const char *name = r->ops[list[k]].api;
		if (k && strcmp(name, r->ops[list[k - 1]].api) == 0)
			continue;
		const dtype_api *api = bsearch(name, t.apis, (size_t)t.napis, sizeof *t.apis, by_name);
		if (api)
			fit_api(to, &t, api, promotion, list[k]);
	}
	dtype_trials_free(&t);
	return ok;
}

bool dtype_rules_fit(dtype_rules *to, const records *r, const int *list, int n, const char *const *paths, int npaths, diag *d)
{
	bool ok = true;
	*to = (dtype_rules){.memory = arena_new()};
	to->json = NEED_ARRAY(to->memory, const char *, r->n);
	for (int k = 0; ok && k < npaths; k++)
		ok = fit_table(to, r, list, n, paths[k], d);
	return ok;
}

void dtype_rules_free(dtype_rules *d)
{
	arena_free(d->memory);
	*d = (dtype_rules){0};
}
