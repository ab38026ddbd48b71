/* An oracle's answers, as `verify` reads them. */
#include "answer.h"
#include "said.h"

static bool take(void *user, int line, const cJSON *said_line, diag *d)
{
	static const int64_t IN[] = {1, 2};
	static const rs_op OP = {.name = "f.add-0", .nsym = 2, .nodim = 1};
	const asked q = {.op = &OP, .in = IN, .out = line ? IN : NULL, .drawn = "corner", .breaks = "s0 = s1"};
	answer a;
	buf kept = {0};
	undecided to = {0};
	if (said_line && !answer_read(said_line, &a, d))
		return false;
	if (said_line && answer_decides(&a, &to)) {
		asked_tell(user, &q, &a);
		asked_keep(&kept, &q, &a);
	}
	buf_free(&kept);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const LINES[] = {"{}", "{}", "{}"};
	static FILE *nowhere;
	diag d;
	if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
		abort();
	said_open(data, size);
	oracle *o = oracle_new(&(oracle_options){.command = "oracle", .restarts = true});
	keeper k = {.oracle = o};
	oracle_ask(o, LINES, 3, size & 1, take, nowhere, &d);
	keeper_send(&k, LINES, 1, &d);
	keeper_save(&k, &d);
	oracle_free(o);
	return 0;
}
