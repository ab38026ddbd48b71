#include "answer.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading */

static bool without_outcome(const cJSON *line, diag *d)
{
	char *text = cJSON_PrintUnformatted(line);
	diag_set(d, "the oracle's answer has no outcome: '%.80s'", text ? text : "");
	free(text);
	return false;
}

bool answer_read(const cJSON *line, answer *to, diag *d)
{
	static const struct {
		const char *text;
		enum outcome outcome;
	} WORDS[] = {{"pass", OUTCOME_PASS}, {"fail", OUTCOME_FAIL}, {"other", OUTCOME_FAIL}, {"mixed", OUTCOME_MIXED},
	    {"lost", OUTCOME_LOST}};
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(line, "error");
	const cJSON *word = cJSON_GetObjectItemCaseSensitive(line, "outcome");
	const cJSON *message = cJSON_GetObjectItemCaseSensitive(line, "message");
	*to = (answer){.outcome = OUTCOME_SEEN, .text = "seen", .out = cJSON_GetObjectItemCaseSensitive(line, "out"),
	    .message = cJSON_IsString(message) ? message : NULL};
	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "seen")))
		return true;
	if (cJSON_IsString(error)) {
		to->outcome = OUTCOME_ERROR;
		to->text = error->valuestring;
		return true;
	}
	for (size_t i = 0; cJSON_IsString(word) && i < sizeof WORDS / sizeof *WORDS; i++)
		if (strcmp(word->valuestring, WORDS[i].text) == 0) {
			to->outcome = WORDS[i].outcome;
			to->text = WORDS[i].text;
			return true;
		}
	return without_outcome(line, d);
}

bool answer_decides(const answer *a, undecided *to)
{
	switch (a->outcome) {
	case OUTCOME_PASS:
	case OUTCOME_FAIL: return true;
	case OUTCOME_SEEN: to->seen++; break;
	case OUTCOME_MIXED: to->mixed++; break;
	case OUTCOME_LOST: to->lost++; break;
	case OUTCOME_ERROR:
		if (!to->errors++)
			snprintf(to->error, sizeof to->error, "%s", a->text);
	}
	return false;
}

/* ---- writing */

void asked_put(buf *b, const asked *q)
{
	buf_puts(b, "{\"op\":");
	buf_json(b, q->op->name);
	buf_puts(b, ",\"in\":");
	buf_ints(b, q->in, q->op->nsym);
	if (q->out) {
		buf_puts(b, ",\"out\":");
		buf_ints(b, q->out, q->op->nodim);
	}
	buf_putc(b, '}');
}

static void put_key(buf *b, const char *key, const char *text)
{
	buf_printf(b, ",\"%s\":", key);
	buf_json(b, text);
}

void asked_tell(FILE *to, const asked *q, const answer *a)
{
	char *was = a->out ? cJSON_PrintUnformatted(a->out) : NULL;
	buf b = {0};
	buf_puts(&b, "{\"op\":");
	buf_json(&b, q->op->name);
	buf_puts(&b, ",\"in\":");
	buf_ints(&b, q->in, q->op->nsym);
	buf_puts(&b, q->out ? ",\"said\":\"valid\",\"predicted\":" : ",\"said\":\"invalid\"");
	if (q->out)
		buf_ints(&b, q->out, q->op->nodim);
	put_key(&b, "was", a->text);
	if (was)
		buf_printf(&b, ",\"out\":%s", was);
	if (a->message)
		put_key(&b, "message", a->message->valuestring);
	put_key(&b, "drawn", q->drawn);
	if (q->breaks)
		put_key(&b, "breaks", q->breaks);
	buf_puts(&b, "}\n");
	if (!b.failed)
		fputs(b.text, to);
	free(was);
	buf_free(&b);
}

/* ---- keeping */

void asked_keep(buf *list, const asked *q, const answer *a)
{
	bool pass = a->outcome == OUTCOME_PASS;
	char *was = pass ? cJSON_PrintUnformatted(a->out) : NULL;
	if (list->length)
		buf_putc(list, ',');
	if (pass)
		buf_putc(list, '[');
	buf_ints(list, q->in, q->op->nsym);
	if (pass)
		buf_printf(list, ",%s]", was ? was : "[]");
	free(was);
}

void kept_put(buf *b, const rs_op *op, const buf *pass, const buf *fail)
{
	buf_puts(b, "{\"keep\":");
	buf_json(b, op->name);
	buf_printf(b, ",\"pass\":[%s],\"fail\":[%s]}", buf_text(pass), buf_text(fail));
	b->failed |= pass->failed || fail->failed;
}

/* A number of records or files; negative numbers are invalid. */
static uint64_t count_of(const cJSON *number)
{
	return cJSON_IsNumber(number) && number->valueint > 0 ? (uint64_t)number->valueint : 0;
}

static bool take_number(void *user, int line, const cJSON *answer, diag *d)
{
	keeper *k = user;
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	const cJSON *kept = cJSON_GetObjectItemCaseSensitive(answer, "kept");
	const cJSON *saved = cJSON_GetObjectItemCaseSensitive(answer, "saved");
	(void)line;
	if (!cJSON_IsNumber(kept) && !cJSON_IsNumber(saved))
		return diag_set(d, "the oracle did not keep records: %.200s",
		    cJSON_IsString(error) ? error->valuestring : "no reason given");
	k->kept += count_of(kept);
	k->saved += count_of(saved);
	return true;
}

bool keeper_send(keeper *k, const char *const *lines, int n, diag *d)
{
	return n == 0 || oracle_ask(k->oracle, lines, n, true, take_number, k, d);
}

bool keeper_save(keeper *k, diag *d)
{
	static const char *const SAVE[] = {"{\"save\":true}"};
	return k->kept == 0 || keeper_send(k, SAVE, 1, d);
}
