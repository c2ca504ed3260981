#!/usr/bin/env node
// Captures one page again and again and compares the exports byte by byte, without the run's id
// and times: there should be one. `node repeat.mjs --help` lists the options.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { timeProgram } from './measure.mjs';

const HELP = `usage: node repeat.mjs [OPTION…]

  --topodb PATH      the program [build/release/cli/topodb]
  --page FILE|URL    what is captured [fixtures/accounts.html]
  --runs N           how often [100]
  --timeout SECONDS  for one run [60]`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OPTIONS = {
  topodb: { type: 'string', default: here('../../build/release/cli/topodb') },
  page: { type: 'string', default: here('../../fixtures/accounts.html') },
  runs: { type: 'string', default: '100' },
  timeout: { type: 'string', default: '60' },
  help: { type: 'boolean', short: 'h', default: false },
};

// What differs between two runs that saw the same: the run's id, moments and durations.
const withoutTimes = (text, id) => text
  .replaceAll(id, 'RUN')
  .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'TIME')
  .replace(/("(?:elapsedMs|protocolCommands)": ?)\d+/g, '$1N');

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const timeoutMs = Number(values.timeout) * 1000;
  const folder = await mkdtemp(join(tmpdir(), 'topodb-repeat-'));
  const seen = new Map();  // hash -> the runs that gave it
  let bytes = 0;
  try {
    for (let run = 1; run <= Number(values.runs); run++) {
      const out = join(folder, 'run.json');
      const { stdout } = await timeProgram(values.topodb, ['capture', values.page, '--db', join(folder, 'db'),
        '--quiet', '--format', 'json', '--out', out], { timeoutMs });
      const text = withoutTimes(await readFile(out, 'utf8'), JSON.parse(stdout).crawlSessionId);
      await rm(out);
      bytes = text.length;
      const hash = createHash('sha256').update(text).digest('hex');
      seen.set(hash, [...(seen.get(hash) ?? []), run]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`${values.runs} captures, ${seen.size} different ${seen.size === 1 ? 'export' : 'exports'} of ${bytes} bytes`);
  for (const [hash, runs] of seen) console.log(`${hash.slice(0, 12)}  ${runs.length} runs: ${runs.slice(0, 20).join(' ')}`);
  if (seen.size !== 1) process.exitCode = 1;
}

await main();
