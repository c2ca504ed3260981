// Runs a DevTools recording with @puppeteer/replay: node play_recording.mjs FILE BROWSER
import fs from 'node:fs';
import puppeteer from 'puppeteer-core';
import { createRunner, parse, PuppeteerRunnerExtension } from '@puppeteer/replay';

const [file, browserPath] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  const flow = parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const runner = await createRunner(flow, new PuppeteerRunnerExtension(browser, page, 10_000));
  await runner.run();
} finally {
  await browser.close();
}
