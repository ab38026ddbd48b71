#include "rules_version.h"

#include <stdio.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "framework.h"

/* The version of a distribution, which may say more of itself than its module: tensorflow-cpu is tensorflow. */
static const char *version_of(const cJSON *versions, const char *distribution)
{
	const cJSON *item, *found = cJSON_GetObjectItemCaseSensitive(versions, distribution);
	cJSON_ArrayForEach(item, versions)
	{
		size_t n = item->string ? strlen(item->string) : 0;
		if (!found && n && strncmp(distribution, item->string, n) == 0 && distribution[n] == '-')
			found = item;
	}
	return cJSON_IsString(found) ? found->valuestring : NULL;
}

static bool is_same(const char *version, const char *other)
{
	size_t n = strcspn(version, "+"), m = strcspn(other, "+");
	return n == m && memcmp(version, other, n) == 0;
}

void rules_version_note(const char *framework, const char *versions, buf *to)
{
	cJSON *now = cJSON_Parse(versions);
	const char *separator = "";
	for (const char *at = framework_requirements(framework); *at;) {
		int n = (int)strcspn(at, " ");
		char name[80], learned[80];
		if (sscanf(at, "%79[^= ]==%79[^ ]", name, learned) == 2) {
			const char *version = version_of(now, name);
			if (version && !is_same(version, learned)) {
				buf_printf(to, "%s%s %s, rules learned from %s", separator, name, version, learned);
				separator = "; ";
			}
		}
		at += n + (at[n] == ' ');
	}
	cJSON_Delete(now);
}
