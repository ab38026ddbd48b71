#include "equation.h"

#include <string.h>

enum { LABELS = 128 };

typedef struct term { /* of one tensor: "a...bc" */
	char labels[RULE_RANK];
	unsigned n;
	int dots; /* how many labels are before the ellipsis; -1: there is none */
} term;

typedef struct sizes {
	int64_t label[LABELS]; /* -1: not seen */
	unsigned seen[LABELS]; /* how often */
	int64_t dots[RULE_RANK]; /* the dimensions of ellipses, from the right */
	unsigned ndots;
	bool has_dots;
} sizes;

/* Reads a term up to a comma, an arrow or the end. False: malformed. */
static bool read_term(const char **at, term *out)
{
	*out = (term){.dots = -1};
	for (const char *c = *at;; c++) {
		if (*c == ' ')
			continue;
		if (((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')) && out->n < RULE_RANK) {
			out->labels[out->n++] = *c;
		} else if (strncmp(c, "...", 3) == 0 && out->dots < 0) {
			out->dots = (int)out->n;
			c += 2;
		} else {
			*at = c;
			return *c == '\0' || *c == ',' || (c[0] == '-' && c[1] == '>');
		}
	}
}

/* Merges two sizes of one label. */
static bool merge(int64_t *size, int64_t other, bool ones)
{
	if (*size < 0 || (ones && *size == 1))
		*size = other;
	return *size == other || (ones && other == 1);
}

/* The dimension of a tensor that a label names. Labels behind an ellipsis count from the right. */
static size_t place(const term *t, const call_value *tensor, unsigned k)
{
	return t->dots >= 0 && k >= (unsigned)t->dots ? tensor->n - t->n + k : k;
}

/* Adds the sizes of a tensor. False: they are rejected, *why has the reason. */
static bool add_tensor(sizes *s, const term *t, const call_value *tensor, unsigned options, const char **why)
{
	int64_t own[LABELS];
	memset(own, -1, sizeof own);
	*why = "the equation has another number of dimensions than a tensor";
	if (t->dots < 0 ? t->n != tensor->n : t->n > tensor->n)
		return false;
	*why = "a label stands for different sizes";
	for (unsigned k = 0; k < t->n; k++) {
		const int64_t size = tensor->dims[place(t, tensor, k)];
		const unsigned char label = (unsigned char)t->labels[k];
		if (!merge(&own[label], size, false) || !merge(&s->label[label], size, options & EQUATION_ONES))
			return false;
		s->seen[label]++;
	}
	*why = "the dimensions of ellipses do not broadcast";
	s->has_dots = s->has_dots || t->dots >= 0;
	const unsigned n = (unsigned)tensor->n - t->n;
	for (unsigned k = 0; k < n; k++) {
		if (k == s->ndots)
			s->dots[s->ndots++] = -1;
		if (!merge(&s->dots[k], tensor->dims[(unsigned)t->dots + n - 1 - k], true))
			return false;
	}
	return true;
}

/* The output of an equation without an arrow: the ellipsis, then the labels that occur once. */
static void implied(const sizes *s, term *out)
{
	*out = (term){.dots = s->has_dots ? 0 : -1};
	for (unsigned label = 0; label < LABELS; label++)
		if (s->seen[label] == 1 && out->n < RULE_RANK)
			out->labels[out->n++] = (char)label;
}

static bool put_output(const sizes *s, const term *t, unsigned options, rule_result *out, const char **why)
{
	bool used[LABELS] = {false};
	*why = "a label of the output is in no tensor, or occurs twice";
	unsigned *rank = &out->ranks[0];
	*rank = 0;
	for (unsigned k = 0; k <= t->n; k++) {
		for (unsigned d = s->ndots; (int)k == t->dots && d-- > 0;)
			out->dims[(*rank)++] = s->dots[d];
		if (k == t->n)
			break;
		const unsigned char label = (unsigned char)t->labels[k];
		if (s->label[label] < 0 || used[label])
			return false;
		used[label] = true;
		out->dims[(*rank)++] = s->label[label];
	}
	*why = "the output leaves out the dimensions of an ellipsis";
	return t->dots >= 0 || !s->ndots || (options & EQUATION_DOTS);
}

void equation_evaluate(const char *text, const call_value *const *tensors, unsigned n, unsigned options, rule_result *out, const char **why)
{
	sizes s = {.ndots = 0};
	term t;
	const char *at = text;
	memset(s.label, -1, sizeof s.label);
	out->outcome = RULE_SILENT;
	unsigned i = 0;
	bool good = true;
	for (; i <= n; i++, at++) { /* to the end first: a malformed text has no outcome */
		if (!read_term(&at, &t))
			return;
		if (i < n && tensors[i]->n > RULE_RANK)
			return;
		good = good && i < n && add_tensor(&s, &t, tensors[i], options, why);
		if (*at != ',')
			break;
	}
	if (*at == '-') {
		at += 2;
		if (!read_term(&at, &t) || *at)
			return;
	} else {
		implied(&s, &t);
	}
	if (i + 1 != n) {
		good = false;
		*why = "the equation has another number of tensors";
	}
	out->nout = 1;
	if (t.n + s.ndots <= RULE_RANK)
		out->outcome = good && put_output(&s, &t, options, out, why) ? RULE_ACCEPTS : RULE_REJECTS;
}
