// Runs statements with DuckDB: `node duckdb.mjs DATABASE [SQL]`, or as standard input gives them.
// Without a database it only loads the library, so that what that costs can be taken off.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { DuckDBInstance } = require('@duckdb/node-api');

const [database, question] = process.argv.slice(2);
if (database) {
  const options = { threads: '1', ...(question ? { access_mode: 'READ_ONLY' } : {}) };
  const instance = await DuckDBInstance.create(database, options);
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(question ?? readFileSync(0, 'utf8'));
  for (const row of reader.getRowsJson()) console.log(row.join('|'));
}
