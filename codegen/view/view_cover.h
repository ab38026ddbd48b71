/* The lines that a page needs to state all rules of its API, by greedy set cover, and the guard of each. */
#ifndef VIEW_COVER_H
#define VIEW_COVER_H

#include "api_view.h"

void view_cover_choose(api_view *v);

#endif
