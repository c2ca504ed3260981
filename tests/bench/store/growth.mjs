// What storing, checking, comparing and asking cost in runs of several sizes: a line each, to see
// whether it grows as the run does.
import { join } from 'node:path';

import { cost, sizeOf } from './tools.mjs';

const PER_STATE = ['elements', 'edges', 'skips', 'failures'];

export async function measureGrowth(settings, sizes, perState) {
  const rows = [];
  for (const states of sizes) {
    const database = join(settings.folder, `growth-${states}`);
    const fill = await cost(settings, 1, [settings.fill, database, 'runs=2', `states=${states}`, `seed=${settings.seed}`,
      ...PER_STATE.filter((name) => perState[name] !== undefined).map((name) => `${name}=${perState[name]}`)]);
    const topodb = (times, ...args) => cost(settings, times, [settings.topodb, ...args, '--db', database]);
    const [{ counts }] = JSON.parse((await topodb(1, 'runs', '--format', 'json')).out);
    const [{ stateId }] = JSON.parse((await topodb(1, 'query', 'states', '--run', 'run2', '--limit', '1', '--format', 'json')).out);
    const check = await topodb(1, 'check', 'run2', '--format', 'json');
    const diff = await topodb(1, 'diff', 'run1', 'run2', '--summary');
    const edges = await topodb(settings.times, 'query', 'edges', '--run', 'run2', '--from', stateId, '--format', 'json');
    rows.push({
      states, elements: counts.elements, edges: counts.edges,
      'store s': JSON.parse(fill.out).storing / 2, 'disk MB': sizeOf(database) / 2e6,
      'check s': check.cpuMs / 1e3, 'check MB': check.rssMb, 'diff s': diff.cpuMs / 1e3, 'diff MB': diff.rssMb,
      'cold edges ms': edges.cpuMs,
    });
  }
  return rows;
}

export function growthTable(rows) {
  const names = Object.keys(rows[0]);
  const cells = [names, ...rows.map((row) => names.map((name) => {
    const value = row[name];
    return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0);
  }))];
  const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  return cells.map((line) => line.map((cell, i) => cell.padStart(widths[i])).join('  ')).join('\n');
}
