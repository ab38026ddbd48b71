/* The first page: all APIs of all frameworks as lists of links, and a search over them where scripts run. And the page of what
 * changed. */
#ifndef INDEX_HTML_H
#define INDEX_HTML_H

#include "buf.h"
#include "site_rules.h"

/* old: the rules of the version before; NULL: none was given. */
void index_html_print(const site_rules *rules, const site_rules *old, buf *out);
void index_html_changes(const site_rules *rules, const site_rules *old, buf *out);

#endif
