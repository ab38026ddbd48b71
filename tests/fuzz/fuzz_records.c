/* The reader of record files. */
#include "input.h"
#include "record.h"

static void ignore(const diag *d, void *user)
{
	(void)d;
	(void)user;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input in = input_open(data, size);
	const char *paths[] = {in.path};
	records r;
	records_read(&r, paths, 1, ignore, NULL);
	records_free(&r);
	input_close(&in);
	return 0;
}
