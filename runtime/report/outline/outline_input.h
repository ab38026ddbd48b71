/* The texts of a model's tensor: its sizes, its elements, its layout in memory. */
#ifndef OUTLINE_INPUT_H
#define OUTLINE_INPUT_H

#include <cjson/cJSON.h>

#include "buf.h"

void outline_shape(const cJSON *tensor, buf *out);  /* "d0_0,3": dynamic dimensions by name */
void outline_elements(const cJSON *tensor, buf *out); /* " = 1 to 5", " = all ones"; nothing for the default */
void outline_layout(const cJSON *tensor, buf *out); /* ", strides (1,2), offset 3"; nothing for the usual one */

#endif
