#include "diff_report.h"

#include <string.h>

#include "call_text.h"

enum { SHOWN = 20 }; /* names of a list in the text; JSON has all */

static const char *const WORDS[CHANGES] = {[CHANGE_NONE] = "", [CHANGE_LESS] = "accepts less", [CHANGE_MORE] = "accepts more",
    [CHANGE_SHAPE] = "different shape", [CHANGE_DTYPE] = "different dtype", [CHANGE_ELEMENTS] = "depends on elements", [CHANGE_DIES] = "crashes", [CHANGE_SURVIVES] = "no longer crashes",
    [CHANGE_GONE] = "removed", [CHANGE_NEW] = "added"};

bool diff_report_is_empty(const diff_report *r)
{
	const signatures *s = r->signatures;
	return !r->found->n && (!s || (!s->ngone && !s->nnew && !s->nchanged));
}

/* The smallest call of an API that was run; NULL: none. */
static const asked_call *smallest(const asked_calls *calls, const char *api)
{
	const asked_call *best = NULL;
	int low = 0, high = calls->n;
	int64_t least = 0;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (strcmp(calls->list[middle].op->api, api) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < calls->n && strcmp(calls->list[low].op->api, api) == 0; low++) {
		const asked_call *c = &calls->list[low];
		int64_t sum = 0;
		for (int i = 0; i < c->op->nsym; i++)
			sum += c->in[i] > 0 && c->in[i] < 1000 ? c->in[i] : 1000;
		if (!best || sum < least) {
			best = c;
			least = sum;
		}
	}
	return best;
}

static void put_call_json(buf *to, const asked_call *c)
{
	buf text = {0};
	call_text_put(&text, c->op, c->in);
	buf_json(to, buf_text(&text));
	buf_free(&text);
}

/* ---- text */

static void put_reply(buf *to, const side *s, const reply *r)
{
	buf_printf(to, "      %s: %s", side_label(s), REPLY_NAMES[r->kind]);
	if (r->kind == REPLY_ACCEPTS)
		buf_printf(to, ", %s %s", r->dtypes, r->shapes);
	if (r->message[0])
		buf_printf(to, ": %.*s", (int)strcspn(r->message, "\n"), r->message);
	buf_putc(to, '\n');
}

static void put_difference(buf *to, const diff_report *r, const difference *g)
{
	const example *e = &g->examples[0];
	buf_printf(to, "  %s (%ld of %ld calls)%s%s\n    ", WORDS[g->change], g->calls, differences_asked(r->found, g->api), g->cause[0] ? ": " : "",
	    g->cause);
	call_text_put(to, e->call.op, e->call.in);
	buf_putc(to, '\n');
	put_reply(to, r->a, &e->a);
	put_reply(to, r->b, &e->b);
}

static void put_names(buf *to, const char *what, const char *const *names, int n)
{
	if (!n)
		return;
	buf_printf(to, "\n%s, %d:", what, n);
	for (int i = 0; i < n && i < SHOWN; i++)
		buf_printf(to, " %s", names[i]);
	buf_printf(to, "%s\n", n > SHOWN ? " …" : "");
}

static void put_arguments(buf *to, const diff_report *r, const api_change *c)
{
	const asked_call *call = smallest(r->calls, c->api);
	buf_printf(to, "\n%s\n", c->api);
	if (c->renamed[0])
		buf_printf(to, "  argument renamed: %s\n", c->renamed);
	if (c->gone[0])
		buf_printf(to, "  argument removed: %s\n", c->gone);
	if (c->new[0])
		buf_printf(to, "  argument added: %s\n", c->new);
	if (call) {
		buf_puts(to, "    ");
		call_text_put(to, call->op, call->in);
		buf_putc(to, '\n');
	}
	if (c->a[1] != ']')
		buf_printf(to, "      only %s: %s\n", side_label(r->a), c->a);
	if (c->b[1] != ']')
		buf_printf(to, "      only %s: %s\n", side_label(r->b), c->b);
}

static void put_signatures(buf *to, const diff_report *r, bool named)
{
	const signatures *s = r->signatures;
	for (int i = 0; i < s->nchanged; i++) {
		const api_change *c = &s->changed[i];
		if ((c->gone[0] || c->new[0] || c->renamed[0]) == named)
			put_arguments(to, r, c);
	}
}

static void put_head(buf *to, const diff_report *r)
{
	const differences *f = r->found;
	long counts[CHANGES] = {0};
	int apis = 0;
	for (int i = 0; i < f->n; i++) {
		counts[f->list[i].change]++;
		apis += !i || strcmp(f->list[i].api, f->list[i - 1].api) != 0;
	}
	buf_printf(to, "from %s to %s: %ld calls of %d APIs, %ld undecided; %d APIs differ", side_label(r->a), side_label(r->b), f->asked,
	    f->napis, f->undecided, apis);
	for (int c = 0; c < CHANGES; c++)
		if (counts[c])
			buf_printf(to, "; %s: %ld", WORDS[c], counts[c]);
	buf_printf(to, "\n%ld differences were not reproduced and are not listed\n", f->dropped);
	if (r->signatures)
		buf_printf(to, "signatures of %d APIs compared: %d changed; %d APIs removed, %d added\n", r->signatures->compared, r->signatures->nchanged,
		    r->signatures->ngone, r->signatures->nnew);
}

void diff_report_text(buf *to, const diff_report *r)
{
	const differences *f = r->found;
	put_head(to, r);
	for (int i = 0; i < f->n; i++) {
		if (!i || strcmp(f->list[i].api, f->list[i - 1].api) != 0)
			buf_printf(to, "\n%s\n", f->list[i].api);
		put_difference(to, r, &f->list[i]);
	}
	if (!r->signatures)
		return;
	put_names(to, "APIs removed", r->signatures->gone, r->signatures->ngone);
	put_names(to, "APIs added", r->signatures->new, r->signatures->nnew);
	put_signatures(to, r, true);
	if (r->signatures->nchanged)
		buf_puts(to, "\nother changes of overloads, types or defaults of arguments:\n");
	put_signatures(to, r, false);
}

/* ---- JSON */

static void json_reply(buf *to, const char *key, const reply *r)
{
	buf_printf(to, ",\"%s\":{\"answer\":", key);
	buf_json(to, REPLY_NAMES[r->kind]);
	if (r->kind == REPLY_ACCEPTS) {
		buf_puts(to, ",\"shapes\":");
		buf_json(to, r->shapes);
		buf_puts(to, ",\"dtypes\":");
		buf_json(to, r->dtypes);
	}
	if (r->message[0]) {
		buf_puts(to, ",\"message\":");
		buf_json(to, r->message);
	}
	buf_putc(to, '}');
}

static void json_change(buf *to, const difference *g)
{
	const example *e = &g->examples[0];
	buf_printf(to, "{\"change\":\"%s\",\"cause\":", CHANGE_NAMES[g->change]);
	buf_json(to, g->cause);
	buf_printf(to, ",\"calls\":%ld,\"example\":", g->calls);
	put_call_json(to, &e->call);
	buf_puts(to, ",\"op\":");
	buf_json(to, e->call.op->name);
	buf_puts(to, ",\"in\":");
	buf_ints(to, e->call.in, (size_t)e->call.op->nsym);
	json_reply(to, "a", &e->a);
	json_reply(to, "b", &e->b);
	buf_putc(to, '}');
}

static void json_changes(buf *to, const diff_report *r)
{
	const differences *f = r->found;
	buf_puts(to, ",\"apis\":[");
	for (int i = 0; i < f->n; i++) {
		bool first = !i || strcmp(f->list[i].api, f->list[i - 1].api) != 0;
		if (first) {
			buf_printf(to, "%s\n{\"api\":", i ? "]}," : "");
			buf_json(to, f->list[i].api);
			buf_printf(to, ",\"asked\":%ld,\"changes\":[", differences_asked(f, f->list[i].api));
		} else {
			buf_putc(to, ',');
		}
		json_change(to, &f->list[i]);
	}
	buf_puts(to, f->n ? "]}]" : "]");
}

static void json_names(buf *to, const char *key, const char *const *names, int n)
{
	buf_printf(to, ",\n\"%s\":[", key);
	for (int i = 0; i < n; i++) {
		buf_puts(to, i ? "," : "");
		buf_json(to, names[i]);
	}
	buf_putc(to, ']');
}

static void json_string_key(buf *to, const char *key, const char *text)
{
	buf_printf(to, ",\"%s\":", key);
	buf_json(to, text);
}

static void json_signatures(buf *to, const diff_report *r)
{
	const signatures *s = r->signatures;
	json_names(to, "gone", s->gone, s->ngone);
	json_names(to, "new", s->new, s->nnew);
	buf_printf(to, ",\n\"compared\":%d,\"signatures\":[", s->compared);
	for (int i = 0; i < s->nchanged; i++) {
		const api_change *c = &s->changed[i];
		const asked_call *call = smallest(r->calls, c->api);
		buf_puts(to, i ? ",\n{\"api\":" : "\n{\"api\":");
		buf_json(to, c->api);
		json_string_key(to, "gone", c->gone);
		json_string_key(to, "new", c->new);
		json_string_key(to, "renamed", c->renamed);
		if (call) {
			buf_puts(to, ",\"example\":");
			put_call_json(to, call);
		}
		buf_printf(to, ",\"a\":%s,\"b\":%s}", c->a, c->b);
	}
	buf_putc(to, ']');
}

static void json_side(buf *to, const char *key, const side *s)
{
	buf_printf(to, ",\"%s\":{\"name\":", key);
	buf_json(to, side_label(s));
	buf_printf(to, ",\"live\":%s,\"versions\":%s}", side_is_live(s) ? "true" : "false", side_versions(s));
}

void diff_report_json(buf *to, const diff_report *r)
{
	const differences *f = r->found;
	buf_puts(to, "{\"difference\":1,\"framework\":");
	buf_json(to, r->framework);
	json_side(to, "a", r->a);
	json_side(to, "b", r->b);
	buf_printf(to, ",\"seed\":%llu,\"asked\":%ld,\"same\":%ld,\"undecided\":%ld,\"dropped\":%ld,\"asked_apis\":%d",
	    (unsigned long long)r->seed, f->asked, f->same, f->undecided, f->dropped, f->napis);
	json_changes(to, r);
	if (r->signatures)
		json_signatures(to, r);
	buf_puts(to, "}\n");
}
