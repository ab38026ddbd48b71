/* How strongly a page's results support that a finding is its bug. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "clues.h"

typedef struct evidence {
	double score;  /* to rank pages */
	bool sufficient; /* the page documents the bug */
	bool unsure;	 /* nothing excludes the page, which does not show enough to tell: another page's evidence is void */
} evidence;

/* corpus: of all pages of the product. */
evidence evidence_weigh(const clues *c, const documented_page *page, const words_corpus *corpus);

/* All words of a page that may be of a message. */
void evidence_words(const documented_page *page, words *to);

#endif
