#!/usr/bin/env node
// Stores generated runs, asks topodb, SQLite, DuckDB, jq and a bare RocksDB program the same
// questions, each in a fresh process, and prints processor times side by side.
// `node store.mjs --help` lists the options.
import { mkdirSync, openSync, closeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { duckdbLoad, questions, sqliteLoad } from './store/peers.mjs';
import { growthTable, measureGrowth } from './store/growth.mjs';
import { cost, run, sizeOf } from './store/tools.mjs';

const HELP = `usage: node store.mjs [OPTION…]

  --build DIR          where topodb and the programs of tests/bench/store are [build/bench]
  --runs N             runs that are stored [100], of 200 states, 10,000 elements, 2,000 edges,
                       3,000 skips and 200 failures each
  --times N            how often each question is asked [9]
  --seed N             of the generated runs [1]
  --growth N,N,…       instead: runs of so many states, to see how costs grow
  --per-state LIST     of these, such as elements=10,edges=10,skips=0,failures=0
  --json FILE          also write every measurement`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OPTIONS = {
  build: { type: 'string', default: here('../../build/bench') },
  runs: { type: 'string', default: '100' },
  times: { type: 'string', default: '9' },
  seed: { type: 'string', default: '1' },
  growth: { type: 'string', default: '' },
  'per-state': { type: 'string', default: '' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
};

const ROLE = 'button';
const PART = 'invoice';
const say = (text) => process.stderr.write(`${text}\n`);

// Fills all of them with the same records; {load, size} of each.
async function load(settings) {
  const { folder, runs } = settings;
  const numbers = Array.from({ length: runs }, (_, i) => i + 1);
  say(`storing ${runs} runs`);
  const fill = await cost(settings, 1, [settings.fill, settings.database, `runs=${runs}`, `seed=${settings.seed}`]);
  mkdirSync(settings.jsonl);
  for (const number of numbers) {
    const to = openSync(join(settings.jsonl, `${number}.jsonl`), 'w');
    await run(settings.topodb, ['export', `run${number}`, '--as', 'jsonl', '--db', settings.database], { to });
    closeSync(to);
  }
  say('loading SQLite');
  const sqlite = await cost(settings, 1, ['sqlite3', settings.sqlite], { input: sqliteLoad(settings.jsonl, numbers) });
  say('loading DuckDB');
  const duckdb = await cost(settings, 1, [process.execPath, settings.duckdbProgram, settings.duckdb],
    { input: duckdbLoad(settings.jsonl, numbers) });
  const json = sizeOf(settings.jsonl);
  return {
    json,
    topodb: { load: JSON.parse(fill.out).storing, size: sizeOf(settings.database) },
    sqlite: { load: sqlite.cpuMs / 1e3, size: sizeOf(settings.sqlite) },
    duckdb: { load: duckdb.cpuMs / 1e3, size: sizeOf(settings.duckdb) },
    jq: { load: 0, size: json },
  };
}

// The questions; `answer` turns what a program wrote into what all must agree on.
async function tasks({ runs, topodb, database }) {
  const [a, b] = [Math.ceil(runs / 2), Math.ceil(runs / 2) + (runs > 1 ? 1 : 0)];
  const name = `run${a}`;
  const { stdout } = await run(topodb, ['query', 'states', '--run', name, '--limit', '101', '--format', 'json', '--db', database]);
  const { stateId } = JSON.parse(stdout)[100];
  const lines = (out) => (out.match(/"edgeId"/g) ?? []).length;
  const number = (out) => Number(/\d+/.exec(out)?.[0]);
  return [
    {
      name: 'edges from one state', floor: ['edges', a, 100],
      topodb: ['query', 'edges', '--run', name, '--from', stateId, '--format', 'jsonl'],
      sql: questions.edges(name, stateId), jq: [`select(.record == "edge" and .fromStateId == "${stateId}")`, a],
      answer: { topodb: lines, sqlite: lines, jq: lines, floor: number },
    },
    {
      name: 'role and name, one run', floor: ['names', a, ROLE, PART],
      topodb: ['query', 'elements', '--run', name, '--role', ROLE, '--name', PART, '--count'],
      sql: questions.names(name, ROLE, PART),
      jq: [`select(.record == "element" and .role == "${ROLE}" and (.accessibleName | contains("${PART}")))`, a],
      answer: { topodb: number, sqlite: number, floor: number },
    },
    {
      name: 'role and name, all runs', floor: ['all-names', ROLE, PART],
      topodb: ['query', 'elements', '--all-runs', '--role', ROLE, '--name', PART, '--count'],
      sql: questions.allNames(ROLE, PART), jqTimes: runs,
      jq: [`select(.record == "element" and .role == "${ROLE}" and (.accessibleName | contains("${PART}")))`, a],
      answer: { topodb: number, sqlite: number, floor: number },
    },
    {
      name: 'diff of two runs', floor: ['diff', a, b],
      topodb: ['diff', name, `run${b}`, '--format', 'json'], sql: questions.diff(name, `run${b}`), answer: {},
    },
    { name: 'check, one run', floor: ['check', a], topodb: ['check', name], sql: questions.check(name), answer: {} },
    {
      name: 'check, all runs', times: 1, topodb: ['check'],
      sql: `${questions.check()}`, sqliteToo: 'PRAGMA integrity_check', answer: {},
    },
  ];
}

async function ask(settings, task) {
  say(task.name);
  const times = task.times ?? settings.times;
  const result = { name: task.name };
  if (task.floor) result.floor = await cost(settings, times, [settings.floor, settings.database, ...task.floor.map(String)]);
  result.topodb = await cost(settings, times, [settings.topodb, ...task.topodb, '--db', settings.database]);
  result.sqlite = await cost(settings, times, ['sqlite3', '-readonly', settings.sqlite, ...[task.sqliteToo ?? [], task.sql].flat()]);
  result.duckdb = await cost(settings, times, [process.execPath, settings.duckdbProgram, settings.duckdb, task.sql]);
  result.duckdb.cpuMs -= settings.duckdbStart;
  if (task.jq) {
    const [filter, number] = task.jq;
    result.jq = await cost(settings, 1, ['jq', '-c', filter, join(settings.jsonl, `${number}.jsonl`)]);
    result.jq.cpuMs *= task.jqTimes ?? 1;
  }
  const answers = new Set(Object.entries(task.answer).map(([who, read]) => read(result[who].out)));
  if (answers.size > 1) throw new Error(`${task.name}: the answers differ: ${[...answers]}`);
  return result;
}

const WHO = ['floor', 'topodb', 'sqlite', 'duckdb', 'jq'];
const milliseconds = (cell) => (cell ? cell.cpuMs.toFixed(cell.cpuMs < 100 ? 1 : 0) : '–');
const ratio = (a, b) => (a && b ? (a.cpuMs / b.cpuMs).toFixed(2) : '–');

function table(loaded, results) {
  const rows = [['CPU ms', ...WHO, 'of floor', 'of SQLite', 'of DuckDB', 'RSS MB']];
  for (const result of results) {
    const { floor, topodb, sqlite, duckdb } = result;
    rows.push([result.name, ...WHO.map((who) => milliseconds(result[who])),
      ratio(topodb, floor), ratio(topodb, sqlite), ratio(topodb, duckdb), topodb.rssMb.toFixed(0)]);
  }
  const whole = (make) => WHO.map((who) => (loaded[who] ? make(loaded[who]) : '–'));
  rows.push(['load, CPU s', ...whole(({ load }) => load.toFixed(1)), '', '', '', '']);
  rows.push(['disk, MB', ...whole(({ size }) => (size / 1e6).toFixed(0)), '', '', '', '']);
  rows.push(['disk, of JSON', ...whole(({ size }) => (size / loaded.json).toFixed(2)), '', '', '', '']);
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows.map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ')).join('\n');
}

function programs(build, folder) {
  const bench = join(build, 'tests/bench/store');
  return {
    folder,
    topodb: join(build, 'cli/topodb'), fill: join(bench, 'store_fill'), floor: join(bench, 'store_floor'),
    measure: join(bench, 'store_cost'), duckdbProgram: here('store/duckdb.mjs'),
    database: join(folder, 'topodb'), jsonl: join(folder, 'jsonl'),
    sqlite: join(folder, 'sqlite.db'), duckdb: join(folder, 'duck.db'),
  };
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'topodb-store-'));
  const settings = {
    ...programs(values.build, folder), runs: Number(values.runs), times: Number(values.times), seed: Number(values.seed),
  };
  try {
    const measured = {};
    if (values.growth) {
      const perState = Object.fromEntries(values['per-state'].split(',').filter(Boolean).map((pair) => pair.split('=')));
      measured.growth = await measureGrowth(settings, values.growth.split(',').map(Number), perState);
      console.log(growthTable(measured.growth));
    } else {
      measured.loaded = await load(settings);
      settings.duckdbStart = (await cost(settings, 5, [process.execPath, settings.duckdbProgram])).cpuMs;
      measured.results = [];
      for (const task of await tasks(settings)) measured.results.push(await ask(settings, task));
      console.log(`medians of ${settings.times} fresh processes; ${cpus().length} processors, load ${loadavg()[0].toFixed(1)}; ` +
        `DuckDB without ${settings.duckdbStart.toFixed(0)} ms of node and library\n${table(measured.loaded, measured.results)}`);
    }
    if (values.json) await writeFile(values.json, JSON.stringify(measured, null, 1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
