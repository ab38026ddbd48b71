/* A sampler's program from an untrusted rule library: decoded, and run if it is valid. Two bytes give the
 * numbers of symbols and output dimensions, one gives the known ones, the rest is the program. The same
 * bytes give the ABI of the enclosing library. */
#include <string.h>

#include "arena.h"
#include "input.h"
#include "program.h"
#include "rulesmith.h"
#include "run.h"

enum { STEPS = 4 };

static int64_t *numbers(size_t n, int64_t value)
{
	int64_t *to = malloc((n + !n) * sizeof *to);
	for (size_t i = 0; to && i < n; i++)
		to[i] = value;
	return to;
}

static uint8_t *flags(size_t n, uint8_t bits)
{
	uint8_t *to = malloc(n + !n);
	for (size_t i = 0; to && i < n; i++)
		to[i] = (bits >> (i % 8)) & 1;
	return to;
}

static void run(const program *p, unsigned nsym, unsigned nodim, uint8_t bits)
{
	rng r = rng_seed(1);
	for (int i = 0; i < STEPS; i++) {
		int64_t *s = numbers(nsym, i - 1), *out = numbers(nodim, i), *low = numbers(nsym, 1), *high = numbers(nsym, RS_LIMIT);
		uint8_t *known = flags(nsym, bits), *wanted = flags(nodim, (uint8_t)~bits);
		rs_draw d = {s, known, out, wanted, low, high, &r, NULL};
		run_program(p, &d);
		free(s), free(out), free(low), free(high), free(known), free(wanted);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	const rs_table table = {.abi = data[0]}, *const tables[] = {&table};
	const rs_library library = {.abi = data[1], .ntables = 1, .tables = tables};
	bool fits = data[0] >= RS_ABI_OLDEST && data[0] <= RS_ABI && data[1] >= RS_ABI_OLDEST && data[1] <= RS_ABI;
	if (!rs_library_check(&library) && !fits)
		abort();
	unsigned nsym = data[0] % 16, nodim = data[1] % 16;
	char *text = malloc(size - 2);
	arena *a = arena_new();
	diag d;
	if (!text || !a)
		abort();
	memcpy(text, data + 3, size - 3);
	text[size - 3] = '\0';
	const program *p = program_decode(a, text, nsym, nodim, &d);
	if (p)
		run(p, nsym, nodim, data[2]);
	arena_free(a);
	free(text);
	return 0;
}
