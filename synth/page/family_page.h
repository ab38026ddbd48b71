/* A family's rule in words, as JSON (docs/reference/file-formats.md, "Rules": `page`). */
#ifndef FAMILY_PAGE_H
#define FAMILY_PAGE_H

#include "api_unify_view.h"

/* In the family's memory. */
const char *family_page(const api_solver *f, const api_unify_view *view);

#endif
