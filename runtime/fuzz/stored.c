#include "stored.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "failure.h"
#include "room.h"
#include "status.h"

char *stored_key(const finding *f)
{
	char stage[32] = "";
	errno = 0;
	cJSON *answer = cJSON_Parse(f->detail);
	if (!answer && errno == ENOMEM)
		return NULL;
	failure told = failure_told(answer);
	if (!answer) /* the process ended: kind|backend|stage|signal|… */
		sscanf(f->bucket, "%*[^|]|%*[^|]|%31[^|]|%d", stage, &told.signal);
	told.kind = status_parse(f->status) == STATUS_UNSUPPORTED ? "unsupported" : f->kind;
	told.backend = f->backend;
	told.stage = stage;
	told.log = f->log;
	char *key = failure_key(&told);
	cJSON_Delete(answer);
	return key;
}

typedef struct ids {
	int64_t *items;
	size_t n, room;
	bool failed;
} ids;

static bool note(void *context, const finding *f)
{
	ids *all = context;
	int64_t *items = room_for_one(all->items, all->n, &all->room, sizeof *items);
	all->failed = !items;
	if (!items)
		return false;
	all->items = items;
	all->items[all->n++] = f->id;
	return true;
}

static bool rename_one(store *s, const finding *f, diag *d)
{
	char *key = stored_key(f);
	char *signature = key ? failure_signature_in(f->model, key, f->apis, f->pass) : NULL;
	bool ok = diag_memory(d, signature);
	if (ok && strcmp(signature, f->bucket) != 0)
		ok = store_rename(s, f->id, status_parse(f->status) == STATUS_UNSUPPORTED ? key : signature, signature, d);
	free(signature);
	free(key);
	return ok;
}

bool stored_rename(store *s, diag *d)
{
	ids all = {0};
	bool ok = store_each(s, note, &all, d) && diag_memory(d, !all.failed);
	for (size_t i = 0; ok && i < all.n; i++) {
		finding f;
		arena *a = arena_new();
		int found = a ? store_get(s, all.items[i], &f, a, d) : -1;
		ok = found == 0 || (found == 1 && rename_one(s, &f, d)) || (!a && diag_set(d, "out of memory"));
		if (a)
			arena_free(a);
	}
	free(all.items);
	return ok;
}
