#include "four_bits.h"

#include <string.h>

#include "framework.h"
#include "op_versions.h"
#include "rulesmith.h"

enum { TENSORS = 64 };

typedef struct definition {
	const char *name;
	int since;
	const char *inputs, *outputs; /* a letter for each */
} definition;

static const definition DEFINITIONS[] = {
#define FOUR_BITS(name, since, inputs, outputs) {name, since, inputs, outputs},
#include "op_four_bits.def"
#undef FOUR_BITS
};
enum { COUNT = sizeof DEFINITIONS / sizeof *DEFINITIONS };

bool four_bits_has(const uint8_t *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (row[i] == RS_INT4 || row[i] == RS_UINT4)
			return true;
	return false;
}

/* The order of a definition's name and one of n bytes. */
static int order(const definition *d, const char *name, size_t n)
{
	int c = strncmp(d->name, name, n);
	return c ? c : d->name[n] != '\0';
}

/* The first definition whose name is not before one of n bytes; the table is in that order, oldest version first. */
static size_t first_of(const char *name, size_t n)
{
	size_t low = 0, high = COUNT;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (order(&DEFINITIONS[middle], name, n) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The definition that an API names: that of its version, or the newest one. NULL: it has no such integers. */
static const definition *find(const char *api)
{
	const char *name = strchr(api, '.');
	int version = op_version(api);
	if (!op_newest_set(api) || !name)
		return NULL;
	size_t n = op_name_length(++name);
	const definition *found = NULL;
	for (size_t i = first_of(name, n); i < COUNT && order(&DEFINITIONS[i], name, n) == 0; i++)
		if (!version || DEFINITIONS[i].since == version)
			found = &DEFINITIONS[i];
	return found;
}

static char letter_at(const char *letters, unsigned i)
{
	size_t n = strlen(letters);
	return n ? letters[i < n ? i : n - 1] : '\0';
}

/* ---- the type of each tensor of a call */

typedef struct places {
	const rs_op *op;
	const char *letters;
	unsigned value, place, tensor; /* the next of each */
	char types[TENSORS];
} places;

/* The inputs that the next value makes: elements and omitted ones take a place, too. */
static void take_value(places *p)
{
	const rs_value *v = &p->op->values[p->value++];
	if (v->kind == RS_LIST) {
		for (unsigned i = 0; i < v->count; i++)
			take_value(p);
		return;
	}
	if (rs_is_tensor(v->kind) && p->tensor < TENSORS)
		p->types[p->tensor++] = letter_at(p->letters, p->place);
	p->place++;
	unsigned place = p->place;
	if (v->kind == RS_ELEMENTS)
		take_value(p);
	p->place = place;
}

static bool find_types(places *p, const definition *d)
{
	const rs_op *op = p->op;
	if (op->nin + op->nout > TENSORS)
		return false;
	p->letters = d->inputs;
	for (unsigned i = 0; i < op->nargs && op->args[i].by_position; i++) {
		p->value = op->args[i].value;
		take_value(p);
	}
	for (unsigned i = 0; i < op->nout; i++)
		p->types[op->nin + i] = letter_at(d->outputs, i);
	return p->tensor == op->nin;
}

/* The first input of a type; nin: only results have it, so that an attribute or another input decides it. */
static unsigned first_input(const places *p, char type)
{
	unsigned i = 0;
	while (i < p->op->nin && p->types[i] != type)
		i++;
	return i;
}

/* Whether a type occurs with elements of several sizes. */
static bool has_sizes(const rs_op *op, unsigned input)
{
	unsigned width = op->nin + op->nout;
	for (unsigned i = 1; i < op->ndtypes; i++)
		if (rs_dtype_size((rs_dtype)op->dtypes[i * width + input]) != rs_dtype_size((rs_dtype)op->dtypes[input]))
			return true;
	return false;
}

bool four_bits_row(const rs_op *op, const uint8_t *row, unsigned type, uint8_t *to)
{
	places p = {.op = op};
	const definition *d = find(op->api);
	char letter = (char)('A' + type);
	if (!d || !find_types(&p, d))
		return false;
	unsigned input = first_input(&p, letter), n = op->nin + op->nout;
	if (input == op->nin || (row[input] != RS_INT8 && row[input] != RS_UINT8) || !has_sizes(op, input))
		return false;
	uint8_t old = row[input], new = old == RS_INT8 ? RS_INT4 : RS_UINT4;
	for (unsigned i = 0; i < n; i++)
		to[i] = p.types[i] == letter && row[i] == old ? new : row[i];
	return true;
}
