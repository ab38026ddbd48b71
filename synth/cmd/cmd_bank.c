/* `rulesmith bank`: Table 5 of NeuRI's paper, compared with this bank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bank.h"
#include "bank_count.h"
#include "bank_proof.h"
#include "clock.h"
#include "options.h"
#include "smith_commands.h"

enum { PAPER_OPS = 5, PUBLISHED_HOLES = 5 };

static const char HELP[] =
    "usage: rulesmith bank [OPTION…]\n\n"
    "Enumerates NeuRI's expression bank and compares its sizes with Table 5 of the paper:\n"
    "  none    every tree of operations + - * // % min max over the symbols and 1, 2\n"
    "  equiv   the trees that the published rules of commutativity and associativity keep\n"
    "  rarity  no symbol twice, no operation on two constants, and further trees that the\n"
    "          paper's figures exclude (docs/explanation/proofs.md)\n"
    "  both    classes of equal functions after rarity, by enumeration: equal means the same\n"
    "          value, or no value, on all integers\n"
    "none, equiv and rarity are counted in closed form. Merges of up to 2 operations, and the\n"
    "rewrites used above that, are proved by Z3; a random sample of the other merges is audited.\n\n"
    "  -n, --symbols N   1 to 6 (default 3)\n"
    "  -k, --ops K       at most K operations per expression, 0 to 5 (default 5)\n"
    "      --rarity R    published (default), or text: only what the paper's text excludes;\n"
    "                    text with 5 operations and 4 symbols takes minutes and 10 GB\n"
    "      --exact       also count the classes without rarity, as the paper's text defines\n"
    "                    equiv; 5 operations and 2 symbols take 2 GB, 3 symbols more than 50\n"
    "  -a, --audit M     audit M merges of over 2 operations (default 200; 0: none)\n"
    "  -s, --seed S      random seed of the audit (default 1)\n"
    "  -j, --threads T   threads (default: the number of processors); the counts are the same for any T\n"
    "      --list        print the expressions, smallest first, instead of the counts\n"
    "      --json        one JSON object on standard output\n"
    "  -h, --help        this text\n\n"
    "Exit codes: 0 clean, 2 usage, 3 Z3 refuted an audited merge or a rewrite.\n";

typedef struct settings {
	int symbols, ops, threads, audit;
	uint64_t seed;
	bank_rarity rarity;
	bool exact, list, json;
} settings;

typedef struct counts {
	uint64_t none, equiv, rarity, both, exact; /* exact: 0 without --exact */
	bank_proofs merges, schemes, audit;
	uint64_t evaluated;
	double seconds;
	size_t bytes;
} counts;

/* Table 5 of the paper, for 1 to 6 symbols. */
static const struct paper_row {
	double none, equiv, rarity, both;
} PAPER[] = {
    {4.77e8, 5.35e6, 3.54e5, 78},
    {2.88e9, 9.04e7, 5.90e6, 1.25e5},
    {1.11e10, 5.18e8, 5.22e7, 2.28e6},
    {3.32e10, 1.91e9, 3.13e8, 1.94e7},
    {8.36e10, 5.49e9, 1.40e9, 1.06e8},
    {1.86e11, 1.33e10, 4.66e9, 3.89e8},
};

/* ---- options */

static bool number(const char *text, long low, long high, const char *option, long *value)
{
	char *end;
	*value = strtol(text, &end, 10);
	if (*text && !*end && *value >= low && *value <= high)
		return true;
	fprintf(stderr, "rulesmith bank: error: %s: expected %ld to %ld, got '%s'\n", option,
	    low, high, text);
	return false;
}

static bool take_option(settings *s, int option, const char *value)
{
	long n = 0;
	bool fine = true;
	switch (option) {
	case 'n':
		fine = number(value, 1, BANK_MAX_HOLES, "--symbols", &n);
		s->symbols = (int)n;
		return fine;
	case 'k':
		fine = number(value, 0, BANK_MAX_OPS, "--ops", &n);
		s->ops = (int)n;
		return fine;
	case 'a':
		fine = number(value, 0, 1000000, "--audit", &n);
		s->audit = (int)n;
		return fine;
	case 's':
		fine = number(value, 0, INT64_MAX, "--seed", &n);
		s->seed = (uint64_t)n;
		return fine;
	case 'j':
		fine = number(value, 1, 64, "--threads", &n);
		s->threads = (int)n;
		return fine;
	case 'R':
		fine = strcmp(value, "text") == 0 || strcmp(value, "published") == 0;
		s->rarity = strcmp(value, "text") == 0 ? RARE_TEXT : RARE_PUBLISHED;
		if (!fine)
			fprintf(stderr, "rulesmith bank: error: --rarity: expected published or text, got '%s'\n",
			    value);
		return fine;
	case 'E':
		return s->exact = true;
	case 'L':
		return s->list = true;
	case 'J':
		return s->json = true;
	default:
		return false; /* option_next printed the error */
	}
}

/* 0: continue; otherwise the exit code plus 1. */
static int read_options(settings *s, int argc, char **argv)
{
	static const struct option LONG[] = {
	    {"symbols", required_argument, NULL, 'n'}, {"ops", required_argument, NULL, 'k'},
	    {"audit", required_argument, NULL, 'a'}, {"seed", required_argument, NULL, 's'},
	    {"threads", required_argument, NULL, 'j'}, {"rarity", required_argument, NULL, 'R'},
	    {"exact", no_argument, NULL, 'E'}, {"list", no_argument, NULL, 'L'},
	    {"json", no_argument, NULL, 'J'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
	};
	optind = 1;
	for (int c; (c = option_next("rulesmith bank", argc, argv, "n:k:a:s:j:h", LONG)) != -1;) {
		if (c == 'h') {
			fputs(HELP, stdout);
			return 1;
		}
		if (!take_option(s, c, optarg))
			return 3;
	}
	if (optind < argc) {
		fprintf(stderr, "rulesmith bank: error: unexpected argument '%s'\n", argv[optind]);
		return 3;
	}
	return 0;
}

/* ---- the run */

static void show_progress(void *context, int ops, int holes, double share)
{
	(void)context;
	fprintf(stderr, "\r%d operations, %d holes: %3.0f %% ", ops, holes, 100 * share);
	fflush(stderr);
}

static bank *build(const settings *s, prover *p, bank_rarity rarity)
{
	bank_options o = {.holes = s->symbols, .ops = s->ops, .threads = s->threads, .rarity = rarity,
	    .count_only = !s->list, .seed = s->seed, .prover = p,
	    .audit = rarity == RARE_NONE || s->list ? 0 : s->audit};
	if (rarity == RARE_PUBLISHED && o.holes > PUBLISHED_HOLES)
		o.holes = PUBLISHED_HOLES;
	bool terminal = isatty(STDERR_FILENO);
	o.progress = terminal ? show_progress : NULL;
	bank *b = bank_new(&o);
	if (terminal)
		fprintf(stderr, "\r\033[K");
	return b;
}

static void tell_failed(void *context, const expr *merged, const expr *kept, verdict v)
{
	(void)context;
	if (v == PROVED)
		return;
	buf text = {0};
	expr_print(&text, merged);
	buf_puts(&text, "   =   ");
	expr_print(&text, kept);
	fprintf(stderr, "audit: %s: %s\n", v == REFUTED ? "refuted" : "unknown", text.text);
	buf_free(&text);
}

static counts count(const settings *s, prover *p)
{
	counts c = {.none = bank_count_unpruned(s->symbols, s->ops),
	    .equiv = bank_count_formal(s->symbols, s->ops),
	    .rarity = bank_count_rare(s->symbols, s->ops, s->rarity)};
	c.schemes = bank_prove_schemes(p);
	double start = clock_seconds();
	bank *b = build(s, p, s->rarity);
	c.seconds = clock_seconds() - start;
	c.both = bank_total(b, s->symbols);
	c.evaluated = bank_evaluated(b);
	c.bytes = bank_bytes(b);
	c.merges = bank_merge_proofs(b);
	c.audit = bank_audit(b, p, tell_failed, NULL);
	bank_free(b);
	if (s->exact) {
		b = build(s, NULL, RARE_NONE);
		c.exact = bank_total(b, s->symbols);
		bank_free(b);
	}
	return c;
}

/* ---- output */

static void print_row(const char *name, uint64_t ours, double paper)
{
	printf("%-8s %15llu", name, (unsigned long long)ours);
	if (paper > 0)
		printf("  %10.3g  %6.3f", paper, (double)ours / paper);
	putchar('\n');
}

static void print_proofs(const char *what, bank_proofs p)
{
	printf("%-28s %5ld proved, %ld refuted, %ld unknown\n", what, p.proved, p.refuted, p.unknown);
}

static void print_table(const settings *s, const counts *c)
{
	struct paper_row paper = {0};
	if (s->ops == PAPER_OPS)
		paper = PAPER[s->symbols - 1];
	printf("expressions of up to %d operations over %d symbols\n\n", s->ops, s->symbols);
	printf("%-8s %15s  %10s  %6s\n", "pruned", "ours", "paper's", "ratio");
	print_row("none", c->none, paper.none);
	print_row("equiv", c->equiv, paper.equiv);
	print_row("rarity", c->rarity, paper.rarity);
	print_row("both", c->both, paper.both);
	if (s->exact)
		printf("%-8s %15llu  classes of equal functions, without rarity\n", "exact",
		    (unsigned long long)c->exact);
	putchar('\n');
	print_proofs("rewrites", c->schemes);
	print_proofs("merges up to 2 operations", c->merges);
	char what[64];
	snprintf(what, sizeof what, "audit of merges, seed %llu", (unsigned long long)s->seed);
	print_proofs(what, c->audit);
	fprintf(stderr, "%.1f s, %.3g expressions/s evaluated, %zu MB\n", c->seconds,
	    (double)c->evaluated / (c->seconds > 1e-6 ? c->seconds : 1e-6), c->bytes >> 20);
}

static void json_proofs(const char *key, bank_proofs p)
{
	printf(",\"%s\":{\"proved\":%ld,\"refuted\":%ld,\"unknown\":%ld}", key, p.proved, p.refuted,
	    p.unknown);
}

static void print_json(const settings *s, const counts *c)
{
	printf("{\"schema\":1,\"symbols\":%d,\"ops\":%d,\"rarity_rule\":\"%s\",\"seed\":%llu", s->symbols,
	    s->ops, s->rarity == RARE_TEXT ? "text" : "published", (unsigned long long)s->seed);
	printf(",\"none\":%llu,\"equiv\":%llu,\"rarity\":%llu,\"both\":%llu", (unsigned long long)c->none,
	    (unsigned long long)c->equiv, (unsigned long long)c->rarity, (unsigned long long)c->both);
	if (s->exact)
		printf(",\"exact\":%llu", (unsigned long long)c->exact);
	if (s->ops == PAPER_OPS) {
		const struct paper_row *p = &PAPER[s->symbols - 1];
		printf(",\"paper\":{\"none\":%.0f,\"equiv\":%.0f,\"rarity\":%.0f,\"both\":%.0f}", p->none,
		    p->equiv, p->rarity, p->both);
	}
	json_proofs("rewrites", c->schemes);
	json_proofs("merges", c->merges);
	json_proofs("audit", c->audit);
	printf(",\"evaluated\":%llu,\"seconds\":%.3f,\"bytes\":%zu}\n", (unsigned long long)c->evaluated,
	    c->seconds, c->bytes);
}

static void print_list(const settings *s, prover *p)
{
	bank *b = build(s, p, s->rarity);
	buf text = {0};
	for (size_t i = 0; i < bank_size(b); i++) {
		expr_pool *pool = expr_pool_new();
		buf_clear(&text);
		expr_print(&text, bank_expr(b, i, pool, NULL));
		puts(text.text);
		expr_pool_free(pool);
	}
	buf_free(&text);
	bank_free(b);
}

int cmd_bank(int argc, char **argv)
{
	settings s = {.symbols = 3, .ops = PAPER_OPS, .audit = 200, .seed = 1, .rarity = RARE_PUBLISHED};
	int stop = read_options(&s, argc, argv);
	if (stop)
		return stop - 1;
	prover *p = prover_new();
	if (s.list) {
		print_list(&s, p);
		prover_free(p);
		return 0;
	}
	counts c = count(&s, p);
	prover_free(p);
	if (s.json)
		print_json(&s, &c);
	else
		print_table(&s, &c);
	return c.audit.refuted || c.schemes.refuted ? 3 : 0;
}
