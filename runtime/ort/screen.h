/* The fast path: runs a model in onnxruntime without and with optimization in this process, and decides only clear cases.
 *
 *   model (JSON) ─► graph ─► file, the model's outputs ────► optimised: is there a kernel? ──► run ─┬─► run again,
 *                     │                                                         within the tolerance │   the same bits
 *                     └────► file, every tensor an output ─► unoptimised ─► run, run again ──────────┘
 *                                                                           the same bits, inputs as they were
 *
 * Some calls of older operator versions also run in the newest version (kernel_checks.h). A constant of the model is an
 * initializer of the first file, so that passes see it. It is an input of the second file, where nothing may be folded. An
 * invalid model is fine if both reject its last call. Any irregularity is SCREEN_PASS: the full oracle (rulefuzz/oracle/check.py)
 * then judges the model. So the fast path must never return `ok` if the full oracle would not, and needs no reason.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "agree.h"
#include "arena.h"
#include "buf.h"
#include "graph.h"
#include "kernel_checks.h"
#include "ort_engine.h"

typedef struct screen {
	engine engine; /* do not move the screen */
	graph whole, one; /* the model as read, which owns its calls; a copy with one of several shape instances */
	arena *scratch;
	kernel_checks *checks;
	buf every, wanted; /* files: every tensor an output; only the model's */
} screen;

enum screen_verdict {
	SCREEN_OK,
	SCREEN_UNDEFINED,   /* all its outputs are random */
	SCREEN_UNSUPPORTED, /* the target has no kernel for some call: text is the library's message */
	SCREEN_PASS	    /* text describes it */
};

enum { SCREEN_REFERENCE, SCREEN_COMPILE, SCREEN_RUN, SCREEN_JUDGE, SCREEN_STAGES };

typedef struct screen_answer {
	enum screen_verdict verdict;
	diag text;
	unsigned assignments; /* the number of shape instances that were run */
	double seconds[SCREEN_STAGES], cpu[SCREEN_STAGES]; /* wall-clock time; processor time of this process */
} screen_answer;

bool screen_open(screen *s, const char *library, int optimisation, diag *d); /* as engine_open */
void screen_close(screen *s);

/* Parameters of a request besides the model. */
typedef struct screen_request {
	enum agree_preset preset;
	bool probe; /* a single call, in the newest operator set; otherwise the target's file has the oldest set that can express the model */
} screen_request;

/* Judges one model, a JSON line. It may crash, hang or take all memory: run it in a supervised process. */
void screen_look(screen *s, const char *model, screen_request asked, screen_answer *a);

#endif
