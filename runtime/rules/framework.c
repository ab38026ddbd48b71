#include "framework.h"

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

bool framework_is_module(const char *name, size_t n)
{
	for (int i = 0; i < COUNT; i++) {
		const framework *f = &FRAMEWORKS[i];
		if (*f->dialect && strlen(f->module) == n && memcmp(f->module, name, n) == 0)
			return true;
	}
	return false;
}

const char *rs_framework_module(const char *name)
{
	const framework *f = find(name);
	return f ? f->module : name;
}
