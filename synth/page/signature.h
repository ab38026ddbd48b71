/* The arguments of a family's call forms, as people write a signature:
 *
 *   input[_?, _, _, _], kernel_size, stride = kernel_size, padding, ceil_mode = False
 *
 * One `_` for each dimension of a tensor and item of a list, `_?` for one that some call forms lack, `...` for more of these.
 * "= False": all call forms have this constant; "= kernel_size", "= 0": who leaves it out has that in its place; "?": some
 * leave it out.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "buf.h"
#include "record.h"

/* What stands for an argument that the i-th call form lacks; NULL: not known. */
typedef const char *signature_default(const void *user, int i, const char *argument);

/* Appends JSON strings, one an argument, commas between: the leader's in its order, then those of others. */
void signature_put(buf *to, const operator *const *ops, int n, int leader, signature_default *get, const void *user);
/* Appends the defaults that are known, as members of a JSON object: "stride":"kernel_size","padding":"0". */
void signature_put_defaults(buf *to, const operator *const *ops, int n, int leader, signature_default *get, const void *user);

#endif
