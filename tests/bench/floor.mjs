#!/usr/bin/env node
// Explores a page of buttons with topodb and with a bare loop of the same steps, and compares
// candidates per second: what a candidate costs beyond what the browser itself needs.
// `node floor.mjs --help` lists the options.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { median, runTopodb } from './measure.mjs';
import { serve, writePages } from './pages.mjs';

const HELP = `usage: node floor.mjs [OPTION…]

  --topodb PATH      the program [build/release/cli/topodb]
  --browser PATH     the browser both sides drive [/usr/bin/chromium]
  --buttons N        on the page [50]
  --tabs N,N         how many side by side [1,2]
  --runs N           of each, in turns [3]
  --timeout SECONDS  for one run [300]`;

const OPTIONS = {
  topodb: { type: 'string', default: fileURLToPath(new URL('../../build/release/cli/topodb', import.meta.url)) },
  browser: { type: 'string', default: '/usr/bin/chromium' },
  buttons: { type: 'string', default: '50' },
  tabs: { type: 'string', default: '1,2' },
  runs: { type: 'string', default: '3' },
  timeout: { type: 'string', default: '300' },
  help: { type: 'boolean', short: 'h', default: false },
};

// The browser over a pipe: messages end with a zero byte.
class Browser {
  constructor(program, profile) {
    this.child = spawn(program, ['--headless=new', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
      '--disable-features=BackForwardCache,Translate', '--no-first-run', '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.next = 1;
    this.waiting = new Map();
    this.events = new Map();  // "session method" -> those who wait for it
    let rest = '';
    this.child.stdio[4].setEncoding('utf8').on('data', (text) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop();
      for (const part of parts) this.take(JSON.parse(part));
    });
  }

  take(message) {
    if (message.id) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      return message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result);
    }
    const key = `${message.sessionId} ${message.method}`;
    const heard = this.events.get(key) ?? [];
    this.events.delete(key);
    return heard.forEach((resolve) => resolve(message.params));
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  event(sessionId, method) {
    const key = `${sessionId} ${method}`;
    return new Promise((resolve) => this.events.set(key, [...(this.events.get(key) ?? []), resolve]));
  }

  async end() {
    const closed = new Promise((resolve) => this.child.once('close', resolve));
    this.send('Browser.close').catch(() => {});
    await closed;
  }
}

// What can be acted on: box, visibility, hit test, role and name of each.
const LOOK = `JSON.stringify([...document.querySelectorAll('button, a[href], input, select, textarea')].map((el) => {
  const box = el.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  return { x, y, width: box.width, height: box.height, visible: el.checkVisibility(), hit: document.elementFromPoint(x, y) === el,
    role: getAccessibleRole(el), name: getAccessibleName(el), text: el.textContent };
}))`;

class Tab {
  static async open(browser) {
    const tab = new Tab();
    const { browserContextId } = await browser.send('Target.createBrowserContext');
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    tab.send = (method, params) => browser.send(method, params, sessionId);
    tab.event = (method) => browser.event(sessionId, method);
    await tab.send('Emulation.setDeviceMetricsOverride', { width: 1440, height: 1000, deviceScaleFactor: 1, mobile: false });
    await tab.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await tab.send('Accessibility.enable');
    await tab.send('Page.enable');
    await tab.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    return tab;
  }

  // All that is due by the page's clock, and a rendered frame.
  async settle(budget) {
    const expired = this.event('Emulation.virtualTimeBudgetExpired');
    await this.send('Emulation.setVirtualTimePolicy', { policy: 'pauseIfNetworkFetchesPending', budget });
    await expired;
    await this.send('Runtime.evaluate', { expression: 'new Promise((done) => requestAnimationFrame(() => done(0)))', awaitPromise: true });
  }

  async look() {
    const { result } = await this.send('Runtime.evaluate', { expression: LOOK, includeCommandLineAPI: true, returnByValue: true });
    return JSON.parse(result.value);
  }

  async tryCandidate(url, index) {
    await this.send('Page.navigate', { url });
    await this.settle(3000);
    const { x, y } = (await this.look())[index];
    const mouse = (type, more) => this.send('Input.dispatchMouseEvent', { type, x, y, ...more });
    await Promise.all([mouse('mouseMoved'), mouse('mousePressed', { button: 'left', clickCount: 1 }),
      mouse('mouseReleased', { button: 'left', clickCount: 1 })]);
    await this.settle(3500);
    await this.look();
  }
}

// Milliseconds for all candidates, without the browser's start.
async function runLoop(program, folder, url, candidates, tabCount) {
  const browser = new Browser(program, await mkdtemp(join(folder, 'profile-')));
  try {
    const tabs = [];
    for (let i = 0; i < tabCount; i++) tabs.push(await Tab.open(browser));
    const begin = performance.now();
    let next = 0;
    await Promise.all(tabs.map(async (tab) => {
      while (next < candidates) await tab.tryCandidate(url, next++);
    }));
    return performance.now() - begin;
  } finally {
    await browser.end();
  }
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const candidates = Number(values.buttons);
  const folder = await mkdtemp(join(tmpdir(), 'topodb-floor-'));
  const pages = await writePages(folder, [candidates], 1);
  const site = await serve(folder);
  const url = `${site.base}${pages[`${candidates} buttons`]}`;
  const settings = { topodb: values.topodb, browser: values.browser, timeoutMs: Number(values.timeout) * 1000 };
  let run = 0;
  const capture = async (mode, jobs) => (await runTopodb(
    { ...settings, database: join(folder, `db-${run++}`) }, { mode, url, maxActions: candidates, jobs })).workMs;
  try {
    console.log('| tabs | bare loop, candidates/s | topodb, candidates/s | of the loop |');
    console.log('|---|---|---|---|');
    for (const tabs of values.tabs.split(',').map(Number)) {
      const loop = [], topodb = [];
      for (let i = 0; i < Number(values.runs); i++) {
        loop.push(await runLoop(values.browser, folder, url, candidates, tabs));
        // Without the entry's two looks, which the loop does not have.
        topodb.push(await capture('explore', tabs) - await capture('scan', 1));
      }
      const rate = (all) => candidates * 1000 / median(all);
      console.log(`| ${tabs} | ${rate(loop).toFixed(1)} | ${rate(topodb).toFixed(1)} | ${(100 * rate(topodb) / rate(loop)).toFixed(0)} % |`);
    }
  } finally {
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(`floor: ${error.message}`);
  process.exitCode = 1;
});
