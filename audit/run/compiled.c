#include "compiled.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct compiled {
	const rs_library *library;
	sampler_run *run; /* rs_run */
};

compiled *compiled_open(const char *path)
{
	char *whole = realpath(path, NULL); /* otherwise dlopen may find another file of that name */
	void *handle = whole ? dlopen(whole, RTLD_NOW | RTLD_LOCAL) : NULL;
	const rs_library *library = handle ? dlsym(handle, "rs_rules") : NULL;
	free(whole);
	void *run = library ? dlsym(handle, "rs_run") : NULL;
	if (!run || library->abi != RS_ABI) {
		const char *why = handle ? NULL : dlerror();
		fprintf(stderr, "%s: error: %s%s%s\n", path, run ? "it has another ABI" : "no library of rules", why ? ": " : "",
		    why ? why : "");
		return NULL;
	}
	compiled *c = memory_new(1, sizeof *c);
	c->library = library;
	*(void **)&c->run = run;
	return c;
}

const rs_op *compiled_find(const compiled *c, const char *framework, const char *op)
{
	for (uint32_t t = 0; t < c->library->ntables; t++) {
		const rs_table *table = c->library->tables[t];
		if (strcmp(table->framework, framework))
			continue;
		for (uint32_t low = 0, high = table->nops; low < high;) {
			uint32_t mid = low + (high - low) / 2;
			int order = strcmp(op, table->ops[mid].name);
			if (order == 0)
				return &table->ops[mid];
			if (order < 0)
				high = mid;
			else
				low = mid + 1;
		}
	}
	return NULL;
}

bool compiled_fits(const rs_op *op, const audited_rule *r)
{
	return op->rule && !strcmp(op->rule, r->id) && op->nsym == r->nsym && op->nodim == r->nodim && op->valid && op->propagate;
}

sampler_run *compiled_sampler_run(const compiled *c)
{
	return c->run;
}

bool compiled_accepts(const rs_op *op, const audited_rule *r, const int64_t *s, int64_t *out)
{
	for (unsigned i = 0; i < r->nsym; i++)
		if (r->dimension[i] && s[i] < 0)
			return false;
	return op->valid(s) && op->propagate(s, out);
}
