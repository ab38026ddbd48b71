#include "screen_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen.h"

static const char *const VERDICTS[] = {[SCREEN_OK] = "ok",
    [SCREEN_UNDEFINED] = "unspecified",
    [SCREEN_UNSUPPORTED] = "unsupported",
    [SCREEN_PASS] = "undecided"};
static const char *const STAGES[] = {[SCREEN_REFERENCE] = "reference",
    [SCREEN_COMPILE] = "compile",
    [SCREEN_RUN] = "run",
    [SCREEN_JUDGE] = "judge"};

/* ---- requests: only the top level is parsed; a model's text is passed on */

static char *skip_string(char *c)
{
	for (c++; *c && *c != '"'; c++)
		c += *c == '\\' && c[1];
	return c + (*c == '"');
}

static char *skip_value(char *c)
{
	int depth = 0;
	while (*c && (depth || !strchr(",}", *c))) {
		if (*c == '"') {
			c = skip_string(c);
			continue;
		}
		depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
		c++;
	}
	return c;
}

typedef struct request {
	long long id, memory;
	bool check, probe;
	int preset;  /* an agree_preset; -1: unknown */
	char *model; /* "" when there is none */
} request;

static bool is_key(const char *key, const char *end, const char *name)
{
	return (size_t)(end - key) == strlen(name) + 2 && strncmp(key + 1, name, strlen(name)) == 0;
}

static int read_preset(const char *value)
{
	char name[16];
	return sscanf(value, "\"%15[a-z]\"", name) == 1 ? agree_parse(name) : -1;
}

/* Cuts the line at the end of the model. */
static request read_request(char *line)
{
	request r = {.model = ""};
	char *cut = NULL;
	for (char *c = strchr(line, '{'); c && (*c == '{' || *c == ',');) {
		char *key = c + 1, *end = *key == '"' ? skip_string(key) : key;
		if (*end != ':')
			break;
		c = skip_value(end + 1);
		if (is_key(key, end, "id"))
			r.id = strtoll(end + 1, NULL, 10);
		else if (is_key(key, end, "memory"))
			r.memory = strtoll(end + 1, NULL, 10);
		else if (is_key(key, end, "do"))
			r.check = strncmp(end + 1, "\"check\"", 7) == 0;
		else if (is_key(key, end, "probe"))
			r.probe = strncmp(end + 1, "true", 4) == 0;
		else if (is_key(key, end, "tolerance"))
			r.preset = read_preset(end + 1);
		else if (is_key(key, end, "model"))
			r.model = end + 1, cut = c;
	}
	if (cut)
		*cut = '\0';
	return r;
}

/* ---- answers */

static void put_error(buf *b, const screen_answer *a)
{
	buf_puts(b, ",\"error\":{\"type\":\"NotImplemented\",\"message\":");
	buf_json(b, diag_what(&a->text));
	buf_puts(b, ",\"where\":\"\"}");
}

static void put_times(buf *b, const char *key, const double seconds[SCREEN_STAGES])
{
	buf_printf(b, ",\"%s\":{", key);
	for (int i = 0; i < SCREEN_STAGES; i++)
		buf_printf(b, "%s\"%s\":%.3f", i ? "," : "", STAGES[i], seconds[i] * 1000);
	buf_putc(b, '}');
}

static void put_answer(buf *b, const screen_answer *a)
{
	buf_printf(b, "\"verdict\":\"%s\"", VERDICTS[a->verdict]);
	if (a->assignments)
		buf_printf(b, ",\"assignments\":{\"run\":%u}", a->assignments);
	if (a->verdict == SCREEN_UNSUPPORTED)
		put_error(b, a);
	if (a->verdict == SCREEN_PASS) {
		buf_puts(b, ",\"why\":");
		buf_json(b, diag_what(&a->text));
	}
	put_times(b, "times", a->seconds);
	put_times(b, "cpu", a->cpu);
}

static void answer(screen *s, char *line, buf *b)
{
	request r = read_request(line);
	screen_answer a;
	buf_clear(b);
	buf_printf(b, "{\"id\":%lld,", r.id);
	if (r.check && r.preset < 0) {
		a = (screen_answer){.verdict = SCREEN_PASS, .text = {"no such tolerance"}};
		put_answer(b, &a);
	} else if (r.check) {
		if (r.memory > 0)
			s->engine.allocator.limit = (size_t)r.memory << 20;
		screen_look(s, r.model, (screen_request){(enum agree_preset)r.preset, r.probe}, &a);
		put_answer(b, &a);
	} else {
		buf_puts(b, "\"script\":\"\"");
	}
	buf_puts(b, "}\n");
}

/* ---- the exchange */

static bool say(int to, const buf *b)
{
	for (size_t done = 0; done < b->length;) {
		ssize_t n = write(to, b->text + done, b->length - done);
		if (n < 0)
			return false;
		done += (size_t)n;
	}
	return !b->failed;
}

static void serve(screen *s, int to)
{
	buf b = {0};
	char *line = NULL;
	size_t room = 0;
	buf_puts(&b, "{\"ready\":1,\"versions\":{\"onnxruntime\":");
	buf_json(&b, s->engine.lib.version);
	buf_puts(&b, "}}\n");
	while (say(to, &b) && getline(&line, &room, stdin) > 0)
		answer(s, line, &b);
	free(line);
	buf_free(&b);
}

bool screen_serve(const char *library, int optimisation)
{
	diag d = {""};
	screen s;
	int to = dup(STDOUT_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	bool ready = to >= 0 && screen_open(&s, library, optimisation, &d);
	if (ready) {
		serve(&s, to);
		screen_close(&s);
	} else {
		buf b = {0};
		buf_puts(&b, "{\"fatal\":");
		buf_json(&b, diag_what(&d));
		buf_puts(&b, "}\n");
		say(to, &b);
		buf_free(&b);
	}
	close(to);
	return ready;
}
