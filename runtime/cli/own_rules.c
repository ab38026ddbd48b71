#include "own_rules.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "graph.h"

#define VARIABLE "RULEFUZZ_OWN"

static const char *const *list_of(const char *path)
{
	char here[PATH_MAX];
	if (!path || snprintf(here, sizeof here, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof here)
		return NULL;
	void *handle = dlopen(here, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD); /* rs_library_load keeps it open */
	const char *const *list = handle ? dlsym(handle, "rs_own") : NULL;
	if (handle)
		dlclose(handle);
	return list;
}

bool own_rules_are(const char *path)
{
	return list_of(path) != NULL;
}

/* Letters, digits and underscores, with dots and one colon in between. */
static bool is_function(const char *name)
{
	const char *colon = strchr(name, ':');
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.:", *c))
			return false;
	return colon && colon > name && colon[1] && !strchr(colon + 1, ':');
}

bool own_rules_allow(const char *path, diag *d)
{
	const char *const *list = list_of(path);
	const char *before = getenv(VARIABLE);
	buf all = {0};
	bool ok = true;
	if (!list)
		return true;
	buf_puts(&all, before ? before : "");
	for (; ok && *list; list++)
		if (is_function(*list))
			buf_printf(&all, "%s%s", all.length ? "," : "", *list);
		else
			ok = diag_at(d, path, 0, "not a function name: %.80s", *list);
	ok = ok && (all.failed || setenv(VARIABLE, buf_text(&all), 1) != 0 ? diag_set(d, "out of memory") : true);
	buf_free(&all);
	return ok;
}

/* Allocates a table, its rows and its fingerprint in one block. */
static rs_table *room_for(uint32_t nops, rs_op **ops, char **fingerprint)
{
	rs_table *t = malloc(sizeof *t + nops * sizeof **ops + 17);
	if (t) {
		*ops = (rs_op *)(t + 1);
		*fingerprint = (char *)(*ops + nops);
	}
	return t;
}

rs_table *own_rules_join(const rs_table *own, diag *d)
{
	const rs_table *base = rs_library_table(&rs_rules, own->framework);
	rs_op *ops;
	char *fingerprint;
	uint32_t n = (base ? base->nops : 0) + own->nops, i = 0, k = 0;
	rs_table *t = room_for(n, &ops, &fingerprint);
	if (!t) {
		diag_set(d, "out of memory");
		return NULL;
	}
	for (uint32_t at = 0; at < n; at++) {
		int order = !base || i == base->nops ? 1 : k == own->nops ? -1 : strcmp(base->ops[i].name, own->ops[k].name);
		if (order == 0) {
			diag_set(d, "error: %s is built in already", own->ops[k].name);
			free(t);
			return NULL;
		}
		ops[at] = order < 0 ? base->ops[i++] : own->ops[k++];
	}
	uint64_t hash = graph_name_hash(own->fingerprint) * 31 + (base ? graph_name_hash(base->fingerprint) : 0);
	snprintf(fingerprint, 17, "%016llx", (unsigned long long)hash);
	*t = base ? *base : *own;
	t->ops = ops;
	t->nops = n;
	t->fingerprint = fingerprint;
	return t;
}
