/* Finds the pages of docs/findings that describe the bug of a finding, or a similar one.
 *
 *   finding ──► clues ──► pages of its product, class and operators, if it meets their requirements ──► by evidence
 *
 * A page is "documented" if its message, signal or elements are the finding's; without such evidence it is only "similar". */
#ifndef DOCUMENTED_H
#define DOCUMENTED_H

#include <stdbool.h>

#include "arena.h"
#include "buf.h"
#include "results.h"
#include "store.h"

enum { DOCUMENTED_MOST = 2 };

typedef struct documented_bug {
	const char *name, *title, *upstream; /* name: of the file in docs/findings, without .md; upstream: "not found", "known: onnxruntime#14285, open" */
	bool same; /* documented; else similar */
} documented_bug;

/* The best pages: documented ones, or else similar ones. The finding needs its model,
 * detail and log. Returns how many; -1: out of memory. */
int documented_find(const finding *f, arena *a, documented_bug list[DOCUMENTED_MOST]);

/* As rows: "documented", "docs/findings/mnn-abs-nan.md: MNN: Abs(NaN) returns 0 (upstream: not found)". Returns how many. */
int documented_facts(const finding *f, arena *a, result_fact facts[DOCUMENTED_MOST]);

/* A JSON array of {"page", "title", "upstream", "match"}. */
void documented_json(const finding *f, buf *out);

#endif
