/**
 * One Chromium for every test of the page, and the ways to look at one. Nothing but the file and its own
 * worker may be asked for: every page is watched.
 *
 * @module
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replayable } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { controller } from '@assay/controller';
import { memory } from '@assay/controller/memory';
import { ecology, ecologyMachine } from '@assay/ecology';
import { gate } from '@assay/gate/machine';
import { planner } from '@assay/planner';
import { renderReport, shellFor } from '@assay/explorer';
import { nodeEngine } from '@assay/ecology/sandbox/node';
import { tally } from '@assay/testing/tally';
import { CHROMIUM, LAUNCH } from '../../../consumer-check/lib/browser.mjs';

const ROOT = new URL('../../../../', import.meta.url);
const tools = createRequire(new URL('scripts/checks/package.json', ROOT));
const GOLDEN = new URL('golden-fixtures/', ROOT);

/** The machines that a report may be of. */
const all = [intent, gate, controller, memory, planner, tally, ecology, ecologyMachine(await nodeEngine())];
export const machines = all.map((machine) => replayable(machine));
/** Where the pages of a test lie. */
export const folder = mkdtempSync(join(tmpdir(), 'assay-explorer-'));

const { chromium } = tools('playwright-core');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: LAUNCH, headless: true });
const contexts = new Map();

/** One test; those of a file run one after the other. */
export function check(name, go) {
  void test(name, { timeout: 60_000 }, go);
}

/** Tests that are the same for each name, two at a time. */
export function checkEach(title, names, go) {
  void describe(title, { concurrency: 2 }, () => {
    for (const name of names) check(name, () => go(name));
  });
}

/** Ends the browser. */
export async function close() {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The text of axe, which is never shipped. */
export const axe = readFileSync(tools.resolve('axe-core/axe.min.js'), 'utf8');

/** Bytes of a golden fixture's ledger. */
export function golden(name) {
  return readFileSync(new URL(`${name}/ledger.jsonl`, GOLDEN));
}

/** Names of fixtures; `below`: `forgeries/` for the forged ones. */
export function fixtures(below = '') {
  return readdirSync(new URL(below, GOLDEN), { recursive: true })
    .filter((name) => /^[^/]+\/ledger\.jsonl$/.test(name))
    .map((name) => `${below}${name.replace('/ledger.jsonl', '')}`)
    .sort();
}

/** The shell for a ledger, by the machine that its first line names. */
export function shellOf(ledger) {
  const machine = /"machine":\{"engine":(null|"[^"]+"),"name":"([a-z]+)"/.exec(
    ledger.subarray(0, 4_000_000).toString(),
  );
  return shellFor(machine?.[2] ?? '', JSON.parse(machine?.[1] ?? 'null'));
}

/** Writes a page and gives its address. */
export function written(name, page) {
  const path = join(folder, `${name.replaceAll('/', '-')}.html`);
  writeFileSync(path, page);
  return pathToFileURL(path).href;
}

/** A report of a ledger as a file. */
export function reported(name, ledger) {
  return written(name, renderReport(ledger, shellOf(ledger)));
}

/** A page at an address. `asked`: what it asked for besides; `broken`: what it threw or refused itself. */
export async function opened(url, options = {}) {
  const key = JSON.stringify(options);
  if (!contexts.has(key))
    contexts.set(key, await browser.newContext({ viewport: { width: 1240, height: 900 }, ...options }));
  const page = await contexts.get(key).newPage();
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(page.home) && !/^blob:(?:null|file:\/\/|http:\/\/127\.0\.0\.1)/.test(to))
      page.asked.push(to);
  });
  page.on('pageerror', (error) => page.broken.push(String(error)));
  page.on('dialog', (dialog) => {
    page.broken.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') page.broken.push(message.text());
  });
  return visit(page, url);
}

/** A page that goes to an address. */
async function visit(page, url) {
  Object.assign(page, { home: url.split('#')[0], asked: [], broken: [] });
  await page.goto(url);
  return page;
}

/** What `look` finds in a page at an address: one that was opened before where there is one, for a new one is dear. */
export async function lookAt(url, look) {
  const page = idle.pop();
  const shown = await (page === undefined ? opened(url) : visit(page, url));
  await look(shown);
  idle.push(shown);
}

const idle = [];

/** The page once it came to an end: 'checked' or 'error'. */
export async function ended(page) {
  await page.waitForFunction(() => document.documentElement.dataset.assay !== 'checking', null, {
    timeout: 60_000,
  });
  return page.evaluate(() => document.documentElement.dataset.assay);
}

/** Another page of the explorer. */
export async function go(page, route) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, route);
  const name = /^#\/([a-z]+)/.exec(route)[1];
  await page.waitForSelector(`[data-page="${name}"] > *`);
}

/** Verdicts as the page shows them: [check, verdict, code, record]. */
export function verdictsIn(page) {
  return page.$$eval('.trust [data-check]', (all) =>
    all.map(({ dataset: { check, verdict, code, record } }) => [check, verdict, code, record]),
  );
}

/** The same of a document. */
export function verdictsOf({ checks }) {
  return Object.entries(checks).map(([check, { verdict, code, record }]) => [
    check,
    verdict,
    code ?? '',
    record === null ? '' : String(record),
  ]);
}
