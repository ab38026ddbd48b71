/* The page of an API: its signature, what it accepts and returns as mathematics with what speaks for each clause, a picture of
 * what is accepted, its call forms, its C. */
#ifndef API_HTML_H
#define API_HTML_H

#include "buf.h"
#include "rulesmith.h"
#include "common_words.h"
#include "site_rules.h"

typedef struct api_html {
	const rs_library *lib;
	const common_words *said;
	const char *code; /* the API's file of generated/; NULL: there is none */
	bool since;	  /* there is a version before, in which the API was `old` (NULL: was not) */
	const site_api *old;
} api_html;

/* False when out of memory. */
bool api_html_print(const api_html *h, const site_api *api, buf *out);

#endif
