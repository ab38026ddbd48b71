/* build/audit: the generated C held against rules.jsonl (docs/audit.md). */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "behave.h"
#include "equal.h"
#include "rules.h"
#include "samplers.h"
#include "tabletext.h"

enum { MOST_TRACES = 64, VERSION = 1, BATCH = 24, NAMES = 1 << 15, LINE = 1200 };

typedef struct options {
	const char *rules, *generated, *include, *certificate, *check, *cache, *only, *library, *traces[MOST_TRACES];
	int jobs;
	unsigned ntraces, draws;
} options;

typedef struct file {
	char folder[256], name[256];
	uint64_t hash;
} file;

/* A function and the rule's part that it must say. */
typedef struct unit {
	const char *function;
	const audited_rule *rule;
	bool shape, done;
	int file; /* -1: nobody defines it */
	uint64_t key;
	finding f;
} unit;

typedef struct place {
	char name[96];
	int file;
} place;

typedef struct audit {
	options o;
	rules rules;
	rows *rows; /* by framework */
	samplers *samplers; /* likewise */
	char (*frameworks)[256];
	unsigned nframeworks;
	file *file;
	unsigned nfiles;
	place *place; /* by name */
	unit *unit;
	unsigned nunits, room;
	uint64_t common; /* code.h, arith.h and this program */
} audit;

/* ---- files */

static uint64_t hash_file(const char *path, uint64_t seed)
{
	size_t n;
	char *text = rules_file(path, &n);
	uint64_t h = text ? XXH3_64bits_withSeed(text, n, seed) : 0;
	free(text);
	return h;
}

static void define(audit *a, const char *name, size_t n, int file)
{
	char key[96];
	if (n == 0 || n >= sizeof key)
		return;
	memcpy(key, name, n);
	key[n] = 0;
	for (unsigned i = (unsigned)XXH3_64bits(key, n) % NAMES;; i = (i + 1) % NAMES)
		if (!*a->place[i].name) {
			strcpy(a->place[i].name, key);
			a->place[i].file = file;
			return;
		} else if (!strcmp(a->place[i].name, key)) {
			return;
		}
}

static int defined_in(const audit *a, const char *name)
{
	for (unsigned i = (unsigned)XXH3_64bits(name, strlen(name)) % NAMES; *a->place[i].name; i = (i + 1) % NAMES)
		if (!strcmp(a->place[i].name, name))
			return a->place[i].file;
	return -1;
}

/* Which functions a file defines: lines that begin with VALID(name, SHAPE(name, or bool name(. */
static void index_file(audit *a, const char *text, int file)
{
	static const char *const BEGIN[] = {"VALID(", "SHAPE(", "bool "};
	for (const char *p = text; p; p = strchr(p, '\n'), p += p ? 1 : 0)
		for (unsigned i = 0; i < 3; i++)
			if (!strncmp(p, BEGIN[i], strlen(BEGIN[i]))) {
				const char *name = p + strlen(BEGIN[i]);
				define(a, name, strcspn(name, ",( \n"), file);
			}
}

static int by_name(const struct dirent **x, const struct dirent **y)
{
	return strcmp((*x)->d_name, (*y)->d_name);
}

static bool index_folder(audit *a, const char *framework, samplers *s)
{
	char path[1024];
	struct dirent **entry;
	bool ok = true;
	snprintf(path, sizeof path, "%s/%s", a->o.generated, framework);
	int n = scandir(path, &entry, NULL, by_name);
	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name, *dot = strrchr(name, '.');
		size_t length;
		if (!dot || strcmp(dot, ".c") || !strcmp(name, "table.c"))
			continue;
		snprintf(path, sizeof path, "%s/%s/%s", a->o.generated, framework, name);
		char *text = rules_file(path, &length);
		if (!strncmp(name, "sampler_", 8)) {
			ok &= text && samplers_add(s, text);
			free(text);
			continue;
		}
		a->file = realloc(a->file, (a->nfiles + 1) * sizeof *a->file);
		file *f = &a->file[a->nfiles];
		snprintf(f->folder, sizeof f->folder, "%s", framework);
		snprintf(f->name, sizeof f->name, "%s", name);
		f->hash = XXH3_64bits_withSeed(text ? text : "", length, a->common);
		index_file(a, text ? text : "", (int)a->nfiles++);
		free(text);
	}
	samplers_sort(s);
	if (!ok)
		fprintf(stderr, "%s/%s: error: a sampler cannot be read\n", a->o.generated, framework);
	return n >= 0 && ok;
}

static bool read_table(audit *a, const char *framework, rows *into)
{
	char base[512];
	size_t n;
	const char *why = "the preprocessor failed";
	snprintf(base, sizeof base, "%s/%s", a->o.generated, framework);
	char *text = source_preprocess("#include \"table.c\"\n", base, a->o.include, &n);
	bool ok = text && tabletext_read(text, into, &why);
	if (!ok)
		fprintf(stderr, "%s/table.c: error: %s\n", base, why);
	free(text);
	return ok;
}

/* ---- units */

static uint64_t unit_key(const audit *a, const unit *u)
{
	uint64_t h = XXH3_64bits(u->function, strlen(u->function)) ^ a->file[u->file].hash;
	const audited_rule *r = u->rule;
	unsigned n = u->shape ? r->nout : r->nvalid, numbers[] = {r->nsym, n, u->shape, VERSION};
	h = XXH3_64bits_withSeed(numbers, sizeof numbers, h);
	for (unsigned i = 0; i < n; i++) {
		const char *text = u->shape ? r->out[i] : r->valid[i];
		h = XXH3_64bits_withSeed(text, strlen(text) + 1, h);
	}
	return h;
}

static int by_key(const void *x, const void *y)
{
	const unit *a = x, *b = y;
	return a->file != b->file ? (a->file > b->file) - (a->file < b->file) : (a->key > b->key) - (a->key < b->key);
}

static void add_unit(audit *a, const char *function, const audited_rule *r, bool shape)
{
	if (a->nunits == a->room)
		a->unit = realloc(a->unit, (a->room = a->room ? 2 * a->room : 4096) * sizeof *a->unit);
	unit u = {.function = function, .rule = r, .shape = shape, .file = defined_in(a, function)};
	if (u.file < 0)
		return;
	u.key = unit_key(a, &u);
	a->unit[a->nunits++] = u;
}

static bool wanted(const audit *a, const audited_rule *r)
{
	return r->id && (!a->o.only || !strcmp(r->api, a->o.only) || !strcmp(r->op, a->o.only));
}

static const sampler *sampler_of(const audit *a, unsigned framework, const char *name)
{
	return name ? samplers_find(&a->samplers[framework], name) : NULL;
}

static void make_units(audit *a)
{
	unsigned n = 0;
	for (unsigned f = 0; f < a->nframeworks; f++)
		for (unsigned i = 0; i < a->rows[f].n; i++) {
			const row *w = &a->rows[f].row[i];
			const audited_rule *r = w->name ? rules_find(&a->rules, w->name) : NULL;
			if (!r || !wanted(a, r) || !w->valid || !w->propagate)
				continue;
			add_unit(a, w->valid, r, false);
			add_unit(a, w->propagate, r, true);
			for (int back = 0; back < 2; back++) {
				const sampler *x = sampler_of(a, f, back ? w->back : w->sample);
				if (x && *x->valid && strcmp(x->valid, w->valid)) /* shared by rules that say the same */
					add_unit(a, x->valid, r, false);
			}
		}
	qsort(a->unit, a->nunits, sizeof *a->unit, by_key);
	for (unsigned i = 0; i < a->nunits; i++)
		if (!n || by_key(&a->unit[n - 1], &a->unit[i]))
			a->unit[n++] = a->unit[i];
	a->nunits = n;
}

static unit *find_unit(audit *a, const char *function, const audited_rule *r, bool shape)
{
	unit u = {.function = function, .rule = r, .shape = shape, .file = defined_in(a, function)};
	if (u.file < 0)
		return NULL;
	u.key = unit_key(a, &u);
	return bsearch(&u, a->unit, a->nunits, sizeof u, by_key);
}

/* ---- the cache, and what workers send: `key verdict method detail` a line */

static int by_key_alone(const void *x, const void *y)
{
	const unit *a = *(unit *const *)x, *b = *(unit *const *)y;
	return (a->key > b->key) - (a->key < b->key);
}

static void take_lines(audit *a, FILE *f)
{
	char line[LINE], method[32];
	unit **sorted = calloc(a->nunits + 1, sizeof *sorted);
	for (unsigned i = 0; i < a->nunits; i++)
		sorted[i] = &a->unit[i];
	qsort(sorted, a->nunits, sizeof *sorted, by_key_alone);
	while (f && fgets(line, sizeof line, f)) {
		unit key, *k = &key, **found;
		unsigned long long h;
		int verdict, at = 0;
		if (sscanf(line, "%llx %d %31s %n", &h, &verdict, method, &at) < 3 || verdict < 0 || verdict > 3)
			continue;
		key.key = h;
		found = bsearch(&k, sorted, a->nunits, sizeof k, by_key_alone);
		if (!found)
			continue;
		line[strcspn(line, "\n")] = 0;
		(*found)->done = true;
		(*found)->f.verdict = (enum verdict)verdict;
		(*found)->f.method = strdup(method);
		snprintf((*found)->f.detail, sizeof (*found)->f.detail, "%s", at ? line + at : "");
	}
	free(sorted);
}

static void write_lines(const audit *a, FILE *f, bool all)
{
	for (unsigned i = 0; i < a->nunits; i++)
		if (a->unit[i].done || all)
			fprintf(f, "%016llx %d %s %s\n", (unsigned long long)a->unit[i].key, (int)a->unit[i].f.verdict,
			    a->unit[i].f.method, a->unit[i].f.detail);
}

/* Written beside and renamed. */
static bool replace_file(const char *path, const audit *a, void (*write)(const audit *, FILE *))
{
	char beside[512];
	snprintf(beside, sizeof beside, "%s.%d", path, (int)getpid());
	FILE *f = fopen(beside, "w");
	if (f)
		write(a, f);
	if (!f || fclose(f) || rename(beside, path)) {
		fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}

static void write_cache(const audit *a, FILE *f)
{
	write_lines(a, f, false);
}

/* ---- workers */

static void unreadable(audit *a, unsigned from, unsigned to, const char *why)
{
	for (unsigned i = from; i < to; i++) {
		unit *u = &a->unit[i];
		u->f = (finding){.verdict = VERDICT_UNKNOWN, .method = "parse"};
		snprintf(u->f.detail, sizeof u->f.detail, "%s", why);
	}
}

static source *read_sources(const audit *a, unsigned from, unsigned to, const char **why)
{
	char *text = malloc((size_t)(to - from + 1) * 300), base[512], *p = text;
	size_t n;
	int last = -1;
	for (unsigned i = from; i < to; i++) {
		if (a->unit[i].done || a->unit[i].file == last)
			continue;
		last = a->unit[i].file;
		p += sprintf(p, "#include \"%s\"\n", a->file[last].name);
	}
	*p = 0;
	snprintf(base, sizeof base, "%s/%s", a->o.generated, a->file[a->unit[from].file].folder);
	*why = "the preprocessor failed";
	char *c = source_preprocess(text, base, a->o.include, &n);
	free(text);
	return c ? source_parse(c, n, why) : NULL;
}

/* Units of one batch of files, whose lines go to f. */
static void do_batch(audit *a, unsigned from, unsigned to, FILE *f)
{
	const char *why;
	source *s = read_sources(a, from, to, &why);
	if (!s)
		unreadable(a, from, to, why);
	for (unsigned i = from; i < to; i++) {
		unit *u = &a->unit[i];
		if (u->done)
			continue;
		const audited_rule *r = u->rule;
		if (s)
			u->f = u->shape ? equal_shape(s, u->function, r->nsym, r->nout, r->out)
					: equal_valid(s, u->function, r->nsym, r->nvalid, r->valid);
		fprintf(f, "%016llx %d %s %s\n", (unsigned long long)u->key, (int)u->f.verdict, u->f.method, u->f.detail);
	}
}

/* The end of the batch that begins at `from`: so many files of one framework. */
static unsigned batch_end(const audit *a, unsigned from)
{
	unsigned i = from, files = 0;
	int last = -1;
	for (; i < a->nunits; i++) {
		if (strcmp(a->file[a->unit[i].file].folder, a->file[a->unit[from].file].folder))
			break;
		if (!a->unit[i].done && a->unit[i].file != last && files++ == BATCH)
			break;
		last = a->unit[i].done ? last : a->unit[i].file;
	}
	return i;
}

static void work(audit *a, int me, FILE *f)
{
	int batch = 0;
	for (unsigned from = 0, to; from < a->nunits; from = to, batch++) {
		to = batch_end(a, from);
		bool open = false;
		for (unsigned i = from; i < to; i++)
			open |= !a->unit[i].done;
		if (!open || batch % a->o.jobs != me)
			continue;
		pid_t pid = fork(); /* its terms go with it */
		if (pid == 0) {
			do_batch(a, from, to, f);
			fflush(f);
			_exit(0);
		}
		int status;
		waitpid(pid, &status, 0);
	}
}

static void run(audit *a)
{
	FILE *out[64] = {0};
	for (int k = 0; k < a->o.jobs; k++) {
		out[k] = tmpfile();
		if (out[k] && fork() == 0) {
			work(a, k, out[k]);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	for (int k = 0; k < a->o.jobs; k++)
		if (out[k]) {
			rewind(out[k]);
			take_lines(a, out[k]);
		}
}

/* ---- what is said */

typedef struct answer {
	enum verdict verdict;
	const char *method, *detail;
	uint64_t c;
} answer;

static answer one_part(audit *a, const char *function, const audited_rule *r, bool shape)
{
	unit *u = function ? find_unit(a, function, r, shape) : NULL;
	if (!u || !u->done)
		return (answer){VERDICT_UNKNOWN, "none", u ? "its worker died" : "its function is nowhere", 0};
	return (answer){u->f.verdict, u->f.method, u->f.detail, a->file[u->file].hash};
}

/* What a sampler gives, the rule accepts: it ends with a condition that is the rule's. */
static answer of_sampler(audit *a, unsigned framework, const char *name, const row *w, const audited_rule *r)
{
	const sampler *x = sampler_of(a, framework, name);
	if (!name)
		return (answer){VERDICT_PROVED, "identical", "", 0};
	if (!x)
		return (answer){VERDICT_WRONG, "sampler", "its sampler is nowhere", 0};
	if (!*x->valid)
		return r->nvalid ? (answer){VERDICT_WRONG, "sampler", "its sampler ends without the rule's condition", 0}
				 : (answer){VERDICT_PROVED, "identical", "", 0};
	if (!strcmp(x->valid, w->valid))
		return (answer){VERDICT_PROVED, "identical", "", 0};
	answer v = one_part(a, x->valid, r, false);
	return v.verdict == VERDICT_PROVED ? v : (answer){v.verdict, "sampler", v.detail, v.c};
}

static answer worst_of(unsigned n, const answer *list)
{
	answer worst = list[0];
	for (unsigned i = 1; i < n; i++)
		if (list[i].verdict > worst.verdict || (list[i].verdict == worst.verdict && !strcmp(list[i].method, "z3")))
			worst = list[i];
	return worst;
}

static answer of_row(audit *a, unsigned framework, const row *w, const audited_rule *r)
{
	if (strcmp(w->rule ? w->rule : "", r->id))
		return (answer){VERDICT_WRONG, "row", "the row names another rule", 0};
	if (w->nsym != r->nsym || w->nin != r->nin || w->nodim != r->nodim || r->nodim != r->nout || w->nout != r->noutputs
	    || memcmp(w->ranks, r->ranks, r->noutputs))
		return (answer){VERDICT_WRONG, "row", "the row has other numbers of symbols, tensors, outputs or dimensions", 0};
	if (strcmp(w->call, r->call))
		return (answer){VERDICT_WRONG, "row", "the row's call is another", 0};
	const answer parts[] = {one_part(a, w->valid, r, false), one_part(a, w->propagate, r, true),
	    of_sampler(a, framework, w->sample, w, r), of_sampler(a, framework, w->back, w, r)};
	answer worst = worst_of(4, parts);
	worst.c = parts[0].c * 31 + parts[1].c;
	return worst;
}

/* Calls `each` with every rule that is wanted and has a row; how many these are. */
static unsigned each_row(audit *a, void (*each)(const audited_rule *r, const answer *x, void *user), void *user)
{
	unsigned seen = 0;
	for (unsigned k = 0; k < a->nframeworks; k++)
		for (unsigned i = 0; i < a->rows[k].n; i++) {
			const row *w = &a->rows[k].row[i];
			const audited_rule *r = w->name ? rules_find(&a->rules, w->name) : NULL;
			if (!r || !wanted(a, r))
				continue;
			answer x = of_row(a, k, w, r);
			each(r, &x, user);
			seen++;
		}
	return seen;
}

static void certify(const audited_rule *r, const answer *x, void *file)
{
	fprintf(file, "%s %016llx %016llx %s %s%s%s\n", r->op, (unsigned long long)r->hash, (unsigned long long)x->c,
	    VERDICT_NAMES[x->verdict], x->method, *x->detail ? " " : "", x->detail);
}

static void write_certificate(const audit *cannot, FILE *f)
{
	each_row((audit *)cannot, certify, f);
}

/* What verdicts are counted into, and whom to ask about what is wrong. */
typedef struct tally {
	unsigned count[4];
	const char *library; /* NULL: nobody */
} tally;

/* The compiled function at the symbols that a verdict names, "… at [1,2]". */
static void say_run(const audited_rule *r, const char *detail, const char *library)
{
	const char *at = strstr(detail, " at [");
	int64_t *s = calloc(r->nsym + 1, sizeof *s);
	char text[LINE], *end = NULL;
	unsigned n = 0;
	for (const char *p = at ? at + 5 : ""; n < r->nsym && *p && *p != ']'; p = end + (*end == ',')) {
		s[n++] = strtoll(p, &end, 10);
		if (end == p)
			break;
	}
	if (at && n == r->nsym) {
		behave_at(library, r->op, s, n, text, sizeof text);
		fprintf(stderr, "%s: compiled, run there: %s\n", r->op, text);
	}
	free(s);
}

static void count_verdict(const audited_rule *r, const answer *x, void *user)
{
	tally *t = user;
	t->count[x->verdict]++;
	if (x->verdict != VERDICT_WRONG)
		return;
	fprintf(stderr, "%s: error: WRONG: %s\n", r->op, x->detail);
	if (t->library)
		say_run(r, x->detail, t->library);
}

/* Rules without a row, and the sums. Returns how many are wrong or have none. */
static unsigned summary(audit *a)
{
	tally t = {.library = a->o.library};
	unsigned rules = 0, seen = each_row(a, count_verdict, &t), *count = t.count;
	for (unsigned i = 0; i < a->rules.n; i++)
		rules += wanted(a, &a->rules.rule[i]);
	if (seen != rules)
		fprintf(stderr, "audit: error: %u rules, of which %u have a row\n", rules, seen);
	printf("%u rules: %u proved, %u bounded, %u unknown, %u WRONG\n", rules, count[VERDICT_PROVED], count[VERDICT_BOUNDED],
	    count[VERDICT_UNKNOWN], count[VERDICT_WRONG]);
	return count[VERDICT_WRONG] + (rules - seen);
}

/* The compiled rules on all records, and their samplers: true where nothing is wrong. */
static bool run_compiled(const audit *a)
{
	behaviour b;
	const behaviour_options o = {.library = a->o.library, .traces = a->o.traces, .ntraces = a->o.ntraces, .draws = a->o.draws,
	    .only = a->o.only, .jobs = a->o.jobs};
	if (!behave(&a->rules, &o, &b))
		return false;
	printf("%lu rules replayed: %lu calls that passed and %lu that were refused are answered so; %lu passed that rules for tensors with "
	       "elements only go without; %lu are beyond int64\n",
	    b.rules, b.passed, b.failed, b.left_out, b.beyond);
	if (o.draws)
		printf("%lu draws forwards and %lu backwards: what they gave, the text accepts; %lu and %lu gave none, %lu of these of samplers "
		       "without dead ends; %lu rules have no text to judge by\n",
		    b.forward, b.backward, b.none, b.none_back, b.none_direct, b.unsaid);
	if (b.wrong)
		printf("%lu WRONG\n", b.wrong);
	return b.wrong == 0;
}

/* ---- the program */

static bool arithmetic_holds(audit *a)
{
	size_t n;
	const char *why = "the preprocessor failed";
	char *c = source_preprocess("#include \"code.h\"\n", a->o.generated, a->o.include, &n);
	source *s = c ? source_parse(c, n, &why) : NULL;
	if (!s) {
		fprintf(stderr, "%s/code.h: error: %s\n", a->o.generated, why);
		return false;
	}
	finding f = equal_arithmetic(s);
	if (f.verdict != VERDICT_PROVED)
		fprintf(stderr, "%s/arith.h: error: %s\n", a->o.include, f.detail);
	return f.verdict == VERDICT_PROVED;
}

static bool samplers_hold(audit *a)
{
	size_t n;
	char *c = source_preprocess(SAMPLERS_PROBE, a->o.generated, a->o.include, &n);
	bool ok = c && samplers_macro(c);
	if (!ok)
		fprintf(stderr, "%s/samplercode.h: error: SAMPLER does not end with the rule's condition\n", a->o.include);
	free(c);
	return ok;
}

static bool load(audit *a)
{
	char path[1024];
	struct dirent **entry;
	a->place = calloc(NAMES, sizeof *a->place);
	snprintf(path, sizeof path, "%s/code.h", a->o.generated);
	a->common = hash_file(path, VERSION);
	snprintf(path, sizeof path, "%s/arith.h", a->o.include);
	a->common = hash_file(path, a->common);
	if (!rules_read(a->o.rules, &a->rules))
		return false;
	int n = scandir(a->o.generated, &entry, NULL, by_name);
	a->rows = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *a->rows);
	a->samplers = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *a->samplers);
	a->frameworks = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *a->frameworks);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s/table.c", a->o.generated, entry[i]->d_name);
		if (access(path, R_OK))
			continue;
		snprintf(a->frameworks[a->nframeworks], sizeof *a->frameworks, "%s", entry[i]->d_name);
		if (!read_table(a, entry[i]->d_name, &a->rows[a->nframeworks]) || !index_folder(a, entry[i]->d_name, &a->samplers[a->nframeworks]))
			return false;
		a->nframeworks++;
	}
	if (!a->nframeworks)
		fprintf(stderr, "%s: error: no tables\n", a->o.generated);
	return a->nframeworks > 0;
}

/* Whether the certificate says of each rule what this run does. */
static bool agrees(audit *a)
{
	char *mine = NULL;
	size_t n, length;
	FILE *f = open_memstream(&mine, &n);
	write_certificate(a, f);
	fclose(f);
	char *theirs = rules_file(a->o.check, &length);
	bool same = theirs && length == n && !memcmp(mine, theirs, n);
	unsigned line = 1;
	for (size_t i = 0; theirs && i < n && i < length && mine[i] == theirs[i]; i++)
		line += mine[i] == '\n';
	if (!same)
		fprintf(stderr, "%s:%u: error: %s\n", a->o.check, line, theirs ? "not what is found" : "cannot read it");
	return same;
}

static const char HELP[] =
    "usage: audit [OPTION…]\n"
    "Proves that generated C says what rules.jsonl says, for every int64 input.\n\n"
    "  --rules FILE        the rules (build/rules.jsonl)\n"
    "  --generated DIR     the C (generated)\n"
    "  --include DIR       arith.h and the other headers (runtime/include)\n"
    "  --only NAME         rules of one API or operator\n"
    "  --cache FILE        functions proved before are not proved again\n"
    "  --certificate FILE  write a line for each rule\n"
    "  --check FILE        prove all anew, and compare with this certificate\n"
    "  --library FILE      the compiled rules, librulesmith.so: they are run, on what is found wrong and on\n"
    "  --traces DIR        records that they must answer as recorded; may be repeated\n"
    "  --draws N           calls drawn from each sampler, forwards and backwards (32)\n"
    "  -j N                processes (2)\n";

static int parse(int argc, char **argv, options *o)
{
	static const struct option LONG[] = {{"rules", 1, 0, 'r'}, {"generated", 1, 0, 'g'}, {"include", 1, 0, 'i'},
	    {"only", 1, 0, 'o'}, {"cache", 1, 0, 'c'}, {"certificate", 1, 0, 'w'}, {"check", 1, 0, 'k'}, {"jobs", 1, 0, 'j'},
	    {"library", 1, 0, 'l'}, {"traces", 1, 0, 't'}, {"draws", 1, 0, 'd'},
	    {"help", 0, 0, 'h'}, {0}};
	*o = (options){.rules = "build/rules.jsonl", .generated = "generated", .include = "runtime/include", .jobs = 2, .draws = 32};
	for (int c; (c = getopt_long(argc, argv, "j:h", LONG, NULL)) >= 0;) {
		const char **text = c == 'r' ? &o->rules : c == 'g' ? &o->generated : c == 'i' ? &o->include : c == 'o' ? &o->only
		    : c == 'c' ? &o->cache : c == 'w' ? &o->certificate : c == 'k' ? &o->check : c == 'l' ? &o->library : c == 't' && o->ntraces < MOST_TRACES ? &o->traces[o->ntraces++] : NULL;
		if (text)
			*text = optarg;
		else if (c == 'd')
			o->draws = atoi(optarg) < 0 ? 0 : (unsigned)atoi(optarg);
		else if (c == 'j')
			o->jobs = atoi(optarg) < 1 ? 1 : atoi(optarg) > 64 ? 64 : atoi(optarg);
		else
			return c == 'h' ? (fputs(HELP, stdout), 0) : (fputs(HELP, stderr), 2);
	}
	return optind < argc || (o->ntraces && !o->library) ? (fputs(HELP, stderr), 2) : -1;
}

int main(int argc, char **argv)
{
	static audit a;
	int end = parse(argc, argv, &a.o);
	if (end >= 0)
		return end;
	if (!load(&a))
		return 1;
	bool ok = arithmetic_holds(&a) & samplers_hold(&a);
	make_units(&a);
	FILE *cache = a.o.cache && !a.o.check ? fopen(a.o.cache, "r") : NULL;
	take_lines(&a, cache);
	if (cache)
		fclose(cache);
	fflush(NULL);
	run(&a);
	ok &= !a.o.cache || a.o.check || replace_file(a.o.cache, &a, write_cache);
	ok &= !a.o.certificate || replace_file(a.o.certificate, &a, write_certificate);
	ok &= !a.o.check || agrees(&a);
	ok &= summary(&a) == 0;
	ok &= !a.o.ntraces || run_compiled(&a);
	return ok ? 0 : 1;
}
