#include "four_bits.h"

#include <string.h>

#include "op_versions.h"
#include "rulesmith.h"

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

/* The definition that an API names: that of its version, or the newest one. NULL: it has no such integers. */
static const definition *find(const char *api)
{
	const char *name = strchr(api, '.');
	int version = op_version(api);
	if (!op_newest_set(api) || !name)
		return NULL;
	size_t n = op_name_length(++name);
	const definition *found = NULL;
	size_t first = op_first_row(DEFINITIONS, COUNT, sizeof *DEFINITIONS, name, n);
	for (size_t i = first; i < COUNT && op_name_order(DEFINITIONS[i].name, name, n) == 0; i++)
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

static bool find_types(four_bits *f, const definition *d)
{
	const rs_op *op = f->op;
	op_place list[OP_PLACES];
	size_t n = op_places(op, list, OP_PLACES);
	unsigned tensors = 0;
	for (size_t i = 0; i < n; i++)
		if (rs_is_tensor(list[i].value->kind) && tensors++ < op->nin)
			f->types[list[i].tensor] = letter_at(d->inputs, (unsigned)i);
	for (unsigned i = 0; i < op->nout; i++)
		f->types[op->nin + i] = letter_at(d->outputs, i);
	return tensors == op->nin;
}

/* Whether an input occurs with elements of several sizes. */
static bool has_sizes(const rs_op *op, unsigned input)
{
	unsigned width = op->nin + op->nout;
	for (unsigned i = 1; i < op->ndtypes; i++)
		if (rs_dtype_size((rs_dtype)op->dtypes[i * width + input]) != rs_dtype_size((rs_dtype)op->dtypes[input]))
			return true;
	return false;
}

/* The first input of a type; nin: none, since only results have the type (an attribute or another input decides it), or all
 * elements have one size. */
static unsigned first_input(const four_bits *f, char type)
{
	unsigned i = 0;
	while (i < f->op->nin && f->types[i] != type)
		i++;
	return i < f->op->nin && has_sizes(f->op, i) ? i : f->op->nin;
}

static char letter_of(unsigned type)
{
	return (char)('A' + type);
}

bool four_bits_find(four_bits *f, const rs_op *op)
{
	const definition *d = op->nin + op->nout <= FOUR_BITS_TENSORS ? find(op->api) : NULL;
	bool any = false;
	*f = (four_bits){.op = op};
	if (!d || !find_types(f, d))
		return false;
	for (unsigned i = 0; i < FOUR_BITS_TYPES; i++) {
		f->first[i] = (uint16_t)first_input(f, letter_of(i));
		any |= f->first[i] < op->nin;
	}
	return any;
}

bool four_bits_row(const four_bits *f, const uint8_t *row, unsigned type, uint8_t *to)
{
	unsigned input = f->first[type], n = f->op->nin + f->op->nout;
	if (input == f->op->nin || (row[input] != RS_INT8 && row[input] != RS_UINT8))
		return false;
	uint8_t old = row[input], new = old == RS_INT8 ? RS_INT4 : RS_UINT4;
	for (unsigned i = 0; i < n; i++)
		to[i] = f->types[i] == letter_of(type) && row[i] == old ? new : row[i];
	return true;
}
