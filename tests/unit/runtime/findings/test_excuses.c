/* Counts of excuses: answers, storing, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "buf.h"
#include "excuses.h"

static excuses e;

static void count(const char *answer)
{
	cJSON *parsed = cJSON_Parse(answer);
	excuses_count(&e, parsed);
	cJSON_Delete(parsed);
}

static int64_t models_of(const char *name)
{
	const excuse_count *x = excuses_find(&e, name);
	return x ? x->models : -1;
}

static void counting(void **state)
{
	(void)state;
	count("{\"verdict\":\"ok\",\"excuses\":{\"rounding\":3,\"shift\":2}}");
	count("{\"verdict\":\"ok\",\"excuses\":{\"shift\":5}}");
	count("{\"verdict\":\"ok\"}");
	assert_true(models_of("rounding") == 1 && excuses_find(&e, "rounding")->elements == 3);
	assert_true(models_of("shift") == 2 && excuses_find(&e, "shift")->elements == 7);
	count("{\"excuses\":{\"A\":1,\"x/../y\":1,\"\":1,\"none\":0,\"text\":\"1\",\"much\":1e300,\"less\":-4}}");
	count("{\"excuses\":[1,2]}");
	count("{\"excuses\":7}");
	assert_true(e.n == 2);
	excuses_sort(&e);
	assert_true(strcmp(e.at[0].name, "shift") == 0);
}

static void storing(void **state)
{
	(void)state;
	char path[] = "/tmp/excuses-XXXXXX";
	diag d = {""};
	int fd = mkstemp(path);
	close(fd);
	unlink(path);
	store *s = store_open(path, true, &d);
	assert_true(s && excuses_store(s, 1, &e, &d));
	assert_true(statement_run(s, statement_new(s, &d, "INSERT INTO counters VALUES(1,'models',9)", ""), &d));
	e.n = 0;
	assert_true(excuses_load(s, 1, &e, &d) && e.n == 2 && models_of("shift") == 2 && excuses_find(&e, "shift")->elements == 7);
	assert_true(excuses_load(s, 2, &e, &d) && e.n == 0);
	store_close(s);
	unlink(path);
}

static void many(void **state)
{
	(void)state;
	buf text = {0};
	buf_puts(&text, "{\"excuses\":{\"a\":1");
	for (int i = 0; i < 2 * EXCUSES_MAX; i++)
		buf_printf(&text, ",\"a-%d\":1", i);
	buf_puts(&text, "}}");
	e.n = 0;
	count(text.text);
	buf_free(&text);
	assert_true(e.n == EXCUSES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(counting), cmocka_unit_test(storing), cmocka_unit_test(many)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
