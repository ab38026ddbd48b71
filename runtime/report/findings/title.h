/* A finding's title as people read it: "onnxruntime: RotaryEmbedding: 1 of 3 elements …".
 *
 * The stored title repeats the kind and the API, and its message is the one of the bucket, in which names and numbers are
 * placeholders. Here each is printed once, and the message is the original one. */
#ifndef TITLE_H
#define TITLE_H

#include "buf.h"
#include "store.h"

/* brief: operators without their modules, as in "conv2d". One line; not escaped. */
void title_print(const finding *f, bool brief, buf *out);

#endif
