// The pages that are measured: generated ones of any number of buttons, from a seed, and fixtures.
import { createServer } from 'node:http';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const SUBJECTS = ['harbour', 'orchard', 'quarry', 'bakery', 'library', 'garden', 'station', 'mill'];
const KINDS = ['hours', 'staff', 'prices', 'history', 'rooms', 'suppliers', 'routes', 'notes'];
const BUTTONS_A_SECTION = 10;

// Mulberry32: small, seeded, the same everywhere.
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Each button shows a text of its own below it and asks no server. Every name is unique; two in
// three buttons have a test id, one in three an id.
export function buttonPage(count, seed) {
  const random = seededRandom(seed);
  const pick = (words) => words[Math.floor(random() * words.length)];
  const button = (number) => {
    const name = `Show ${pick(SUBJECTS)} ${pick(KINDS)} ${number}`;
    const testId = number % 3 === 0 ? '' : ` data-testid="show-${number}"`;
    const id = number % 3 === 1 ? ` id="b${number}"` : '';
    return `<li><button type="button"${id}${testId} onclick="reveal(this)">${name}</button>` +
      `<p hidden>Number ${number}: the ${pick(SUBJECTS)} keeps its ${pick(KINDS)} here.</p></li>`;
  };
  const sections = [];
  for (let first = 0; first < count; first += BUTTONS_A_SECTION) {
    const numbers = Array.from({ length: Math.min(BUTTONS_A_SECTION, count - first) }, (_, i) => first + i);
    sections.push(`<section aria-label="Part ${first / BUTTONS_A_SECTION}">` +
      `<ul>${numbers.map(button).join('\n')}</ul></section>`);
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${count} buttons</title>
<style>ul { display: flex; flex-wrap: wrap; gap: 4px; list-style: none; padding: 0 }</style></head>
<body><h1>${count} buttons</h1>
${sections.join('\n')}
<script>const reveal = (button) => { button.nextElementSibling.hidden = false; };</script>
</body></html>
`;
}

// Writes the pages into `folder`; returns {page: file name}.
export async function writePages(folder, counts, seed) {
  await mkdir(folder, { recursive: true });
  const pages = { accounts: 'accounts.html' };
  await copyFile(join(FIXTURES, pages.accounts), join(folder, pages.accounts));
  for (const count of counts) {
    pages[`${count} buttons`] = `buttons-${count}.html`;
    await writeFile(join(folder, `buttons-${count}.html`), buttonPage(count, seed + count));
  }
  return pages;
}

// Serves the files of `folder` on loopback; `close` ends it.
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const file = join(folder, basename(new URL(request.url, 'http://localhost').pathname));
    const body = await readFile(file).catch(() => null);
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(body ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { base: `http://127.0.0.1:${server.address().port}/`, close };
}
