#!/usr/bin/env node
// Explores fixtures/trap_site again and again: nothing that changes the server may reach it, and what
// is safe should be found. `node traps.mjs --help` lists the options.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { timeProgram } from './measure.mjs';

const HELP = `usage: node traps.mjs [OPTION…] [RUNS]

  RUNS               how often the site is explored [1000]
  --topodb PATH      the program [build/release/cli/topodb]
  --jobs N           tabs side by side [2]
  --timeout SECONDS  for one run [120]`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SITE = here('../../fixtures/trap_site');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };
const GOAL = 0.95;  // of the safe states

const isDestructive = ({ method, url }) => !['GET', 'HEAD'].includes(method) || url.startsWith('/go/');

// Counts what arrives, by method and path, in `arrived`.
async function serve(arrived) {
  const note = (request) => {
    const key = `${request.method} ${request.url.split('?')[0]}`;
    if (isDestructive(request)) arrived.set(key, (arrived.get(key) ?? 0) + 1);
  };
  const server = createServer(async (request, response) => {
    note(request);
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    try {
      const body = await readFile(join(SITE, path === '/' ? 'index.html' : path));
      response.setHeader('Content-Type', TYPES[extname(path)] ?? TYPES['.html']).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.on('upgrade', (request, socket) => { note(request); socket.destroy(); });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const headingsOf = (run) => new Set(run.states.flatMap((state) => (state.identityParts ?? [])
  .filter((part) => part.kind === 'heading').map((part) => part.value)));

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      topodb: { type: 'string', default: here('../../build/release/cli/topodb') },
      jobs: { type: 'string', default: '2' },
      timeout: { type: 'string', default: '120' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const runs = Number(positionals[0] ?? 1000);
  const safe = JSON.parse(await readFile(join(SITE, 'safe_states.json'), 'utf8'));
  const arrived = new Map(), missed = new Map();
  let found = 0, failed = 0;
  const server = await serve(arrived);
  const folder = await mkdtemp(join(tmpdir(), 'topodb-traps-'));
  const begin = performance.now();
  try {
    for (let run = 1; run <= runs; run++) {
      const out = join(folder, 'run.json');
      try {
        await timeProgram(values.topodb, ['capture', `http://127.0.0.1:${server.address().port}/`,
          '--db', join(folder, 'db'), '--max-depth', '3', '--max-actions', '300', '--jobs', values.jobs,
          '--quiet', '--out', out], { timeoutMs: Number(values.timeout) * 1000 });
      } catch (error) {
        failed++;
        console.error(`run ${run}: ${error.message}`);
        continue;
      }
      const headings = headingsOf(JSON.parse(await readFile(out, 'utf8')));
      await rm(out);
      await rm(join(folder, 'db'), { recursive: true });
      for (const name of safe) {
        if (headings.has(name)) found++;
        else missed.set(name, (missed.get(name) ?? 0) + 1);
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
  const done = runs - failed;
  const share = done === 0 ? 0 : found / (done * safe.length);
  const destructive = [...arrived.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${runs} runs, ${failed} failed, ${((performance.now() - begin) / 1000 / runs).toFixed(1)} s each`);
  console.log(`${destructive} destructive requests arrived`);
  for (const [key, count] of arrived) console.log(`  ${count} × ${key}`);
  console.log(`${(share * 100).toFixed(1)} % of ${safe.length} safe states found (goal ${GOAL * 100} %)`);
  for (const [name, count] of missed) console.log(`  ${count} × missed: ${name}`);
  if (destructive > 0 || failed > 0 || share < GOAL) process.exitCode = 1;
}

await main();
