#include "finding_json.h"

#include <inttypes.h>

static void text(buf *out, const char *name, const char *value)
{
	buf_printf(out, ",\"%s\":", name);
	buf_json(out, value);
}

void finding_json(const finding *f, buf *out)
{
	buf_printf(out, "\"id\":%" PRId64, f->id);
	text(out, "kind", f->kind);
	text(out, "status", f->status);
	buf_printf(out, ",\"count\":%" PRId64 ",\"nodes\":%" PRId64 ",\"seed\":%" PRIu64 ",\"index\":%" PRIu64, f->count, f->nodes, f->seed,
	    f->index);
	text(out, "found", f->found);
	text(out, "class", f->class);
	buf_printf(out, ",\"reduced\":%s", f->reduced ? "true" : "false");
	text(out, "checked", f->checked);
	buf_printf(out, ",\"fixed_in\":%s", *f->fixed_in ? f->fixed_in : "null");
	text(out, "reason", f->reason);
	text(out, "pass", f->pass);
	text(out, "backend", f->backend);
	text(out, "apis", f->apis);
	text(out, "title", f->title);
	text(out, "bucket", f->bucket);
}
