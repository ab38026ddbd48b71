/* Templates of calls that cut a tensor along an axis: the number of pieces and the length of each. */
#ifndef PIECES_H
#define PIECES_H

#include "rule_evaluate.h"

typedef enum piece_template {
	PIECES_OF,     /* An integer: pieces of that length, the last one may be shorter. */
	PIECES_EQUAL,  /* An integer: the number of pieces, all of one length. */
	PIECES_AT_MOST, /* An integer: the maximum number of pieces of one length; the last one may be shorter. */
	PIECES_NEARLY, /* An integer: the number of pieces; the first ones may be longer by one. */
	PIECES_SIZES,  /* A list: the lengths, whose sum is the dimension. */
	PIECES_POINTS, /* A list: the indices between pieces, as slices count them. */
	PIECES_EACH,   /* Omitted: a piece for each index, without the axis. */
	PIECES_COUNTED, /* An integer, which is the dimension: the same. */
	PIECES_TEMPLATES
} piece_template;

/* Whether a template's number is of this kind. NULL: the call has none. */
bool pieces_of_kind(piece_template which, const call_value *number);

/* Cuts a tensor. The outcome is silent if the template does not apply, as for more pieces than RULE_OUTPUTS. *why: the reason of
 * a rejection. */
void pieces_cut(piece_template which, const call_value *tensor, int64_t axis, const call_value *number, rule_result *out, const char **why);

#endif
