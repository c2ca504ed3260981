// The same records in SQLite and DuckDB, with the columns and indexes that the questions need.
import { join } from 'node:path';

// Tables are called as the export calls their records.
const TABLES = {
  state: { id: 'stateId', columns: { url: 'url', route: 'route' }, indexes: [['url']] },
  element: {
    id: 'elementId',
    columns: { state: 'stateId', role: 'role', name: 'accessibleName' },
    indexes: [['state'], ['role', 'name']],
  },
  edge: {
    id: 'edgeId',
    columns: { from_state: 'fromStateId', to_state: 'toStateId', element: 'elementId', risk: 'riskLevel' },
    indexes: [['from_state'], ['to_state'], ['risk']],
  },
  skip: { id: 'skippedActionId', columns: { state: 'stateId', element: 'elementId' }, indexes: [['state']] },
  failure: { id: 'failedObservationId', columns: { state: 'stateId', element: 'elementId' }, indexes: [['state']] },
};
const eachTable = (make) => Object.entries(TABLES).map(([name, table]) => make(name, table)).join('\n');

// Statements for the sqlite3 program. A record's hash stands beside it, as topodb's does.
export function sqliteLoad(folder, runs) {
  const schema = eachTable((name, { columns, indexes }) => `
CREATE TABLE ${name}(run INT, id TEXT, ${Object.keys(columns).join(' TEXT, ')} TEXT, hash BLOB, json TEXT, PRIMARY KEY(run, id)) WITHOUT ROWID;
${indexes.map((by) => `CREATE INDEX ${name}_${by.join('_')} ON ${name}(run, ${by.join(', ')});`).join('\n')}`);
  const load = runs.map((run) => `
CREATE TEMP TABLE raw(line TEXT);
.import ${join(folder, `${run}.jsonl`)} raw
INSERT INTO run VALUES(${run}, 'run${run}');
${eachTable((name, { id, columns }) => `INSERT INTO ${name} SELECT ${run}, line->>'${id}', ${
    Object.values(columns).map((column) => `line->>'${column}'`).join(', ')}, substr(sha3(line, 224), 1, 8), line
  FROM raw WHERE line->>'record' = '${name}';`)}
DROP TABLE raw;`).join('\n');
  return `PRAGMA journal_mode = WAL;
.mode ascii
.separator "\\037" "\\n"
CREATE TABLE run(number INTEGER PRIMARY KEY, name TEXT UNIQUE);
${schema}
BEGIN;
${load}
COMMIT;
ANALYZE;`;
}

export function duckdbLoad(folder, runs) {
  const schema = eachTable((name, { columns }) =>
    `CREATE TABLE ${name}(run INT, id TEXT, ${Object.keys(columns).join(' TEXT, ')} TEXT, hash UBIGINT, json TEXT);`);
  const load = runs.map((run) => `INSERT INTO run VALUES(${run}, 'run${run}');
${eachTable((name, { id, columns }) => `INSERT INTO ${name} SELECT ${run}, json->>'$.${id}', ${
    Object.values(columns).map((column) => `json->>'$.${column}'`).join(', ')}, hash(json::TEXT), json::TEXT
  FROM read_ndjson_objects('${join(folder, `${run}.jsonl`)}') WHERE json->>'$.record' = '${name}';`)}`);
  return `CREATE TABLE run(number INT, name TEXT);\n${schema}\n${load.join('\n')}\nCHECKPOINT;`;
}

const runNumber = (name) => `(SELECT number FROM run WHERE name = '${name}')`;

// The questions, in SQL that both understand.
export const questions = {
  edges: (run, state) => `SELECT json FROM edge WHERE run = ${runNumber(run)} AND from_state = '${state}'`,
  names: (run, role, part) =>
    `SELECT count(*) FROM element WHERE run = ${runNumber(run)} AND role = '${role}' AND name LIKE '%${part}%'`,
  allNames: (role, part) => `SELECT count(*) FROM element WHERE role = '${role}' AND name LIKE '%${part}%'`,
  diff: (a, b) => Object.keys(TABLES).map((name) => [[a, b], [b, a]].map(([one, other]) =>
    `SELECT '${name}', x.json FROM ${name} x LEFT JOIN ${name} y ON y.run = ${runNumber(other)} AND y.id = x.id
     WHERE x.run = ${runNumber(one)} AND (y.id IS NULL OR y.hash <> x.hash)`)).flat().join(' UNION ALL '),
  // That every reference leads somewhere.
  check: (run) => [['edge', 'from_state', 'state'], ['edge', 'to_state', 'state'], ['edge', 'element', 'element'],
    ['element', 'state', 'state'], ['skip', 'state', 'state'], ['skip', 'element', 'element'],
    ['failure', 'state', 'state'], ['failure', 'element', 'element']].map(([name, column, target]) =>
    `SELECT count(*) FROM ${name} x WHERE ${run ? `x.run = ${runNumber(run)} AND` : ''} x.${column} IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM ${target} y WHERE y.run = x.run AND y.id = x.${column})`).join(' UNION ALL '),
};
