/* A model file in readable form: its tensors, its calls and their inputs, for a listing and for a drawing. Operators are plain
 * text here, so operators of other versions work, too.
 *
 *   model(t0: float32[2,3] = all ones,
 *         t1: bool[] = true):
 *     # the gradients of the float inputs are results as well (backward pass)
 *     if t1:  # the then branch
 *       t2: float32[3,2] = torch.transpose(t0, dim0=0, dim1=1)
 *     return t2
 *
 * All texts come from the file: escape them before output. */
#ifndef OUTLINE_H
#define OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

enum { OUTLINE_MOST = 4096 }; /* tensors, calls; uses of a call */

typedef struct outline_tensor {
	int64_t id;
	const char *dtype, *shape; /* "2,3"; "" of a scalar */
	const char *filled;	   /* an input's elements and memory layout: "= all ones", "strides (1,2)"; "" */
	bool constant;
	int32_t node; /* its producer; -1: an input */
	bool result;
} outline_tensor;

typedef struct outline_node {
	const char *api, *arguments; /* "t0, t1, dim=1" */
	const int32_t *uses;	     /* indices of tensors, each once */
	int32_t nuses, first, noutputs; /* its outputs are consecutive tensors */
	bool random;
} outline_node;

/* Calls that form a function, a branch of an If, or the body of a Loop or Scan. */
typedef struct outline_body {
	const char *heading; /* "if t1:  # the then branch" */
	int32_t first, last; /* calls, both inclusive */
	int32_t place;	     /* for bodies of the same calls, inner ones have higher numbers */
} outline_body;

enum { OUTLINE_BODIES = 64, OUTLINE_NOTES = 8 };

typedef struct outline {
	const char *framework;
	const char *notes[OUTLINE_NOTES]; /* properties of the model: gradients, module, dynamic shapes */
	int32_t nnotes;
	bool gradients, invalid, dynamic;
	outline_body *bodies; /* by first call, outer bodies before inner ones */
	int32_t nbodies;
	outline_tensor *tensors; /* inputs first, then outputs in the order of calls */
	outline_node *nodes;
	int32_t ntensors, ninputs, nnodes;
} outline;

/* "float32[2,3]" */
void outline_type(const outline_tensor *t, buf *out);

/* Texts before and behind the parts of the listing. */
typedef struct outline_style {
	const char *call[2], *type[2], *word[2];
	void (*text)(buf *out, const char *text); /* escapes a text of the file */
} outline_style;

void outline_print(const outline *o, const outline_style *s, buf *out);
/* A legend: one line for each notation in the listing of this model. */
void outline_legend(const outline *o, buf *out);

#endif
