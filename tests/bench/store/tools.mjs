// Programs started, measured and weighed.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// {stdout}; a program that fails is an error. `input` is its standard input.
export async function run(program, args, { input = '', to } = {}) {
  const child = spawn(program, args, { stdio: ['pipe', to ?? 'pipe', 'pipe'] });
  const texts = ['', ''];
  [child.stdout, child.stderr].forEach((stream, i) => {
    stream?.setEncoding('utf8').on('data', (text) => { texts[i] += text; });
  });
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise((resolve, reject) => { child.on('error', reject).on('close', resolve); });
  if (code !== 0) throw new Error(`${program} ${args.join(' ').slice(0, 300)}: exit code ${code}\n${texts[1].slice(-2000)}`);
  return { stdout: texts[0] };
}

// {cpuMs, rssMb, out}: the median of processor time, the largest memory, what it wrote.
export async function cost({ measure }, times, command, options) {
  const { stdout } = await run(measure, [String(times), ...command], options);
  return JSON.parse(stdout);
}

// Bytes of a file, or of everything in a directory.
export function sizeOf(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return 0;
  if (!status.isDirectory()) return status.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
