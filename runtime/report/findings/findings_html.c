#include "findings_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "chart.h"
#include "documented.h"
#include "drawing.h"
#include "escape.h"
#include "explain.h"
#include "outline_read.h"
#include "html_page.h"
#include "repro_script.h"
#include "results.h"

/* ---- the frame */

static const char STYLE[] =
    "<style>.bar{display:flex;gap:10px;flex-wrap:wrap;align-items:center;position:sticky;top:0;background:var(--page);"
    "padding:10px 0;z-index:1}.bar input,.bar select{font:inherit;color:inherit;background:var(--card);"
    "border:1px solid var(--line);border-radius:8px;padding:5px 10px}.bar input{flex:1;min-width:180px}"
    "article{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 22px;margin:14px 0;"
    "content-visibility:auto;contain-intrinsic-size:auto 560px}"
    "article h3{font-size:15.5px;margin:0 0 6px;overflow-wrap:anywhere}article h3 a{color:inherit;text-decoration:none}"
    ".tag{display:inline-block;font-size:12px;border-radius:99px;padding:1px 9px;margin-right:6px;border:1px solid var(--line);"
    "color:var(--soft)}.tag.hot{background:var(--c3);color:#1b1f27;border-color:var(--c3)}.tag.good{background:var(--c2);color:#fff;"
    "border-color:var(--c2)}dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:8px 0;font-size:13.5px}"
    "dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}.pair{display:flex;gap:22px;flex-wrap:wrap;align-items:flex-start}"
    ".pair>*{min-width:0}.draw{overflow-x:auto;flex:0 1 auto;max-width:100%}.code{flex:1 1 420px;position:relative}"
    "pre{background:var(--page);border:1px solid var(--line);border-radius:8px;padding:10px 12px;margin:6px 0;overflow:auto;"
    "font:12px/1.45 ui-monospace,'DejaVu Sans Mono',monospace;max-height:420px}"
    "button{font:inherit;font-size:12.5px;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;"
    "padding:3px 12px;cursor:pointer}button:hover{border-color:var(--axis)}.code button{position:absolute;right:10px;top:14px}"
    "[hidden]{display:none!important}</style>";

/* The policy of the page holds the hash of the script: tests/cli/runtime/report/findings.sh prints a new one. */
static const char SCRIPT[] =
    "'use strict';\n"
    "const all=[...document.querySelectorAll('[data-kind]')],get=id=>document.getElementById(id);\n"
    "const names=['status','change','kind','backend'].filter(get);\n"
    "function show(){const words=get('words').value.toLowerCase().split(/\\s+/),picked=names.map(n=>[n,get(n).value]);\n"
    "let n=0;for(const e of all){const text=e.dataset.text.toLowerCase();\n"
    "e.hidden=!(words.every(w=>text.includes(w))&&picked.every(([k,v])=>!v||e.dataset[k]===v));n+=!e.hidden}\n"
    "get('shown').textContent=n+' of '+all.length}\n"
    "for(const n of names){for(const v of [...new Set(all.map(e=>e.dataset[n]))].sort())get(n).add(new Option(v,v));\n"
    "get(n).addEventListener('change',show)}\n"
    "get('words').addEventListener('input',show);\n"
    "document.addEventListener('click',e=>{if(e.target.tagName!=='BUTTON')return;const pre=e.target.parentElement.querySelector('pre'),\n"
    "range=document.createRange(),s=getSelection();range.selectNodeContents(pre);s.removeAllRanges();s.addRange(range);\n"
    "const done=()=>{e.target.textContent='Copied'};\n"
    "if(navigator.clipboard)navigator.clipboard.writeText(pre.textContent).then(done,()=>{document.execCommand('copy')&&done()});\n"
    "else if(document.execCommand('copy'))done()});\n"
    "show();\n";
#define POLICY                                                                                                         \
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "         \
	"script-src 'sha256-8MgkJ+XQzlrrFDL3KCsUS9uROo+uXrH+gT5pMzVgYmU='; base-uri 'none'; form-action 'none'\">"

static void tile(buf *out, int64_t n, const char *what)
{
	buf_puts(out, "<div><b>");
	chart_count(out, (uint64_t)n);
	buf_printf(out, "</b><span>%s</span></div>\n", what);
}

#define CLOSED "closed: fixed, not a bug, unsupported"

/* The changes of a job; without one, the statuses. */
static void print_tiles(const digest *g, buf *out)
{
	if (g->job) {
		tile(out, g->counts[CHANGE_NEW], "new in this job");
		tile(out, g->counts[CHANGE_REGRESSED], "regressed");
		tile(out, g->counts[CHANGE_FIXED], "fixed in this job");
		tile(out, g->counts[CHANGE_UNCHANGED], "unchanged");
	} else {
		tile(out, g->statuses[STATUS_OPEN], "open");
		tile(out, g->statuses[STATUS_KNOWN], "known");
		tile(out, g->statuses[STATUS_FLAKY], "flaky");
	}
	tile(out, g->counts[CHANGE_CLOSED], CLOSED);
}

static void print_head(const digest *g, buf *out)
{
	page_begin(out, "Findings of ", *g->backends ? g->backends : g->db, "", POLICY);
	buf_puts(out, STYLE);
	buf_printf(out, "<style>%s</style>\n<h1>Findings of ", DRAWING_STYLE);
	escape_markup_cut(out, *g->backends ? g->backends : g->db, 300);
	buf_puts(out, "</h1>\n<p class=\"soft\">rulefuzz, ");
	escape_markup_cut(out, g->written, 40);
	buf_puts(out, ", ");
	escape_markup_cut(out, g->db, 300);
	buf_puts(out, "</p>\n");
	if (*g->trouble) {
		buf_puts(out, "<section><b>The job failed:</b> ");
		escape_markup_cut(out, g->trouble, 2000);
		buf_puts(out, "</section>\n");
	}
	buf_puts(out, "<div class=\"tiles\">");
	print_tiles(g, out);
	buf_puts(out, "</div>\n<p class=\"soft\">");
	status_counts(g->statuses, out);
	buf_puts(out, "</p>\n");
}

/* ---- counts over time */

static void print_days(const digest *g, arena *a, buf *out)
{
	enum { MOST = 40 };
	int from = g->ndays > MOST ? g->ndays - MOST : 0, n = g->ndays - from;
	const char **labels = ARENA_ARRAY(a, const char *, n + 1);
	double *found = ARENA_ARRAY(a, double, n + 1), *total = ARENA_ARRAY(a, double, n + 1);
	if (!labels || !found || !total || n == 0)
		return;
	for (int i = 0; i < n; i++) {
		const digest_day *day = &g->days[from + i];
		labels[i] = day->day;
		found[i] = day->found;
		total[i] = day->total;
	}
	const chart_series all[] = {{"new that day", found}, {"total", total}};
	const chart k = {.title = "Findings by day", .labels = labels, .places = (uint32_t)n, .series = 2, .all = all, .unit = ""};
	buf_puts(out, "<section><h2>Findings by day</h2>\n<p class=\"soft\">Without unsupported ones.</p>\n");
	chart_legend(out, &k);
	chart_columns(out, &k);
	buf_puts(out, "</section>\n");
}

static void print_run(const digest_run *r, buf *out)
{
	buf_printf(out, "<tr><td>%" PRId64 "%s</td><td>", r->id, r->now ? " (this job)" : "");
	escape_markup_cut(out, r->backend, 100);
	buf_puts(out, "</td><td>");
	chart_count(out, (uint64_t)r->models);
	buf_printf(out, "</td><td>%.1f %%</td><td>%.1f %%</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%.0f</td></tr>\n",
	    r->models ? 100.0 * (double)r->valid / (double)r->models : 0.0,
	    r->valid ? 100.0 * (double)(r->valid - r->unsupported) / (double)r->valid : 0.0, r->fresh, r->duplicates, r->seconds);
}

static void print_runs(const digest *g, buf *out)
{
	enum { MOST = 60 };
	if (!g->nruns)
		return;
	buf_puts(out, "<section><details><summary><b>Runs</b></summary><div class=\"scroll\"><table><tr><th>run</th><th>backend</th>"
		      "<th>models</th><th>valid</th><th>accepted</th><th>new</th><th>duplicates</th><th>seconds</th></tr>\n");
	for (int i = g->nruns - 1; i >= 0 && i >= g->nruns - MOST; i--)
		print_run(&g->runs[i], out);
	buf_puts(out, "</table></div></details></section>\n");
}

/* ---- findings */

static void put_markup(buf *out, const char *text)
{
	escape_markup_cut(out, text, 2000);
}

static void row(buf *out, const char *name, const char *text)
{
	if (!*text)
		return;
	buf_printf(out, "<dt>%s</dt><dd>", name);
	escape_markup_cut(out, text, 700);
	buf_puts(out, "</dd>\n");
}

static void data(buf *out, const char *name, const char *text)
{
	buf_printf(out, " data-%s=\"", name);
	escape_markup_cut(out, text, 500);
	buf_putc(out, '"');
}

static void print_opening(const digest *g, const digest_entry *e, const char *element, buf *out)
{
	const finding *f = &e->f;
	buf_printf(out, "<%s id=\"f%" PRId64 "\"", element, f->id);
	data(out, "kind", f->kind);
	data(out, "status", f->status);
	if (g->job)
		data(out, "change", change_name(e->change));
	data(out, "backend", f->backend);
	data(out, "text", f->title);
	buf_puts(out, ">");
}

static void print_tag(const char *text, const char *class, buf *out)
{
	buf_printf(out, "<span class=\"tag%s\">", class);
	escape_markup_cut(out, text, 40);
	buf_puts(out, "</span>");
}

/* Status and kind; and the change, if the job made one and it has another name than the status. */
static void print_tags(const digest *g, const digest_entry *e, buf *out)
{
	const char *change = change_name(e->change);
	const char *class = e->change == CHANGE_NEW || e->change == CHANGE_REGRESSED ? " hot" : e->change == CHANGE_FIXED ? " good" : "";
	bool changed = g->job && *class;
	if (changed && strcmp(change, e->f.status) != 0)
		print_tag(change, class, out);
	print_tag(e->f.status, changed && strcmp(change, e->f.status) == 0 ? class : "", out);
	print_tag(e->f.kind, "", out);
}

static void print_facts(const finding *f, arena *a, buf *out)
{
	result_fact facts[RESULTS_MOST];
	int n = results_of(f, a, facts);
	buf text = {0};
	char model[80];
	buf_puts(out, "<dl>");
	for (int i = 0; i < n; i++)
		row(out, facts[i].name, facts[i].text);
	result_fact pages[DOCUMENTED_MOST];
	n = documented_facts(f, a, pages);
	for (int i = 0; i < n; i++)
		row(out, pages[i].name, pages[i].text);
	explain_seen(f, &text);
	row(out, "seen", buf_text(&text));
	row(out, "reason", f->reason);
	row(out, "pass", f->pass);
	row(out, "rechecked", f->checked);
	row(out, "fixed in", f->fixed_in);
	row(out, "versions", f->versions);
	snprintf(model, sizeof model, "seed %" PRIu64 ", index %" PRIu64, f->seed, f->index);
	row(out, "model", model);
	buf_puts(out, "</dl>\n");
	buf_end(out, &text);
}

static void print_model(const finding *f, arena *a, buf *out)
{
	static const outline_style MARKED = {
	    .call = {"<b>", "</b>"}, .type = {"", ""}, .word = {"", ""}, .text = put_markup};
	outline o;
	if (!outline_read(&o, f->model, a, NULL))
		return;
	buf_puts(out, "<div class=\"draw\">");
	drawing_print(&o, a, out);
	buf_puts(out, "</div><div class=\"code\"><pre>");
	buf listing = {0};
	outline_print(&o, &MARKED, &listing);
	buf legend = {0};
	outline_legend(&o, &legend);
	out->failed |= listing.failed;
	if (!listing.text)
		buf_puts(out, "(no calls)");
	else if (listing.length < FINDINGS_HTML_EACH)
		buf_puts(out, listing.text);
	else
		buf_puts(out, "(a large model; `rulefuzz show` prints it)");
	buf_puts(out, "</pre>");
	if (legend.length)
		buf_printf(out, "<details class=\"soft\"><summary>Notation</summary><pre>%s</pre></details>", legend.text);
	buf_puts(out, "</div>");
	buf_end(out, &legend);
	buf_free(&listing);
}

/* Long scripts are printed as long as the average size of a finding permits. */
static void print_script(const digest *g, const finding *f, size_t room, buf *out)
{
	buf path = {0}, text = {0};
	const char *script = repro_script(f, false, &text);
	digest_script_path(g, f, &path);
	if (*script && strlen(script) < room) {
		buf_puts(out, "<div class=\"code\"><button type=\"button\">Copy</button><pre>");
		escape_markup(out, script);
		buf_puts(out, "</pre></div>");
	} else if (*script) {
		buf_printf(out, "<p class=\"soft\">The script: <code>rulefuzz show %" PRId64 " --script</code>", f->id);
		buf_puts(out, path.length ? ", or " : "");
		escape_markup(out, buf_text(&path));
		buf_puts(out, "</p>");
	}
	buf_free(&text);
	buf_free(&path);
}

static bool print_whole(const digest *g, int entry, size_t room, buf *out, diag *d)
{
	finding f;
	arena *a = arena_new();
	bool ok = a ? digest_whole(g, entry, &f, a, d) : diag_set(d, "out of memory");
	if (ok) {
		print_opening(g, &g->entries[entry], "article", out);
		buf_printf(out, "<h3><a href=\"#f%" PRId64 "\">%" PRId64 "</a> ", f.id, f.id);
		escape_markup_cut(out, f.title, 500);
		buf_puts(out, "</h3>\n");
		print_tags(g, &g->entries[entry], out);
		print_facts(&f, a, out);
		buf_puts(out, "<div class=\"pair\">");
		print_model(&f, a, out);
		buf_puts(out, "</div>");
		print_script(g, &f, room, out);
		buf_puts(out, "</article>\n");
	}
	if (a)
		arena_free(a);
	return ok;
}

static void print_line(const digest *g, const digest_entry *e, buf *out)
{
	print_opening(g, e, "p", out);
	buf_printf(out, "<b>%" PRId64 "</b> ", e->f.id);
	escape_markup_cut(out, e->f.title, 300);
	buf_puts(out, " ");
	print_tags(g, e, out);
	buf_puts(out, "</p>\n");
}

static void print_choice(const char *id, const char *label, const char *any, buf *out)
{
	buf_printf(out, "<select id=\"%s\" aria-label=\"%s\"><option value=\"\">%s</option></select>", id, label, any);
}

static void print_filters(const digest *g, buf *out)
{
	buf_puts(out, "<div class=\"bar\"><input id=\"words\" type=\"search\" placeholder=\"Search titles\" aria-label=\"Search titles\">");
	print_choice("status", "Status", "Any status", out);
	if (g->job)
		print_choice("change", "Change", "Any change", out);
	print_choice("kind", "Kind", "Any kind", out);
	print_choice("backend", "Backend", "Any backend", out);
	buf_puts(out, "<span class=\"soft\" id=\"shown\"></span></div>\n");
}

static bool print_findings(const digest *g, buf *out, diag *d)
{
	enum { LINES = 5000, SLACK = 20000 };
	size_t start = out->length;
	print_filters(g, out);
	for (int i = 0, whole = 0; i < g->nentries && i < LINES; i++) {
		bool closed = g->entries[i].change == CHANGE_CLOSED;
		size_t room = FINDINGS_HTML_EACH * (size_t)(whole + 1), used = out->length - start;
		if (closed || whole == FINDINGS_HTML_WHOLE || used > room + SLACK) {
			print_line(g, &g->entries[i], out);
			continue;
		}
		whole++;
		/* A short script is always printed. */
		if (!print_whole(g, i, used < room ? room - used : 2500, out, d))
			return false;
	}
	return true;
}

bool findings_html_print(const digest *g, buf *out, diag *d)
{
	arena *a = arena_new();
	bool ok = diag_memory(d, a);
	if (ok) {
		print_head(g, out);
		print_days(g, a, out);
		print_runs(g, out);
		ok = print_findings(g, out, d);
		buf_puts(out, "<script>");
		buf_puts(out, SCRIPT);
		buf_puts(out, "</script>\n");
		page_end(out);
	}
	if (a)
		arena_free(a);
	return ok;
}
