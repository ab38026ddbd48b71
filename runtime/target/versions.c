#include "versions.h"

#include <string.h>

void versions_init(versions *v)
{
	*v = (versions){.said = NULL};
	pthread_mutex_init(&v->lock, NULL);
}

void versions_free(versions *v)
{
	cJSON_Delete(v->said);
	pthread_mutex_destroy(&v->lock);
}

/* Whether no name has different values in the two. */
static bool agree(const cJSON *before, const cJSON *now, diag *d)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, before)
	{
		const cJSON *other = item->string ? cJSON_GetObjectItemCaseSensitive(now, item->string) : NULL;
		if (cJSON_IsString(item) && cJSON_IsString(other) && strcmp(item->valuestring, other->valuestring) != 0)
			return diag_set(d, "%.60s changed from %.60s to %.60s", item->string, item->valuestring, other->valuestring);
	}
	return true;
}

/* Adds the names that are new. */
static bool add(cJSON *to, const cJSON *from)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, from)
	{
		if (!cJSON_IsString(item) || !item->string || cJSON_GetObjectItemCaseSensitive(to, item->string))
			continue;
		if (!cJSON_AddStringToObject(to, item->string, item->valuestring))
			return false;
	}
	return true;
}

bool versions_take(versions *v, const cJSON *said, diag *d)
{
	pthread_mutex_lock(&v->lock);
	bool ok = agree(v->said, said, d);
	v->changed |= !ok;
	if (ok && !v->said)
		v->said = cJSON_CreateObject();
	if (ok && !(v->said && add(v->said, said)))
		ok = diag_set(d, "out of memory");
	pthread_mutex_unlock(&v->lock);
	return ok;
}

bool versions_agree(versions *v, const char *json, diag *d)
{
	cJSON *before = cJSON_Parse(json);
	pthread_mutex_lock(&v->lock);
	bool ok = agree(before, v->said, d);
	pthread_mutex_unlock(&v->lock);
	cJSON_Delete(before);
	return ok;
}

const char *versions_of(const cJSON *said, const char *name)
{
	const cJSON *item;
	const char *found = NULL;
	size_t longest = 0;
	cJSON_ArrayForEach(item, said)
	{
		size_t n = item->string ? strlen(item->string) : 0;
		if (n <= longest || !cJSON_IsString(item) || strncmp(name, item->string, n) != 0 || (name[n] && !strchr("-,", name[n])))
			continue;
		longest = n;
		found = item->valuestring;
	}
	return found;
}
