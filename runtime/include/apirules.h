/* API rules as byte code: the rule of an API for any call, beyond the recorded signatures (docs/reference/api-rules.md has the
 * grammar and the meaning of each part).
 *
 *   rs_apis ──► rs_api_rules, one a framework ──► code: the APIs one after another, sorted by name (bytes)
 *                                            └──► starts: where each begins
 *
 * Items of the grammar:
 *   u    unsigned LEB128. Each byte is XORed with RS_API_DIGIT, so that small numbers are letters.
 *   s    a signed number: zigzag, then as u.
 *   str  bytes up to NUL.
 *   row  an index of rs_table.ops.
 *
 *   api     := str(name) u(nargs) str(argument)*  u(nrules) rule*
 *   rule    := u(ndefaults) default*  u(naccept) (guard clauses)*  u(nshapes) (guard outputs)*  u(0)
 *   default := u(argument) (u(0) s(number) | u(1) u(other argument))
 *   guard   := u(RS_FOR_ALL) | u(RS_FOR_GUARDED) u(nterms) term* | u(RS_FOR_SIGNATURES) u(nrows) u(row)*
 *   term    := u(argument) u(aspect*2 + differs) str(value)
 *   clauses := u(n) (range expr)*
 *   outputs := u(n) (u(1 + shape) u(flags) u(cut) u(nlists) list* [lines if cut > 0] | u(0) rank lines)*     lines := u(n) (range expr)*
 *   rank    := u(0) | u(1) s(plus) u(nlists) list*
 *   range   := u(RS_RANGE_NONE) | u(way) u(only) u(head) u(tail) maybe(list over) maybe(list but)     maybe := u(0) | u(1) list
 *   list    := u(argument*8 + kind) [u(tensor) for RS_LIST_TENSOR_DIMS and RS_LIST_OUT]
 *   expr    := postfix, ended by RS_API_END: RS_API_CONST s(number) | RS_API_REF u(flags) list … | an operation
 *              REF, base number or index: s(offset); axis: u(argument) s(offset); fold or but: u(fold) u(each) [list if copied]
 *
 * The dtype rules of all APIs of a framework are separate code. Arguments are grouped into kinds. A tensor's kind is its dtype,
 * below RS_STRING + 1. Tensors without dimensions have the kinds from RS_STRING + 1 on. Numbers (bool, int, float, complex) follow.
 *
 *   dtypes  := u(ranked: tensors without dimensions are kinds of their own) u(n) (u(number in attributes) u(dtype))*
 *              u(n) set*  u(n) (u(bytes) table)*  u(n) (str(API) u(bytes) rule)*
 *   set     := bits(accepted kinds) bits(rejected kinds), RS_KIND_BYTES each, lowest first; other kinds are not known
 *   table   := u(columns) row(byte)[RS_KINDS] column(byte)[RS_KINDS] cell[rows*columns]    cell: dtype, or enum rs_api_cell
 *   rule    := u(arguments) u(arguments of slots, which come first) str(argument)*  u(n) case*
 *   case    := u(n) slot*  u(n) (u(class) u(class) u(table))*  u(n) output*  u(n) [u(argument) str(value)*]
 *   slot    := u(argument) u(class: the first slot with the same dtype) u(enum rs_api_items + 4*bits of enum rs_api_ranks) u(set)
 *   output  := u(enum rs_api_dtype) u(dtype | class | bits of slots) [u(class) if TABLE] [u(table) if MAP, TABLE or FOLD]
 */
#ifndef APIRULES_H
#define APIRULES_H

#include <stdint.h>

#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RS_API_RULES 3 /* version of the byte code */
#define RS_API_DIGIT 64 /* "@" is 0, "A" is 1 */

enum rs_api_guard { RS_FOR_ALL, RS_FOR_GUARDED, RS_FOR_SIGNATURES };
enum rs_api_aspect { RS_ASPECT_CONSTANT, RS_ASPECT_KIND, RS_ASPECT_RANK };
enum rs_api_range { RS_RANGE_NONE, RS_RANGE_RIGHT, RS_RANGE_LEFT };
enum rs_api_list { RS_LIST_DIMS, RS_LIST_ITEMS, RS_LIST_BOUNDS, RS_LIST_OUT, RS_LIST_TENSOR_DIMS };
enum rs_api_shape { RS_SAME, RS_BROADCAST, RS_DROP, RS_SET, RS_INSERT, RS_SWAP, RS_PERMUTE, RS_REPLACE, RS_CONCAT, RS_BROADCAST_ALL, RS_MERGE };
/* Omitted axes are all, the first or the last one. ONE: the number is 1. */
enum rs_api_shape_flags { RS_SHAPE_ALL, RS_SHAPE_FIRST, RS_SHAPE_LAST, RS_SHAPE_OTHERWISE = 3, RS_SHAPE_ONE = 4 };
enum rs_api_base { RS_BASE_NUMBER, RS_BASE_INDEX, RS_BASE_AXIS, RS_BASE_FOLD };
enum rs_api_ref_flags { RS_REF_BASE = 3, RS_REF_BUT = 4, RS_REF_OPTIONAL = 8 };
enum rs_api_fold { RS_FOLD_MUL, RS_FOLD_ADD, RS_FOLD_MIN, RS_FOLD_MAX };
enum rs_api_each { RS_EACH_SIZE, RS_EACH_POSITIVE, RS_EACH_COPIED, RS_EACH_NONZERO, RS_EACH_DISTINCT };

/* Operands in order; IF: condition, value if it holds, other value. */
enum rs_api_op {
	RS_API_END,
	RS_API_CONST,
	RS_API_REF,
	RS_API_ADD = 16,
	RS_API_SUB,
	RS_API_MUL,
	RS_API_DIV,
	RS_API_MOD,
	RS_API_MIN,
	RS_API_MAX,
	RS_API_IF,
	RS_API_EQ,
	RS_API_NE,
	RS_API_LT,
	RS_API_LE,
	RS_API_GT,
	RS_API_GE,
	RS_API_AND,
	RS_API_OR
};

enum { RS_KINDS = 2 * (RS_STRING + 1) + 4, RS_KIND_BYTES = (RS_KINDS + 7) / 8 };
enum rs_api_cell { RS_CELL_REJECTED = 254, RS_CELL_UNKNOWN = 255 }; /* in tables of pairs, 0 is accepted */
/* An argument that is a list: seen with one item, with items of one dtype, with items of any. */
enum rs_api_items { RS_ITEMS_NONE, RS_ITEMS_ONE, RS_ITEMS_TIED, RS_ITEMS_APART };
/* How the ranks of an argument's tensors compared with that of the first tensor. */
enum rs_api_ranks { RS_RANK_EQUAL = 1, RS_RANK_LESS = 2, RS_RANK_MORE = 4 };
enum rs_api_dtype { RS_DTYPE_CONSTANT, RS_DTYPE_SAME, RS_DTYPE_MAP, RS_DTYPE_TABLE, RS_DTYPE_FOLD };

typedef struct rs_api_rules {
	const char *framework;
	const unsigned char *code;
	uint32_t size; /* bytes of code */
	const uint32_t *starts; /* n offsets in code */
	uint32_t n; /* APIs */
	const unsigned char *dtypes; /* code of dtypes; NULL: none */
} rs_api_rules;

typedef struct rs_api_library {
	uint32_t version; /* RS_API_RULES */
	uint32_t n;
	const rs_api_rules *const *rules; /* one a framework, sorted by name */
} rs_api_library;

/* A rule library exports it beside rs_rules; one without it has no API rules. */
extern const rs_api_library rs_apis;

#ifdef __cplusplus
}
#endif

#endif
