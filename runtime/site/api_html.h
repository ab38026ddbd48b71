/* The HTML page of an API: its rule with formulas, a picture of the accepted region, its signatures, and its C code. */
#ifndef API_HTML_H
#define API_HTML_H

#include "buf.h"
#include "rulesmith.h"
#include "site_rules.h"

typedef struct api_html {
	const rs_library *lib;
	const char *code; /* the API's file in generated/; NULL: none */
	bool since;	  /* an older version is compared, in which the API was `old`; NULL: it did not exist */
	const site_api *old;
} api_html;

/* False: out of memory. */
bool api_html_print(const api_html *h, const site_api *api, buf *out);

#endif
