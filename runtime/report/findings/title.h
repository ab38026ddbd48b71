/* The title of a finding: "onnxruntime: RotaryEmbedding: 1 of 3 elements …".
 *
 * Titles of earlier versions repeat the kind and the API, and end with the bucket's form of a message, in which names and
 * numbers are placeholders. Here each is printed once, operators without their modules, and the message is the original one. */
#ifndef TITLE_H
#define TITLE_H

#include "buf.h"
#include "store.h"

/* One line; not escaped. */
void title_print(const finding *f, buf *out);

#endif
