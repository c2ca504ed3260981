#!/usr/bin/env node
// Replays a recorded click on seeded mutants of its page, beside Playwright with its own recorded
// locator. The page's log of clicks says what was truly acted on. `node replay.mjs --help` lists the
// options.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { controlsOf, draw, mutate, original, random } from './mutants.mjs';
import { table } from './tables.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const say = (text) => process.stderr.write(`${text}\n`);

const HELP = `usage: node replay.mjs [OPTION…]

  --mutants N        pages that are replayed on; a tenth as many unchanged ones besides [200]
  --seed N           of the first mutant [1]
  --peers on|off     Playwright beside it [on]
  --topodb PATH      the program [build/release/cli/topodb]
  --browser PATH     [/usr/bin/chromium]
  --verbose          a line for every mutant that was not acted on`;

const OPTIONS = {
  mutants: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  peers: { type: 'string', default: 'on' },
  topodb: { type: 'string', default: here('../../build/release/cli/topodb') },
  browser: { type: 'string', default: '/usr/bin/chromium' },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};
const GOAL = 0.979;  // of the targets that persist
const ALLOWED = ['unknown', 'data_mutation', 'destructive'].flatMap((category) => ['--allow', category]);

// Exit codes 0 and 1 are answers.
async function run(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = ['', ''];
  [child.stdout, child.stderr].forEach((stream, i) => stream.setEncoding('utf8').on('data', (text) => { texts[i] += text; }));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0 && code !== 1) throw new Error(`${program} ${args.join(' ')}: exit code ${code}\n${texts[1].slice(-2000)}`);
  return texts[0];
}

// Serves the page in hand under a folder of its own, and keeps what was clicked there: a click on
// the page before may be heard of late.
class Site {
  clicks = [];
  page = '';
  shown = 0;

  async open() {
    this.server = createServer((request, response) => {
      const url = new URL(request.url, 'http://localhost');
      if (url.pathname === `/log${this.path}`) this.clicks.push(url.search.slice(1));
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(url.pathname.endsWith('/orders.html') ? this.page : '');
    });
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.base = `http://127.0.0.1:${this.server.address().port}`;
  }

  get folder() { return `/${this.shown}/`; }

  get path() { return `${this.folder}orders.html`; }

  get url() { return this.base + this.path; }

  show(model) {
    this.page = draw(model);
    this.clicks = [];
    this.shown++;
  }
}

// One recorded edge for each control.
async function record(settings, site) {
  site.show(original());
  await run(settings.topodb, ['capture', site.url, '--db', settings.database, '--browser', settings.browser, '--quiet', '--max-actions', '100', ...ALLOWED]);
  const edges = JSON.parse(await run(settings.topodb, ['export', '--db', settings.database])).edges;
  const known = new Map();
  // What an edge is for, the page's log says, once: the status that it led to.
  for (const real of controlsOf(original()).map((one) => one.real)) known.set(real, null);
  const states = new Map(JSON.parse(await run(settings.topodb, ['export', '--db', settings.database])).states.map((state) => [state.stateId, state]));
  for (const edge of edges) {
    const said = states.get(edge.toStateId).identityParts.find((part) => part.kind === 'status')?.value ?? '';
    const real = said.replace(/^Done: /, '');
    if (known.has(real)) known.set(real, edge.edgeId);
  }
  return [...known].filter(([, edge]) => edge !== null);
}

async function byTopodb(settings, site, edge) {
  const args = ['replay', '--db', settings.database, '--edge', edge, '--base', site.base + site.folder, '--format', 'json', ...ALLOWED];
  args.push(...(settings.endpoint ? ['--connect', settings.endpoint] : ['--browser', settings.browser]));
  const [step] = JSON.parse(await run(settings.topodb, args)).steps;
  return step.verdict + (step.divergence ? ` ${step.divergence.kind} ${step.divergence.cause.code}` : ` ${step.reason ?? ''}`);
}

// Playwright's own idea of how to find each control again.
async function recordedLocators(page, site, reals) {
  site.show(original());
  await page.goto(site.url);
  const locators = new Map();
  for (const real of reals) locators.set(real, await page.locator(`[data-real="${real}"]`).normalize());
  return locators;
}

async function byPlaywright(page, site, locator) {
  await page.goto(site.url);
  try {
    await locator.click({ timeout: 700 });
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, 20)); }));
    return 'clicked';
  } catch (error) {
    return error.message.split('\n')[0];
  }
}

class Tally {
  wrong = 0; acted = 0; persisting = 0; executed = 0; unchanged = 0; unchangedExecuted = 0; passedWrong = 0;
  constructor(name) { this.name = name; }

  add(kase, clicks, verdict) {
    const right = clicks.length === 1 && clicks[0] === kase.real;
    if (clicks.length > 0) this.acted++;
    if (clicks.some((real) => real !== kase.real)) this.wrong++;
    if (!right && verdict.startsWith('passed')) this.passedWrong++;
    if (kase.what === 'unchanged') { this.unchanged++; this.unchangedExecuted += right ? 1 : 0; } else if (kase.persists) { this.persisting++; this.executed += right ? 1 : 0; }
    return right;
  }

  row() {
    const percent = (part, whole) => (whole === 0 ? '-' : `${(100 * part / whole).toFixed(1)} %`);
    return [this.name, String(this.acted), String(this.wrong), String(this.passedWrong), percent(this.executed, this.persisting), percent(this.unchangedExecuted, this.unchanged)];
  }
}

function* cases(settings, recorded) {
  const next = random(settings.seed);
  for (let i = 0; i < settings.mutants; i++) {
    const [real, edge] = recorded[Math.floor(next() * recorded.length)];
    yield { real, edge, seed: settings.seed + i, ...mutate(settings.seed + i, real) };
    if (i % 10 === 0) yield { real, edge, seed: settings.seed + i, what: 'unchanged', model: original(), persists: true };
  }
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) { process.stdout.write(`${HELP}\n`); return 0; }
  const folder = await mkdtemp(join(tmpdir(), 'topodb-bench-'));
  const site = new Site();
  await site.open();
  let browser = null;
  try {
    const { chromium } = await import(new URL('../web/node_modules/playwright-core/index.mjs', import.meta.url));
    browser = await chromium.launch({ executablePath: values.browser, args: ['--remote-debugging-port=0', '--no-sandbox'] });
    const settings = { ...values, mutants: Number(values.mutants), seed: Number(values.seed), database: join(folder, 'db') };
    const recorded = await record(settings, site);
    say(`${recorded.length} recorded clicks`);
    const page = await browser.newPage();
    const locators = await recordedLocators(page, site, recorded.map(([real]) => real));
    const topodb = new Tally('topodb');
    const playwright = new Tally('Playwright, its recorded locator');
    let done = 0;
    for (const kase of cases(settings, recorded)) {
      site.show(kase.model);
      const verdict = await byTopodb(settings, site, kase.edge);
      const right = topodb.add(kase, site.clicks, verdict);
      if (site.clicks.some((real) => real !== kase.real)) say(`WRONG: seed ${kase.seed} ${kase.real}: ${kase.what}: ${site.clicks} (${verdict})`);
      if (values.verbose && kase.persists && !right) say(`not acted on: seed ${kase.seed} ${kase.real}: ${kase.what}: ${verdict}`);
      if (values.peers === 'on') {
        site.show(kase.model);
        const answer = await byPlaywright(page, site, locators.get(kase.real));
        playwright.add(kase, site.clicks, answer === 'clicked' ? 'passed' : answer);
      }
      done++;
      if (done % 100 === 0) say(`${done}`);
    }
    const head = ['', 'clicks', 'wrong target', 'passed though wrong', 'persisting executed', 'unchanged executed'];
    const rows = [topodb, ...(values.peers === 'on' ? [playwright] : [])].map((tally) => tally.row());
    process.stdout.write(`${table(head, rows)}\n`);
    const held = topodb.wrong === 0 && topodb.passedWrong === 0 && topodb.unchangedExecuted === topodb.unchanged
      && topodb.executed >= GOAL * topodb.persisting;
    process.stdout.write(`goal: no wrong target, ${(GOAL * 100).toFixed(1)} % of the persisting, every unchanged one: ${held ? 'held' : 'MISSED'}\n`);
    return held ? 0 : 1;
  } finally {
    await browser?.close();
    site.server.close();
    site.server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
