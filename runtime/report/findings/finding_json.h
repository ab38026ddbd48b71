/* A finding in the JSON of `list` and `show`. */
#ifndef FINDING_JSON_H
#define FINDING_JSON_H

#include "buf.h"
#include "store.h"

/* The members that both print, without braces: "id":1,…,"bucket":"…". */
void finding_json(const finding *f, buf *out);

#endif
