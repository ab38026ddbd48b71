/* make bench-neuri: our rules on NeuRI's own records, beside NeuRI's own results.
 *
 * usage: bench_neuri OUT.json [NAME FOLDER HOLDOUT.json RECORDS.jsonl PUBLISHED.csv]…
 *
 * Each NAME is a framework; its FOLDER holds rules.jsonl, statistics.json and librules.so. Every training record
 * is replayed through the compiled table: an operator counts only if each passing record is accepted with equal
 * outputs and each failing one is rejected. NeuRI's figures are its published outcomes for the same operators
 * (counted ones). A failing record whose input is also recorded as passing carries no information about shapes;
 * such records are excluded and counted.
 *
 * All figures go into one JSON tree with a branch per framework; the printed report is read from it.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "file.h"
#include "json.h"
#include "expr.h"
#include "record.h"
#include "rulesmith.h"

enum { PARTS = 5 }; /* arguments a framework */

static void stop(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static double percent(long part, long whole)
{
	return whole ? round(1e4 * (double)part / (double)whole) / 100 : 0;
}

static cJSON *read_json(const char *path)
{
	diag d;
	size_t length;
	char *text = file_read(path, &length, &d);
	if (!text)
		stop(d.text);
	cJSON *tree = json_parse(text, path, 1, &d);
	if (!tree)
		stop(d.text);
	free(text);
	return tree;
}

/* ---- classes of operators, for the report only
 *
 * Globs on the last part of the API's name, in lower case and without underscores; a glob with a dot matches the
 * whole name. The first class that matches an operator owns it.
 */
enum { UNARY = 10, OTHER = 11, FAMILIES = 12 };

static const struct family {
	const char *name, *globs;
} FAMILY[FAMILIES] = {
    {"pooling", "*pool*"},
    {"convolution", "conv[123]d* convtranspose* depthwiseconv*"},
    {"unfold, fold", "unfold* fold im2col col2im extract*patches"},
    {"fft, stft", "fft* *stft"},
    {"linear algebra",
	"linalg* *matmul* mm bmm mv addmm addbmm addmv addr baddbmm einsum dot vdot inner outer linear bilinear kron "
	"cross trace cholesky* qr svd symeig *eigv2 lusolve ormqr geqrf pinverse triangularsolve matrixexp logdet tril "
	"triu cov corrcoef cdist pdist pairwisedistance cosinesimilarity"},
    {"broadcasting elementwise",
	"add addv2 addn sub rsub subtract mul multiply div divide *divide realdiv divnonan mulnonan floordiv *mod "
	"remainder pow floatpower maximum minimum fmax fmin atan2 eq ne lt le gt ge equal notequal less* greater* "
	"logicaland logicalor logicalxor bitwiseand bitwiseor bitwisexor and or xor iand ior ixor *shift lerp addcmul "
	"addcdiv squareddifference x*y torch.where tf.rawops.select* clamp* clipbyvalue complex polar hypot nextafter "
	"copysign heaviside gcd lcm ldexp igamma* logaddexp* broadcast* expand expandas zeta specialzeta "
	"specialx* special*polynomial* betainc sumtosize maskedfill copy biasadd"},
    {"slicing, indexing, split",
	"*slice* narrow* *select* gather* *scatter* take index* where chunk *split* unbind unpack diag* "
	"matrix*diag* nonzero argwhere embedding"},
    {"cat, stack, pad, tile", "*cat *concat* *stack pack *pad* tile repeat* blockdiag"},
    {"reshape, view",
	"*reshape* view* flatten* *unflatten* ravel *squeeze* expanddims *transpose* swap* move* permute* t adjoint flip* "
	"rot90 roll atleast* *strided* depthtospace spacetodepth pixel* reverse*"},
    {"reductions, scans, sorts",
	"sum nansum mean nanmean prod cum* logcumsumexp logsumexp max min amax amin aminmax argmax argmin any all std* "
	"var* norm median nanmedian quantile nanquantile kthvalue topk* *sort countnonzero trap* *softmax softmin"},
    {"unary elementwise and alike", ""}, /* in its records every output has the shape of its one input */
    {"other", ""},
};

static void plain_name(const char *api, char *to, size_t size)
{
	size_t n = 0;
	for (; *api && n + 1 < size; api++)
		if (*api != '_')
			to[n++] = (char)tolower((unsigned char)*api);
	to[n] = '\0';
}

static bool in_family(const char *globs, const char *whole, const char *last)
{
	char glob[64];
	for (int used; sscanf(globs, "%63s%n", glob, &used) == 1; globs += used)
		if (fnmatch(glob, strchr(glob, '.') ? whole : last, 0) == 0)
			return true;
	return false;
}

static bool keeps_shape(const operator *op)
{
	if (op->nin != 1 || op->nsym != op->nodim)
		return false;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = op->pass + (size_t)k * (op->nsym + op->nodim);
		if (memcmp(row, row + op->nsym, sizeof *row * (size_t)op->nsym) != 0)
			return false;
	}
	return true;
}

static int family_of(const operator *op)
{
	char whole[256];
	plain_name(op->api, whole, sizeof whole);
	const char *dot = strrchr(whole, '.');
	for (int k = 0; k < UNARY; k++)
		if (in_family(FAMILY[k].globs, whole, dot ? dot + 1 : whole))
			return k;
	return keeps_shape(op) ? UNARY : OTHER;
}

/* ---- NeuRI's published outcomes */

typedef struct published {
	char op[256];
	int counted, shape, constraint, both, by_hand;
	double seconds;
} published;

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

/* ---- the training records through the compiled rules */

typedef struct group {
	int counted, neuri, ours;
} group;

typedef struct tally {
	int operators, counted, ours, neuri, neuri_with_hand, only_neuri, contradictory;
	long passing, passing_right, failing, failing_right;
	double neuri_seconds, eval_seconds;
	group families[FAMILIES];
} tally;

static bool agrees(const rs_op *rule, const operator *op, tally *t)
{
	int64_t out[16384];
	int right = 0, rejected = 0, width = op->nsym + op->nodim;
	double start = clock_seconds();
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = op->pass + (size_t)k * width;
		right += rs_eval(rule, row, out)
		    && memcmp(out, row + op->nsym, sizeof *out * (size_t)op->nodim) == 0;
	}
	for (int k = 0; k < op->nfail; k++)
		rejected += !rs_eval(rule, op->fail + (size_t)k * op->nsym, out);
	t->eval_seconds += clock_seconds() - start;
	t->passing += op->npass;
	t->failing += op->nfail;
	t->passing_right += right;
	t->failing_right += rejected;
	return right == op->npass && rejected == op->nfail;
}

static void count(const operator *op, const published *p, bool ours, tally *t)
{
	group *g = &t->families[family_of(op)];
	t->counted++;
	t->ours += ours;
	t->neuri += p->both;
	t->neuri_with_hand += p->both || p->by_hand;
	t->only_neuri += p->both && !ours;
	t->neuri_seconds += p->seconds;
	g->counted++;
	g->ours += ours;
	g->neuri += p->both;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static tally compare(const char *library_path, const char *records_path, const char *published_path)
{
	tally t = {0};
	records r;
	int n;
	char message[512];
	const rs_library *lib = rs_library_load(library_path, message, sizeof message);
	published *list = read_published(published_path, &n);
	if (!lib)
		stop(message);
	if (!records_read(&r, &records_path, 1, report, NULL))
		exit(1);
	for (int i = 0; i < r.n; i++) {
		const operator *op = &r.ops[i];
		published key;
		snprintf(key.op, sizeof key.op, "%s", op->name);
		const published *p = n ? bsearch(&key, list, (size_t)n, sizeof *list, by_op) : NULL;
		const rs_op *rule = rs_library_find(lib, op->name);
		bool ok = rule && rule->valid && agrees(rule, op, &t);
		t.operators++;
		t.contradictory += op->conflicts;
		if (p && p->counted)
			count(op, p, ok, &t);
	}
	records_free(&r);
	free(list);
	return t;
}

static void add_families(cJSON *to, const tally *t)
{
	cJSON *list = cJSON_AddArrayToObject(to, "families");
	for (int k = 0; k < FAMILIES; k++) {
		cJSON *f = cJSON_CreateObject();
		const group *g = &t->families[k];
		cJSON_AddStringToObject(f, "family", FAMILY[k].name);
		cJSON_AddNumberToObject(f, "counted", g->counted);
		cJSON_AddNumberToObject(f, "neuri", g->neuri);
		cJSON_AddNumberToObject(f, "neuri_percent", percent(g->neuri, g->counted));
		cJSON_AddNumberToObject(f, "ours", g->ours);
		cJSON_AddNumberToObject(f, "ours_percent", percent(g->ours, g->counted));
		cJSON_AddItemToArray(list, f);
	}
}

static void add_tally(cJSON *to, const tally *t)
{
	cJSON_AddNumberToObject(to, "operators", t->operators);
	cJSON_AddNumberToObject(to, "counted", t->counted);
	cJSON_AddNumberToObject(to, "ours", t->ours);
	cJSON_AddNumberToObject(to, "ours_percent", percent(t->ours, t->counted));
	cJSON_AddNumberToObject(to, "neuri", t->neuri);
	cJSON_AddNumberToObject(to, "neuri_percent", percent(t->neuri, t->counted));
	cJSON_AddNumberToObject(to, "neuri_with_hand", t->neuri_with_hand);
	cJSON_AddNumberToObject(to, "neuri_with_hand_percent", percent(t->neuri_with_hand, t->counted));
	cJSON_AddNumberToObject(to, "neuri_only", t->only_neuri);
	cJSON_AddNumberToObject(to, "neuri_seconds", round(t->neuri_seconds));
	cJSON_AddNumberToObject(to, "contradictory", t->contradictory);
	cJSON_AddNumberToObject(to, "passing", (double)t->passing);
	cJSON_AddNumberToObject(to, "passing_right", (double)t->passing_right);
	cJSON_AddNumberToObject(to, "failing", (double)t->failing);
	cJSON_AddNumberToObject(to, "failing_right", (double)t->failing_right);
	cJSON_AddNumberToObject(
	    to, "eval_ns", round(1e10 * t->eval_seconds / (double)(t->passing + t->failing + 1)) / 10);
	add_families(to, t);
}

/* ---- how complex the rules are */

typedef struct sample {
	int *values, n;
	double sum;
} sample;

static void add_value(sample *s, int value)
{
	if ((s->n & (s->n - 1)) == 0) /* a power of two, or 0: full */
		s->values = realloc(s->values, sizeof *s->values * (size_t)(s->n ? 2 * s->n : 1));
	s->values[s->n++] = value;
	s->sum += value;
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void add_sample(cJSON *to, const char *key, sample *s)
{
	int m = s->n / 2;
	cJSON *o = cJSON_AddObjectToObject(to, key);
	if (s->n)
		qsort(s->values, (size_t)s->n, sizeof *s->values, by_value);
	cJSON_AddNumberToObject(o, "n", s->n);
	cJSON_AddNumberToObject(o, "median", !s->n ? 0 : s->n % 2 ? s->values[m] : (s->values[m - 1] + s->values[m]) / 2.0);
	cJSON_AddNumberToObject(o, "mean", s->n ? round(100 * s->sum / s->n) / 100 : 0);
	cJSON_AddNumberToObject(o, "most", s->n ? s->values[s->n - 1] : 0);
	free(s->values);
}

/* Counts every operator of rules.jsonl that has a rule. Operations are counted as NeuRI does: a copied dimension
 * or a constant has none. */
static void add_complexity(cJSON *to, const char *rules_path)
{
	diag d;
	jsonl lines;
	sample all = {0}, computed = {0}, clauses = {0};
	if (!jsonl_open(&lines, rules_path, &d))
		stop(d.text);
	int got;
	while ((got = jsonl_next(&lines, &d)) == 1) {
		cJSON *line = json_parse(lines.line, rules_path, lines.number, &d), *e;
		const cJSON *out = cJSON_GetObjectItemCaseSensitive(line, "out");
		int nsym = (int)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(line, "nsym"));
		expr_pool *pool = expr_pool_new();
		cJSON_ArrayForEach(e, out)
		{
			const expr *tree = expr_parse(pool, e->valuestring, nsym, rules_path, lines.number, &d);
			if (!tree)
				stop(d.text);
			add_value(&all, tree->size);
			if (tree->size)
				add_value(&computed, tree->size);
		}
		if (out)
			add_value(&clauses, cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(line, "valid")));
		expr_pool_free(pool);
		cJSON_Delete(line);
	}
	if (got < 0)
		stop(d.text);
	jsonl_close(&lines);
	cJSON *o = cJSON_AddObjectToObject(to, "complexity");
	add_sample(o, "operations", &all);
	add_sample(o, "operations_computed", &computed);
	add_sample(o, "clauses", &clauses);
}

/* ---- report */

static const struct line {
	const char *what, *path, *unit; /* path NULL: a heading */
	int digits;
} LINES[] = {
    {"operators whose rule agrees with every training record (compiled; without contradictory failures)", NULL, "", 0},
    {"operators", "operators", "", 0},
    {"counted by NeuRI's evaluation", "counted", "", 0},
    {"  NeuRI", "neuri_percent", " %", 1},
    {"  NeuRI with hand-written rules reused", "neuri_with_hand_percent", " %", 1},
    {"  ours", "ours_percent", " %", 1},
    {"  rules that only NeuRI has", "neuri_only", "", 0},
    {"contradictory failures", "contradictory", "", 0},
    {"records held out (cross-validation)", NULL, "", 0},
    {"folds run", "holdout.folds_run", "", 0},
    {"  of so many", "holdout.folds", "", 0},
    {"passing accepted with the right output", "holdout.passing.percent", " %", 2},
    {"  operators without a rule counted", "holdout.passing_of_all.percent", " %", 2},
    {"failing rejected", "holdout.failing.percent", " %", 2},
    {"operators right on all, of those with a rule", "holdout.right.percent", " %", 2},
    {"  of all", "holdout.right_of_all.percent", " %", 2},
    {"  of those with a rule and failing records", "holdout.right_with_failing.percent", " %", 2},
    {"  of all with failing records", "holdout.right_with_failing_of_all.percent", " %", 2},
    {"  right in every fold run, of all", "holdout.right_in_every_fold.percent", " %", 2},
    {"synthesis, from all training records", NULL, "", 0},
    {"wall time", "synthesis.wall_seconds", " s", 1},
    {"CPU time", "synthesis.cpu_seconds", " s", 1},
    {"  NeuRI's, of the counted operators", "neuri_seconds", " s", 0},
    {"threads", "synthesis.threads", "", 0},
    {"peak memory", "synthesis.peak_mib", " MiB", 0},
    {"slowest operator", "synthesis.slowest_seconds", " s", 2},
    {"  its name", "synthesis.slowest", "", 0},
    {"one evaluation of a compiled rule", "eval_ns", " ns", 1},
    {"complexity of the rules", NULL, "", 0},
    {"operations an output expression, median", "complexity.operations.median", "", 1},
    {"  mean", "complexity.operations.mean", "", 2},
    {"  median of those that are no mere copy", "complexity.operations_computed.median", "", 1},
    {"  mean of those", "complexity.operations_computed.mean", "", 2},
    {"clauses a rule, median", "complexity.clauses.median", "", 1},
    {"  mean", "complexity.clauses.mean", "", 2},
};

/* "a.b": the item b of the item a. */
static const cJSON *find(const cJSON *tree, const char *path)
{
	char key[64];
	for (size_t n; tree && *path; path += n + (path[n] == '.')) {
		n = strcspn(path, ".");
		snprintf(key, sizeof key, "%.*s", (int)n, path);
		tree = cJSON_GetObjectItemCaseSensitive(tree, key);
	}
	return tree;
}

static void print_cell(const cJSON *item, const struct line *l)
{
	char text[128];
	if (cJSON_IsString(item))
		snprintf(text, sizeof text, "%s", item->valuestring);
	else if (item)
		snprintf(text, sizeof text, "%.*f%s", l->digits, item->valuedouble, l->unit);
	else
		snprintf(text, sizeof text, "-");
	printf("  %28s", text);
}

static void print_figures(const cJSON *all)
{
	const cJSON *framework;
	printf("%-46s", "");
	cJSON_ArrayForEach(framework, all) if (cJSON_IsObject(framework)) printf("  %28s", framework->string);
	printf("\n");
	for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
		const struct line *l = &LINES[i];
		printf(l->path ? "%-46s" : "\n%s:", l->what);
		cJSON_ArrayForEach(framework, all) if (l->path && cJSON_IsObject(framework))
		    print_cell(find(framework, l->path), l);
		printf("\n");
	}
}

static void print_families(const cJSON *all)
{
	const cJSON *framework;
	printf("\nfamilies (by name):%-9s", "");
	cJSON_ArrayForEach(framework, all) if (cJSON_IsObject(framework))
	    printf("  | %7s counted    NeuRI           ours         ", framework->string);
	for (int k = 0; k < FAMILIES; k++) {
		printf("\n%-28s", FAMILY[k].name);
		cJSON_ArrayForEach(framework, all)
		{
			const cJSON *f = cJSON_GetArrayItem(find(framework, "families"), k);
			if (f)
				printf("  | %15.0f  %5.0f %6.1f %%  %5.0f %6.1f %%", find(f, "counted")->valuedouble,
				    find(f, "neuri")->valuedouble, find(f, "neuri_percent")->valuedouble,
				    find(f, "ours")->valuedouble, find(f, "ours_percent")->valuedouble);
		}
	}
	printf("\n");
}

/* ---- the program */

static void add_holdout(cJSON *to, const char *path, const char *framework)
{
	cJSON *tree = read_json(path);
	cJSON *mine = cJSON_DetachItemFromObjectCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(tree, "frameworks"), framework);
	if (!mine) {
		fprintf(stderr, "%s: error: no framework \"%s\"\n", path, framework);
		exit(1);
	}
	static const char *const KEYS[] = {"folds", "folds_run", "wall_seconds"};
	for (int k = 0; k < 3; k++)
		cJSON_AddItemToObject(mine, KEYS[k], cJSON_DetachItemFromObjectCaseSensitive(tree, KEYS[k]));
	cJSON_AddItemToObject(to, "holdout", mine);
	cJSON_Delete(tree);
}

static void add_framework(cJSON *all, char **arg)
{
	char path[4096];
	cJSON *to = cJSON_AddObjectToObject(all, arg[0]);
	snprintf(path, sizeof path, "%s/librules.so", arg[1]);
	tally t = compare(path, arg[3], arg[4]);
	add_tally(to, &t);
	snprintf(path, sizeof path, "%s/statistics.json", arg[1]);
	cJSON_AddItemToObject(to, "synthesis", read_json(path));
	snprintf(path, sizeof path, "%s/rules.jsonl", arg[1]);
	add_complexity(to, path);
	add_holdout(to, arg[2], arg[0]);
}

int main(int argc, char **argv)
{
	diag d;
	if (argc < 2 + PARTS || (argc - 2) % PARTS)
		stop("usage: bench_neuri OUT.json [NAME FOLDER HOLDOUT.json RECORDS.jsonl PUBLISHED.csv]…");
	cJSON *all = cJSON_CreateObject();
	cJSON_AddNumberToObject(all, "schema", 1);
	for (int i = 2; i + PARTS <= argc; i += PARTS)
		add_framework(all, argv + i);
	print_figures(all);
	print_families(all);
	char *text = cJSON_PrintUnformatted(all);
	size_t length = text ? strlen(text) : 0;
	if (text)
		text[length] = '\n'; /* replaces the NUL, since file_write takes a length */
	bool ok = text && file_write(argv[1], text, length + 1, &d);
	if (!ok)
		fprintf(stderr, "%s\n", text ? d.text : "error: out of memory");
	cJSON_free(text);
	cJSON_Delete(all);
	return ok ? 0 : 1;
}
