#include "html_page.h"

#include "escape.h"

static const char STYLE[] =
    ":root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b1f27;--soft:#5b6472;"
    "--line:#e3e6eb;--axis:#9aa3b0;--c0:#2563c9;--c1:#b4bcc8;--c2:#0e8f7e;--c3:#d0760a;"
    "--c4:#a43fb0}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14171c;--card:#1d2128;--ink:#e8ebf0;"
    "--soft:#a2abb9;--line:#2d333d;--axis:#667080;--c0:#6aa3ff;--c1:#67717f;--c2:#3cc4b0;"
    "--c3:#f2a444;--c4:#d987e4}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n"
    "main{max-width:1060px;margin:0 auto;padding:28px 20px 60px}h1{font-size:26px;margin:0 0 4px}"
    "h2{font-size:18px;margin:0 0 2px}p{margin:4px 0 10px}.soft{color:var(--soft)}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:18px 22px;margin:18px 0}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;"
    "margin:18px 0}.tiles div{background:var(--card);border:1px solid var(--line);"
    "border-radius:10px;padding:12px 16px}.tiles b{display:block;font-size:23px;line-height:1.3}"
    ".tiles span{color:var(--soft);font-size:13px}\n"
    "svg{display:block;width:100%;height:auto;overflow:visible}"
    "svg text{font-size:12px;fill:var(--ink)}svg .tick{font-size:11px;fill:var(--soft)}"
    "svg .value{font-size:11.5px}svg .label{font-size:13px}\n"
    ".grid{stroke:var(--line)}.axis{stroke:var(--axis)}.hit{fill:transparent}"
    "g:hover>.hit{fill:var(--line)}g:hover>rect:not(.hit){opacity:.75}\n"
    "rect.s0,circle.s0{fill:var(--c0)}rect.s1,circle.s1{fill:var(--c1)}"
    "rect.s2,circle.s2{fill:var(--c2)}rect.s3,circle.s3{fill:var(--c3)}"
    "rect.s4,circle.s4{fill:var(--c4)}\n"
    "polyline{fill:none;stroke-width:2.2;stroke-linejoin:round}.l0{stroke:var(--c0)}"
    ".l1{stroke:var(--axis)}.l2{stroke:var(--c2)}.l3{stroke:var(--c3)}.l4{stroke:var(--c4)}\n"
    "circle.dot{opacity:0}g:hover>circle.dot,g:last-of-type>circle.dot{opacity:1}"
    "svg .t0{fill:var(--c0)}svg .t1{fill:var(--soft)}svg .t2{fill:var(--c2)}"
    "svg .t3{fill:var(--c3)}svg .t4{fill:var(--c4)}\n"
    ".lines circle.s1{fill:var(--axis)}.legend{display:flex;gap:18px;flex-wrap:wrap;font-size:13px;"
    "color:var(--soft)}.legend i{display:inline-block;width:11px;height:11px;border-radius:3px;"
    "margin-right:6px}\n"
    "i.s0{background:var(--c0)}i.s1{background:var(--c1)}i.s2{background:var(--c2)}"
    "i.s3{background:var(--c3)}i.s4{background:var(--c4)}.lines i.s1{background:var(--axis)}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px;"
    "font-variant-numeric:tabular-nums}th,td{text-align:right;padding:4px 10px;"
    "border-bottom:1px solid var(--line);white-space:nowrap}th:first-child,td:first-child"
    "{text-align:left}th{color:var(--soft);font-weight:600}summary{cursor:pointer}\n";

void page_begin(buf *out, const char *before, const char *name, const char *behind, const char *head)
{
	buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
		      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
	buf_puts(out, before);
	escape_markup(out, name);
	buf_puts(out, behind);
	buf_puts(out, "</title>\n<style>");
	buf_puts(out, STYLE);
	buf_puts(out, "</style>");
	buf_puts(out, head);
	buf_puts(out, "</head>\n<body><main>\n");
}

void page_end(buf *out)
{
	buf_puts(out, "</main></body></html>\n");
}
