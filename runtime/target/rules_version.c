#include "rules_version.h"

#include <stdio.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "framework.h"
#include "versions.h"

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
			const char *version = versions_of(now, name);
			if (version && !is_same(version, learned)) {
				buf_printf(to, "%s%s %s, rules learned from %s", separator, name, version, learned);
				separator = "; ";
			}
		}
		at += n + (at[n] == ' ');
	}
	cJSON_Delete(now);
}
