#include "opset.h"

#include <stdlib.h>
#include <string.h>

#include "framework.h"

#define NAMES(...) ((const char *const[]){__VA_ARGS__})

static const struct {
	const char *set, *framework;
	const char *const *names;
	size_t count;
} SETS[] = {
#define OPSET(set, framework, ...)                                                                 \
	{set, framework, NAMES(__VA_ARGS__), sizeof NAMES(__VA_ARGS__) / sizeof(const char *)},
#include "opsets.def"
#undef OPSET
};

const char *const *opset_list(const char *set, const char *framework, size_t *count)
{
	for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
		if (strcmp(SETS[i].set, set) == 0 && strcmp(SETS[i].framework, framework) == 0) {
			*count = SETS[i].count;
			return SETS[i].names;
		}
	*count = 0;
	return NULL;
}

const char *opset_framework(const char *set)
{
	for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
		if (strcmp(SETS[i].set, set) == 0)
			return SETS[i].framework;
	return NULL;
}

bool opset_exists(const char *set)
{
	return opset_framework(set) != NULL;
}

size_t opset_names(const char **names, size_t room)
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof SETS / sizeof *SETS && n < room; i++) {
		bool known = false;
		for (size_t k = 0; k < n; k++)
			known |= strcmp(names[k], SETS[i].set) == 0;
		if (!known)
			names[n++] = SETS[i].set;
	}
	return n;
}

static int by_bytes(const void *key, const void *name)
{
	return strcmp(key, *(const char *const *)name);
}

bool opset_has(const char *set, const char *framework, const char *api)
{
	size_t count;
	const char *const *names = opset_list(set, framework, &count);
	const char *inside = framework_inside(framework, api);
	return names && inside && bsearch(inside, names, count, sizeof *names, by_bytes);
}
