#include "rulesmith.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- loading */

static const char *check_abi(uint32_t abi)
{
	if (abi > RS_ABI)
		return "the rule table is newer than this program: update rulefuzz and "
		       "librulesmith";
	if (abi < RS_ABI_OLDEST)
		return "the rule table is older than this program supports: run 'make rules' and "
		       "build it again";
	return NULL;
}

const char *rs_library_check(const rs_library *lib)
{
	const char *why = check_abi(lib->abi);
	/* From here on the layout of rs_library is known; the layout of a table only after its own check. */
	for (uint32_t i = 0; !why && i < lib->ntables; i++)
		why = check_abi(lib->tables[i]->abi);
	return why;
}

const char *rs_library_abi(uint32_t wanted)
{
	if (wanted > RS_LIBRARY_ABI)
		return "librulesmith is older than the program: update librulesmith";
	if (wanted < RS_LIBRARY_ABI)
		return "the program is older than librulesmith: build it again with the headers of this one";
	return NULL;
}

const rs_library *rs_library_load(const char *path, char *message, size_t size)
{
	char here[4096];
	if (!strchr(path, '/')) { /* dlopen searches system folders for a name without a slash */
		snprintf(here, sizeof here, "./%s", path);
		path = here;
	}
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		snprintf(message, size, "cannot load the rules: %s", dlerror());
		return NULL;
	}
	const rs_library *lib = dlsym(handle, "rs_rules");
	if (!lib) {
		snprintf(message, size, "%s: holds no rules (no symbol rs_rules)", path);
		dlclose(handle);
		return NULL;
	}
	const char *why = rs_library_check(lib);
	if (!why)
		return lib;
	snprintf(message, size, "%s: %s (its ABI is %u, this program reads %d to %d)", path, why,
	    (unsigned)lib->abi, RS_ABI_OLDEST, RS_ABI);
	dlclose(handle);
	return NULL;
}

/* ---- finding */

const rs_table *rs_library_table(const rs_library *lib, const char *framework)
{
	for (uint32_t i = 0; i < lib->ntables; i++)
		if (strcmp(lib->tables[i]->framework, framework) == 0)
			return lib->tables[i];
	return NULL;
}

const rs_op *rs_table_find(const rs_table *table, const char *name)
{
	uint32_t low = 0, high = table->nops;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(name, table->ops[middle].name);
		if (order == 0)
			return &table->ops[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const rs_op *rs_library_find(const rs_library *lib, const char *name)
{
	const rs_op *op = NULL;
	for (uint32_t i = 0; !op && i < lib->ntables; i++)
		op = rs_table_find(lib->tables[i], name);
	return op;
}

/* ---- element types */

static const struct dtype_info {
	const char *name;
	unsigned bytes;
} DTYPES[RS_DTYPE_COUNT] = {
#define X(NAME, text, bytes) [RS_##NAME] = {text, bytes},
    RS_DTYPES(X)
#undef X
};

const char *rs_dtype_name(rs_dtype dtype)
{
	return (unsigned)dtype < RS_DTYPE_COUNT ? DTYPES[dtype].name : DTYPES[RS_OTHER].name;
}

rs_dtype rs_dtype_parse(const char *name)
{
	for (int i = 0; i < RS_DTYPE_COUNT; i++)
		if (strcmp(name, DTYPES[i].name) == 0)
			return (rs_dtype)i;
	return RS_OTHER;
}

unsigned rs_dtype_size(rs_dtype dtype)
{
	return (unsigned)dtype < RS_DTYPE_COUNT ? DTYPES[dtype].bytes : 0;
}

/* ---- classes of element values */

static const char *const VALUES[RS_VALUES_COUNT] = {
    "unit", "positive", "small", "large", "finite", "any"};

const char *rs_values_name(uint8_t values)
{
	return VALUES[values < RS_VALUES_COUNT ? values : RS_VALUES_ANY];
}

int rs_values_parse(const char *name)
{
	for (int i = 0; i < RS_VALUES_COUNT; i++)
		if (strcmp(name, VALUES[i]) == 0)
			return i;
	return -1;
}
