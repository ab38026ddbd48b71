/* Reads a model file as an outline. */
#ifndef OUTLINE_READ_H
#define OUTLINE_READ_H

#include "arena.h"
#include "diag.h"
#include "outline.h"

/* Everything is in the arena. False and d for a text that is not a model. */
bool outline_read(outline *o, const char *model, arena *a, diag *d);
int32_t outline_find(const outline *o, int64_t id); /* a tensor's index; -1: none */

#endif
