#!/usr/bin/env node
// Measures topodb beside a plain Playwright program on the same pages, and prints one table.
// `node run.mjs --help` lists the options.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { median, medians, runBaseline, runTopodb, timeProgram } from './measure.mjs';
import { serve, writePages } from './pages.mjs';
import { captureTable, goalLines, startTable } from './tables.mjs';

const COUNTS = [50, 200, 1000];
const ACTIONS = 8;
const MORE_ACTIONS = 25;
const LONG_MS = 120_000;

const HELP = `usage: node run.mjs [OPTION…]

  --topodb PATH        the program to measure [build/release/cli/topodb]
  --browser PATH       the browser both sides drive [/usr/bin/chromium]
  --runs N             runs of topodb for each row [5]
  --baseline-runs N    runs of the Playwright program for each row, 0 for none [3]; only one
                       where it takes more than two minutes
  --only PATTERN       rows whose "task page" matches this regular expression
  --seed N             of the generated pages [1]
  --timeout SECONDS    for one run [600]; a Playwright run is then a lower bound
  --json FILE          also write every single measurement`;

const OPTIONS = {
  topodb: { type: 'string', default: fileURLToPath(new URL('../../build/release/cli/topodb', import.meta.url)) },
  browser: { type: 'string', default: '/usr/bin/chromium' },
  runs: { type: 'string', default: '5' },
  'baseline-runs': { type: 'string', default: '3' },
  only: { type: 'string', default: '' },
  seed: { type: 'string', default: '1' },
  timeout: { type: 'string', default: '600' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
};

const say = (text) => process.stderr.write(`${text}\n`);

function tasks(pages) {
  const list = [];
  for (const page of Object.keys(pages)) {
    list.push({ page, mode: 'scan', maxActions: 0 });
    list.push({ page, mode: 'explore', maxActions: ACTIONS });
    if (page === `${COUNTS[0]} buttons`) list.push({ page, mode: 'explore', maxActions: MORE_ACTIONS });
  }
  return list.map((task) => ({
    ...task,
    name: `${task.mode}${task.maxActions ? ` ${task.maxActions}` : ''} ${task.page}`,
  }));
}

// The two sides take turns, so that what else the machine does falls on both.
async function measure(task, settings) {
  const topodb = [];
  const baseline = [];
  for (let i = 0; i < Math.max(settings.runs, settings.baselineRuns); i++) {
    if (i < settings.runs) {
      const database = join(settings.folder, `${task.name.replaceAll(' ', '-')}-${i}.db`);
      topodb.push(await runTopodb({ ...settings, database }, task));
      settings.lastDatabase = database;
    }
    if (i < settings.baselineRuns && !(baseline[0]?.wallMs > LONG_MS)) {
      baseline.push(await runBaseline(settings, task));
    }
    say(`${task.name}: ${i + 1}`);
  }
  return { task, topodb, baseline };
}

// The work must be done, or its time means nothing.
function assertSameWork({ task, topodb, baseline }) {
  const [ours] = topodb;
  if (task.mode === 'explore' && ours.edges === 0) throw new Error(`${task.name}: nothing was explored`);
  for (const run of [...topodb, ...baseline]) {
    if (run.unfinished) continue;
    if (run.edges !== ours.edges || run.failures?.length) {
      throw new Error(`${task.name}: runs that did not do the same: ${JSON.stringify(run)}`);
    }
  }
}

async function measureStart({ topodb, lastDatabase, runs, timeoutMs }) {
  const commands = { 'topodb --version': ['--version'], 'topodb query edges': ['query', 'edges', '--db', lastDatabase] };
  const rows = [];
  for (const [name, args] of Object.entries(commands)) {
    const times = [];
    for (let i = 0; i < 2 * runs; i++) times.push((await timeProgram(topodb, args, { timeoutMs })).ms);
    rows.push({ name, ms: median(times) });
  }
  return rows;
}

async function measureAll(settings, only) {
  const pages = await writePages(join(settings.folder, 'pages'), COUNTS, settings.seed);
  const site = await serve(join(settings.folder, 'pages'));
  const results = [];
  try {
    for (const task of tasks(pages)) {
      if (!only.test(task.name)) continue;
      results.push(await measure({ ...task, url: site.base + pages[task.page] }, settings));
      assertSameWork(results.at(-1));
    }
  } finally {
    site.close();
  }
  return { results, start: results.length ? await measureStart(settings) : [] };
}

function summarize({ task, topodb, baseline }) {
  const unfinished = baseline.some((run) => run.unfinished);
  return {
    task,
    topodb: medians(topodb),
    baseline: baseline.length ? { ...medians(baseline), unfinished } : null,
  };
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'topodb-bench-'));
  const settings = {
    topodb: values.topodb,
    browser: values.browser,
    runs: Math.max(1, Number(values.runs)),
    baselineRuns: Number(values['baseline-runs']),
    seed: Number(values.seed),
    timeoutMs: Number(values.timeout) * 1000,
    folder,
  };
  try {
    const loadBefore = loadavg()[0];
    const { results, start } = await measureAll(settings, new RegExp(values.only));
    const rows = results.map(summarize);
    const load = [loadBefore, loadavg()[0]].map((value) => value.toFixed(1)).join(' to ');
    console.log(`medians of ${settings.runs} runs of topodb and at most ${settings.baselineRuns} of the baseline; ` +
      `${cpus().length} processors, load ${load}`);
    console.log([captureTable(rows), startTable(start), goalLines(rows)].join('\n\n'));
    if (values.json) await writeFile(values.json, JSON.stringify({ load, results, start }, null, 1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
