// A page as a model, and seeded changes of it. Every control has a `real`: the thing that it truly
// acts on, which the page tells the server when it is clicked.

// mulberry32: [0, 1), the same for the same seed.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CUSTOMERS = ['Acme Paints', 'Borg Cutlery', 'Cord Weaving', 'Dune Travel', 'Echo Audio', 'Fern Books'];
const STRANGERS = ['Gale Energy', 'Hill Dairy', 'Iris Optics', 'Jade Tools'];

const control = (real, label, ids = {}) => ({ real, label, ids, tag: 'button', wrap: 0, attributes: {} });

function rowOf(customer) {
  const key = customer.split(' ')[0].toLowerCase();
  return {
    customer,
    controls: [control(`${key}-edit`, 'Edit', { 'data-testid': `edit-${key}` }), control(`${key}-delete`, 'Delete', { id: `${key}-del` })],
  };
}

function cardOf(title) {
  return { customer: title, controls: [control(`card-${title.toLowerCase()}`, 'Open')] };
}

export function original() {
  return {
    rows: CUSTOMERS.map(rowOf),
    cards: ['Invoices', 'Contracts', 'Payroll'].map(cardOf),
    bar: [control('bar-export', 'Export', { 'data-testid': 'export' }), control('bar-refresh', 'Refresh'), control('bar-archive', 'Archive', { id: 'archive' })],
    aside: [],
    links: ['Home', 'Help', 'News'],
    order: ['header', 'main', 'aside'],
    wrapTable: 0,
    classes: '',
  };
}

const groups = (model) => [...model.rows, ...model.cards];
export const controlsOf = (model) => [...groups(model).flatMap((group) => group.controls), ...model.bar, ...model.aside];
const groupOf = (model, target) => groups(model).find((group) => group.controls.includes(target));
const listOf = (model, target) => groupOf(model, target)?.controls ?? model.bar;

const pick = (next, list) => list[Math.floor(next() * list.length)];
const others = (model, target) => controlsOf(model).filter((one) => one !== target);
function swap(list, i, j) { [list[i], list[j]] = [list[j], list[i]]; }
function move(next, list) { list.splice(Math.floor(next() * list.length), 0, ...list.splice(Math.floor(next() * list.length), 1)); }
function removeGroup(model, group) {
  for (const list of [model.rows, model.cards]) if (list.includes(group)) list.splice(list.indexOf(group), 1);
}

// Each changes the model and says whether the target is still there, as it was. `false` where the
// change gives a reader no way to tell.
const KEEPING = {
  'rows moved': (m, t, next) => move(next, m.rows),
  'cards moved': (m, t, next) => move(next, m.cards),
  'row inserted': (m, t, next) => { m.rows.splice(Math.floor(next() * (m.rows.length + 1)), 0, rowOf(pick(next, STRANGERS))); },
  'card inserted': (m) => { m.cards.unshift(cardOf('Taxes')); },
  'another row removed': (m, t, next) => {
    const removable = m.rows.filter((row) => !row.controls.includes(t));
    if (removable.length > 1) removeGroup(m, pick(next, removable));
  },
  'wrapper around the control': (m, t) => { t.wrap++; },
  'wrapper around the table': (m) => { m.wrapTable++; },
  'classes renamed': (m, t, next) => { m.classes = `c${Math.floor(next() * 1e6)}`; },
  'attribute added': (m, t) => { t.attributes['data-v'] = '1'; },
  'white space': (m, t) => { t.label = `\n  ${t.label} `; },
  'links moved': (m, t, next) => move(next, m.links),
  'link added': (m) => { m.links.push('Jobs'); },
  'parts moved': (m) => { m.order.reverse(); },
  'a twin in another landmark': (m, t) => { m.aside.push(control('aside-twin', t.label.trim())); },
  'another label changed': (m, t, next) => {
    const same = (one) => one.label.trim() === t.label.trim();
    const changed = pick(next, others(m, t).filter((one) => !same(one)));
    changed.label += ' now';
  },
  'another id dropped': (m, t, next) => { pick(next, others(m, t)).ids = {}; },
};
const LOSING = {
  'removed': (m, t) => { const list = listOf(m, t); list.splice(list.indexOf(t), 1); },
  'row removed': (m, t) => { if (groupOf(m, t)) removeGroup(m, groupOf(m, t)); else m.bar.splice(m.bar.indexOf(t), 1); },
  'row removed, ids inherited': (m, t) => {
    const group = groupOf(m, t);
    if (!group) { m.bar.splice(m.bar.indexOf(t), 1); m.bar[0].ids = { ...t.ids }; return; }
    const list = m.rows.includes(group) ? m.rows : m.cards;
    const heir = list[(list.indexOf(group) + 1) % list.length];
    group.controls.forEach((one, i) => { if (heir.controls[i]) heir.controls[i].ids = { ...one.ids }; });
    removeGroup(m, group);
  },
  'row renamed': (m, t, next) => { const group = groupOf(m, t); if (group) group.customer = pick(next, STRANGERS); else t.label = 'Other'; },
  'relabelled': (m, t) => { t.label = 'Share'; },
  'label longer': (m, t) => { t.label += ' all'; },
  'case changed': (m, t) => { t.label = t.label.toUpperCase(); },
  'confusable letter': (m, t) => { t.label = t.label.replace('e', '\u0435').replace('r', '\u0433'); },
  'labels exchanged': (m, t, next) => {
    const other = pick(next, others(m, t).filter((one) => one.label.trim() !== t.label.trim()));
    [t.label, other.label] = [other.label, t.label];
  },
  'ids exchanged': (m, t, next) => { const other = pick(next, others(m, t)); [t.ids, other.ids] = [other.ids, t.ids]; if (!Object.keys(t.ids).length && !Object.keys(other.ids).length) t.label = 'Share'; },
  'rows exchanged under the controls': (m, t) => {
    const group = groupOf(m, t);
    const list = m.rows.includes(group) ? m.rows : m.cards;
    const other = list[(list.indexOf(group) + 1) % list.length];
    if (!group || other === group) { t.label = 'Other'; return; }
    [group.customer, other.customer] = [other.customer, group.customer];
  },
  'ids dropped': (m, t) => { if (Object.keys(t.ids).length) t.ids = {}; else t.label = 'Share'; },
  'id twice': (m, t, next) => { if (Object.keys(t.ids).length) pick(next, others(m, t)).ids = { ...t.ids }; else t.disabled = true; },
  'disabled': (m, t) => { t.disabled = true; },
  'hidden': (m, t) => { t.hidden = true; },
  'covered': (m) => { m.covered = true; },
  'another kind of control': (m, t) => { t.tag = 'a'; },
  'another landmark': (m, t) => { const list = listOf(m, t); list.splice(list.indexOf(t), 1); m.aside.push(t); },
  'replaced by a stranger': (m, t) => { const list = listOf(m, t); list[list.indexOf(t)] = { ...t, real: 'stranger', label: `${t.label} ad` }; },
};

// {what, model, persists}: the page after one to three changes around the control called `real`.
export function mutate(seed, real) {
  const next = random(seed);
  const model = original();
  const target = controlsOf(model).find((one) => one.real === real);
  const what = [];
  const apply = (changes) => {
    const [name, change] = pick(next, Object.entries(changes));
    what.push(name);
    change(model, target, next);
  };
  for (let n = Math.floor(next() * 3); n > 0; n--) apply(KEEPING);
  const persists = next() < 0.5;
  apply(persists ? KEEPING : LOSING);
  return { what: what.join(', '), model, persists };
}

// ---- the page ----
const text = (string) => string.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function drawControl({ real, label, ids, tag, wrap, attributes, disabled, hidden }) {
  const all = { ...ids, ...attributes, 'data-real': real };
  const drawn = Object.entries(all).map(([name, value]) => ` ${name}="${text(value)}"`).join('');
  const open = tag === 'a' ? `a href="#${real}"` : 'button type="button"';
  return `${'<div>'.repeat(wrap)}<${open}${drawn}${disabled ? ' disabled' : ''}${hidden ? ' hidden' : ''}>${text(label)}</${tag}>${'</div>'.repeat(wrap)}`;
}

const drawRow = ({ customer, controls }) => `<tr><th scope="row">${text(customer)}</th>${controls.map((one) => `<td>${drawControl(one)}</td>`).join('')}</tr>\n`;
const drawCard = ({ customer, controls }) => `<li><h3>${text(customer)}</h3>${controls.map(drawControl).join('')}</li>\n`;

const SCRIPT = `
  const realOf = (event) => event.composedPath().find((node) => node.dataset && node.dataset.real);
  document.addEventListener('click', (event) => { const real = realOf(event); if (real) fetch('/log' + location.pathname + '?' + real.dataset.real, { keepalive: true }); }, true);
  document.addEventListener('click', (event) => { const real = realOf(event); if (real) document.getElementById('said').textContent = 'Done: ' + real.dataset.real; });`;

export function draw(model) {
  const parts = {
    header: `<header><h1>Orders</h1><nav aria-label="Main">${model.links.map((link) => `<a href="#${link.toLowerCase()}">${link}</a> `).join('')}</nav></header>`,
    main: `<main class="${model.classes}"><h2>Customers</h2>${'<div>'.repeat(model.wrapTable)}<table><tbody>${model.rows.map(drawRow).join('')}</tbody></table>${'</div>'.repeat(model.wrapTable)}
<h2>Folders</h2><ul>${model.cards.map(drawCard).join('')}</ul><p>${model.bar.map(drawControl).join(' ')}</p><p id="said" role="status"></p></main>`,
    aside: `<aside aria-label="More"><h2>More</h2>${model.aside.map(drawControl).join(' ')}</aside>`,
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Orders</title>
<body class="${model.classes}">${model.order.map((part) => parts[part]).join('\n')}${model.covered ? '<div style="position:fixed;inset:0"></div>' : ''}<script>${SCRIPT}</script></body></html>`;
}
