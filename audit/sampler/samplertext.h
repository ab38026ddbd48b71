/* What a compiled sampler returns, read from its C: the audit takes no word of what its program does for true, only that
 * what it found is put before a rule's own function last (docs/audit.md, Samplers). */
#ifndef AUDIT_SAMPLERTEXT_H
#define AUDIT_SAMPLERTEXT_H

#include "source.h"

enum sampler_form {
	SAMPLER_OTHER,	 /* none of these: nothing follows */
	SAMPLER_GUARDED, /* return rs_run(d, PROGRAM) && GUARD(d->s) */
	SAMPLER_ALWAYS	 /* return rs_run(d, PROGRAM) */
};

typedef struct sampler_text {
	enum sampler_form form;
	const char *guard, *program;
} sampler_text;

sampler_text samplertext_read(const source *s, const char *name);

#endif
