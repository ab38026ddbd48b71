/* The return statement of a compiled sampler. The audit trusts nothing about its program; it requires only
 * that the result is passed to the rule's own function at the end. */
#ifndef AUDIT_SAMPLERTEXT_H
#define AUDIT_SAMPLERTEXT_H

#include "source.h"

enum sampler_form {
	SAMPLER_OTHER,	 /* none of these: nothing is proved */
	SAMPLER_GUARDED, /* return rs_run(d, PROGRAM) && GUARD(d->s) */
	SAMPLER_ALWAYS	 /* return rs_run(d, PROGRAM) */
};

typedef struct sampler_text {
	enum sampler_form form;
	const char *guard, *program;
} sampler_text;

sampler_text samplertext_read(const source *s, const char *name);

#endif
