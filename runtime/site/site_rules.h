/* A rules file (docs/reference/file-formats.md) for a site: the signatures of each API, by number. All texts are untrusted,
 * except names of APIs and frameworks, which are checked to be identifiers with dots, since they become file names. */
#ifndef SITE_RULES_H
#define SITE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <cjson/cJSON.h>

#include "diag.h"

typedef struct site_op {
	const char *name, *api, *framework, *version;
	const char *id, *why, *layer, *proof, *family; /* "" if missing */
	const cJSON *args, *outputs, *dtypes, *records;	/* arrays */
	const cJSON *out, *valid;		/* NULL without a rule */
	int nsym, passed, failed, number;
	bool thin;
	cJSON *json;
} site_op;

typedef struct site_api {
	const char *name, *framework, *version;
	const char *file; /* the name within its framework: "nn.functional.relu" */
	site_op *ops;
	size_t nops;
	int rules; /* number of API rules */
} site_api;

typedef struct site_rules {
	site_op *ops;
	size_t nops;
	site_api *apis; /* sorted by framework and name (bytes) */
	size_t napis;
} site_rules;

/* False and d (path:line: error: what): the file is malformed. Free the rules in any case. */
bool site_rules_read(site_rules *r, const char *path, diag *d);
void site_rules_free(site_rules *r);

/* NULL: there is none. */
const site_api *site_rules_find(const site_rules *r, const char *framework, const char *api);
/* "-3" of "torch.add-3". */
const char *site_op_number(const site_op *op);
/* Whether it represents an API rule. */
bool site_op_represents(const site_op *op);
/* The text at index i of an array, "" if it is not a text. */
const char *site_text(const cJSON *array, int i);

#endif
