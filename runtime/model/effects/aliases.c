#include "aliases.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 32 }; /* dimensions of a strided result */

static const alias_row ROWS[] = {
#include "aliases.def.h"
    {"", "", "", ""}};
enum { NROWS = sizeof ROWS / sizeof *ROWS - 1 };

static int compare(const void *name, const void *row)
{
	return strcmp(name, ((const alias_row *)row)->op);
}

const alias_row *alias_find(const rs_op *op)
{
	return bsearch(op->name, ROWS, NROWS, sizeof *ROWS, compare);
}

bool alias_reshapes(const alias_row *row)
{
	return row && *row->writes == 's';
}

bool alias_writes_any(const alias_row *row)
{
	return row && *row->writes != '.' && *row->writes != '?';
}

bool alias_writes(const alias_row *row, unsigned input)
{
	if (!alias_writes_any(row))
		return false;
	if (alias_reshapes(row))
		return true;
	for (const char *at = row->writes; *at; at += *at == ',') {
		char *end;
		if (strtoul(at, &end, 10) == input)
			return true;
		at = end;
	}
	return false;
}

uint64_t alias_mask(const alias_row *row, unsigned nin)
{
	uint64_t mask = 0;
	for (unsigned i = 0; i < nin && i < 64; i++)
		mask |= (uint64_t)alias_writes(row, i) << i;
	return mask;
}

/* The field of a result; "" if there is none. */
static const char *field(const alias_row *row, unsigned output)
{
	const char *at = row->returns;
	for (; output && at; output--) {
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
	return at ? at : "";
}

enum alias alias_of(const alias_row *row, unsigned output, unsigned *input)
{
	const char *at = row ? field(row, output) : "f";
	*input = UINT32_MAX;
	if (*at == '.' || *at == '\0' || tolower((unsigned char)*at) == 'f')
		return ALIAS_NONE;
	if (*at == '?')
		return ALIAS_MAYBE;
	*input = (unsigned)strtoul(at + 1, NULL, 10);
	int kind = tolower((unsigned char)*at);
	return kind == 's' ? ALIAS_SELF : kind == 'v' ? ALIAS_VIEW : kind == 'u' ? ALIAS_UNDECLARED : ALIAS_MAYBE;
}

bool alias_dense(const alias_row *row, unsigned output)
{
	return !row || islower((unsigned char)*field(row, output));
}

/* Whether each stride exceeds the span of the smaller ones. */
static bool nested(unsigned n, const int64_t *sizes, const int64_t *strides)
{
	bool done[LIST_MAX] = {false};
	int64_t filled = 1;
	for (unsigned round = 0; round < n; round++) {
		unsigned least = n;
		for (unsigned i = 0; i < n; i++)
			if (!done[i] && (least == n || strides[i] < strides[least]))
				least = i;
		done[least] = true;
		if (sizes[least] <= 1)
			continue;
		if (strides[least] < filled)
			return false;
		filled += (sizes[least] - 1) * strides[least];
	}
	return true;
}

bool alias_disjoint(const alias_row *row, const int64_t *symbols, int64_t made, int64_t taken)
{
	unsigned one, other, n;
	if (!row || strcmp(row->disjoint, "always") == 0)
		return true;
	if (strcmp(row->disjoint, "numel") == 0)
		return made <= taken;
	if (sscanf(row->disjoint, "s%u>=s%u", &one, &other) == 2)
		return symbols[one] >= symbols[other];
	if (sscanf(row->disjoint, "s%u:s%u:%u", &one, &other, &n) == 3)
		return n <= LIST_MAX && nested(n, symbols + one, symbols + other);
	return false;
}
