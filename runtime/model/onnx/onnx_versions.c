#include "onnx_versions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SET = 7 }; /* the oldest that onnxruntime promises to run */

typedef struct version {
	const char *name;
	int since;
	const char *inputs, *outputs; /* of the version in force: "" */
} version;

static const version VERSIONS[] = {
#define VERSION(name, since, inputs, outputs) {name, since, inputs, outputs},
#include "onnx_versions.def"
#undef VERSION
};
enum { COUNT = sizeof VERSIONS / sizeof *VERSIONS };

/* The first row of an operator; COUNT: there is none. */
static size_t find(const char *name)
{
	size_t low = 0, high = COUNT;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(VERSIONS[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < COUNT && strcmp(VERSIONS[low].name, name) == 0 ? low : COUNT;
}

/* Whether each dtype is among those of its place. */
static bool takes(const char *masks, const uint8_t *dtypes, size_t n)
{
	unsigned long mask = 0;
	for (size_t i = 0; i < n; i++) {
		char *end;
		if (*masks) {
			mask = strtoul(masks, &end, 16);
			masks = end;
		}
		if (dtypes[i] != ONNX_NO_DTYPE && !(mask >> dtypes[i] & 1))
			return false;
	}
	return true;
}

int onnx_oldest_set(const char *operator, const uint8_t *inputs, size_t nin, const uint8_t *outputs, size_t nout)
{
	size_t at = find(operator);
	if (at == COUNT)
		return 0;
	int oldest = VERSIONS[at].since;
	while (++at < COUNT && strcmp(VERSIONS[at].name, operator) == 0 && takes(VERSIONS[at].inputs, inputs, nin)
	       && takes(VERSIONS[at].outputs, outputs, nout))
		oldest = VERSIONS[at].since;
	return oldest > FIRST_SET ? oldest : FIRST_SET;
}
