/* A rules file (docs/reference/file-formats.md) as a site needs it: the call forms of each API, in the order of their numbers.
 * Texts are the file's and anybody's, but for names of APIs and frameworks: those are identifiers, so that they may be names
 * of files. */
#ifndef SITE_RULES_H
#define SITE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <cjson/cJSON.h>

#include "diag.h"

typedef struct site_op {
	const char *name, *api, *framework, *version;
	const char *id, *why, *layer, *proof, *family; /* "": not there */
	const cJSON *args, *outputs, *dtypes, *records;	/* arrays */
	const cJSON *out, *valid, *page;		/* NULL without a rule; the page of who leads a family */
	int nsym, passed, failed, number;
	bool thin;
	cJSON *json;
} site_op;

typedef struct site_api {
	const char *name, *framework, *version;
	const char *file; /* its name within its framework: "nn.functional.relu" */
	site_op *ops;
	size_t nops;
	int rules; /* families */
} site_api;

typedef struct site_rules {
	site_op *ops;
	size_t nops;
	site_api *apis; /* sorted by framework and name (bytes) */
	size_t napis;
} site_rules;

/* False and d (path:line: error: what) for a file that is none. Free it in any case. */
bool site_rules_read(site_rules *r, const char *path, diag *d);
void site_rules_free(site_rules *r);

/* NULL: there is none. */
const site_api *site_rules_find(const site_rules *r, const char *framework, const char *api);
/* "-3" of "torch.add-3". */
const char *site_op_number(const site_op *op);
/* The text at i of an array of texts, "" where it is none. */
const char *site_text(const cJSON *array, int i);

#endif
