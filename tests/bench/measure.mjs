// Runs one program once and measures it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BASELINE = fileURLToPath(new URL('baseline/main.mjs', import.meta.url));

// A program that was ended because it took too long.
export class TookTooLong extends Error {}

// {ms, stdout}; a program that fails is an error.
export async function timeProgram(program, args, { timeoutMs, env = {} }) {
  const begin = performance.now();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: timeoutMs,
  });
  const texts = ['', ''];
  [child.stdout, child.stderr].forEach((stream, i) => {
    stream.setEncoding('utf8').on('data', (text) => { texts[i] += text; });
  });
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (...ending) => resolve(ending));
  });
  const ms = performance.now() - begin;
  if (ms >= timeoutMs) throw new TookTooLong(`${program} ${args.join(' ')}: not done after ${timeoutMs} ms`);
  if (code !== 0) {
    const why = signal ? `ended by ${signal}` : `exit code ${code}`;
    throw new Error(`${program} ${args.join(' ')}: ${why}\n${texts[1].slice(-2000)}`);
  }
  return { ms, stdout: texts[0] };
}

// Both give {wallMs, workMs, commands, elements, edges}: from start to end of the process, from
// the open browser to the last look, commands to the browser after its start.
export async function runTopodb({ topodb, browser, database, timeoutMs }, { mode, url, maxActions, jobs }) {
  const args = ['capture', url, '--mode', mode, '--db', database, '--browser', browser,
    '--format', 'json', '--quiet'];
  if (mode === 'explore') args.push('--max-actions', String(maxActions));
  if (jobs) args.push('--jobs', String(jobs));
  const { ms, stdout } = await timeProgram(topodb, args, { timeoutMs });
  const run = JSON.parse(stdout);
  return {
    wallMs: ms,
    workMs: Date.parse(run.endedAt) - Date.parse(run.generatedAt),
    commands: run.protocolCommands,
    elements: run.counts.elements,
    edges: run.counts.edges,
  };
}

// One that takes too long is a result of its own: {wallMs, unfinished}.
export async function runBaseline({ browser, timeoutMs }, { mode, url, maxActions }) {
  const args = [BASELINE, mode, url, '--browser', browser];
  if (mode === 'explore') args.push('--max-actions', String(maxActions));
  try {
    const { ms, stdout } = await timeProgram(process.execPath, args, { timeoutMs });
    return { wallMs: ms, ...JSON.parse(stdout) };
  } catch (error) {
    if (error instanceof TookTooLong) return { wallMs: timeoutMs, unfinished: true };
    throw error;
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The median of each number that a run gives.
export function medians(runs) {
  const names = Object.keys(runs[0]).filter((name) => typeof runs[0][name] === 'number');
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))]));
}
