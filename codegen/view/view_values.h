/* Items of lists that a clause makes a number in all calls, as that number in all other lines:
 *
 *   strides[0] == 1      out[0] = (input[0] - 1)//strides[0] + 1   ──►   out[0] = input[0]
 */
#ifndef VIEW_VALUES_H
#define VIEW_VALUES_H

#include "api_view.h"

/* Rewrites the chosen lines. A clause that always holds then is chosen no longer. */
void view_values_put(api_view *v);

#endif
