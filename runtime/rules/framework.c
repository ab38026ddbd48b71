#include "framework.h"

#include <stdlib.h>
#include <string.h>

#include "rulesmith.h"

typedef struct framework {
	const char *name, *module, *requirements, *dialect;
} framework;

static const framework FRAMEWORKS[] = {
#define FRAMEWORK(name, module, requirements, dialect) {#name, module, requirements, dialect},
#include "frameworks.def"
#undef FRAMEWORK
};

enum { COUNT = sizeof FRAMEWORKS / sizeof *FRAMEWORKS };

static const framework *find(const char *name)
{
	for (int i = 0; i < COUNT; i++)
		if (strcmp(FRAMEWORKS[i].name, name) == 0)
			return &FRAMEWORKS[i];
	return NULL;
}

const char *framework_default(void)
{
	return FRAMEWORKS[0].name;
}

const char *framework_at(size_t i)
{
	return i < COUNT ? FRAMEWORKS[i].name : NULL;
}

void framework_put_names(FILE *out)
{
	for (int i = 0; i < COUNT; i++)
		fprintf(out, "%s%s", !i ? "" : i + 1 < COUNT ? ", " : " or ", FRAMEWORKS[i].name);
}

const char *framework_dialect(const char *name)
{
	const framework *f = find(name);
	return f ? f->dialect : "";
}

const char *framework_requirements(const char *name)
{
	const framework *f = find(name);
	return f ? f->requirements : "";
}

bool framework_has_files(const char *name)
{
	const framework *f = find(name);
	return f && !*f->dialect;
}

size_t framework_unversioned(const char *framework, const char *api)
{
	size_t n = strlen(api), end = n;
	while (end && api[end - 1] >= '0' && api[end - 1] <= '9')
		end--;
	return end < n && end > 1 && api[end - 1] == '_' && framework_has_files(framework) ? end - 1 : n;
}

bool framework_is_module(const char *name, size_t n)
{
	for (int i = 0; i < COUNT; i++) {
		const framework *f = &FRAMEWORKS[i];
		if (*f->dialect && strlen(f->module) == n && memcmp(f->module, name, n) == 0)
			return true;
	}
	return false;
}

/* Whether a name of n characters, "package.module:function", names the API. */
static bool is_same(const char *name, size_t n, const char *api)
{
	for (size_t i = 0; i < n; i++)
		if (api[i] != (name[i] == ':' ? '.' : name[i]))
			return false;
	return n && !api[n];
}

static const char *inside(const char *module, const char *api)
{
	size_t n = strlen(module);
	return strncmp(api, module, n) == 0 && api[n] == '.' ? api + n + 1 : NULL;
}

const char *framework_inside(const char *framework, const char *api)
{
	return inside(rs_framework_module(framework), api);
}

const char *framework_inside_files(const char *api)
{
	const char *name = NULL;
	for (int i = 0; !name && i < COUNT; i++)
		name = *FRAMEWORKS[i].dialect ? NULL : inside(FRAMEWORKS[i].module, api);
	return name;
}

bool framework_is_version(const char *framework, const char *api, const char *of)
{
	const char *name = framework_inside(framework, api);
	size_t n = framework_unversioned(framework, api), length = strlen(of);
	return name && name + length == api + n && memcmp(name, of, length) == 0;
}

bool framework_may_call(const char *framework, const char *api)
{
	size_t n;
	if (framework_inside(framework, api))
		return true;
	for (const char *own = getenv("RULEFUZZ_OWN"); own && *own; own += n + (own[n] == ',')) {
		n = strcspn(own, ",");
		if (is_same(own, n, api))
			return true;
	}
	return false;
}

const char *rs_framework_module(const char *name)
{
	const framework *f = find(name);
	return f ? f->module : name;
}
