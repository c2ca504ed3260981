// The measurements as text.

const seconds = (ms) => (ms / 1000).toFixed(2);
const times = (ratio) => `${ratio.toFixed(ratio < 10 ? 1 : 0)}x`;

// Left-aligned first column, the rest to the right.
export function table(head, rows) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const draw = (line) => line
    .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
    .join('  ');
  return [draw(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(draw)].join('\n');
}

const perEdge = (side) => (side.edges ? (side.commands / side.edges).toFixed(1) : '-');

// Cells of the baseline and of how much faster topodb is; of one that did not finish, lower bounds.
function baselineCells(topodb, baseline) {
  if (!baseline) return Array(6).fill('-');
  const wall = seconds(baseline.wallMs);
  const faster = times(baseline.wallMs / topodb.wallMs);
  if (baseline.unfinished) return [`>${wall}`, '-', '-', '-', `>${faster}`, '-'];
  return [wall, seconds(baseline.workMs), String(baseline.commands), perEdge(baseline),
    faster, times(baseline.workMs / topodb.workMs)];
}

// Seconds from start to end of the process ("wall") and without starting and ending the browser
// ("work"); commands to the browser, in all and for each edge.
export function captureTable(rows) {
  const head = ['task', 'topodb wall', 'work', 'commands', 'an edge',
    'baseline wall', 'work', 'commands', 'an edge', 'faster wall', 'work'];
  return table(head, rows.map(({ task, topodb, baseline }) => [
    task.name,
    seconds(topodb.wallMs), seconds(topodb.workMs), String(topodb.commands), perEdge(topodb),
    ...baselineCells(topodb, baseline),
  ]));
}

export function startTable(rows) {
  return table(['start to end', 'ms'], rows.map(({ name, ms }) => [name, ms.toFixed(1)]));
}

// One line a goal: what was measured, and whether that meets it. A goal whose rows were not
// measured is left out.
export function goalLines(rows) {
  const ofMode = (mode) => rows.filter(({ task }) => task.mode === mode);
  const ratioOf = (name) => rows
    .filter(({ task, baseline }) => task.name === name && baseline)
    .map(({ topodb, baseline }) => baseline.wallMs / topodb.wallMs);
  const goals = [
    { text: 'commands of a scan, at any size', values: ofMode('scan').map(({ topodb }) => topodb.commands), most: 60 },
    { text: 'commands an edge of an exploration', values: ofMode('explore').map(({ topodb }) => topodb.commands / topodb.edges), most: 60 },
    { text: 'explore 25 50 buttons: times faster (hoped for: 40)', values: ratioOf('explore 25 50 buttons'), least: 20 },
    { text: 'scan 1000 buttons: times faster', values: ratioOf('scan 1000 buttons'), least: 90 },
  ];
  return table(['goal', 'limit', 'measured', ''], goals.filter(({ values }) => values.length).map(
    ({ text, values, most, least }) => {
      const worst = most ? Math.max(...values) : Math.min(...values);
      const met = most ? worst <= most : worst >= least;
      return [text, most ? `<= ${most}` : `>= ${least}`, worst.toFixed(1), met ? 'met' : 'MISSED'];
    }));
}
