#include "failure.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "bodies.h"
#include "json.h"
#include "op_versions.h"
#include "write_python.h"

#define MESSAGE_MAX 240
#define LONGEST 4    /* multiple of the limit up to which a message is read */
#define WORDS_MAX 120 /* of a process that died */
#define REFERENCE " (reference)" /* of oracle/check.py, behind an owner */
#define SPOILS " writes over its inputs" /* of oracle/blame.py, behind an API */

/* ---- normalised messages */

static bool word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The length of a path, an address, or an array layout (layout=CFcf) at c; 0 if there is none. */
static size_t volatile_part(const char *c)
{
	if (strncmp(c, "layout=", 7) == 0)
		return 7 + strspn(c + 7, "CFcf");
	if (c[0] == '0' && c[1] == 'x')
		return 2 + strspn(c + 2, "0123456789abcdefABCDEF");
	if (c[0] == '/' && word(c[1])) {
		size_t n = strcspn(c, " \t\n'\",:;()<>");
		return strchr(c + 1, '/') && strchr(c + 1, '/') < c + n ? n : 0;
	}
	return 0;
}

/* The length of a word without the digits at its end. */
static size_t stem_length(const char *word, size_t n)
{
	while (n && isdigit((unsigned char)word[n - 1]))
		n--;
	return n;
}

/* Whether a word of n characters is a dtype in some notation: with a width, or without if it is longer than a letter. */
static bool is_dtype(const char *c, size_t n)
{
	static const char *const NAMES[] = {"float", "double", "half", "int", "uint", "bool", "complex", "bfloat", "string",
	    "Float", "Double", "Half", "Long", "Int", "Short", "Char", "Byte", "Bool", "BFloat", "UInt", "ComplexFloat",
	    "ComplexDouble", "String", "FLOAT", "DOUBLE", "HALF", "INT", "UINT", "BOOL", "BFLOAT", "F", "I", "U", "BF", "f", "i", "u",
	    "bf", "TDim"};
	size_t stem = stem_length(c, n), width = n - stem;
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
		if (strlen(NAMES[i]) == stem && memcmp(NAMES[i], c, stem) == 0)
			return width ? width <= 3 && strchr("1368", c[stem]) : stem > 2;
	return false;
}

/* The length of the first of n words that is at c; 0 if none is. */
static size_t one_of(const char *const *words, size_t n, const char *c)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(c, words[i], strlen(words[i])) == 0 && !word(c[strlen(words[i])]))
			return strlen(words[i]);
	return 0;
}

/* The length of a C++ type of several words at c, such as short unsigned int; 0 if there is none. */
static size_t words_part(const char *c)
{
	static const char *const BEFORE[] = {"short", "long", "signed", "unsigned"}, *const LAST[] = {"int", "char", "double"};
	size_t before = 0;
	for (size_t n; (n = one_of(BEFORE, sizeof BEFORE / sizeof *BEFORE, c + before)) && c[before + n] == ' ';)
		before += n + 1;
	size_t last = before ? one_of(LAST, sizeof LAST / sizeof *LAST, c + before) : 0;
	return last ? before + last : 0;
}

/* The length of a dtype at c, such as int8_t, module.int8, DT_INT8, unsigned char; 0 if there is none. */
static size_t dtype_part(const char *c)
{
	size_t n = words_part(c), start = 0;
	if (n)
		return n;
	for (; word(c[n]) || (c[n] == '.' && word(c[n + 1])); n++)
		start = c[n] == '.' ? n + 1 : start;
	size_t end = n > 2 && c[n - 2] == '_' && c[n - 1] == 't' ? n - 2 : n;
	if (strncmp(c + start, "DT_", 3) == 0)
		start += 3;
	return start < end && is_dtype(c + start, end - start) ? n : 0;
}

/* The length of a tensor's or node's name at c, with a rewriter's suffix: t12, c0, n3, t4_q_to_dq; 0 if there is none. */
static size_t name_part(const char *c)
{
	size_t n = *c == 't' || *c == 'c' || *c == 'n' ? strspn(c + 1, "0123456789") : 0;
	if (!n || (word(c[n + 1]) && c[n + 1] != '_'))
		return 0;
	for (n++; word(c[n]);)
		n++;
	return n;
}

/* Skips one number, or a list of numbers in any notation (1, 2; 1x2; 1 2 ...). */
static const char *skip_numbers(const char *c)
{
	for (;;) {
		c += strspn(c, "0123456789");
		if (c[0] == '.' && isdigit((unsigned char)c[1])) {
			c++;
			continue;
		}
		if ((c[0] == 'e' || c[0] == 'E') && isdigit((unsigned char)c[1 + (c[1] == '+' || c[1] == '-')])) {
			c += 2;
			continue;
		}
		size_t gap = c[0] == ',' ? 1 + strspn(c + 1, " ") : c[0] == 'x' || c[0] == ' ' ? 1 : 0;
		gap += gap && c[gap] == '-';
		if (!gap || !isdigit((unsigned char)c[gap]))
			break;
		c += gap;
	}
	return strncmp(c, "...", 3) == 0 ? c + 3 : c;
}

/* The length of a name in a printed graph at c: %add_1, %4; 0 if there is none. */
static size_t node_part(const char *c)
{
	size_t n = *c == '%';
	while (n && word(c[n]))
		n++;
	return n > 1 ? n : 0;
}

/* The length of the arguments of a call in a printed graph at c: (args = (%x, 2), kwargs = {}); 0 if there are none. */
static size_t arguments_part(const char *c)
{
	const char *end = strncmp(c, "(args = (", 9) == 0 ? strstr(c, "kwargs = {") : NULL;
	end = end ? strstr(end, "})") : NULL;
	return end ? (size_t)(end - c) + 2 : 0;
}

/* The placeholder for a part at *c that comes from a model or a machine, and moves *c behind it. '\0': keep the character. */
static char stand_in(const char **c, bool inside)
{
	size_t n = volatile_part(*c);
	n = n ? n : arguments_part(*c);
	if (n) {
		*c += n;
		return '@';
	}
	n = inside ? 0 : node_part(*c);
	n = inside || n ? n : name_part(*c);
	if (n) {
		*c += n;
		return 'X';
	}
	n = inside ? 0 : dtype_part(*c);
	if (n) {
		*c += n;
		return 'T';
	}
	bool negative = **c == '-' && !inside && isdigit((unsigned char)(*c)[1]);
	if (!negative && !isdigit((unsigned char)**c))
		return '\0';
	*c = skip_numbers(*c + negative);
	return 'N';
}

/* Removes blanks and a cut UTF-8 character at the end. */
static void trim(buf *out)
{
	while (out->length
	       && (out->text[out->length - 1] == ' '
		   || ((unsigned char)out->text[out->length - 1] & 0x80)))
		out->text[--out->length] = '\0';
}

/* The length of a list item at c: up to a blank, comma or bracket, or a nested list of one item. */
static size_t item_length(const char *c)
{
	if (*c == '[') {
		size_t n = 1 + strcspn(c + 1, " ,[]{}");
		return c[n] == ']' ? n + 1 : 0;
	}
	return strcspn(c, " ,[]{}");
}

/* Merges equal neighbouring items: their number depends on the model. */
static void merge_items(const char *text, size_t limit, buf *out)
{
	for (const char *c = text; *c && out->length < limit;) {
		size_t n = item_length(c);
		buf_add(out, c, n ? n : 1);
		const char *item = c;
		c += n ? n : 1;
		while (n && c[0] == ',') {
			const char *next = c + 1 + (c[1] == ' ');
			if (item_length(next) != n || memcmp(next, item, n) != 0)
				break;
			c = next + n;
		}
	}
}

void normalise(const char *message, size_t limit, buf *out)
{
	const char *c = message;
	buf text = {0};
	bool space = true, inside = false; /* inside: of a word */
	while (*c && text.length < LONGEST * limit) {
		if (isspace((unsigned char)*c)) {
			if (!space)
				buf_putc(&text, ' ');
			space = true;
			inside = false;
			c++;
			continue;
		}
		char put = stand_in(&c, inside);
		space = false;
		inside = put ? false : word(*c);
		buf_putc(&text, put ? put : *c++);
	}
	merge_items(buf_text(&text), limit, out);
	buf_end(out, &text);
	if (out->length > limit)
		out->text[out->length = limit] = '\0';
	trim(out);
}

/* ---- causes of errors */

#define DTYPE "dtype: " /* precedes the message in a key that needs no API */
#define MALFORMED "malformed code: "
#define CHAIN "Caused by: "

/* The last cause of a normalised chain as Rust's anyhow prints it; NULL: the message is not a chain. */
static const char *last_cause(const char *text)
{
	const char *cause = NULL;
	for (const char *at = text; (at = strstr(at, CHAIN)) != NULL;)
		cause = at += strlen(CHAIN);
	return cause;
}

/* The part behind the traced call, which spells the API and its arguments: "…(*(FakeTensor(…),), **{}): got TypeError(…)". */
static const char *behind_call(const char *message)
{
	static const char MARK[] = "): got ";
	const char *got = message;
	for (const char *at = message; (at = strstr(at, MARK)) != NULL;)
		got = at += sizeof MARK - 1;
	return got;
}

/* Whether an exception reports malformed generated code, whose operators do not matter. */
static bool is_malformed(const failure *f, const char *cause)
{
	static const char *const TYPES[] = {"NameError", "SyntaxError", "IndentationError"};
	for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
		size_t n = strlen(TYPES[i]);
		if (strcmp(f->type, TYPES[i]) == 0 || (strncmp(cause, TYPES[i], n) == 0 && (cause[n] == ':' || cause[n] == '(')))
			return true;
	}
	return false;
}

static void put_error(const failure *f, buf *key)
{
	buf text = {0};
	const char *got = behind_call(f->message);
	bool malformed = is_malformed(f, got);
	normalise(got, MESSAGE_MAX, &text);
	const char *cause = last_cause(buf_text(&text));
	bool dtype = cause && strncmp(cause, "T ", 2) == 0; /* the subject of the cause: the operator does not matter */
	buf_printf(key, "%s|%s|%s%s", f->type, malformed ? "" : f->where, dtype ? DTYPE : malformed ? MALFORMED : "",
	    dtype ? cause : buf_text(&text));
	buf_end(key, &text);
}

/* ---- spellings of APIs */

/* Writes an API without its spelling: methods and in-place variants have the name of the function. */
static void put_api(const char *api, size_t n, buf *to)
{
	size_t method = python_method_prefix(api), module = method ? strcspn(api, ".") + 1 : 0;
	if (n > 1 && api[n - 1] == '_' && api[n - 2] != '_')
		n--;
	buf_add(to, api, module);
	buf_add(to, api + method, n - method);
}

static size_t api_length(const char *apis)
{
	const char *plus = strstr(apis, " + ");
	return plus ? (size_t)(plus - apis) : strlen(apis);
}

/* Whether an API before `until` has this name. */
static bool was_before(const char *apis, const char *until, const char *name)
{
	bool found = false;
	for (const char *at = apis; at < until && !found; at += api_length(at) + 3) {
		buf other = {0};
		put_api(at, api_length(at), &other);
		found = strcmp(buf_text(&other), name) == 0;
		buf_free(&other);
	}
	return found;
}

/* Writes the APIs of a model ("a + b"), each name once. */
static void put_apis(const char *apis, buf *to)
{
	const char *separator = "";
	for (const char *at = apis; *at;) {
		size_t n = api_length(at);
		buf name = {0};
		put_api(at, n, &name);
		if (!was_before(apis, at, buf_text(&name))) {
			buf_printf(to, "%s%s", separator, buf_text(&name));
			separator = " + ";
		}
		buf_end(to, &name);
		at += n + (at[n] ? 3 : 0);
	}
}

/* ---- causes of accepted invalid calls */

#define ACCEPTS "accepts-invalid|"

/* The length of a quoted name at c, "log_ndtr_cpu", or of a called one, index_add_(); 0 if there is none. */
static size_t named_part(const char *c)
{
	size_t quote = *c == '"', n = quote;
	while (word(c[n]))
		n++;
	const char *end = quote ? "\"" : "()";
	return n > quote && strncmp(c + n, end, strlen(end)) == 0 ? n + strlen(end) : 0;
}

/* Appends the cause that a reference's normalised message states. The names of functions and namespaces differ between calls for
 * which a compiler drops the same check. */
static void put_cause(const char *text, buf *to)
{
	for (const char *c = text; *c;) {
		bool inside = c > text && word(c[-1]);
		size_t n = inside ? 0 : named_part(c), space = inside || strncmp(c, "X::", 3) != 0 ? 0 : 3;
		buf_add(to, n ? "F" : c, n ? 1 : space ? 0 : 1);
		c += n ? n : space ? space : 1;
	}
}

/* ---- keys */

/* The kind of a difference: its cause, if that is known. */
static const char *difference_kind(const char *how, const char *cause)
{
	if (*cause)
		return cause;
	if (strstr(how, "in the target's second run"))
		return "second run";
	return strncmp(how, "shape", 5) == 0	 ? "shape"
	       : strncmp(how, "dtype", 5) == 0	 ? "dtype"
	       : strncmp(how, "strides", 7) == 0 ? "strides"
	       : strncmp(how, "memory of", 9) == 0 ? "aliases"
						 : "elements";
}

/* Messages of the C library about a corrupted heap vary, so they are not among the marks. */
void failure_last_words(const char *log, buf *out)
{
	static const char *const MARKS[] = {"panicked at", "Assertion", "what():", "Check failed", "CHECK failed", "LLVM ERROR"};
	const char *first = NULL;
	for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
		const char *found = strstr(log, MARKS[i]);
		if (found && (!first || found < first))
			first = found;
	}
	if (!first)
		return;
	const char *end = strchr(first, '\n');
	if (end && strncmp(first, "panicked at", 11) == 0)
		end = strchr(end + 1, '\n');
	buf_add(out, first, end ? (size_t)(end - first) : strlen(first));
}

static void normal_words(const char *log, buf *out)
{
	buf words = {0};
	failure_last_words(log, &words);
	if (words.length)
		normalise(buf_text(&words), WORDS_MAX, out);
	buf_end(out, &words);
}

/* SIGSEGV for any signal of a process that corrupted memory and died without a message. The signal is random: the C library's
 * checks or an invalid address may come first. */
static int of_memory(int killed)
{
	return killed == SIGABRT || killed == SIGBUS ? SIGSEGV : killed;
}

failure failure_told(const cJSON *answer)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	const cJSON *first = cJSON_GetObjectItemCaseSensitive(answer, "first");
	return (failure){.type = json_text(error, "type"),
	    .where = json_text(error, "where"),
	    .message = json_text(error, "message"),
	    .api = json_text(first ? first : answer, "api"),
	    .how = json_text(first, "how"),
	    .cause = json_text(first, "cause"),
	    .owner = json_text(answer, "owner"),
	    .shapes = cJSON_HasObjectItem(answer, "assignment") != 0};
}

char *failure_key(const failure *f)
{
	buf key = {0}, text = {0};
	buf_printf(&key, "%s|%s|", f->kind, f->owner && *f->owner ? f->owner : f->backend);
	if (strcmp(f->kind, "error") == 0) {
		put_error(f, &key);
	} else if (strcmp(f->kind, "unsupported") == 0) {
		normalise(f->message, MESSAGE_MAX, &text);
		buf_printf(&key, "%s|%s|%s", f->type, f->where, buf_text(&text));
	} else if (strcmp(f->kind, "accepts-invalid") == 0) { /* the message of the reference */
		normalise(f->message, MESSAGE_MAX, &text);
		buf_printf(&key, "%s|%s", f->api, buf_text(&text));
	} else if (strcmp(f->kind, "inconsistency") == 0) {
		put_api(f->api, strlen(f->api), &key);
		buf_printf(&key, "|%s%s", difference_kind(f->how, f->cause ? f->cause : ""), f->shapes ? "|shapes" : "");
	} else {
		if (strcmp(f->kind, "crash") == 0)
			normal_words(f->log, &text);
		int killed = text.length ? f->signal : of_memory(f->signal);
		buf_printf(&key, "%s|%d%s%s", f->stage, killed, text.length ? "|" : "", buf_text(&text));
	}
	buf_end(&key, &text);
	return buf_take(&key);
}

/* A field of a key, counted from 0: kind, backend, API, what differs. */
static const char *key_part(const char *key, int place, size_t *n)
{
	while (place-- && *key) {
		key += strcspn(key, "|");
		key += *key == '|';
	}
	*n = strcspn(key, "|");
	return key;
}

static bool is_part(const char *key, const char *other, int place)
{
	size_t n, m;
	const char *one = key_part(key, place, &n), *two = key_part(other, place, &m);
	return n == m && memcmp(one, two, n) == 0;
}

bool key_kind_is(const char *key, const char *other)
{
	return is_part(key, other, 3);
}

bool key_call_is(const char *key, const char *other)
{
	return is_part(key, other, 2);
}

bool pass_spoils(const char *pass)
{
	size_t n = strlen(pass), end = strlen(SPOILS);
	return n > end && strcmp(pass + n - end, SPOILS) == 0;
}

/* Whether the message in the key of an error names the place of the fault. */
static bool names_place(const char *key)
{
	size_t n;
	const char *message = strncmp(key, "error|", 6) == 0 ? key_part(key, 4, &n) : "";
	bool node = strstr(message, "#N \"") && strstr(message, CHAIN);
	return node || strncmp(message, DTYPE, strlen(DTYPE)) == 0 || strncmp(message, MALFORMED, strlen(MALFORMED)) == 0;
}

/* The length of an API at the start of a text of n bytes, without the version in its name. */
static size_t unversioned_length(const char *api, size_t n)
{
	buf name = {0};
	buf_add(&name, api, n);
	const char *end = op_version(buf_text(&name)) ? strrchr(buf_text(&name), '_') : NULL;
	size_t length = end ? (size_t)(end - buf_text(&name)) : n;
	buf_free(&name);
	return length;
}

/* Whether a key is of a call that contradicts itself. The call is known, and the model around it does not matter. */
static bool contradicts_itself(const char *key)
{
	static const char *const KINDS[] = {"uninitialized-memory", "nondeterministic"};
	size_t n;
	const char *kind = strncmp(key, "inconsistency|", 14) == 0 ? key_part(key, 3, &n) : "";
	bool is = false;
	for (size_t i = 0; *kind && i < sizeof KINDS / sizeof *KINDS; i++)
		is |= n == strlen(KINDS[i]) && memcmp(kind, KINDS[i], n) == 0;
	return is;
}

/* Appends a key whose API has no version, since the fault is the same in each operator set. */
static void put_unversioned(const char *key, buf *to)
{
	size_t n;
	const char *api = key_part(key, 2, &n);
	bool differs = strncmp(key, "inconsistency|", 14) == 0;
	buf_add(to, key, (size_t)(api - key) + (differs ? unversioned_length(api, n) : n));
	buf_printf(to, "%s", api + n);
}

/* Of an accepted invalid call: the cause, not the API, since compilers drop a check for many APIs at once. */
static char *signature_of_cause(const char *key)
{
	size_t n;
	buf text = {0};
	const char *api = key_part(key, 2, &n);
	buf_add(&text, key, (size_t)(api - key));
	buf_putc(&text, '|');
	put_cause(api + n + (api[n] == '|'), &text);
	return buf_take(&text);
}

const char *failure_accepted(const char *key, size_t *n)
{
	return strncmp(key, ACCEPTS, strlen(ACCEPTS)) == 0 ? key_part(key, 2, n) : NULL;
}

char *failure_signature(const char *key, const char *apis, const char *pass)
{
	if (strncmp(key, ACCEPTS, strlen(ACCEPTS)) == 0)
		return signature_of_cause(key);
	buf text = {0};
	const char *backend = strchr(key, '|'), *end = backend ? strchr(backend + 1, '|') : NULL;
	if (end && pass_spoils(pass)) { /* of the reference as of the target */
		size_t n = (size_t)(end - key), mark = strlen(REFERENCE);
		n -= n > mark && strncmp(end - mark, REFERENCE, mark) == 0 ? mark : 0;
		size_t api = strlen(pass) - strlen(SPOILS);
		buf_printf(&text, "%.*s||%.*s%s", (int)n, key, (int)unversioned_length(pass, api), pass, SPOILS);
		return buf_take(&text);
	}
	bool names_pass = *pass && strncmp(pass, "as ", 3) != 0, itself = contradicts_itself(key);
	if (names_pass || itself)
		put_unversioned(key, &text);
	else
		buf_printf(&text, "%s", key);
	buf_putc(&text, '|');
	if (!names_pass && !itself && !names_place(key))
		put_apis(apis, &text);
	if (*pass)
		buf_printf(&text, "|%s", pass);
	return buf_take(&text);
}

/* The kinds of regions of a model ("a + b"), and their number. */
static unsigned put_regions(const cJSON *model, buf *to)
{
	unsigned n = 0;
	const cJSON *body;
	cJSON_ArrayForEach(body, cJSON_GetObjectItemCaseSensitive(model, "bodies"))
	{
		const enum body_kind kind = body_named(json_text(body, "kind"));
		if (kind < BODY_KINDS && body_is_region(kind))
			buf_printf(to, "%s%s", n++ ? " + " : "", body_name(kind));
	}
	return n;
}

char *failure_signature_in(const char *model, const char *key, const char *apis, const char *pass)
{
	buf regions = {0}, anywhere = {0};
	errno = 0;
	cJSON *read = cJSON_Parse(model);
	const bool memory = read || errno != ENOMEM;
	const unsigned n = put_regions(read, &regions);
	const bool raised = strncmp(key, "error|", 6) == 0, differs = strncmp(key, "inconsistency|", 14) == 0;
	size_t length;
	const char *call = key_part(key, 2, &length);
	if (differs && n > 1)
		buf_printf(&anywhere, "%.*s%s", (int)(call - key), key, call + length);
	char *signature = NULL;
	if (memory && !regions.failed && !anywhere.failed)
		signature = failure_signature(anywhere.length ? buf_text(&anywhere) : key,
		    (raised && n) || (differs && n > 1) ? buf_text(&regions) : apis, pass);
	cJSON_Delete(read);
	buf_free(&regions);
	buf_free(&anywhere);
	return signature;
}

char *failure_of_backend(const char *signature, const char *backend)
{
	size_t n;
	buf text = {0};
	const char *was = key_part(signature, 1, &n);
	buf_add(&text, signature, (size_t)(was - signature));
	buf_printf(&text, "%s%s", backend, was + n);
	return buf_take(&text);
}
