#include "samplertext.h"

#include <string.h>

/* Without casts and one-item blocks, which libclang adds. */
static const node *inner(const node *x)
{
	while (x && (x->kind == NODE_CAST || x->kind == NODE_BLOCK) && x->n == 1)
		x = x->kid[0];
	return x;
}

static bool is_call(const node *x, const char *name)
{
	const node *f = x && x->kind == NODE_CALL && x->n ? inner(x->kid[0]) : NULL;
	return f && f->kind == NODE_FUNCTION && (!name || !strcmp(f->text, name));
}

static bool is_parameter(const node *x)
{
	x = inner(x);
	return x && x->kind == NODE_VARIABLE && x->slot == 0;
}

/* d->s */
static bool is_symbols(const node *x)
{
	x = inner(x);
	return x && x->kind == NODE_MEMBER && !strcmp(x->text, "s") && x->n == 1 && is_parameter(x->kid[0]);
}

/* The program of rs_run(d, PROGRAM), or NULL for another call. */
static const char *program_of(const node *x)
{
	x = inner(x);
	if (!is_call(x, "rs_run") || x->n != 3 || !is_parameter(x->kid[1]))
		return NULL;
	const node *text = inner(x->kid[2]);
	return text && text->kind == NODE_TEXT ? text->text : NULL;
}

sampler_text samplertext_read(const source *s, const char *name)
{
	static const sampler_text OTHER = {SAMPLER_OTHER, NULL, NULL};
	const function *f = source_find(s, name);
	const node *x = f && f->parameters == 1 && f->slots == 1 ? inner(f->body) : NULL;
	if (!x || x->kind != NODE_RETURN || x->n != 1)
		return OTHER;
	x = inner(x->kid[0]);
	const char *program = program_of(x);
	if (program)
		return (sampler_text){SAMPLER_ALWAYS, NULL, program};
	program = x && x->kind == NODE_BINARY && !strcmp(x->op, "&&") ? program_of(x->kid[0]) : NULL;
	const node *guard = program ? inner(x->kid[1]) : NULL;
	if (!guard || !is_call(guard, NULL) || guard->n != 2 || !is_symbols(guard->kid[1]))
		return OTHER;
	return (sampler_text){SAMPLER_GUARDED, inner(guard->kid[0])->text, program};
}
