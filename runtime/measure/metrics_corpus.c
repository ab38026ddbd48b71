#include "metrics_corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "opset.h"

enum { DEGREES_MAX = 1024, API_LENGTH = 512 };

bool metrics_corpus_index(
    metrics *m, const gen_index *x, uint32_t *operators, uint32_t samplers[METRICS_SAMPLERS])
{
	for (uint32_t i = 0; i < x->nops; i++) {
		const rs_op *op = x->ops[i].op;
		if (!metrics_corpus_in(m, op->api, op->nin))
			return false;
		++*operators;
		samplers[op->sampler < METRICS_SAMPLERS ? op->sampler : RS_SAMPLER_RECORD]++;
	}
	return true;
}

bool metrics_corpus_set(metrics *m, const char *set, const char *framework)
{
	char api[API_LENGTH];
	size_t n;
	const char *const *names = opset_list(set, framework, &n);
	for (size_t i = 0; i < n; i++) {
		snprintf(api, sizeof api, "%s.%s", rs_framework_module(framework), names[i]);
		if (!metrics_corpus(m, api))
			return false;
	}
	return true;
}

/* ---- a file */

typedef bool add_fn(metrics *m, const char *api, uint32_t degree);

typedef struct place {
	const char *path;
	long line;
	diag *d;
} place;

static bool no_memory(place p)
{
	return diag_at(p.d, p.path, p.line, "out of memory");
}

static bool parse_degree(const char **text, long *degree)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	*degree = strtol(*text, &end, 10);
	*text = end;
	return *degree <= DEGREES_MAX;
}

/* Adds each degree of 1,2,4..6 or -. */
static bool read_degrees(metrics *m, const char *api, const char *word, add_fn *add, place p)
{
	const char *text = word;
	if (strcmp(word, "-") == 0)
		return true;
	for (;; text++) {
		long low, high;
		bool ok = parse_degree(&text, &low);
		high = low;
		if (ok && strncmp(text, "..", 2) == 0) {
			text += 2;
			ok = parse_degree(&text, &high);
		}
		if (!ok || high < low || (*text && *text != ','))
			return diag_at(p.d, p.path, p.line,
			    "expected degrees such as 1,2 or 0..5 (at most %d), got '%.40s'",
			    DEGREES_MAX, word);
		for (long i = low; i <= high; i++)
			if (!add(m, api, (uint32_t)i))
				return no_memory(p);
		if (!*text)
			return true;
	}
}

static bool read_line(metrics *m, char *line, place p)
{
	static const char SPACE[] = " \t\r";
	char *rest;
	line[strcspn(line, "#")] = '\0';
	const char *api = strtok_r(line, SPACE, &rest);
	if (!api)
		return true;
	if (strlen(api) >= API_LENGTH)
		return diag_at(p.d, p.path, p.line, "the name of the API is too long");
	if (!metrics_corpus(m, api))
		return no_memory(p);
	const char *in = strtok_r(NULL, SPACE, &rest), *out = in ? strtok_r(NULL, SPACE, &rest) : NULL;
	if (out && strtok_r(NULL, SPACE, &rest))
		return diag_at(p.d, p.path, p.line, "more than API, in-degrees, out-degrees");
	return (!in || read_degrees(m, api, in, metrics_corpus_in, p))
	       && (!out || read_degrees(m, api, out, metrics_corpus_out, p));
}

bool metrics_corpus_file(metrics *m, const char *path, diag *d)
{
	size_t length;
	char *text = file_read(path, &length, d), *rest = text, *line;
	place p = {path, 0, d};
	bool ok = text != NULL;
	while (ok && (line = strsep(&rest, "\n"))) {
		p.line++;
		ok = read_line(m, line, p);
	}
	free(text);
	if (ok && !metrics_corpus_size(m))
		return diag_at(d, path, 0, "no operator in the file");
	return ok;
}
