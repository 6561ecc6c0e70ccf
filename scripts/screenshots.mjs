/**
 * `npm run screenshots`: the picture of the README, made of the demo run in Chromium.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHROMIUM, LAUNCH } from '../packages/consumer-check/lib/browser.mjs';
import { install, prepare } from './lib/prepare.mjs';
import { capture, root } from './lib/run.mjs';

const PICTURES = join(root, 'docs', 'pictures');
const VIEWPORT = { width: 1180, height: 900 };

prepare();
install(join('scripts', 'checks'));
if (CHROMIUM === undefined) {
  console.error('screenshots: there is no chromium here (apt-get install chromium)');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const command = join(root, 'packages', 'cli', 'bin', 'assay.mjs');
capture(process.execPath, [command, 'demo'], { cwd: folder });
const ledger = join(folder, 'assay-demo', 'run.ledger.jsonl');
const report = join(folder, 'report.html');
const { code, stderr } = capture(process.execPath, [command, 'report', ledger, '-o', report]);
if (code !== 0) throw new Error(stderr);

const { chromium } = createRequire(join(root, 'scripts', 'checks', 'package.json'))('playwright-core');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: LAUNCH, headless: true });
mkdirSync(PICTURES, { recursive: true });
try {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: 'light' });
  await page.goto(pathToFileURL(report).href);
  await page.waitForSelector('html[data-assay=checked]');
  for (const [route, name] of [['#/overview', 'report.png']]) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, route);
    await page.waitForSelector(`main[data-page="${route.slice(2)}"] > *`);
    await page.screenshot({ path: join(PICTURES, name) });
    console.log(`docs/pictures/${name}`);
  }
} finally {
  await browser.close();
}
