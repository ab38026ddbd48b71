/* rulefuzz eval: evaluates the compiled rules for lines {"op":NAME,"in":[symbols…]}.
 *
 * A line of exactly this form, without spaces and escapes, takes a fast path: some 10^6 lines a second. All other lines go
 * through cJSON, which accepts all of JSON and makes all diagnostics. The fast path leaves doubtful lines to the other, so both
 * give the same answers.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "api_names.h"
#include "buf.h"
#include "json.h"
#include "commands.h"

enum {
	CHUNK = 1 << 17, /* bytes read and written at once */
	SUGGESTIONS = 64 /* unknown names compared with all known ones: each takes milliseconds */
};

/* ---- operators by name */

typedef struct slot {
	uint64_t hash;
	const rs_op *op; /* NULL: free */
	size_t answer; /* offset in answers: the common start of all answers, or the whole answer if there is no rule */
	unsigned length;
} slot;

typedef struct directory { /* a hash table of all operators */
	slot *slots; /* open addressing, at most half full */
	size_t mask;
	buf answers;
	unsigned most_symbols, most_dims;
} directory;

static slot *find_slot(const directory *d, const char *name, size_t length)
{
	uint64_t hash = XXH3_64bits(name, length);
	size_t at = hash & d->mask;
	for (; d->slots[at].op; at = (at + 1) & d->mask) {
		const slot *s = &d->slots[at];
		if (s->hash == hash && strlen(s->op->name) == length
		    && memcmp(s->op->name, name, length) == 0)
			break;
	}
	return &d->slots[at];
}

static void put_error(buf *out, const char *name, const char *what, const char *detail)
{
	buf_puts(out, "{\"op\":");
	buf_json(out, name);
	buf_puts(out, ",\"error\":");
	buf text = {0};
	buf_printf(&text, "%s%s", what, detail);
	buf_json(out, text.text ? text.text : what);
	buf_end(out, &text);
	buf_puts(out, "}\n");
}

static void add_op(directory *d, const rs_op *op)
{
	size_t n = strlen(op->name);
	slot *s = find_slot(d, op->name, n);
	if (s->op) /* the first table counts, as in rs_library_find */
		return;
	*s = (slot){.hash = XXH3_64bits(op->name, n), .op = op, .answer = d->answers.length};
	if (op->valid) {
		buf_puts(&d->answers, "{\"op\":");
		buf_json(&d->answers, op->name);
		buf_puts(&d->answers, ",\"valid\":");
	} else {
		put_error(&d->answers, op->name, "no rule: ", op->why ? op->why : "not known");
	}
	s->length = (unsigned)(d->answers.length - s->answer);
	d->most_symbols = op->nsym > d->most_symbols ? op->nsym : d->most_symbols;
	d->most_dims = op->nodim > d->most_dims ? op->nodim : d->most_dims;
}

static bool directory_open(directory *d, const rs_library *lib)
{
	size_t n = 0, capacity = 16;
	for (uint32_t i = 0; i < lib->ntables; i++)
		n += lib->tables[i]->nops;
	while (capacity < n * 2 + 2)
		capacity *= 2;
	*d = (directory){.slots = calloc(capacity, sizeof(slot)), .mask = capacity - 1};
	for (uint32_t i = 0; d->slots && i < lib->ntables; i++)
		for (uint32_t j = 0; j < lib->tables[i]->nops; j++)
			add_op(d, &lib->tables[i]->ops[j]);
	return d->slots && !d->answers.failed;
}

static void directory_close(directory *d)
{
	free(d->slots);
	buf_free(&d->answers);
}

/* ---- answers */

typedef struct session {
	const rs_library *lib;
	int suggested; /* names that were compared with all known ones */
	directory ops;
	int in;
	const char *path; /* of the input, for messages */
	long line;
	int64_t *symbols, *dims; /* room for the largest operator */
	buf out;
	diag d;
} session;

static bool flush(session *s)
{
	for (size_t done = 0; done < s->out.length;) {
		ssize_t n = write(STDOUT_FILENO, s->out.text + done, s->out.length - done);
		if (n < 0 && errno != EINTR)
			return diag_set(&s->d, "cannot write the answers: %s", strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	buf_clear(&s->out);
	return true;
}

/* Most dimensions have one digit. */
static void put_dim(buf *out, int64_t value)
{
	if (value < 10)
		buf_putc(out, (char)('0' + value));
	else
		buf_int(out, value);
}

static void put_verdict(session *s, const slot *found)
{
	const rs_op *op = found->op;
	buf *out = &s->out;
	buf_add(out, s->ops.answers.text + found->answer, found->length);
	if (!rs_eval(op, s->symbols, s->dims)) {
		buf_add(out, "false}\n", 7);
		return;
	}
	buf_add(out, "true,\"out\":[", 12);
	for (unsigned i = 0; i < op->nodim; i++) {
		if (i)
			buf_putc(out, ',');
		put_dim(out, s->dims[i]);
	}
	buf_add(out, "]}\n", 3);
}

/* "torch.mm" stands for "torch.mm-0". The first few other names of a session are compared with all known ones. */
static bool put_near(session *s, const char *name, buf *to)
{
	buf first = {0};
	buf_printf(&first, "%s-0", name);
	bool some = first.text && find_slot(&s->ops, first.text, first.length)->op;
	if (some)
		buf_puts(to, first.text);
	else if (s->suggested++ < SUGGESTIONS)
		some = operator_suggest(s->lib, NULL, name, to);
	buf_end(to, &first);
	return some;
}

static void put_unknown(session *s, const char *name)
{
	buf near = {0}, detail = {0};
	if (put_near(s, name, &near))
		buf_printf(&detail, "; did you mean %s?", buf_text(&near));
	put_error(&s->out, name, "unknown operator", buf_text(&detail));
	buf_end(&s->out, &near);
	buf_end(&s->out, &detail);
}

/* Answers for a signature and n symbols; s->symbols holds the first most_symbols. */
static void answer(session *s, const char *name, size_t length, unsigned n)
{
	const slot *found = find_slot(&s->ops, name, length);
	if (found->op && !found->op->valid) {
		buf_add(&s->out, s->ops.answers.text + found->answer, found->length);
		return;
	}
	if (found->op && found->op->nsym == n) {
		put_verdict(s, found);
		return;
	}
	char detail[64] = "", *copy = strndup(name, length);
	s->out.failed |= !copy;
	if (copy && found->op) {
		snprintf(detail, sizeof detail, "%u symbols, not %u", found->op->nsym, n);
		put_error(&s->out, copy, "the operator takes ", detail);
	} else if (copy) {
		put_unknown(s, copy);
	}
	free(copy);
}

/* ---- the fast path */

/* Scans an integer of at most 18 digits; returns its end, or NULL. */
static const char *scan_int(const char *c, int64_t *value)
{
	bool negative = *c == '-';
	const char *start = c += negative;
	int64_t v = 0;
	while ((unsigned)(*c - '0') < 10 && c - start < 18)
		v = v * 10 + (*c++ - '0');
	if (c == start || (*start == '0' && c - start > 1))
		return NULL;
	*value = negative ? -v : v;
	return c;
}

/* Returns the position behind the closing quote, NULL if the name has escapes or control characters. */
static const char *scan_name(const char *c)
{
	while (*c != '"' && *c != '\\' && (unsigned char)*c >= ' ')
		c++;
	return *c == '"' ? c + 1 : NULL;
}

/* Answers a NUL-terminated line of the plain form. False: it has another form, and nothing was done. */
static bool try_plain(session *s, const char *line, size_t size)
{
	static const char HEAD[] = "{\"op\":\"", IN[] = ",\"in\":[";
	if (strncmp(line, HEAD, sizeof HEAD - 1) != 0)
		return false;
	const char *name = line + sizeof HEAD - 1, *c = scan_name(name);
	if (!c || strncmp(c, IN, sizeof IN - 1) != 0)
		return false;
	size_t length = (size_t)(c - 1 - name);
	unsigned n = 0;
	c += sizeof IN - 1;
	for (int64_t v; *c != ']' || (n && c[-1] == ','); n++) {
		if (!(c = scan_int(c, &v)) || (*c != ',' && *c != ']'))
			return false;
		if (n < s->ops.most_symbols)
			s->symbols[n] = v;
		c += *c == ',';
	}
	if (strcmp(c, "]}") != 0 || c + 2 != line + size)
		return false;
	answer(s, name, length, n);
	return true;
}

/* ---- the slow path */

/* Whether the value of "in" has a fraction or an exponent: cJSON cannot tell 2.0 from 2. */
static bool has_float(const char *line)
{
	const char *list = strstr(line, "\"in\"");
	for (const char *c = list ? list + 4 : ""; *c && *c != ']'; c++)
		if (*c == '.' || *c == 'e' || *c == 'E')
			return true;
	return false;
}

static bool slow_line(session *s, const char *line, const cJSON *o)
{
	const char *op = json_string(o, "op", s->path, s->line, &s->d);
	const cJSON *in = op ? json_array(o, "in", s->path, s->line, &s->d) : NULL, *item;
	unsigned n = 0;
	if (!in)
		return false;
	cJSON_ArrayForEach(item, in)
	{
		int64_t v;
		if (json_int64(item, &v) == JSON_NOT_INT || has_float(line))
			return diag_at(&s->d, s->path, s->line, "key \"in\": expected integers");
		if (n++ < s->ops.most_symbols)
			s->symbols[n - 1] = v;
	}
	answer(s, op, strlen(op), n);
	return true;
}

static bool take_slowly(session *s, const char *line, size_t length)
{
	if (strlen(line) != length)
		return diag_at(&s->d, s->path, s->line, "the line contains a NUL byte");
	if (line[strspn(line, " \t")] == '\0')
		return true;
	cJSON *o = json_parse(line, s->path, s->line, &s->d);
	bool ok =
	    o && (cJSON_IsObject(o) || diag_at(&s->d, s->path, s->line, "expected an object"));
	ok = ok && slow_line(s, line, o);
	cJSON_Delete(o);
	return ok;
}

/* ---- lines */

/* Answers one line. The byte behind it may be overwritten. */
static bool take_line(session *s, char *line, size_t length)
{
	s->line++;
	if (length && line[length - 1] == '\r')
		length--;
	line[length] = '\0';
	if (!try_plain(s, line, length) && !take_slowly(s, line, length))
		return false;
	if (s->out.failed)
		return diag_set(&s->d, "out of memory for an answer");
	return s->out.length < CHUNK || flush(s);
}

/* Answers the complete lines of text; *used is their length. */
static bool take_lines(session *s, char *text, size_t length, size_t *used)
{
	char *at = text, *end = text + length, *newline;
	bool ok = true;
	while (ok && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		ok = take_line(s, at, (size_t)(newline - at));
		at = newline + 1;
	}
	*used = (size_t)(at - text);
	return ok;
}

/* Writes the answers before each read, so that a program at the other end of two pipes never waits. */
static ssize_t read_more(session *s, char *to, size_t room)
{
	ssize_t n = -1;
	if (!flush(s))
		return -1;
	while ((n = read(s->in, to, room)) < 0 && errno == EINTR)
		;
	if (n < 0)
		diag_at(&s->d, s->path, s->line + 1, "cannot read: %s", strerror(errno));
	return n;
}

static bool take_all(session *s)
{
	size_t room = CHUNK, held = 0, used;
	char *text = malloc(room + 1);
	bool ok = text != NULL;
	for (ssize_t n; ok && (n = read_more(s, text + held, room - held)) != 0;) {
		if (n < 0) {
			ok = false;
			break;
		}
		ok = take_lines(s, text, held + (size_t)n, &used);
		held += (size_t)n - used;
		memmove(text, text + used, held);
		if (held >= JSON_LONGEST)
			ok = ok && diag_at(&s->d, s->path, s->line + 1, "the line is longer than %d MiB", JSON_LONGEST >> 20);
		else if (held == room) { /* a line longer than the room */
			char *more = realloc(text, (room *= 2) + 1);
			ok = ok && more;
			text = more ? more : text;
		}
	}
	if (ok && held)
		ok = take_line(s, text, held);
	free(text);
	if (!ok && !s->d.text[0])
		diag_set(&s->d, "out of memory");
	return flush(s) && ok;
}

static int evaluate(const rs_library *lib, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	session s = {.lib = lib, .path = is_stdin ? "<stdin>" : path,
	    .in = is_stdin ? STDIN_FILENO : open(path, O_RDONLY)};
	bool ok = s.in >= 0 || diag_at(&s.d, path, 0, "cannot open: %s", strerror(errno));
	ok = ok && diag_memory(&s.d, directory_open(&s.ops, lib));
	if (ok) {
		s.symbols = malloc(sizeof *s.symbols * (s.ops.most_symbols + 1));
		s.dims = malloc(sizeof *s.dims * (s.ops.most_dims + 1));
		ok = s.symbols && s.dims ? take_all(&s) : diag_set(&s.d, "out of memory");
	}
	if (!ok)
		fprintf(stderr, "%s\n", s.d.text);
	if (!is_stdin && s.in >= 0)
		close(s.in);
	free(s.symbols);
	free(s.dims);
	buf_free(&s.out);
	directory_close(&s.ops);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}

/* ---- calls as text */

#pragma weak rs_apis /* a program may be linked without the rules of whole APIs */

static int answer_calls(const rs_library *lib, const rs_api_library *apis, char *const *calls, size_t n)
{
	bool ok = true;
	for (size_t i = 0; i < n && ok; i++) {
		char *text = rs_answer(lib, apis, calls[i]);
		static const char ERROR[] = "{\"error\":";
		ok = text && strncmp(text, ERROR, sizeof ERROR - 1) != 0;
		if (ok)
			puts(text);
		else
			fprintf(stderr, "--call '%s': error: %s\n", calls[i], text ? text + sizeof ERROR - 1 : "out of memory");
		free(text);
	}
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}

/* ---- the command */

static int help(void)
{
	puts("usage: rulefuzz eval [OPTION…] [FILE]\n"
	     "       rulefuzz eval --call CALL…\n\n"
	     "Evaluates the rules for calls. Reads lines {\"op\":NAME,\"in\":[symbols…]} from FILE or standard\n"
	     "input, and writes one line for each, in order:\n\n"
	     "  {\"op\":NAME,\"valid\":true,\"out\":[…]}  the call is valid; out has the output dimensions\n"
	     "  {\"op\":NAME,\"valid\":false}           the call is invalid\n"
	     "  {\"op\":NAME,\"error\":\"…\"}           no rule, unknown operator or wrong number of symbols\n\n"
	     "NAME is a signature such as matmul-0 with its module; `rulefuzz rules --list` lists all. The symbols\n"
	     "are the sizes and integer attributes, in the order of the signature. Integers beyond 64 bits count\n"
	     "as the nearest one. Blank lines are skipped. A malformed line ends the program with exit code 1\n"
	     "after the answers to the lines before it.\n\n"
	     "--call answers calls as they are written in Python, with tensors as f32[2,3] (i64[5] in 0..9 with\n"
	     "elements from 0 to 9, i64([2, 3]) with these elements). One line each:\n\n"
	     "  {\"api\":NAME,\"valid\":true,\"outputs\":[[…]],\"signature\":NAME}  the shapes of the outputs\n"
	     "  {\"api\":NAME,\"valid\":false,\"why\":\"…\"}                     rejected, and by which clause\n"
	     "  {\"api\":NAME,\"unknown\":\"…\"}                               nothing recorded decides\n\n"
	     "If the dtypes are known and accepted, \"dtypes\":[\"float32\",…] has those of the outputs.\n\n"
	     "  --call CALL    answer this call; repeatable\n"
	     "  --rules FILE   use this rule library instead of the built-in one\n"
	     "  -h, --help     show this text");
	return print_examples("eval");
}

/* Reads the options; calls: those of --call, of room for all arguments. False: *status is the exit code. */
static bool read_options(int argc, char **argv, const char **rules, char **calls, size_t *ncalls, int *status)
{
	static const struct option OPTIONS[] = {{"call", required_argument, NULL, 'c'}, {"rules", required_argument, NULL, 'r'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	*status = EXIT_USAGE;
	optind = 1;
	for (int c; (c = next_option("eval", argc, argv, "h", OPTIONS)) != -1;) {
		if (c == 'h')
			return *status = help(), false;
		if (c == 'c')
			calls[(*ncalls)++] = optarg;
		else if (c == 'r')
			*rules = optarg;
		else
			return false;
	}
	if (argc - optind > (*ncalls == 0)) {
		*status = usage_error("eval", "expected at most %s, got %d", *ncalls ? "--call and no file" : "one file", argc - optind);
		return false;
	}
	return true;
}

int cmd_eval(int argc, char **argv)
{
	const char *rules = NULL;
	size_t ncalls = 0;
	int status;
	char **calls = calloc((size_t)argc + 1, sizeof *calls);
	if (!calls) {
		fprintf(stderr, "rulefuzz eval: error: out of memory\n");
		return EXIT_INPUT;
	}
	if (!read_options(argc, argv, &rules, calls, &ncalls, &status)) {
		free(calls);
		return status;
	}
	const rs_library *lib = open_rules(rules);
	if (!lib)
		status = EXIT_INPUT;
	else if (ncalls)
		status = answer_calls(lib, rules ? NULL : &rs_apis, calls, ncalls);
	else
		status = evaluate(lib, optind < argc ? argv[optind] : "-");
	free(calls);
	return status;
}
