// The site's one script: search on the index, and pictures of rules over any two symbols on pages. Without it the index is a
// list of links, and a page has one picture.
'use strict';

// ---- rules: the text of rules.jsonl on integers as runtime/include/arith.h has them; null is no value

const WIDE = 1n << 127n;
const wide = v => (v >= -WIDE && v < WIDE ? v : null);
const floorDiv = (a, b) => { const q = a / b; return a % b !== 0n && (a < 0n) !== (b < 0n) ? q - 1n : q; };
const ARITHMETIC = {
  '+': (a, b) => wide(a + b),
  '-': (a, b) => wide(a - b),
  '*': (a, b) => wide(a * b),
  '//': (a, b) => (b === 0n ? null : wide(floorDiv(a, b))),
  '%': (a, b) => (b === 0n ? null : a - b * floorDiv(a, b)),
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
};
const COMPARISON = {
  '==': (a, b) => a === b, '!=': (a, b) => a !== b, '<': (a, b) => a < b,
  '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
};

function both(meaning, left, right) {
  return s => { const a = left(s), b = a === null ? null : right(s); return b === null ? null : meaning(a, b); };
}

// A rule's text as a function of its symbols: of numbers to a number or null, of conditions to true or not.
function compile(text) {
  const words = text.match(/\d+|s\d+|[a-z]+|\/\/|[=!<>]=|[-+*%<>(),]|\S/g) || [];
  let at = 0;
  const take = word => words[at] === word && (at += 1) > 0;
  const need = word => { if (!take(word)) throw new SyntaxError(`${text}: ${word} expected, not ${words[at]}`); };
  const chain = (inner, operations, make) => () => {
    let left = inner();
    while (Object.hasOwn(operations, words[at] ?? '')) {
      const l = left, operation = operations[words[at++]];
      left = make(operation, l, inner());
    }
    return left;
  };
  function atom() {
    const word = words[at++] ?? '';
    if (/^\d+$/.test(word)) { const v = BigInt(word); return () => v; }
    if (/^s\d+$/.test(word)) { const i = Number(word.slice(1)); return s => s[i]; }
    if (word === '-') { const a = atom(); return s => { const v = a(s); return v === null ? null : wide(-v); }; }
    if (word === 'min' || word === 'max') {
      need('(');
      const a = choice();
      need(',');
      const b = choice();
      need(')');
      return both(ARITHMETIC[word], a, b);
    }
    if (word !== '(') throw new SyntaxError(`${text}: unexpected ${word}`);
    const inner = choice();
    need(')');
    return inner;
  }
  const pick = (table, names) => Object.fromEntries(names.map(n => [n, table[n]]));
  const product = chain(atom, pick(ARITHMETIC, ['*', '//', '%']), both);
  const sum = chain(product, pick(ARITHMETIC, ['+', '-']), both);
  const comparison = chain(sum, COMPARISON, (meaning, a, b) => { const f = both(meaning, a, b); return s => f(s) === true; });
  const and = chain(comparison, { and: true }, (_, a, b) => s => a(s) && b(s));
  const or = chain(and, { or: true }, (_, a, b) => s => a(s) || b(s));
  function choice() {
    const yes = or();
    if (!take('if')) return yes;
    const condition = or();
    need('else');
    const no = choice();
    return s => (condition(s) ? yes(s) : no(s));
  }
  const whole = choice();
  if (at < words.length) throw new SyntaxError(`${text}: ${words[at]} is left`);
  return whole;
}

const INT64 = 1n << 63n;

// What a rule says of symbols: {out: [dimensions]}, or {why: the first thing that does not hold}. kinds: 'd' for each symbol
// that is a dimension.
function ruleOf(kinds, valid, out) {
  const clauses = valid.map(text => [text, compile(text)]), outputs = out.map(text => [text, compile(text)]);
  return s => {
    const negative = s.findIndex((v, i) => kinds[i] === 'd' && v < 0n);
    if (negative >= 0) return { why: `s${negative} >= 0` };
    for (const [text, holds] of clauses) if (!holds(s)) return { why: text };
    const dimensions = [];
    for (const [text, value] of outputs) {
      const v = value(s);
      if (v === null || v < 0n || v >= INT64) return { why: `${text} >= 0` };
      dimensions.push(v);
    }
    return { out: dimensions };
  };
}

// ---- pictures (runtime/site/region.c draws the first)

const SIDE = 20, CELL = 15, LEFT = 62, TOP = 8;
const lowOf = v => (v >= -2n && v <= 14n ? -2n : v < 10n - INT64 ? -INT64 : v > INT64 - 10n ? INT64 - BigInt(SIDE) : v - 10n);
const kindOf = answer => (!answer.out ? 0 : answer.out.includes(0n) ? 2 : 1);

function cellsOf(rule, base, x, y) {
  const s = base.slice(), left = lowOf(base[x]), low = lowOf(base[y]);
  return Array.from({ length: SIDE }, (_, j) => Array.from({ length: SIDE }, (_, i) => {
    s[x] = left + BigInt(i);
    s[y] = low + BigInt(j);
    return kindOf(rule(s));
  }));
}

function pathOf(cells, kind) {
  let path = '';
  for (let j = 0; j < SIDE; j++) for (let i = 0, n; i < SIDE; i += n || 1) {
    for (n = 0; i + n < SIDE && cells[j][i + n] === kind; n++);
    if (n) path += `M${i} ${SIDE - 1 - j}h${n}v1h-${n}z`;
  }
  return path;
}

// A signature's row as a rule with its names and its recorded call.
function formOf(row) {
  const texts = part => [...row.querySelectorAll(`.${part} code`)].map(e => e.textContent);
  return {
    row,
    number: row.dataset.form,
    names: row.dataset.names.split('\n').slice(0, -1),
    base: row.dataset.base.split(' ').map(BigInt),
    rule: ruleOf(row.dataset.kinds, texts('valid'), texts('out')),
    shapes: row.dataset.ranks.split(' ').filter(Boolean).map(Number),
  };
}

const byName = (text, names) => text.replace(/\bs(\d+)\b/g, (whole, i) => names[i] ?? whole);

function shapesOf(dimensions, ranks) {
  let at = 0;
  return ranks.map(r => `[${dimensions.slice(at, (at += r)).join(', ')}]`).join(', ');
}

function pictures(figure) {
  const get = id => document.getElementById(id), svg = get('picture'), told = get('told');
  const forms = [...document.querySelectorAll('tr[data-base]')];
  const cache = new Map();
  let form, x, y, cells, place = null;
  const fill = (select, names, chosen) => select.replaceChildren(...names.map((n, i) => new Option(n, i, false, i === chosen)));
  const svgElement = (name, attributes, text) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const lows = () => [lowOf(form.base[x]), lowOf(form.base[y])];

  function ticks() {
    const group = svg.querySelector('.ticks'), [left, low] = lows(), all = [];
    for (let k = 0; k < SIDE; k++) {
      if ((left + BigInt(k)) % 5n === 0n)
        all.push(svgElement('text', { x: LEFT + k * CELL + 7, y: TOP + SIDE * CELL + 15 }, left + BigInt(k)));
      if ((low + BigInt(k)) % 5n === 0n)
        all.push(svgElement('text', { class: 'y', x: LEFT - 6, y: TOP + (SIDE - k) * CELL - 4 }, low + BigInt(k)));
    }
    group.replaceChildren(...all);
  }
  function caption() {
    const others = form.names.map((n, i) => `${n} = ${form.base[i]}`).filter((_, i) => i !== x && i !== y);
    const of = cells.flat().filter(Boolean).length;
    get('caption').textContent = `Signature ${form.number}: ${of} of ${SIDE * SIDE} calls are accepted; axes: ${form.names[x]} and ` +
      `${form.names[y]}${others.length ? `; fixed: ${others.join(', ')}` : ''}.`;
  }
  function draw() {
    cells = cellsOf(form.rule, form.base, x, y);
    const [left, low] = lows(), names = svg.querySelectorAll('.name');
    svg.querySelector('.in').setAttribute('d', pathOf(cells, 1));
    svg.querySelector('.empty').setAttribute('d', pathOf(cells, 2));
    const base = svg.querySelector('.base');
    base.setAttribute('cx', Number(form.base[x] - left) + 0.5);
    base.setAttribute('cy', SIDE - 1 - Number(form.base[y] - low) + 0.5);
    names[0].textContent = form.names[x];
    names[1].textContent = form.names[y];
    ticks();
    caption();
    point([Number(form.base[x] - left), Number(form.base[y] - low)]);
  }
  // Says what the rule answers at a cell.
  function point([i, j]) {
    if (i < 0 || j < 0 || i >= SIDE || j >= SIDE) return;
    place = [i, j];
    const s = form.base.slice(), [left, low] = lows();
    s[x] = left + BigInt(i);
    s[y] = low + BigInt(j);
    const answer = form.rule(s);
    told.textContent = `${form.names[x]} = ${s[x]}, ${form.names[y]} = ${s[y]}: ` +
      (answer.out ? `accepted, out ${shapesOf(answer.out, form.shapes)}` : `refused, not ${byName(answer.why, form.names)}`);
    const cursor = svg.querySelector('.cursor');
    cursor.setAttribute('x', i);
    cursor.setAttribute('y', SIDE - 1 - j);
  }
  function use(row, first, second) {
    if (!cache.has(row)) cache.set(row, formOf(row));
    form = cache.get(row);
    x = first < form.names.length ? first : 0;
    y = second < form.names.length ? second : Math.min(1, form.names.length - 1);
    fill(get('x'), form.names, x);
    fill(get('y'), form.names, y);
    draw();
  }

  const start = forms.findIndex(row => row.dataset.form === figure.dataset.form);
  svg.querySelector('g').append(svgElement('rect', { class: 'cursor', width: 1, height: 1 }));
  const usable = forms.filter(row => row.dataset.base.includes(' '));
  get('form').replaceChildren(...usable.map(row => new Option(`${row.dataset.form} (${row.querySelector('.call').textContent})`.slice(0, 90),
    forms.indexOf(row), false, row === forms[start])));
  get('form').addEventListener('change', e => use(forms[e.target.value], x, y));
  get('x').addEventListener('change', e => { x = Number(e.target.value); draw(); });
  get('y').addEventListener('change', e => { y = Number(e.target.value); draw(); });
  svg.setAttribute('tabindex', '0');
  svg.setAttribute('aria-describedby', 'told');
  const cellAt = e => {
    const box = svg.querySelector('.ground').getBoundingClientRect();
    return [Math.floor((e.clientX - box.left) / box.width * SIDE), SIDE - 1 - Math.floor((e.clientY - box.top) / box.height * SIDE)];
  };
  svg.addEventListener('pointermove', e => point(cellAt(e)));
  svg.addEventListener('keydown', e => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (!step) return;
    e.preventDefault();
    point([place[0] + step[0], place[1] + step[1]]);
  });
  get('choices').hidden = false;
  told.hidden = false;
  use(forms[start], Number(figure.dataset.x), Number(figure.dataset.y));
}

// ---- search

// The edit distance of two words with swaps of neighbours, or `most` + 1 if it is more.
function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = [], last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      now[j] = Math.min(last[j - 1] + (a[i - 1] !== b[j - 1]), last[j] + 1, now[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) now[j] = Math.min(now[j], before[j - 2] + 1);
    }
    if (Math.min(...now) > most) return most + 1;
    [before, last] = [last, now];
  }
  return last[b.length];
}

// How well a name matches the words; null if it does not. A match in the last part of the name counts most. typos: also words
// of four letters or more with one wrong letter, of seven or more with two.
function rank(name, words, typos = false) {
  const last = name.slice(name.lastIndexOf('.') + 1);
  let sum = 0;
  for (const word of words) {
    const most = !typos || word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
    if (last === word || name === word) sum += 1000;
    else if (last.startsWith(word)) sum += 500;
    else if (last.includes(word)) sum += 200;
    else if (name.includes(word)) sum += 100;
    else if (most) {
      const off = Math.min(distance(word, last, most), ...last.split('_').map(part => distance(word, part, most)));
      if (off > most) return null;
      sum += 90 - 30 * off;
    } else return null;
  }
  return sum - name.length;
}

// [rank, index] of the names that match, best first; similar names only if none matches.
function find(names, words) {
  const matching = typos => names.map((n, i) => [rank(n, words, typos), i]).filter(([r]) => r !== null)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const exact = matching(false);
  return exact.length ? exact : matching(true);
}

function search(input) {
  const list = document.getElementById('results'), count = document.getElementById('count'), index = document.getElementById('index');
  const MOST = 40, all = count.textContent;
  let links = [], names = []; // made at the first search, so that the page is there at once
  let chosen = -1;
  function choose(i) {
    const all = list.children;
    chosen = all.length ? Math.max(0, Math.min(i, all.length - 1)) : -1;
    for (let k = 0; k < all.length; k++) all[k].setAttribute('aria-selected', k === chosen);
    if (chosen >= 0) {
      input.setAttribute('aria-activedescendant', all[chosen].id);
      all[chosen].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }
  function entry(i, k) {
    const item = document.createElement('li'), link = document.createElement('a'), more = document.createElement('span');
    item.id = `r${k}`;
    item.setAttribute('role', 'option');
    link.href = links[i].getAttribute('href');
    link.tabIndex = -1;
    link.textContent = links[i].textContent;
    more.textContent = `${links[i].parentElement.dataset.about} · ${links[i].closest('section').dataset.name}`;
    item.append(link, more);
    return item;
  }
  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !links.length) {
      links = [...index.querySelectorAll('li a')];
      names = links.map(a => a.textContent.toLowerCase());
    }
    const found = words.length ? find(names, words) : [];
    list.replaceChildren(...found.slice(0, MOST).map(([, i], k) => entry(i, k)));
    list.hidden = !words.length;
    index.hidden = words.length > 0;
    input.setAttribute('aria-expanded', words.length > 0 && found.length > 0);
    count.textContent = !words.length ? all : found.length > MOST ? `${found.length} found, the first ${MOST} shown`
      : `${found.length} found`;
    choose(0);
  }
  input.addEventListener('input', show);
  input.addEventListener('keydown', e => {
    if (e.key === 'ArrowDown') choose(chosen + 1);
    else if (e.key === 'ArrowUp') choose(chosen - 1);
    else if (e.key === 'Enter' && chosen >= 0) location.href = list.children[chosen].querySelector('a').href;
    else if (e.key === 'Escape') { input.value = ''; show(); }
    else return;
    e.preventDefault();
  });
  document.addEventListener('keydown', e => {
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    e.preventDefault();
    input.focus();
    input.select();
  });
  document.getElementById('bar').hidden = false;
  addEventListener('pageshow', show); // going back restores the words
}

if (typeof document === 'undefined') {
  module.exports = { compile, ruleOf, cellsOf, pathOf, rank, distance, find };
} else {
  const input = document.getElementById('search'), figure = document.getElementById('region');
  if (input) search(input);
  if (figure) pictures(figure);
}
