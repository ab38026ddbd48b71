/* Reading byte code: numbers, strings, and parts that are skipped. */
#ifndef RULE_CODE_H
#define RULE_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "apirules.h"

enum { RULE_ARGUMENTS = 64, RULE_OUTPUTS = 64, RULE_RANK = 64 }; /* limits of a rule */

typedef const unsigned char *rule_code;

static inline uint64_t code_u(rule_code *at)
{
	uint64_t value = 0;
	for (unsigned shift = 0;; shift += 7) {
		const unsigned char byte = *(*at)++ ^ RS_API_DIGIT;
		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return value;
	}
}

static inline int64_t code_s(rule_code *at)
{
	const uint64_t value = code_u(at);
	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static inline const char *code_text(rule_code *at)
{
	const char *text = (const char *)*at;
	*at += strlen(text) + 1;
	return text;
}

static inline void skip_list(rule_code *at)
{
	const uint64_t kind = code_u(at) & 7;
	if (kind == RS_LIST_OUT || kind == RS_LIST_TENSOR_DIMS)
		code_u(at);
}

static inline void skip_ref(rule_code *at)
{
	const uint64_t flags = code_u(at), base = flags & RS_REF_BASE;
	skip_list(at);
	if (base == RS_BASE_NUMBER || base == RS_BASE_INDEX) {
		code_s(at);
	} else if (base == RS_BASE_AXIS) {
		code_u(at);
		code_s(at);
	}
	if (base == RS_BASE_FOLD || flags & RS_REF_BUT) {
		code_u(at);
		if (code_u(at) == RS_EACH_COPIED)
			skip_list(at);
	}
}

static inline void skip_expression(rule_code *at)
{
	for (uint64_t op; (op = code_u(at)) != RS_API_END;) {
		if (op == RS_API_CONST)
			code_s(at);
		else if (op == RS_API_REF)
			skip_ref(at);
	}
}

static inline void skip_range(rule_code *at)
{
	if (!code_u(at))
		return;
	code_u(at);
	code_u(at);
	code_u(at);
	for (int i = 0; i < 2; i++)
		if (code_u(at))
			skip_list(at);
}

static inline void skip_guard(rule_code *at)
{
	const uint64_t kind = code_u(at);
	for (uint64_t n = kind ? code_u(at) : 0; n; n--) {
		code_u(at);
		if (kind == RS_FOR_GUARDED) {
			code_u(at);
			code_text(at);
		}
	}
}

static inline void skip_lines(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--) {
		skip_range(at);
		skip_expression(at);
	}
}

static inline void skip_lists(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--)
		skip_list(at);
}

static inline void skip_output(rule_code *at)
{
	bool lines = true;
	if (code_u(at)) {
		code_u(at); /* flags */
		lines = code_u(at);
		skip_lists(at);
	} else if (code_u(at)) {
		code_s(at);
		skip_lists(at);
	}
	if (lines)
		skip_lines(at);
}

static inline void skip_defaults(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--) {
		code_u(at);
		if (code_u(at))
			code_u(at);
		else
			code_s(at);
	}
}

static inline void skip_shapes(rule_code *at)
{
	skip_guard(at);
	for (uint64_t n = code_u(at); n; n--)
		skip_output(at);
}

static inline void skip_rule(rule_code *at)
{
	skip_defaults(at);
	for (uint64_t n = code_u(at); n; n--) {
		skip_guard(at);
		skip_lines(at);
	}
	for (uint64_t n = code_u(at); n; n--)
		skip_shapes(at);
	code_u(at); /* reserved */
}

#endif
