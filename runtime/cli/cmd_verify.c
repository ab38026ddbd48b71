/* rulefuzz verify: measures how often the rules are right on fresh inputs of the live framework. */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "commands.h"
#include "confirm.h"
#include "file.h"
#include "framework.h"
#include "own_rules.h"
#include "package.h"
#include "verify.h"
#include "verify_cross_check.h"

typedef struct options {
	verify_options verify;
	const char *rules, *framework, *oracle, *wrong, *questions, *by_op;
	double precision, recall, confirmed; /* minimum, percent */
	int64_t worst;		  /* APIs and clauses listed */
	bool json;
	verify_cross_check_options cross_check; /* kind NULL: no cross-check */
	bool counted, timed; /* --count, --time were given */
} options;

typedef struct results {
	verify_result verify; /* empty if no input was drawn */
	confirm_result confirm; /* empty without --questions */
} results;

/* ---- the worst */

/* The wrong answers about an API. */
typedef struct api_row {
	const char *api;
	verify_op sum;
	const verify_op *worst; /* of its signatures */
} api_row;

static int by_wrong(const void *a, const void *b)
{
	const api_row *x = a, *y = b;
	uint32_t p = verify_wrong(&x->sum), q = verify_wrong(&y->sum);
	return p != q ? (p < q ? 1 : -1) : strcmp(x->api, y->api);
}

/* One row per API, most wrong answers first; *n of them have one. Free the result; NULL: out of memory. */
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
	printf("\n%-11s %8s %9s %8s  %-24s  %-24s  %s\n", "", "inputs", "predicted", "accepted", "precision %",
	    "recall %", "right outputs %");
	for (int i = 0; i < STRATA; i++) {
		const counts *c = &t->all[i];
		uint32_t said = c->both + c->said_only, was = c->both + c->was_only;
		printf("%-11s %8u %9u %8u", STRATUM_NAMES[i], said + c->was_only + c->neither, said, was);
		for (int m = 0; m < MEASURES; m++)
			print_rate(t, i, m);
		putchar('\n');
	}
}

static void print_undecided(const undecided *u)
{
	printf("not counted: %llu in the records, %llu nondeterministic, %llu lost, %llu errors", (unsigned long long)u->seen,
	    (unsigned long long)u->mixed, (unsigned long long)u->lost, (unsigned long long)u->errors);
}

static void print_error(const undecided *u)
{
	if (u->errors)
		printf("first error: %s\n", u->error);
}

static void print_text(const options *o, const verify_result *r, const api_row *rows, uint32_t nrows)
{
	const rs_table *t = o->verify.table;
	printf("verify %s %s, rules %s, seed %llu: %u signatures, %llu samples, %llu mutants, %llu joint moves\n",
	    t->framework, t->version, t->fingerprint, (unsigned long long)o->verify.seed, r->nops,
	    (unsigned long long)r->asked[DRAWN_SAMPLE], (unsigned long long)r->asked[DRAWN_MUTANT],
	    (unsigned long long)r->asked[DRAWN_JOINT]);
	print_undecided(&r->undecided);
	printf("; %u signatures have nothing to vary\n", r->without);
	print_error(&r->undecided);
	print_table(&r->tally);
	printf("in parentheses: 95 %% confidence interval, clustered by signature\n");
	if (o->verify.keep)
		printf("kept %llu answers as records, in %llu files; the figures above are of the rules before that\n",
		    (unsigned long long)r->keeper.kept, (unsigned long long)r->keeper.saved);
	if (nrows && o->worst)
		printf("\n%u APIs have wrong answers; most first:\n%7s %9s %9s %7s  %s\n", nrows, "inputs",
		    "rejected", "missed", "outputs", "API (worst signature)");
	for (uint32_t i = 0; i < nrows && i < o->worst; i++)
		printf("%7u %9u %9u %7u  %s (%s)\n", rows[i].sum.counted, rows[i].sum.said_only,
		    rows[i].sum.was_only, rows[i].sum.wrong_out, rows[i].api, rows[i].worst->op->name);
}

static void print_confirmed(const confirm_result *r, enum confirm_share which)
{
	rate c = sums_rate(&r->sums[which]);
	if (which != CONFIRM_ALL)
		printf("; %s ", CONFIRM_NAMES[which]);
	if (c.inputs > 0)
		printf("%.0f of %.0f inputs rejected, %.2f %% (%.2f - %.2f)", c.hits, c.inputs, 100 * c.value, 100 * c.low,
		    100 * c.high);
	else
		printf("none");
}

static void print_clauses(const options *o, const confirm_result *r)
{
	printf("\nclauses, each violated alone: %llu inputs; ", (unsigned long long)r->asked);
	print_undecided(&r->undecided);
	printf("\n");
	print_error(&r->undecided);
	printf("clauses confirmed: ");
	for (int i = 0; i < CONFIRM_SHARES; i++)
		print_confirmed(r, i);
	printf("\n");
	if (o->verify.keep)
		printf("kept %llu accepted inputs as records, in %llu files\n", (unsigned long long)r->keeper.kept,
		    (unsigned long long)r->keeper.saved);
	if (r->refuted && o->worst)
		printf("\n%u of %u clauses are refuted; most accepted first:\n%8s %9s  %s\n", r->refuted, r->nclauses, "inputs",
		    "accepted", "clause, and an accepted input that violates it");
	for (uint32_t i = 0; i < r->refuted && i < o->worst; i++) {
		const confirm_clause *c = &r->clauses[i];
		buf in = {0};
		buf_ints(&in, c->in, c->op->nsym);
		printf("%8u %9u  %s: %s (%s %s)\n", c->asked, c->accepted, c->api, c->text, c->op->name, buf_text(&in));
		buf_free(&in);
	}
}

/* ---- JSON */

static void json_rate(buf *b, const char *key, const rate *r)
{
	buf_printf(b, ",\"%s\":{\"hits\":%.0f,\"of\":%.0f,\"value\":%.6f,\"low\":%.6f,\"high\":%.6f,\"effect\":%.3f}", key,
	    r->hits, r->inputs, r->value, r->low, r->high, r->effect);
}

static void json_strata(buf *b, const tally *t)
{
	for (int i = 0; i < STRATA; i++) {
		const counts *c = &t->all[i];
		buf_printf(b, "%s{\"stratum\":\"%s\",\"both\":%u,\"said_only\":%u,\"was_only\":%u,\"neither\":%u",
		    i ? "," : "", STRATUM_NAMES[i], c->both, c->said_only, c->was_only, c->neither);
		for (int m = 0; m < MEASURES; m++) {
			rate r = tally_rate(t, i, m);
			json_rate(b, MEASURE_NAMES[m], &r);
		}
		buf_putc(b, '}');
	}
}

static void json_undecided(buf *b, const undecided *u, const keeper *k)
{
	buf_printf(b, ",\"seen\":%llu,\"mixed\":%llu,\"lost\":%llu,\"errors\":%llu,\"kept\":%llu", (unsigned long long)u->seen,
	    (unsigned long long)u->mixed, (unsigned long long)u->lost, (unsigned long long)u->errors, (unsigned long long)k->kept);
}

static void json_clauses(buf *b, const options *o, const confirm_result *r)
{
	buf_printf(b, ",\"clauses\":{\"questions\":%llu,\"clauses\":%u,\"refuted\":%u", (unsigned long long)r->asked, r->nclauses,
	    r->refuted);
	json_undecided(b, &r->undecided, &r->keeper);
	for (int i = 0; i < CONFIRM_SHARES; i++) {
		rate c = sums_rate(&r->sums[i]);
		json_rate(b, CONFIRM_NAMES[i], &c);
	}
	buf_puts(b, ",\"worst\":[");
	for (uint32_t i = 0; i < r->refuted && i < o->worst; i++) {
		const confirm_clause *c = &r->clauses[i];
		buf_printf(b, "%s{\"api\":", i ? "," : "");
		buf_json(b, c->api);
		buf_puts(b, ",\"breaks\":");
		buf_json(b, c->text);
		buf_printf(b, ",\"asked\":%u,\"accepted\":%u,\"op\":", c->asked, c->accepted);
		buf_json(b, c->op->name);
		buf_puts(b, ",\"in\":");
		buf_ints(b, c->in, c->op->nsym);
		buf_putc(b, '}');
	}
	buf_puts(b, "]}");
}

static bool print_json(const options *o, const results *all, const api_row *rows, uint32_t nrows)
{
	const verify_result *r = &all->verify;
	const rs_table *t = o->verify.table;
	buf b = {0};
	buf_puts(&b, "{\"schema\":1,\"framework\":");
	buf_json(&b, t->framework);
	buf_puts(&b, ",\"version\":");
	buf_json(&b, t->version);
	buf_puts(&b, ",\"fingerprint\":");
	buf_json(&b, t->fingerprint);
	buf_printf(&b, ",\"seed\":%llu,\"operators\":%u,\"without\":%u,\"samples\":%llu,\"mutants\":%llu,\"joint\":%llu",
	    (unsigned long long)o->verify.seed, r->nops, r->without, (unsigned long long)r->asked[DRAWN_SAMPLE],
	    (unsigned long long)r->asked[DRAWN_MUTANT], (unsigned long long)r->asked[DRAWN_JOINT]);
	json_undecided(&b, &r->undecided, &r->keeper);
	buf_puts(&b, ",\"strata\":[");
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
	buf_putc(&b, ']');
	if (o->questions)
		json_clauses(&b, o, &all->confirm);
	buf_putc(&b, '}');
	if (!b.failed)
		puts(b.text);
	buf_free(&b);
	return !b.failed;
}

/* ---- the command */

static bool met(const options *o, const results *r)
{
	double precision = 100 * tally_rate(&r->verify.tally, STRATUM_TOTAL, PRECISION).value,
	       recall = 100 * tally_rate(&r->verify.tally, STRATUM_TOTAL, RECALL).value,
	       confirmed = 100 * sums_rate(&r->confirm.sums[CONFIRM_ALL]).value;
	bool drawn = !o->verify.count || (precision >= o->precision && recall >= o->recall);
	bool asked = !o->questions || confirmed >= o->confirmed;
	if (!drawn)
		fprintf(stderr, "rulefuzz verify: error: precision %.2f %%, recall %.2f %%; --require asks for %g and %g\n", precision,
		    recall, o->precision, o->recall);
	if (!asked)
		fprintf(stderr, "rulefuzz verify: error: clauses confirmed %.2f %%; --require asks for %g\n", confirmed, o->confirmed);
	return drawn && asked;
}

static int report(const options *o, const results *r)
{
	uint32_t n;
	api_row *rows = worst_apis(&r->verify, &n);
	bool ok = rows != NULL;
	if (ok && o->json) {
		ok = print_json(o, r, rows, n);
	} else if (ok) {
		if (o->verify.count)
			print_text(o, &r->verify, rows, n);
		if (o->questions)
			print_clauses(o, &r->confirm);
	}
	free(rows);
	if (!ok || fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "error: cannot write the report\n");
		return EXIT_INPUT;
	}
	return met(o, r) ? EXIT_CLEAN : EXIT_CHECK;
}

/* Runs all inputs; returns the exit code. Those of --questions come first, so that a bad file is reported at once. */
static int ask(const options *o, oracle *oracle, results *r)
{
	const confirm_options questions = {.table = o->verify.table, .path = o->questions, .op = o->verify.op,
	    .wrong = o->verify.wrong, .keep = o->verify.keep};
	diag d = {""};
	bool bad = false, ok = !o->questions || confirm(&questions, oracle, &r->confirm, &bad, &d);
	ok = ok && (!o->verify.count || verify(&o->verify, oracle, &r->verify, &d));
	if (bad)
		fprintf(stderr, "%s\n", d.text);
	else if (!ok)
		fprintf(stderr, "%s (oracle: %s)\n", d.text, o->oracle);
	return ok ? EXIT_CLEAN : bad ? EXIT_INPUT : EXIT_BACKEND;
}

/* Writes the counts of each signature. */
static bool save_by_op(const char *path, const verify_result *r)
{
	buf b = {0};
	diag d = {""};
	buf_puts(&b, "signature\tinputs\tpredicted_valid\tonly_predicted\tonly_accepted\tother_outputs\n");
	for (uint32_t i = 0; i < r->nops; i++) {
		const verify_op *v = &r->ops[i];
		buf_printf(&b, "%s\t%u\t%u\t%u\t%u\t%u\n", v->op->name, v->counted, v->said, v->said_only, v->was_only, v->wrong_out);
	}
	bool ok = b.failed ? diag_set(&d, "error: out of memory") : file_write(path, b.text, b.length, &d);
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	buf_free(&b);
	return ok;
}

static int run(options *o)
{
	results r = {0};
	oracle *asked = oracle_new(&(oracle_options){.command = o->oracle});
	int code = EXIT_BACKEND;
	if (asked)
		code = ask(o, asked, &r);
	else
		fprintf(stderr, "error: out of memory\n");
	oracle_free(asked);
	if (code == EXIT_CLEAN)
		code = report(o, &r);
	if (o->by_op && (code == EXIT_CLEAN || code == EXIT_CHECK) && !save_by_op(o->by_op, &r.verify))
		code = EXIT_INPUT;
	verify_result_free(&r.verify);
	confirm_result_free(&r.confirm);
	if (o->verify.wrong && fclose(o->verify.wrong) != 0 && code == EXIT_CLEAN) {
		fprintf(stderr, "%s: error: cannot write\n", o->wrong);
		code = EXIT_INPUT;
	}
	return code;
}

static bool some_operator(const rs_table *t, const char *glob)
{
	for (uint32_t i = 0; i < t->nops; i++)
		if (fnmatch(glob, t->ops[i].name, 0) == 0)
			return true;
	return false;
}

static int start(options *o)
{
	package p;
	diag d = {""};
	buf command = {0};
	const rs_library *lib = open_rules(o->rules);
	if (!lib)
		return EXIT_INPUT;
	bool own = own_rules_are(o->rules);
	o->framework = o->framework ? o->framework : own && lib->ntables ? lib->tables[0]->framework : framework_default();
	o->verify.table = rs_library_table(lib, o->framework);
	if (!o->verify.table)
		return unknown_framework("verify", "--framework: no rules of", lib, o->framework);
	if (o->verify.op && !some_operator(o->verify.table, o->verify.op))
		return unknown_signature("verify", lib, o->framework, o->verify.op);
	if (!o->oracle) {
		if (!package_find(&p, &d) || !package_use(&p, &d)
		    || !package_oracle(&p, o->verify.table->framework, own ? o->rules : NULL, &command, &d)) {
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

static int help(void)
{
	puts("usage: rulefuzz verify [OPTION…]\n"
	     "       rulefuzz verify --cross-check KIND [OPTION…]\n\n"
	     "Draws fresh inputs for every signature with a rule, runs them in the live framework and prints how\n"
	     "often the rules are right, with 95 % confidence intervals:\n\n"
	     "  precision      fraction of the inputs predicted valid that the framework accepts\n"
	     "  recall         fraction of the inputs that the framework accepts that are predicted valid\n"
	     "  right outputs  fraction of correctly accepted inputs with the predicted output shapes\n\n"
	     "A third of the inputs is drawn from the rule, a third are recorded calls with a small change, a\n"
	     "third are joint moves: all numbers of a call that share a value change together. No input is in the\n"
	     "records. Strata: zero-size (an input has a dimension 0), rank >= 4, rank 0, ordinary (none of\n"
	     "these); also low support (few records), joint move and plain (all other inputs).\n\n"
	     "  --framework F       framework of the rules (default as in `rulefuzz gen`)\n"
	     "  --count N           number of inputs (default 60000), spread evenly over the signatures; 0 with\n"
	     "                      --questions: none\n"
	     "  --op GLOB           only signatures that match, such as '*.nn.*-0'\n"
	     "  --seed N            random seed, >= 0 (default 1)\n"
	     "  --questions FILE    also run inputs that violate exactly one clause of a rule, from\n"
	     "                      `rulesmith questions`, and report the clauses that are refuted\n"
	     "  --require P,R[,C]   exit code 3 unless precision is at least P %, recall R % and confirmed\n"
	     "                      clauses C %\n"
	     "  --oracle COMMAND    shell command that answers in place of the framework\n"
	     "  --rules FILE        use this rule library instead of the built-in one; for a library of\n"
	     "                      `rulesmith learn`, the records beside it are used\n"
	     "  --json              print one JSON object with \"schema\": 1\n"
	     "  -h, --help          show this text\n\n"
	     "Wrong answers:\n"
	     "  --worst N           list the N APIs and clauses with the most wrong answers (default 20)\n"
	     "  --wrong FILE        write a JSON line for each wrong answer\n"
	     "  --by-op FILE        write tab-separated counts for each signature\n"
	     "  --keep              add the wrong answers to the records for the next `make rules`, and up to a\n"
	     "                      dozen accepted samples for each signature with a wrong acceptance\n\n"
	     "Cross-check (compares the framework's kernels with a second opinion, such as its shape inference;\n"
	     "differences are grouped by cause and confirmed by a script in a fresh process):\n"
	     "  --cross-check KIND  the second opinion; list: print all kinds\n"
	     "  --time T            time to run: 90s, 10m (default 60s); confirming may take as long again\n"
	     "  --api GLOB          only APIs that match\n"
	     "  --scripts DIR       write the script of each confirmed group to DIR\n\n"
	     "Exit codes: 0 success, 1 bad input, 2 usage, 3 --require not met or a difference confirmed, 4 stopped,\n"
	     "5 the framework is not installed or the oracle ends early.");
	return print_examples("verify");
}

static bool is_percentage(double x)
{
	return x >= 0 && x <= 100;
}

/* Two or three percentages, separated by commas. */
static bool parse_required(options *o, const char *text)
{
	double *to[] = {&o->precision, &o->recall, &o->confirmed};
	const char *at = text;
	for (int n = 0; n < 3; n++) {
		char *end;
		*to[n] = strtod(at, &end);
		if (end == at || !is_percentage(*to[n]))
			break;
		if (!*end && n > 0)
			return true;
		if (*end != ',')
			break;
		at = end + 1;
	}
	usage_error("verify", "--require: expected two or three percentages from 0 to 100, such as 99.5,98, got '%s'", text);
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
	case 'b': o->by_op = optarg; return true;
	case 'Q': o->questions = optarg; return true;
	case 'r': o->rules = optarg; return true;
	case 'k': o->verify.keep = true; return true;
	case 'j': o->json = true; return true;
	case 'q': return parse_required(o, optarg);
	case 'W': return parse_number("verify", "--worst", optarg, 0, 1000000, &o->worst);
	case 'A': o->cross_check.kind = optarg; return true;
	case 'a': o->cross_check.api = optarg; return true;
	case 'S': o->cross_check.scripts = optarg; return true;
	case 'T': o->timed = true; return parse_duration("verify", "--time", optarg, &o->cross_check.seconds);
	case 'c':
		o->counted = true;
		if (!parse_number("verify", "--count", optarg, 0, 1000000000, &n))
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

static int start_cross_check(options *o)
{
	if (o->questions || o->wrong || o->by_op || o->verify.keep || o->verify.op || o->precision + o->recall + o->confirmed > 0)
		return usage_error("verify", "--questions, --wrong, --by-op, --keep, --op and --require do not work with --cross-check");
	o->cross_check.framework = o->framework;
	o->cross_check.rules = o->rules;
	o->cross_check.oracle = o->oracle;
	o->cross_check.json = o->json;
	o->cross_check.seed = o->verify.seed;
	o->cross_check.count = o->counted ? o->verify.count : 0;
	return verify_cross_check(&o->cross_check);
}

int cmd_verify(int argc, char **argv)
{
	static const struct option OPTIONS[] = {{"framework", required_argument, NULL, 'f'},
	    {"count", required_argument, NULL, 'c'}, {"seed", required_argument, NULL, 's'},
	    {"op", required_argument, NULL, 'o'}, {"oracle", required_argument, NULL, 'O'},
	    {"wrong", required_argument, NULL, 'w'}, {"questions", required_argument, NULL, 'Q'}, {"worst", required_argument, NULL, 'W'},
	    {"keep", no_argument, NULL, 'k'}, {"by-op", required_argument, NULL, 'b'}, {"require", required_argument, NULL, 'q'},
	    {"rules", required_argument, NULL, 'r'}, {"json", no_argument, NULL, 'j'},
	    {"cross-check", required_argument, NULL, 'A'}, {"api", required_argument, NULL, 'a'},
	    {"scripts", required_argument, NULL, 'S'}, {"time", required_argument, NULL, 'T'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	options o = {.worst = 20, .verify = {.count = 60000, .seed = 1}, .cross_check.seconds = 60};
	int c;
	while ((c = next_option("verify", argc, argv, "h", OPTIONS)) != -1) {
		if (c == 'h')
			return help();
		if (c == '?')
			return EXIT_USAGE;
		if (!take_option(&o, c))
			return EXIT_USAGE;
	}
	if (optind < argc)
		return usage_error("verify", "unexpected argument '%s'", argv[optind]);
	if (o.cross_check.kind)
		return start_cross_check(&o);
	if (o.cross_check.api || o.cross_check.scripts || o.timed)
		return usage_error("verify", "--api, --scripts and --time need --cross-check");
	if (!o.verify.count && !o.questions)
		return usage_error("verify", "--count: expected a whole number >= 1 (0 needs --questions), got '0'");
	o.verify.progress = isatty(STDERR_FILENO);
	return start(&o);
}
