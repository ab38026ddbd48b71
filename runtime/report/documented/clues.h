/* The properties of a finding that identify its bug, in the terms of docs/findings. */
#ifndef CLUES_H
#define CLUES_H

#include <stdbool.h>

#include "outline.h"
#include "pages.h"
#include "store.h"
#include "words.h"

typedef struct clues {
	const char *products; /* the backend, or the product of a wrong reference, as pip requirements: "onnx==1.23.2 numpy" */
	const char *class;   /* as in pages; "": no page has findings of this kind */
	const char *message; /* error, last words of a crash, or the reference's error; "" */
	const char *bare;    /* the message in the title, without the frameworks' wrappers; "" */
	const char *got, *expected; /* the product's, the correct ones; "" */
	int signal;
	const char *apis, *blamed; /* "a + b"; "" if unknown */
	const outline *model; /* NULL: it cannot be read */
	bool gradients, dynamic, invalid, empty; /* a tensor with a zero-size dimension */
	bool uninitialized, overwrites; /* the cause: memory; an input is written to */
} clues;

/* Texts are in the arena or are the finding's. False: out of memory. */
bool clues_of(const finding *f, clues *c, arena *a);

/* Whether the finding has the page's requirements: gradients, dynamic shapes, two operators. */
bool clues_meet(const clues *c, const documented_page *page);

/* How the operators of the finding match those of the page. */
enum operators_fit { FIT_NONE, FIT_SOME /* they share one */, FIT_BLAMED /* the page has one, which is blamed */, FIT_ALL /* the page has all */ };
enum operators_fit clues_fit(const clues *c, const documented_page *page);

/* Whether the page's title names a dtype, other than float32, of the model. */
bool clues_name_dtype(const clues *c, const documented_page *page);

/* Adds the names of the finding's operators. */
void clues_operators(const clues *c, words *to);

#endif
