/* The frame of every page of a site: one style sheet and one script, which lie beside the index. */
#ifndef SITE_FRAME_H
#define SITE_FRAME_H

#include "buf.h"

extern const char SITE_STYLE[], SITE_SCRIPT[], SITE_LEGEND[]; /* the texts of site.css, site.js and site.legend.html */

/* root: what leads from the page to the index's folder, "" or "../". The title may be anybody's. */
void site_frame_begin(buf *out, const char *root, const char *title);
void site_frame_end(buf *out, const char *root);

#endif
