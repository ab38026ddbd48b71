/* make bench-neuri: our rules on NeuRI's own records, beside NeuRI's own results.
 *
 * usage: bench_neuri LIBRULES.so STATISTICS.json OUT.json NAME RECORDS.jsonl PUBLISHED.csv [NAME …]
 *
 * Every training record is replayed through the compiled table: an operator counts only when each
 * passing record is accepted with equal outputs and each failing one is rejected. NeuRI's figures are
 * its published outcomes for the same operators (counted ones). A failing record whose input is also
 * recorded as passing says nothing of shapes; such are left out and counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "record.h"
#include "rulesmith.h"

typedef struct published {
	char op[256];
	int counted, shape, constraint, both, by_hand;
	double seconds;
} published;

typedef struct tally {
	int operators, counted, ours, ours_rule, neuri, neuri_with_hand, both, only_neuri, contradictory;
	long passing, passing_right, failing, failing_right;
	double neuri_seconds;
	double eval_seconds;
} tally;

static void stop(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static int by_op(const void *a, const void *b)
{
	return strcmp(((const published *)a)->op, ((const published *)b)->op);
}

static published *read_published(const char *path, int *n)
{
	FILE *f = fopen(path, "r");
	char line[1024], shape_s[32], constraint_s[32];
	published *list = NULL, p;
	*n = 0;
	if (!f)
		stop("error: cannot open the published results");
	for (long number = 1; fgets(line, sizeof line, f); number++) {
		if (number == 1)
			continue;
		shape_s[0] = constraint_s[0] = '\0';
		int got = sscanf(line, "%255[^,],%d,%d,%d,%d,%d,%31[^,\n],%31[^,\n]", p.op, &p.counted, &p.shape,
		    &p.constraint, &p.both, &p.by_hand, shape_s, constraint_s);
		if (got < 6) {
			fprintf(stderr, "%s:%ld: error: not op,counted,shape_ok,…\n", path, number);
			exit(1);
		}
		p.seconds = atof(shape_s) + atof(constraint_s);
		list = realloc(list, sizeof *list * (size_t)(*n + 1));
		list[(*n)++] = p;
	}
	fclose(f);
	qsort(list, (size_t)*n, sizeof *list, by_op);
	return list;
}

static bool agrees(const rs_op *rule, const operator *op, tally *t)
{
	int64_t out[16384];
	int right = 0, rejected = 0, width = op->nsym + op->nodim;
	struct timespec a, b;
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = op->pass + (size_t)k * width;
		right += rs_eval(rule, row, out)
		    && memcmp(out, row + op->nsym, sizeof *out * (size_t)op->nodim) == 0;
	}
	for (int k = 0; k < op->nfail; k++)
		rejected += !rs_eval(rule, op->fail + (size_t)k * op->nsym, out);
	clock_gettime(CLOCK_MONOTONIC, &b);
	t->eval_seconds += (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
	t->passing_right += right;
	t->failing_right += rejected;
	return right == op->npass && rejected == op->nfail;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static tally compare(const rs_library *lib, const char *records_path, const char *published_path)
{
	tally t = {0};
	records r;
	int n;
	published *list = read_published(published_path, &n);
	if (!records_read(&r, &records_path, 1, report, NULL))
		exit(1);
	for (int i = 0; i < r.n; i++) {
		const operator *op = &r.ops[i];
		published key;
		snprintf(key.op, sizeof key.op, "%s", op->name);
		const published *p = n ? bsearch(&key, list, (size_t)n, sizeof *list, by_op) : NULL;
		const rs_op *rule = rs_library_find(lib, op->name);
		bool has = rule && rule->valid, ok = false;
		t.operators++;
		t.contradictory += op->conflicts;
		if (has) {
			t.passing += op->npass;
			t.failing += op->nfail;
			ok = agrees(rule, op, &t);
		}
		if (!p || !p->counted)
			continue;
		t.counted++;
		t.ours += ok;
		t.ours_rule += has;
		t.neuri += p->both;
		t.neuri_with_hand += p->both || p->by_hand;
		t.both += ok && p->both;
		t.only_neuri += p->both && !ok;
		t.neuri_seconds += p->seconds;
	}
	records_free(&r);
	free(list);
	return t;
}

static double percent(long part, long whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print(const char *name, const tally *t, buf *json)
{
	printf("%-8s %9d %8d | %6d %6.1f %% | %6d %6.1f %% | %10.0f | %ld/%ld accepted, %ld/%ld rejected\n", name,
	    t->operators, t->counted, t->ours, percent(t->ours, t->counted), t->neuri,
	    percent(t->neuri, t->counted), t->neuri_seconds, t->passing_right, t->passing, t->failing_right,
	    t->failing);
	buf_printf(json,
	    ",\"%s\":{\"operators\":%d,\"counted\":%d,\"ours\":%d,\"ours_percent\":%.2f,\"neuri\":%d,"
	    "\"neuri_percent\":%.2f,\"neuri_only\":%d,\"neuri_seconds\":%.0f,\"contradictory\":%d,"
	    "\"eval_ns\":%.1f}",
	    name, t->operators, t->counted, t->ours, percent(t->ours, t->counted), t->neuri,
	    percent(t->neuri, t->counted), t->only_neuri, t->neuri_seconds, t->contradictory,
	    1e9 * t->eval_seconds / (double)(t->passing + t->failing + 1));
}

static double number(const cJSON *tree, const char *key)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(tree, key));
}

int main(int argc, char **argv)
{
	char message[512];
	diag d;
	size_t length;
	buf json = {0};
	if (argc < 7 || (argc - 4) % 3)
		stop("usage: bench_neuri LIBRULES.so STATISTICS.json OUT.json NAME RECORDS.jsonl PUBLISHED.csv …");
	const rs_library *lib = rs_library_load(argv[1], message, sizeof message);
	char *text = file_read(argv[2], &length, &d);
	cJSON *statistics = text ? cJSON_Parse(text) : NULL;
	if (!lib)
		stop(message);
	if (!statistics)
		stop("error: no synthesis statistics");
	printf("operators whose rule agrees with every training record (compiled table; contradictory failures left out)\n\n");
	printf("         operators  counted |    ours           |   NeuRI           | NeuRI CPU s | records, where there is a rule\n");
	buf_printf(&json, "{\"schema\":1,\"synthesis\":%.*s", (int)strcspn(text, "\n"), text);
	for (int i = 4; i + 2 < argc; i += 3) {
		tally t = compare(lib, argv[i + 1], argv[i + 2]);
		print(argv[i], &t, &json);
		printf("%-8s NeuRI with hand-written rules reused %.1f %%; rules that only NeuRI has: %d; "
		       "contradictory failures: %d; %.1f ns a compiled evaluation\n",
		    "", percent(t.neuri_with_hand, t.counted), t.only_neuri, t.contradictory,
		    1e9 * t.eval_seconds / (double)(t.passing + t.failing + 1));
	}
	printf("\nsynthesis: %.1f s wall, %.1f CPU s on %.0f threads, %.2g expressions/s, peak %.0f MiB, slowest %.2f s "
	       "(NeuRI over all its operators: about 1,816,000 CPU s)\n",
	    number(statistics, "wall_seconds"), number(statistics, "cpu_seconds"), number(statistics, "threads"),
	    number(statistics, "evaluations_per_second"), number(statistics, "peak_mib"),
	    number(statistics, "slowest_seconds"));
	buf_puts(&json, "}\n");
	bool ok = file_write(argv[3], json.text, json.length, &d);
	cJSON_Delete(statistics);
	free(text);
	buf_free(&json);
	return ok ? 0 : 1;
}
