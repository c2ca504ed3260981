// The plain Playwright program that topodb is measured against: what a careful tester writes by
// hand to list a page's elements with working locators (scan), and to see what each click does
// (explore). Nothing in it waits longer than Playwright's own means make it wait.
//
//   node main.mjs scan|explore URL [--max-actions N] [--browser PATH]
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

import { takeInventory } from './inventory.mjs';
import { countCommands } from './protocol_counter.mjs';

const commandsSent = countCommands();
// Playwright is one of the packages that tests/web pins.
const { chromium } = createRequire(new URL('../../web/', import.meta.url))('playwright-core');

const DANGEROUS = /\b(delete|remove|send|pay|buy|submit|sign out|log out|cancel)\b/i;
const CLICK_TIMEOUT = { timeout: 2000 };

async function openPage(context, url) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  return page;
}

const isCandidate = ({ role, type, name, inForm, enabled }) =>
  enabled && ['button', 'link', 'tab', 'menuitem'].includes(role) && !DANGEROUS.test(name) &&
  !(inForm && type !== 'button');

// Clicks one element of a fresh page; elements keep their place in the inventory.
async function tryClick(context, url, index) {
  const page = await openPage(context, url);
  try {
    const before = await takeInventory(page);
    const locator = before.elements[index]?.locators[0];
    if (!locator) return { failed: 'no locator means this element alone' };
    const target = locator.make(page);
    await target.click({ ...CLICK_TIMEOUT, trial: true });
    await target.click(CLICK_TIMEOUT);
    await page.waitForLoadState('networkidle');
    const after = await takeInventory(page);
    return { changed: before.text !== after.text || before.url !== after.url };
  } catch (error) {
    return { failed: error.message };
  } finally {
    await page.close();
  }
}

async function explore(context, url, entry, maxActions) {
  const candidates = [...entry.elements.keys()].filter((i) => isCandidate(entry.elements[i]));
  const outcomes = [];
  for (const index of candidates.slice(0, maxActions)) {
    outcomes.push(await tryClick(context, url, index));
  }
  return outcomes;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'max-actions': { type: 'string', default: '50' },
      browser: { type: 'string', default: '/usr/bin/chromium' },
    },
  });
  const [mode, url] = positionals;
  const browser = await chromium.launch({ executablePath: values.browser, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
    const begin = performance.now();
    const sentAtStart = commandsSent();
    const entry = await takeInventory(await openPage(context, url));
    const outcomes =
      mode === 'explore' ? await explore(context, url, entry, Number(values['max-actions'])) : [];
    console.log(JSON.stringify({
      elements: entry.elements.length,
      locators: entry.elements.reduce((sum, { locators }) => sum + locators.length, 0),
      edges: outcomes.filter(({ failed }) => !failed).length,
      changes: outcomes.filter(({ changed }) => changed).length,
      failures: outcomes.filter(({ failed }) => failed).map(({ failed }) => failed),
      workMs: performance.now() - begin,
      commands: commandsSent() - sentAtStart,
    }));
  } finally {
    await browser.close();
  }
}

await main();
