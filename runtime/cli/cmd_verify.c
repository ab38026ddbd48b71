/* rulefuzz verify: how often the rules are right on fresh inputs of the live framework. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "commands.h"
#include "framework.h"
#include "package.h"
#include "verify.h"

typedef struct options {
	verify_options verify;
	const char *rules, *framework, *oracle, *wrong;
	double precision, recall; /* required, percent */
	int64_t worst;		  /* APIs shown */
	bool json;
} options;

/* ---- the worst */

/* An API's wrong answers. */
typedef struct api_row {
	const char *api;
	verify_op sum;
	const verify_op *worst; /* of its operators */
} api_row;

static int by_wrong(const void *a, const void *b)
{
	const api_row *x = a, *y = b;
	uint32_t p = verify_wrong(&x->sum), q = verify_wrong(&y->sum);
	return p != q ? (p < q ? 1 : -1) : strcmp(x->api, y->api);
}

/* Rows by API, the worst first; *n of them have a wrong answer. free() it; NULL: out of memory. */
static api_row *worst_apis(const verify_result *r, uint32_t *n)
{
	api_row *rows = calloc(r->nops + (size_t)1, sizeof *rows);
	uint32_t count = 0;
	for (uint32_t i = 0; rows && i < r->nops; i++) {
		const verify_op *v = &r->ops[i];
		if (!count || strcmp(rows[count - 1].api, v->op->api) != 0)
			rows[count++] = (api_row){.api = v->op->api, .worst = v};
		api_row *row = &rows[count - 1];
		row->sum.counted += v->counted;
		row->sum.said_only += v->said_only;
		row->sum.was_only += v->was_only;
		row->sum.wrong_out += v->wrong_out;
		row->worst = verify_wrong(v) > verify_wrong(row->worst) ? v : row->worst;
	}
	*n = 0;
	if (!rows)
		return NULL;
	qsort(rows, count, sizeof *rows, by_wrong);
	while (*n < count && verify_wrong(&rows[*n].sum))
		++*n;
	return rows;
}

/* ---- text */

static void print_rate(const tally *t, int stratum, enum measure m)
{
	rate r = tally_rate(t, stratum, m);
	if (r.inputs > 0)
		printf("  %6.2f (%6.2f - %6.2f)", 100 * r.value, 100 * r.low, 100 * r.high);
	else
		printf("  %24s", "-");
}

static void print_table(const tally *t)
{
	printf("\n%-10s %8s %8s %8s  %-24s  %-24s  %s\n", "", "inputs", "said", "was", "precision %",
	    "recall %", "right outputs %");
	for (int i = 0; i < STRATA; i++) {
		const counts *c = &t->all[i];
		uint32_t said = c->both + c->said_only, was = c->both + c->was_only;
		printf("%-10s %8u %8u %8u", STRATUM_NAMES[i], said + c->was_only + c->neither, said, was);
		for (int m = 0; m < MEASURES; m++)
			print_rate(t, i, m);
		putchar('\n');
	}
}

static void print_text(const options *o, const verify_result *r, const api_row *rows, uint32_t nrows)
{
	const rs_table *t = o->verify.table;
	printf("verify %s %s, rules %s, seed %llu: %u operators, %llu samples, %llu mutants\n",
	    t->framework, t->version, t->fingerprint, (unsigned long long)o->verify.seed, r->nops,
	    (unsigned long long)r->samples, (unsigned long long)r->mutants);
	printf("not counted: %llu in the records, %llu mixed, %llu lost, %llu errors; %u operators have "
	       "nothing to vary\n",
	    (unsigned long long)r->seen, (unsigned long long)r->mixed, (unsigned long long)r->lost,
	    (unsigned long long)r->errors, r->without);
	if (r->errors)
		printf("first error: %s\n", r->error);
	print_table(&r->tally);
	printf("in brackets: 95 %% confidence, operators as clusters\n");
	if (o->verify.keep)
		printf("kept %llu wrong answers as records, in %llu files: the figures are of the rules "
		       "before that\n",
		    (unsigned long long)r->kept, (unsigned long long)r->saved);
	if (nrows && o->worst)
		printf("\n%u APIs have wrong answers; the worst:\n%7s %9s %9s %7s  %s\n", nrows, "inputs",
		    "not valid", "not said", "outputs", "API (worst operator)");
	for (uint32_t i = 0; i < nrows && i < o->worst; i++)
		printf("%7u %9u %9u %7u  %s (%s)\n", rows[i].sum.counted, rows[i].sum.said_only,
		    rows[i].sum.was_only, rows[i].sum.wrong_out, rows[i].api, rows[i].worst->op->name);
}

/* ---- JSON */

static void json_strata(buf *b, const tally *t)
{
	for (int i = 0; i < STRATA; i++) {
		const counts *c = &t->all[i];
		buf_printf(b, "%s{\"stratum\":\"%s\",\"both\":%u,\"said_only\":%u,\"was_only\":%u,\"neither\":%u",
		    i ? "," : "", STRATUM_NAMES[i], c->both, c->said_only, c->was_only, c->neither);
		for (int m = 0; m < MEASURES; m++) {
			rate r = tally_rate(t, i, m);
			buf_printf(b,
			    ",\"%s\":{\"hits\":%.0f,\"of\":%.0f,\"value\":%.6f,\"low\":%.6f,\"high\":%.6f,"
			    "\"effect\":%.3f}",
			    MEASURE_NAMES[m], r.hits, r.inputs, r.value, r.low, r.high, r.effect);
		}
		buf_putc(b, '}');
	}
}

static bool print_json(const options *o, const verify_result *r, const api_row *rows, uint32_t nrows)
{
	const rs_table *t = o->verify.table;
	buf b = {0};
	buf_puts(&b, "{\"schema\":1,\"framework\":");
	buf_json(&b, t->framework);
	buf_puts(&b, ",\"version\":");
	buf_json(&b, t->version);
	buf_puts(&b, ",\"fingerprint\":");
	buf_json(&b, t->fingerprint);
	buf_printf(&b, ",\"seed\":%llu,\"operators\":%u,\"without\":%u,\"samples\":%llu,\"mutants\":%llu",
	    (unsigned long long)o->verify.seed, r->nops, r->without, (unsigned long long)r->samples,
	    (unsigned long long)r->mutants);
	buf_printf(&b, ",\"seen\":%llu,\"mixed\":%llu,\"lost\":%llu,\"errors\":%llu,\"kept\":%llu,\"strata\":[",
	    (unsigned long long)r->seen, (unsigned long long)r->mixed, (unsigned long long)r->lost,
	    (unsigned long long)r->errors, (unsigned long long)r->kept);
	json_strata(&b, &r->tally);
	buf_puts(&b, "],\"worst\":[");
	for (uint32_t i = 0; i < nrows && i < o->worst; i++) {
		buf_printf(&b, "%s{\"api\":", i ? "," : "");
		buf_json(&b, rows[i].api);
		buf_printf(&b, ",\"inputs\":%u,\"said_only\":%u,\"was_only\":%u,\"wrong_out\":%u,\"op\":",
		    rows[i].sum.counted, rows[i].sum.said_only, rows[i].sum.was_only,
		    rows[i].sum.wrong_out);
		buf_json(&b, rows[i].worst->op->name);
		buf_putc(&b, '}');
	}
	buf_puts(&b, "]}");
	if (!b.failed)
		puts(b.text);
	buf_free(&b);
	return !b.failed;
}

/* ---- the command */

static bool met(const options *o, const tally *t)
{
	double precision = 100 * tally_rate(t, STRATUM_TOTAL, PRECISION).value,
	       recall = 100 * tally_rate(t, STRATUM_TOTAL, RECALL).value;
	if (precision >= o->precision && recall >= o->recall)
		return true;
	fprintf(stderr, "rulefuzz verify: precision %.2f %%, recall %.2f %%; required %g and %g\n", precision,
	    recall, o->precision, o->recall);
	return false;
}

static int report(const options *o, const verify_result *r)
{
	uint32_t n;
	api_row *rows = worst_apis(r, &n);
	bool ok = rows != NULL;
	if (ok && o->json)
		ok = print_json(o, r, rows, n);
	else if (ok)
		print_text(o, r, rows, n);
	free(rows);
	if (!ok || fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "error: cannot write the report\n");
		return EXIT_INPUT;
	}
	return met(o, &r->tally) ? EXIT_CLEAN : EXIT_CHECK;
}

static int run(options *o)
{
	diag d = {""};
	verify_result result;
	oracle *asked = oracle_new(&(oracle_options){.command = o->oracle});
	bool ok = asked ? verify(&o->verify, asked, &result, &d) : diag_set(&d, "out of memory");
	int code = ok ? EXIT_CLEAN : EXIT_BACKEND;
	oracle_free(asked);
	if (ok)
		code = report(o, &result);
	else
		fprintf(stderr, "%s (oracle: %s)\n", d.text, o->oracle);
	if (asked)
		verify_result_free(&result);
	if (o->verify.wrong && fclose(o->verify.wrong) != 0 && code == EXIT_CLEAN) {
		fprintf(stderr, "%s: error: cannot write\n", o->wrong);
		code = EXIT_INPUT;
	}
	return code;
}

static int start(options *o)
{
	package p;
	diag d = {""};
	buf command = {0};
	const rs_library *lib = open_rules(o->rules);
	if (!lib)
		return EXIT_INPUT;
	o->verify.table = rs_library_table(lib, o->framework);
	if (!o->verify.table)
		return usage_error("verify", "there are no rules of framework '%s'", o->framework);
	if (!o->oracle) {
		if (!package_find(&p, &d) || !package_use(&p, &d)
		    || !package_oracle(&p, o->verify.table->framework, &command, &d)) {
			fprintf(stderr, "rulefuzz verify: %s\n", d.text);
			return EXIT_BACKEND;
		}
		o->oracle = command.text;
	}
	if (o->wrong && !(o->verify.wrong = fopen(o->wrong, "w"))) {
		fprintf(stderr, "%s: error: cannot write\n", o->wrong);
		buf_free(&command);
		return EXIT_INPUT;
	}
	int code = run(o);
	buf_free(&command);
	return code;
}

static void help(void)
{
	puts("usage: rulefuzz verify [OPTION…]\n\n"
	     "Draws fresh inputs of every operator that has a rule, asks the live framework about them, "
	     "and\nprints how often the rules were right, with 95 % confidence intervals:\n\n"
	     "  precision      of the inputs that a rule called valid, how many were\n"
	     "  recall         of the inputs that were valid, how many the rule called so\n"
	     "  right outputs  of the inputs that were called valid and were, how many came out as "
	     "predicted\n\n"
	     "Half of the inputs are drawn from what the rule accepts, half are recorded calls changed a "
	     "little,\non both sides of the rule's boundary. None is among the records. The strata: "
	     "zero-size (a\ndimension of an input tensor is 0), rank >= 4 and rank 0 (of an input "
	     "tensor), ordinary (none\nof these); beside them, thin rule (it rests on few records).\n\n"
	     "  --framework NAME    whose rules (default: the first in frameworks.def)\n"
	     "  --count N           inputs in all, as many for each operator (60000)\n"
	     "  --seed N            of what is drawn (1)\n"
	     "  --op GLOB           these operators only, '*.nn.*-0'\n"
	     "  --oracle COMMAND    answers the questions, by /bin/sh; without it the framework itself, in its\n"
	     "                      virtual environment (or $RULEFUZZ_PYTHON)\n"
	     "  --wrong FILE        writes a JSON line for each wrong answer\n"
	     "  --worst N           APIs listed, those with most wrong answers first (20)\n"
	     "  --keep              adds the wrong answers to the oracle's records, for the next "
	     "'make rules'\n"
	     "  --require P,R       exit code 3 unless precision is P % and recall R %, at least\n"
	     "  --rules FILE        a librules.so, instead of the rules linked into this program\n"
	     "  --json              for programs: one object with \"schema\": 1\n"
	     "  -h, --help          this text\n\n"
	     "Exit code 5 where the oracle cannot start or ends early.");
}

static bool parse_required(options *o, const char *text)
{
	char *end, *more;
	o->precision = strtod(text, &end);
	o->recall = *end == ',' ? strtod(end + 1, &more) : -1;
	if (*end == ',' && end != text && more != end + 1 && !*more && o->precision >= 0
	    && o->precision <= 100 && o->recall >= 0 && o->recall <= 100)
		return true;
	usage_error("verify", "--require takes two percentages, as in 99.5,98, not '%s'", text);
	return false;
}

static bool take_option(options *o, int c)
{
	int64_t n;
	switch (c) {
	case 'f': o->framework = optarg; return true;
	case 'O': o->oracle = optarg; return true;
	case 'o': o->verify.op = optarg; return true;
	case 'w': o->wrong = optarg; return true;
	case 'r': o->rules = optarg; return true;
	case 'k': o->verify.keep = true; return true;
	case 'j': o->json = true; return true;
	case 'q': return parse_required(o, optarg);
	case 'W': return parse_number("verify", "--worst", optarg, 0, 1000000, &o->worst);
	case 'c':
		if (!parse_number("verify", "--count", optarg, 1, 1000000000, &n))
			return false;
		o->verify.count = (uint64_t)n;
		return true;
	case 's':
		if (!parse_number("verify", "--seed", optarg, 0, INT64_MAX, &n))
			return false;
		o->verify.seed = (uint64_t)n;
		return true;
	default: return false;
	}
}

int cmd_verify(int argc, char **argv)
{
	static const struct option OPTIONS[] = {{"framework", required_argument, NULL, 'f'},
	    {"count", required_argument, NULL, 'c'}, {"seed", required_argument, NULL, 's'},
	    {"op", required_argument, NULL, 'o'}, {"oracle", required_argument, NULL, 'O'},
	    {"wrong", required_argument, NULL, 'w'}, {"worst", required_argument, NULL, 'W'},
	    {"keep", no_argument, NULL, 'k'}, {"require", required_argument, NULL, 'q'},
	    {"rules", required_argument, NULL, 'r'}, {"json", no_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	options o = {.framework = framework_default(), .worst = 20, .verify = {.count = 60000, .seed = 1}};
	int c;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "h", OPTIONS, NULL)) != -1) {
		if (c == 'h') {
			help();
			return EXIT_CLEAN;
		}
		if (c == '?')
			return usage_error("verify", "unknown option, or one without its argument: '%s'",
			    argv[optind - 1]);
		if (!take_option(&o, c))
			return EXIT_USAGE;
	}
	if (optind < argc)
		return usage_error("verify", "unexpected argument '%s'", argv[optind]);
	o.verify.progress = isatty(STDERR_FILENO);
	return start(&o);
}
