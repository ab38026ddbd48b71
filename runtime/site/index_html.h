/* The pages that are not of one API: the index with its search, the legend of the notation, the changes. */
#ifndef INDEX_HTML_H
#define INDEX_HTML_H

#include "buf.h"
#include "site_rules.h"

/* old: the rules of the previous version; NULL: none was given. */
void index_html_print(const site_rules *rules, const site_rules *old, buf *out);
void index_html_legend(buf *out);
void index_html_changes(const site_rules *rules, const site_rules *old, buf *out);

#endif
