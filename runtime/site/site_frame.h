/* The frame of all pages of a site: a style sheet and a script, which lie beside the index. */
#ifndef SITE_FRAME_H
#define SITE_FRAME_H

#include "buf.h"

extern const char SITE_STYLE[], SITE_SCRIPT[], SITE_LEGEND[]; /* the texts of site.css, site.js and site.legend.html */

/* root: the path from the page to the index's folder, "" or "../". The title may be untrusted text. */
void site_frame_begin(buf *out, const char *root, const char *title);
void site_frame_end(buf *out, const char *root);

#endif
