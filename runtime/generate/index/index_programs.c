#include "index_programs.h"

#include <stdlib.h>

#include "program.h"

bool index_programs_open(index_programs *x, arena *a, uint32_t nops)
{
	uint32_t slots = 64;
	while (slots / 4 < nops) /* two samplers per signature, and half of the table stays empty */
		slots *= 2;
	*x = (index_programs){.arena = a, .slots = calloc(slots, sizeof *x->slots), .mask = slots - 1};
	return x->slots != NULL;
}

void index_programs_close(index_programs *x)
{
	free(x->slots);
}

/* Sets *p to a sampler's program; NULL if there is no sampler. */
static bool find(index_programs *x, const rs_op *op, const char *sampler, const program **p, diag *d)
{
	if (!sampler)
		return true;
	uint32_t at = (uint32_t)(((uint64_t)(uintptr_t)sampler * 0x9e3779b97f4a7c15u) >> 32) & x->mask;
	while (x->slots[at].sampler && x->slots[at].sampler != sampler)
		at = (at + 1) & x->mask;
	struct index_program *slot = &x->slots[at];
	if (!slot->sampler)
		*slot = (struct index_program){sampler, program_decode(x->arena, sampler, op->nsym, op->nodim, d)};
	else if (slot->program->nsym > op->nsym || slot->program->nodim > op->nodim)
		return diag_set(d, "a sampler of another operator, with more symbols");
	*p = slot->program;
	return *p != NULL;
}

bool index_programs_find(index_programs *x, index_op *o, diag *d)
{
	diag why = {""};
	return (find(x, o->op, o->op->sample, &o->sample, &why) && find(x, o->op, o->op->back, &o->back, &why))
	       || (diag_is_memory(&why) ? diag_memory(d, false) : diag_set(d, "%s: %s", o->op->name, diag_what(&why)));
}
