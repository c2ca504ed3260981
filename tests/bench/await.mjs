#!/usr/bin/env node
// What waiting for a region costs: one look at a chat of many turns, and the processor time of a
// long wait in which nothing happens. `node await.mjs --help` lists the options.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { median } from './measure.mjs';
import { serve } from './pages.mjs';

const { chromium } = createRequire(new URL('../web/', import.meta.url))('playwright-core');

const HELP = `usage: node await.mjs [OPTION…]

  --topodb PATH      the program [build/release/cli/topodb]
  --browser PATH     the browser [/usr/bin/chromium]
  --turns N          of the chat [500]
  --looks N          that are timed [300]
  --seconds N        of the idle wait [60]`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OPTIONS = {
  topodb: { type: 'string', default: here('../../build/release/cli/topodb') },
  browser: { type: 'string', default: '/usr/bin/chromium' },
  turns: { type: 'string', default: '500' },
  looks: { type: 'string', default: '300' },
  seconds: { type: 'string', default: '60' },
  help: { type: 'boolean', short: 'h', default: false },
};
const GOALS = { lookMs: 3, idlePercent: 1 };
const TICKS_A_SECOND = 100;  // of /proc/PID/stat

const say = (text) => process.stderr.write(`${text}\n`);

// Turns of user and assistant; all but the last answer are finished.
function chat(turns) {
  const words = 'the harbour keeps its hours here and the mill its prices '.repeat(12);
  const bar = '<div><button data-testid="copy-turn-action-button">Copy</button>' +
    '<button data-testid="good-response-turn-action-button">Good</button></div>';
  const list = Array.from({ length: turns }, (_, i) => {
    const role = i % 2 ? 'assistant' : 'user';
    const body = role === 'user' ? `Question ${i}` : `<div class="markdown"><p>${words}</p><p>${words}</p></div>`;
    return `<article data-testid="conversation-turn-${i}"><div data-message-author-role="${role}" data-message-id="m${i}">` +
      `${body}</div>${role === 'assistant' && i < turns - 1 ? bar : ''}</article>`;
  });
  return `<!doctype html><title>Chat</title><main>${list.join('\n')}</main><form><textarea></textarea><button>Send</button></form>`;
}

// As completion.js is given it.
async function profile() {
  const json = JSON.parse(await readFile(here('../../capture/completion/profiles/chatgpt.json'), 'utf8'));
  const { items, wrappers, userItems, bodies, messageId, turnId, terminalControls, copyControls } = json;
  return { items, roles: items, wrappers, userItems, bodies, messageId, turnId, terminalControls, copyControls,
    stopControls: json.stopControls.map(({ selector }) => selector) };
}

// Milliseconds of each look: a message to the page and its answer. A text grows between them, so
// that nothing is known beforehand.
async function timeLooks({ browser, looks }, url) {
  const scripts = await Promise.all(['snapshot', 'completion'].map((name) => readFile(here(`../../capture/js/${name}.js`), 'utf8')));
  const launched = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
  try {
    const page = await launched.newPage();
    const session = await page.context().newCDPSession(page);
    await page.goto(url);
    await page.evaluate(`globalThis.topodbSignal = () => {};${scripts.join('')}`);
    const expression = `topodb.region.read({profile:${JSON.stringify(await profile())},from:0,images:false})`;
    const times = [];
    for (let i = 0; i < looks; i++) {
      await page.evaluate(() => [...document.querySelectorAll('.markdown')].at(-1).append(' word'));
      const begin = performance.now();
      const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
      times.push(performance.now() - begin);
      if (!result.value?.ok) throw new Error(`a look failed: ${JSON.stringify(result)}`);
    }
    // What of it is the way there and back.
    const empty = [];
    for (let i = 0; i < looks; i++) {
      const begin = performance.now();
      await session.send('Runtime.evaluate', { expression: '({ok:true})', returnByValue: true });
      empty.push(performance.now() - begin);
    }
    return { look: median(times), slow: times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)], empty: median(empty) };
  } finally {
    await launched.close();
  }
}

// Seconds of processor time that a process and everything it started have used so far.
async function processorSeconds(root) {
  const stats = new Map();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (!stat) continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    stats.set(Number(pid), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
  }
  const isOurs = (pid) => pid === root || (stats.has(pid) && isOurs(stats.get(pid).parent));
  let own = 0;
  let all = 0;
  for (const [pid, { ticks }] of stats) {
    if (!isOurs(pid)) continue;
    all += ticks;
    if (pid === root) own = ticks;
  }
  return { own: own / TICKS_A_SECOND, all: all / TICKS_A_SECOND };
}

// Percent of one processor while the last answer stays unfinished.
async function timeIdle({ topodb, browser, seconds }, url) {
  const settling = 10;
  const child = spawn(topodb, ['await', url, '--profile', 'chatgpt', '--no-store', '--quiet', '--browser', browser,
    '--timeout', String(seconds + 2 * settling)], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const wait = (s) => new Promise((resolve) => setTimeout(resolve, s * 1000));
  await wait(settling);
  const begin = await processorSeconds(child.pid);
  await wait(seconds);
  const end = await processorSeconds(child.pid);
  child.kill('SIGINT');
  await ended;
  return { own: ((end.own - begin.own) / seconds) * 100, all: ((end.all - begin.all) / seconds) * 100 };
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const settings = { ...values, looks: Number(values.looks), seconds: Number(values.seconds) };
  say(`load of the machine: ${loadavg().map((load) => load.toFixed(2)).join(' ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'topodb-await-'));
  await writeFile(join(folder, 'chat.html'), chat(Number(values.turns)));
  const server = await serve(folder);
  try {
    const url = `${server.base}chat.html`;
    const { look, slow, empty } = await timeLooks(settings, url);
    const idle = await timeIdle(settings, url);
    console.log(`one look at ${values.turns} turns: median ${look.toFixed(2)} ms, 95 % within ${slow.toFixed(2)} ms; an empty message ${empty.toFixed(2)} ms`);
    console.log(`idle wait of ${settings.seconds} s: topodb ${idle.own.toFixed(2)} % of a processor, with its browser ${idle.all.toFixed(2)} %`);
    const goals = [[`a look takes at most ${GOALS.lookMs} ms`, look <= GOALS.lookMs],
      [`topodb takes at most ${GOALS.idlePercent} % of a processor while it waits`, idle.own <= GOALS.idlePercent]];
    for (const [goal, met] of goals) console.log(`${met ? 'met' : 'MISSED'}  ${goal}`);
    if (goals.some(([, met]) => !met)) process.exitCode = 1;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
