#include "site_frame.h"

#include "escape.h"

const char SITE_STYLE[] =
#include "site.css.h"
    ;
const char SITE_SCRIPT[] =
#include "site.js.h"
    ;

const char SITE_LEGEND[] =
#include "site.legend.html.h"
    ;

/* Allows only the two files beside the index, since names of APIs and arguments are untrusted. */
#define POLICY                                                                                                          \
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:; script-src 'self' file:; " \
	"base-uri 'none'; form-action 'none'\">"

void site_frame_begin(buf *out, const char *root, const char *title)
{
	buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">" POLICY
		      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
	escape_markup(out, title);
	buf_printf(out, "</title>\n<link rel=\"stylesheet\" href=\"%ssite.css\">\n</head>\n<body>\n", root);
}

void site_frame_end(buf *out, const char *root)
{
	buf_printf(out, "<script src=\"%ssite.js\"></script>\n</body></html>\n", root);
}
