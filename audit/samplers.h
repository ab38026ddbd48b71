/* Samplers of a framework's folder, as their files define them: which rule's condition each ends with.
 *
 *   SAMPLER(torch_sample_9001ebef, torch_valid_62d0d783, "…")    bool torch_sample_9001ebef(rs_draw *d)
 *                                                               { return rs_run(d, "…") && torch_valid_62d0d783(d->s); }
 *
 * So what a sampler gives is what that condition accepts, whatever its program does (samplers_macro shows that the macro
 * says this), and a sampler is right where the condition is its rule's.
 */
#ifndef AUDIT_SAMPLERS_H
#define AUDIT_SAMPLERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sampler {
	char name[96], valid[96]; /* valid: "": it ends with none */
} sampler;

typedef struct samplers {
	sampler *list; /* by name */
	unsigned n;
} samplers;

/* Adds those of a file's text. False: one of them cannot be read. */
bool samplers_add(samplers *s, const char *text);
void samplers_sort(samplers *s);
const sampler *samplers_find(const samplers *s, const char *name); /* NULL: there is none */

/* Whether SAMPLER and SAMPLER_ALWAYS, preprocessed, say what stands above. */
bool samplers_macro(const char *preprocessed);
/* What to preprocess for that. */
extern const char SAMPLERS_PROBE[];

#endif
