#include "query_thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "need.h"

/* The questions of one operator in a round. */
typedef struct exchange {
	question *questions;
	const inquiry *of;
	query_thread *by;
} exchange;

static char *question_line(const inquiry *q, const question *k)
{
	buf b = {0};
	buf_puts(&b, "{\"op\":");
	buf_json(&b, q->op->name);
	buf_puts(&b, ",\"in\":");
	buf_ints(&b, k->in, (size_t)q->op->nsym);
	buf_putc(&b, '}');
	return b.text;
}

static bool read_outputs(const cJSON *out, int n, int64_t *to)
{
	if (!cJSON_IsArray(out) || cJSON_GetArraySize(out) != n)
		return false;
	const cJSON *item = out->child;
	for (int d = 0; d < n; d++, item = item->next)
		if (json_int64(item, &to[d]) != JSON_INT || to[d] < 0)
			return false;
	return true;
}

static void note_error(query_thread *a, const cJSON *answer)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	if (!a->errors++ || !*a->first)
		snprintf(a->first, sizeof a->first, "%s", cJSON_IsString(error) ? error->valuestring : "an answer without outcome");
}

/* Stores an answer. A call that returns other types than the signature counts as rejected. */
static bool take_answer(void *user, int line, const cJSON *answer, diag *d)
{
	exchange *x = user;
	question *k = &x->questions[line];
	const cJSON *outcome = answer ? cJSON_GetObjectItemCaseSensitive(answer, "outcome") : NULL;
	const char *what = cJSON_IsString(outcome) ? outcome->valuestring : "";
	if (strcmp(what, "fail") == 0 || strcmp(what, "other") == 0)
		k->outcome = FAILED;
	else if (strcmp(what, "pass") == 0) /* invalid dimensions leave it undecided */
		k->outcome = read_outputs(cJSON_GetObjectItemCaseSensitive(answer, "out"), x->of->op->nodim, k->out) ? PASSED : UNDECIDED;
	else if (answer && strcmp(what, "mixed") != 0 && strcmp(what, "lost") != 0)
		note_error(x->by, answer);
	(void)d;
	return true;
}

static bool query(query_thread *a, inquiry *q)
{
	size_t n = (size_t)q->nquestions, bytes = (n + 1) * sizeof(char *);
	exchange x = {.questions = q->questions + q->nall - q->nquestions, .of = q, .by = a};
	char **lines = need(calloc(1, bytes), bytes);
	for (size_t k = 0; k < n; k++)
		lines[k] = question_line(q, &x.questions[k]);
	bool ok = !n || oracle_ask(a->oracle, (const char *const *)lines, (int)n, false, take_answer, &x, &a->why);
	for (size_t k = 0; k < n; k++)
		free(lines[k]);
	free(lines);
	return ok;
}

/* ---- the thread */

static bool wait_for(query_thread *a, int i)
{
	pthread_mutex_lock(&a->lock);
	while (a->prepared <= i)
		pthread_cond_wait(&a->more, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return true;
}

static void *query_each(void *user)
{
	query_thread *a = user;
	for (int i = 0; i < a->n && a->ok && wait_for(a, i); i++)
		a->ok = query(a, &a->inquiries[i]);
	return NULL;
}

void query_thread_start(query_thread *a)
{
	a->prepared = 0;
	a->errors = 0;
	a->ok = true;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->more, NULL);
	a->alone = pthread_create(&a->thread, NULL, query_each, a) != 0;
}

void query_thread_add(query_thread *a)
{
	pthread_mutex_lock(&a->lock);
	a->prepared++;
	pthread_cond_signal(&a->more);
	pthread_mutex_unlock(&a->lock);
}

bool query_thread_end(query_thread *a, diag *d)
{
	if (a->alone)
		query_each(a);
	else
		pthread_join(a->thread, NULL);
	pthread_cond_destroy(&a->more);
	pthread_mutex_destroy(&a->lock);
	if (a->errors)
		fprintf(stderr, "refine: warning: %s: the oracle rejected %ld questions: %s\n", a->inquiries[0].op->api, a->errors, a->first);
	if (!a->ok)
		*d = a->why;
	return a->ok;
}
