/* How strongly a page's results indicate that a finding is its bug. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "clues.h"

typedef struct evidence {
	double score;  /* to rank pages */
	bool sufficient; /* the page documents the bug */
	bool unsure;	 /* the page is not excluded, but shows too little to decide: evidence for other pages is void */
} evidence;

/* corpus: of all pages of the product. */
evidence evidence_weigh(const clues *c, const documented_page *page, const words_corpus *corpus);

/* All words of a page that may come from a message. */
void evidence_words(const documented_page *page, words *to);

#endif
