// node pictures.js SITE RULEFUZZ: each page's picture, which rs_eval drew, is what site.js draws of the rule's text; and of each
// call form with a recorded call, both say the same of it and of calls near it and far from it. Exit 1 where they differ.
'use strict';
const fs = require('fs'), path = require('path'), { spawnSync } = require('child_process');
const { ruleOf, cellsOf, pathOf } = require('../../../../runtime/site/site.js');

const SIGNS = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
const plain = text => text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => SIGNS[name]);
const codes = cell => [...cell.matchAll(/<code>([^]*?)<\/code>/g)].map(m => plain(m[1]));
const ROW = /<tr data-form="([^"]*)" data-base="([^"]*)" data-names="[^"]*" data-kinds="([^"]*)"[^]*?<td class="valid">([^]*?)<\/td><td class="out">([^]*?)<\/td>/g;

const questions = [], said = [];
let pictures = 0, wrong = 0;

function ask(op, base, rule) {
  const points = [base];
  base.forEach((v, i) => { for (const w of [v - 1n, v + 1n, 0n, -1n, 1n << 62n, -(1n << 63n)]) if (w >= -(1n << 63n)) points.push(base.with(i, w)); });
  for (const s of points.slice(0, 40)) {
    questions.push(`{"op":"${op}","in":[${s.join(',')}]}`);
    const answer = rule(s);
    said.push(answer.out ? `{"op":"${op}","valid":true,"out":[${answer.out.join(',')}]}` : `{"op":"${op}","valid":false}`);
  }
}

const [site, rulefuzz] = process.argv.slice(2);
for (const entry of fs.readdirSync(site, { recursive: true }).sort()) {
  if (!entry.includes(path.sep) || !entry.endsWith('.html')) continue;
  const text = fs.readFileSync(path.join(site, entry), 'utf8'), name = text.match(/<h1>([^]*?)<\/h1>/)[1];
  const figure = text.match(/<figure id="region" data-form="([^"]*)" data-x="(\d+)" data-y="(\d+)">/);
  for (const [, number, numbers, kinds, valid, out] of text.matchAll(ROW)) {
    const base = numbers.split(' ').map(BigInt), rule = ruleOf(kinds, codes(valid), codes(out));
    ask(name + number, base, rule);
    if (!figure || figure[1] !== number) continue;
    pictures++;
    const cells = cellsOf(rule, base, Number(figure[2]), Number(figure[3]));
    const same = [['in', 1], ['empty', 2]].every(([kind, k]) => text.includes(`<path class="${kind}" d="${pathOf(cells, k)}"/>`));
    if (!same && wrong++ < 5) console.log(`${entry}: another picture`);
  }
}
const answers = spawnSync(rulefuzz, ['eval'], { input: questions.join('\n') + '\n', maxBuffer: 1 << 30, encoding: 'utf8' }).stdout.trim().split('\n');
said.forEach((s, i) => { if (s !== answers[i] && wrong++ < 5) console.log(`${questions[i]}\n  rulefuzz: ${answers[i]}\n  site.js:  ${s}`); });
console.log(`${pictures} pictures and ${said.length} answers, ${wrong} of them others`);
process.exit(wrong || !pictures || answers.length !== said.length ? 1 : 0);
