#include "ort.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct api_base {
	const void *const *(*api)(uint32_t version);
	const char *(*version)(void);
} api_base;

/* ---- location */

/* The last file that matches a pattern: that of the newest Python. */
static bool last_match(char path[PATH_MAX], const char *pattern)
{
	glob_t found;
	bool some = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
	if (some)
		some = snprintf(path, PATH_MAX, "%s", found.gl_pathv[found.gl_pathc - 1]) < PATH_MAX;
	globfree(&found);
	return some;
}

bool ort_find(char path[PATH_MAX], const char *python)
{
	char pattern[PATH_MAX];
	const char *given = getenv("RULEFUZZ_ONNXRUNTIME"), *slash = strrchr(python, '/');
	if (given && *given)
		return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
	return slash
	       && snprintf(pattern, sizeof pattern,
		      "%.*s/../lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*",
		      (int)(slash - python), python)
			  < PATH_MAX
	       && last_match(path, pattern);
}

/* ---- loading */

/* ISO C cannot cast the address of an object to that of a function; copying it works. */
static void take_slots(ort_calls *to, const void *const *table)
{
#define X(slot, name, result, takes) memcpy(&to->name, &table[slot], sizeof to->name);
	ORT_CALLS(X)
#undef X
}

/* Returns an entry of the table of a version of the interface; NULL if the library is older. */
static const void *later_slot(const api_base *base, unsigned since, size_t slot)
{
	const void *const *table = base->api(since);
	return table ? table[slot] : NULL;
}

static void take_later(ort_calls *to, const api_base *base)
{
	const void *found;
#define X(slot, since, name, result, takes)                                                                                  \
	found = later_slot(base, since, slot);                                                                               \
	memcpy(&to->name, &found, sizeof to->name);
	ORT_LATER_CALLS(X)
#undef X
}

static bool take_api(ort *o, const char *path, diag *d)
{
	const api_base *(*base)(void);
	void *symbol = dlsym(o->library, "OrtGetApiBase");
	if (!symbol)
		return diag_at(d, path, 0, "it has no OrtGetApiBase");
	memcpy(&base, &symbol, sizeof base);
	o->version = base()->version();
	const void *const *table = base()->api(ORT_API);
	if (!table)
		return diag_at(d, path, 0, "onnxruntime %s does not have version %d of its API", o->version, ORT_API);
	take_slots(&o->call, table);
	take_later(&o->call, base());
	return true;
}

bool ort_open(ort *o, const char *path, diag *d)
{
	*o = (ort){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
	if (!o->library)
		return diag_set(d, "%s", dlerror());
	if (take_api(o, path, d))
		return true;
	ort_close(o);
	return false;
}

void ort_close(ort *o)
{
	if (o->library)
		dlclose(o->library);
	o->library = NULL;
}

bool ort_well(const ort *o, ort_status *status, int *code, diag *d)
{
	if (code)
		*code = status ? o->call.error_code(status) : 0;
	if (!status)
		return true;
	diag_set(d, "%s", o->call.error_message(status));
	o->call.release_status(status);
	return false;
}

bool ort_options_new(const ort *o, int log_level, int optimisation, ort_options **to, diag *d)
{
	const ort_calls *c = &o->call;
	*to = NULL;
	if (!ort_well(o, c->create_options(to), NULL, d))
		return false;
	ort_status *const set[] = {c->set_log_level(*to, log_level), c->set_threads_within(*to, 1),
	    c->set_threads_between(*to, 1), c->set_optimisation(*to, optimisation)};
	bool well = true;
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		well &= ort_well(o, set[i], NULL, d);
	return well;
}
