/* Rules read for a site, calls in words, what changed, and pictures: each cell is an answer of the rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../toy_table.h"
#include "form_text.h"
#include "changes.h"
#include "region.h"
#include "common_words.h"
#include "file.h"
#include "no_memory.h"
#include "site.h"

#define HEAD "{\"rules\":1}\n"
#define POOL(n, clause)                                                                                                            \
	"{\"op\":\"torch.pool-" #n "\",\"api\":\"torch.pool\",\"framework\":\"torch\",\"version\":\"1\",\"args\":[{\"name\":\"x\",\"value\":"  \
	"{\"tensor\":[\"s0\",\"s1\"],\"dtype\":\"float32\"}},{\"name\":\"k\",\"value\":[\"s2\"]}],\"outputs\":[{\"tensor\":[\"o0\",\"o1\"]}]," \
	"\"nsym\":3,\"out\":[\"s0 - s2 + 1\",\"s1\"],\"valid\":[\"" clause "\",\"s2 > 0\"],\"id\":\"pool\",\"records\":[[4,2,2,3,2]],"       \
	"\"page\":{\"clauses\":[{\"text\":\"k > 0\"}]}}\n"

static bool read_text(site_rules *r, const char *text, diag *d)
{
	char path[] = "/tmp/site-test-XXXXXX";
	int file = mkstemp(path);
	assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	bool ok = site_rules_read(r, path, d);
	unlink(path);
	return ok;
}

static void reads(void **state)
{
	(void)state;
	site_rules r;
	diag d = {""};
	assert_true(read_text(&r, HEAD POOL(10, "s2 <= s0") POOL(9, "s2 <= s0"), &d));
	assert_int_equal(r.napis, 1);
	assert_string_equal(r.apis[0].file, "pool");
	assert_string_equal(site_op_number(&r.apis[0].ops[0]), "-9"); /* by number, not by bytes */
	assert_non_null(site_rules_find(&r, "torch", "torch.pool"));
	assert_null(site_rules_find(&r, "torch", "torch.poo"));
	common_words *s = common_words_of(&r);
	assert_int_equal(common_words_apis(s, "k > 0"), 1); /* an API, though two of its rules say it */
	assert_int_equal(common_words_apis(s, "k > 1"), 0);
	common_words_free(s);
	site_rules_free(&r);
}

/* A name becomes a file name: an invalid one is rejected, with its line. */
static void refuses(void **state)
{
	(void)state;
	static const char *const CASES[][2] = {{"", "no header"}, {"{}\n", "no header"}, {HEAD "x\n", ":2: error"}, {HEAD "{}\n", "\"op\""},
	    {HEAD "{\"op\":\"../x-0\",\"api\":\"../x\",\"framework\":\"torch\"}\n", "identifiers"},
	    {HEAD "{\"op\":\"a..b-0\",\"api\":\"a..b\",\"framework\":\"torch\"}\n", "identifiers"},
	    {HEAD "{\"op\":\"a.-0\",\"api\":\"a.\",\"framework\":\"torch\"}\n", "identifiers"},
	    {HEAD "{\"op\":\"a-0\",\"api\":\"a\",\"framework\":\"../b\"}\n", "framework"},
	    {HEAD "{\"op\":\"b-0\",\"api\":\"a\",\"framework\":\"b\"}\n", "\"op\""},
	    {HEAD "{\"op\":\"a-0\",\"api\":\"a\",\"framework\":\"b\",\"args\":1}\n", "\"args\""},
	    {HEAD "{\"op\":\"a-0\",\"api\":\"a\",\"framework\":\"b\",\"args\":[],\"outputs\":[],\"nsym\":-1}\n", "\"nsym\""},
	    {HEAD "{\"op\":\"a-0\",\"api\":\"a\",\"framework\":\"b\",\"args\":[],\"outputs\":[],\"nsym\":1,\"out\":[1]}\n", "\"out\""},
	    {HEAD POOL(1, "s2 > 0") POOL(1, "s2 > 0"), "duplicate signature"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		site_rules r;
		diag d = {""};
		assert_false(read_text(&r, CASES[i][0], &d));
		if (!strstr(d.text, CASES[i][1]))
			fail_msg("%s: not %s", d.text, CASES[i][1]);
		site_rules_free(&r);
	}
}

static void calls(void **state)
{
	(void)state;
	site_op op = {.args = cJSON_Parse(
	    "[{\"name\":\"x\",\"value\":{\"tensor\":[\"s0\",\"s1\",\"s2\"],\"dtype\":\"int64\",\"range\":[\"s3\",\"s4\"]}},"
	    "{\"name\":\"k\",\"value\":[\"s5\",[\"s6\"]]},{\"name\":\"m\",\"value\":{\"const\":\"None\"}},"
	    "{\"name\":\"e\",\"value\":{\"elements\":[\"s7\",{\"const\":\"1\"}],\"dtype\":\"int32\"}}]")};
	buf b = {0};
	form_text_put(&b, &op);
	assert_string_equal(b.text, "x: i64[s0..s2] in s3..s4-1, k=[s5, [s6]], m=None, e=i32([s7, 1])");
	buf_clear(&b);
	form_text_names(&b, &op);
	assert_string_equal(b.text, "x[0]\nx[1]\nx[2]\nx.low\nx.high\nk[0]\nk[1][0]\ne[0]\n");
	buf_clear(&b);
	form_text_kinds(&b, &op);
	assert_string_equal(b.text, "dddnnnnn");
	buf_free(&b);
	cJSON_Delete((cJSON *)op.args);
}

static void differences(void **state)
{
	(void)state;
	site_rules old, now;
	diag d = {""};
	buf b = {0};
	assert_true(read_text(&old, HEAD POOL(1, "s2 <= s0") POOL(2, "s2 <= s0") POOL(3, "s2 < s0"), &d));
	assert_true(read_text(&now, HEAD POOL(2, "s2 <= s0") POOL(3, "s2 <= s0 + 1") POOL(4, "s2 <= s0"), &d));
	changes c = changes_of(old.apis, now.apis);
	assert_int_equal(c.added, 1);
	assert_int_equal(c.removed, 1);
	assert_int_equal(c.changed, 1);
	changes_summary(&b, &c);
	assert_string_equal(b.text, "1 signature added, 1 signature removed, 1 signature changed");
	buf_clear(&b);
	changes_put(&b, old.apis, now.apis);
	assert_non_null(strstr(b.text, "removed clause: <del><code>s2 &lt; s0</code></del>"));
	assert_non_null(strstr(b.text, "added clause: <ins><code>s2 &lt;= s0 + 1</code></ins>"));
	assert_null(strstr(b.text, "s2 &gt; 0")); /* what stayed */
	c = changes_of(now.apis, now.apis);
	assert_false(changes_any(&c));
	c = changes_of(NULL, now.apis);
	assert_true(c.fresh && c.added == 3);
	buf_free(&b);
	site_rules_free(&old);
	site_rules_free(&now);
}

/* ---- pictures */

static bool strict(const int64_t *s)
{
	return s[2] > 0 && s[2] <= s[0];
}

static const rs_op POOL_ROW = {.name = "torch.pool-1", .api = "torch.pool", .rule = "pool", .valid = strict, .propagate = toy_pool,
    .values = (const rs_value[]){TOY_ONE}, .out_ranks = (const uint8_t[]){2}, .nsym = 3, .nodim = 2, .nvalues = 1, .nin = 1, .nout = 1};
static const rs_table TABLE = {.abi = RS_ABI, .framework = "torch", .ops = &POOL_ROW, .nops = 1};
static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 1, .tables = (const rs_table *const[]){&TABLE}};

static void picture(void **state)
{
	(void)state;
	site_rules rules;
	diag d = {""};
	region r;
	assert_true(read_text(&rules, HEAD POOL(1, "s2 <= s0"), &d));
	assert_true(region_of(&LIBRARY, rules.apis, &r));
	assert_ptr_equal(r.op, rules.apis[0].ops);
	assert_int_equal(r.x, 0); /* the two that a clause joins */
	assert_int_equal(r.y, 2);
	for (int j = 0; j < REGION_SIDE; j++)
		for (int i = 0; i < REGION_SIDE; i++)
			assert_int_equal(r.cells[j][i] != REGION_REFUSED, j - 2 > 0 && j - 2 <= i - 2);
	buf b = {0};
	int64_t base[5];
	assert_true(region_base(&POOL_ROW, r.op, 0, base));
	region_svg(&b, &r, base, "<x>", "k\"");
	assert_non_null(strstr(b.text, "&lt;x&gt;"));
	assert_null(strstr(b.text, "<x>"));
	buf_free(&b);
	rules.apis[0].ops[0].id = "other"; /* the table has another rule */
	assert_null(region_row(&LIBRARY, rules.apis[0].ops));
	assert_true(region_of(&LIBRARY, rules.apis, &r));
	assert_null(r.op);
	site_rules_free(&rules);
}

static void windows(void **state)
{
	(void)state;
	assert_int_equal(region_low(-2), -2);
	assert_int_equal(region_low(14), -2);
	assert_int_equal(region_low(15), 5);
	assert_true(region_low(INT64_MAX) + (REGION_SIDE - 1) == INT64_MAX);
	assert_true(region_low(INT64_MIN) == INT64_MIN);
}

/* ---- a site, where there is no memory */

static const char *const PAGES[] = {"index.html", "legend.html", "changes.html", "site.css", "site.js", "torch/pool.html"};
enum { NPAGES = sizeof PAGES / sizeof *PAGES };

typedef struct written {
	char folder[32], rules[64], since[64];
	char *pages[NPAGES]; /* as they are with memory; NULL: not known yet */
} written;

static void page_path(const written *w, int page, char path[96])
{
	snprintf(path, 96, "%s/site/%s", w->folder, PAGES[page]);
}

/* Pages that are there are whole. */
static bool writes_site(void *context)
{
	written *w = context;
	char out[64], path[96];
	diag d = {""};
	site_counts counts;
	snprintf(out, sizeof out, "%s/site", w->folder);
	for (int i = 0; i < NPAGES; i++)
		page_path(w, i, path), unlink(path);
	bool done = site_write(&(site_options){.rules = w->rules, .out = out, .since = w->since, .lib = &LIBRARY}, &counts, &d);
	long at = memory.at, made = memory.made;
	memory.at = 0; /* to look there is memory */
	if (!done && !strstr(d.text, "memory"))
		fail_msg("%s", d.text);
	for (int i = 0; i < NPAGES; i++) {
		size_t length;
		page_path(w, i, path);
		char *text = access(path, F_OK) == 0 ? file_read(path, &length, &d) : NULL;
		assert_true(text || !done);
		if (text && w->pages[i])
			assert_string_equal(text, w->pages[i]);
		if (!w->pages[i])
			w->pages[i] = text;
		else
			free(text);
	}
	memory.at = at, memory.made = made;
	return done;
}

static void without_memory(void **state)
{
	(void)state;
	static const char RULES[] = HEAD POOL(1, "s2 <= s0") POOL(2, "s2 <= s0"), SINCE[] = HEAD POOL(1, "s2 < s0") POOL(3, "s2 <= s0");
	written w = {.folder = "/tmp/site-test-XXXXXX"};
	char path[96];
	diag d;
	assert_non_null(mkdtemp(w.folder));
	snprintf(w.rules, sizeof w.rules, "%s/rules", w.folder);
	snprintf(w.since, sizeof w.since, "%s/since", w.folder);
	assert_true(file_write(w.rules, RULES, strlen(RULES), &d) && file_write(w.since, SINCE, strlen(SINCE), &d));
	assert_true(writes_site(&w));
	lack_memory(writes_site, &w);
	for (int i = 0; i < NPAGES; i++) {
		free(w.pages[i]);
		page_path(&w, i, path);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/site/torch", w.folder);
	rmdir(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	unlink(w.rules), unlink(w.since);
	assert_int_equal(rmdir(w.folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(refuses), cmocka_unit_test(calls),
	    cmocka_unit_test(differences), cmocka_unit_test(picture), cmocka_unit_test(windows),
	    cmocka_unit_test(without_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
