/**
 * `npm run screenshots`: first screens of reports in `docs/pictures`, made in Chromium: a run of each machine and one
 * of a machine without a view, at two widths, light and dark.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHROMIUM, LAUNCH } from '../packages/consumer-check/lib/browser.mjs';
import { install, prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

const PICTURES = join(root, 'docs', 'pictures');
const RUNS = {
  gate: 'gate-support',
  intent: 'intent-several-proposers',
  task: 'controller-e2e-change-path',
  plan: 'planner-e1-agent',
  world: 'ecology-21-mandate',
  unknown: 'tally-spend-and-failures',
};
const SCREENS = [
  { viewport: { width: 1_280, height: 900 }, deviceScaleFactor: 0.5 },
  { viewport: { width: 400, height: 800 }, deviceScaleFactor: 0.5 },
];

prepare();
install(join('scripts', 'checks'));
if (CHROMIUM === undefined) {
  console.error('screenshots: there is no chromium here (apt-get install chromium)');
  process.exit(1);
}
const { renderReport, shellFor } = await import('@assay/explorer');
const { buildShell } = await import('@assay/explorer/build');
const folder = join(root, 'reports', 'screenshots');
mkdirSync(folder, { recursive: true });
mkdirSync(PICTURES, { recursive: true });
const module = join(folder, 'unknown.mjs');
writeFileSync(module, `import { tally } from '@assay/testing/tally';\nexport const machines = [tally];\n`);
const { page: unknown } = await buildShell({ module });

const { chromium } = createRequire(join(root, 'scripts', 'checks', 'package.json'))('playwright-core');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: LAUNCH, headless: true });
let bytes = 0;
try {
  for (const [name, run] of Object.entries(RUNS)) {
    const ledger = readFileSync(join(root, 'golden-fixtures', run, 'ledger.jsonl'));
    const report = join(folder, `${name}.html`);
    const { machine } = JSON.parse(ledger.toString().split('\n', 1)[0]).payload;
    writeFileSync(
      report,
      renderReport(ledger, name === 'unknown' ? unknown : shellFor(machine.name, machine.engine)),
    );
    for (const screen of SCREENS)
      for (const colorScheme of ['light', 'dark']) {
        const page = await browser.newPage({ ...screen, colorScheme });
        await page.goto(pathToFileURL(report).href);
        await page.waitForSelector('html[data-assay=checked]');
        await page.waitForSelector('.turn, [data-panel=transcript]');
        const path = join(PICTURES, `${name}-${screen.viewport.width}-${colorScheme}.jpg`);
        await page.screenshot({ path, quality: 26, type: 'jpeg' });
        bytes += statSync(path).size;
        await page.close();
      }
  }
  console.log(`docs/pictures: ${Object.keys(RUNS).length * SCREENS.length * 2} pictures, ${bytes} bytes`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
