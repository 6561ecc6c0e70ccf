/**
 * A report in Chromium from `file://`: how long a reader waits, and what the page holds. Run after a build:
 *
 *   node packages/explorer/bench/page.bench.mjs [--rounds N]
 *
 * Two runs of 10,000 and 100,000 records: `relay`, of lines of 1.3 kB, in a shell of its own, and one of the
 * controller. Each opening is a browser of its own, so it starts cold; medians of the rounds, of two for
 * 100,000 records. Memory: the largest peak of a renderer (Linux). Without Chromium nothing is measured.
 * `ratio`: the wait by what parsing and hashing the same lines takes in the same page, which says more than
 * seconds on another machine.
 */
import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { encodeLine } from '@assay/kernel';
import { renderReport, shellFor } from '@assay/explorer';
import { buildShell } from '@assay/explorer/build';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { CHROMIUM, LAUNCH } from '../../consumer-check/lib/browser.mjs';
import { roundLines } from '../../controller/bench/rounds.mjs';
import { relayGroups } from '../../verifier/bench/relay.mjs';

const ROUNDS = option('--rounds', 5);
const MIB = 2 ** 20;
const MANY = 100_000;
const FEW = 10_000;
/** Of a second, in which Linux counts processor time. */
const TICKS = 100;
const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = fileOf('../../cli/bin/assay.mjs');
const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const folder = mkdtempSync(join(tmpdir(), 'assay-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Run in the page before its own script: when it drew first, when it ended, when a picture stood there. */
function watching() {
  const at = {};
  globalThis.benchAt = at;
  const look = () => {
    const first = (name, isThere) => {
      if (at[name] === undefined && isThere) at[name] = performance.now();
    };
    first('frame', document.querySelector('[data-check]') !== null);
    const isChecked = document.documentElement.dataset.assay === 'checked';
    first('picture', isChecked && document.querySelector('[data-panel], .head') !== null);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Run in the page: the longest frame of a second of scrolling, then how long a jump waits for its rows. */
async function scrolled() {
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  const list = document.querySelector('.window');
  const tasks = [0];
  const observer = new PerformanceObserver((seen) => {
    for (const { duration } of seen.getEntries()) tasks.push(duration);
  });
  observer.observe({ entryTypes: ['longtask'] });
  for (let step = 1; step <= 120; step += 1) {
    list.scrollTop = (list.scrollHeight * step) / 130;
    await frame();
  }
  await new Promise((go) => setTimeout(go, 200));
  observer.disconnect();
  const waits = [];
  for (const part of [0.31, 0.77, 0.05, 0.93, 0.5]) {
    const began = performance.now();
    list.scrollTop = list.scrollHeight * part;
    const wanted = String(Math.floor((list.scrollTop + 60) / 32));
    while (!(document.querySelector(`[data-row="${wanted}"] .text`)?.textContent ?? '')) await frame();
    waits.push(performance.now() - began);
  }
  return { longest: Math.max(...tasks), jump: Math.max(...waits) };
}

/** Run in the page: milliseconds until it says this; `go`: what is clicked or where it goes. */
async function until([go, selector, says]) {
  const began = performance.now();
  if (go.startsWith('#')) location.hash = go;
  else if (go !== '') document.querySelector(go).click();
  const isThere = () =>
    [...document.querySelectorAll(selector)].some(({ textContent }) => new RegExp(says).test(textContent));
  while (!isThere()) await new Promise((next) => setTimeout(next));
  return performance.now() - began;
}

/** Run in the page: milliseconds that parsing and hashing each line of its ledger takes, the least of three. */
const BARE = `(async () => {
  ${readFileSync(fileOf('../dist/engine/sha256.js'), 'utf8')
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '')}
  const packed = document.getElementById('assay-ledger').textContent;
  const bytes = Uint8Array.from(atob(packed), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = new TextDecoder();
  const waits = [];
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now();
    for (let from = 0; from < all.length; ) {
      const line = all.subarray(from, all.indexOf(10, from));
      JSON.parse(text.decode(line));
      pageSha256(line);
      from += line.length + 1;
    }
    waits.push(performance.now() - began);
  }
  return Math.min(...waits);
})()`;

/** A page in a browser of its own. */
async function inBrowser(url, use) {
  const { chromium } = createRequire(fileOf('../../../scripts/checks/package.json'))('playwright-core');
  const server = await chromium.launchServer({ executablePath: CHROMIUM, args: LAUNCH, headless: true });
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({ viewport: { width: 1240, height: 900 } });
    page.setDefaultTimeout(120_000);
    await page.addInitScript(watching);
    await page.goto(url, { timeout: 120_000, waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.benchAt.picture !== undefined);
    const at = await page.evaluate(() => globalThis.benchAt);
    const spent = spentBy(server.process().pid);
    const used = await use(page);
    const bare = url.startsWith('file:') ? await page.evaluate(BARE) : null;
    return { ...at, ...spent, ...used, bare };
  } finally {
    await server.close();
  }
}

/**
 * MiB at their peak and seconds of processor time of the renderer that held most, among the processes of a
 * browser; zeros where the system does not tell. The time says what a wait is on a quiet machine.
 */
function spentBy(browser) {
  const spent = [{ peak: 0, cpu: 0 }];
  for (const pid of process.platform === 'linux' ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      if (!isUnder(pid, browser)) continue;
      const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      spent.push({ peak: Number(kib) / 1_024, cpu: timeOf(pid) });
    } catch {
      // It ended meanwhile.
    }
  }
  return spent.reduce((most, one) => (one.peak > most.peak ? one : most));
}

/** Seconds of processor time of a process. */
function timeOf(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / TICKS;
}

function isUnder(pid, wanted) {
  for (let at = Number(pid); at > 1; ) {
    if (at === wanted) return true;
    at = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${at}/status`, 'utf8'))?.[1] ?? 0);
  }
  return false;
}

function* relayLines(count) {
  let left = count;
  for (const records of relayGroups(count, sha256)) {
    yield records
      .slice(0, left)
      .map((record) => `${encodeLine(record)}\n`)
      .join('');
    left -= records.length;
  }
}

function written(name, lines) {
  const path = join(folder, name);
  writeFileSync(path, '');
  for (const some of lines) appendFileSync(path, some);
  return path;
}

/** Several openings; the middle of each figure, the largest peak. */
async function openings(rounds, ledger, shell, use = () => ({})) {
  const bytes = readFileSync(ledger);
  const path = `${ledger}.html`;
  writeFileSync(path, renderReport(bytes, shell));
  const seen = [];
  for (let round = 0; round < rounds; round += 1)
    seen.push(await inBrowser(pathToFileURL(path).href, round === 0 ? use : () => ({})));
  const middle = (name) => median(seen.map((one) => one[name])) / 1e3;
  const peak = Math.max(...seen.map((one) => one.peak));
  const cpu = median(seen.map((one) => one.cpu));
  const ratio = median(seen.map(({ picture, bare: least }) => picture / least));
  const mib = bytes.length / MIB;
  const [frame, seconds, bare] = ['frame', 'picture', 'bare'].map(middle);
  return { ...seen[0], frame, seconds, bare, ratio, cpu, peak, mib };
}

/** Appends a record to a run that is followed; milliseconds until the page has judged it. */
async function live(ledger) {
  const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
  const first = lines.length - ROUNDS - 1;
  const path = written('live.jsonl', [`${lines.slice(0, first).join('\n')}\n`]);
  const child = spawn(process.execPath, [COMMAND, 'report', path, '--serve'], {
    env: { ...process.env, BROWSER: 'none' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const url = await new Promise((go) => child.stdout.once('data', (text) => go(String(text).trim())));
    const { waits } = await inBrowser(url, async (page) => {
      const waited = [];
      for (let at = first; at < first + ROUNDS; at += 1) {
        const began = Date.now();
        appendFileSync(path, `${lines[at]}\n`);
        await page.evaluate(until, ['', '.about', `${at + 1} records`]);
        waited.push(Date.now() - began);
      }
      return { waits: waited };
    });
    return median(waits);
  } finally {
    child.kill('SIGINT');
  }
}

const isHere = CHROMIUM !== undefined;
const figures = isHere ? await measured() : null;
const of = (pick) => (figures === null ? null : pick(figures));
console.log(
  JSON.stringify(
    shown(
      {
        bench: 'explorer-page',
        node: process.version,
        machine: machine(),
        chromium: isHere ? spawnSync(CHROMIUM, ['--version'], { encoding: 'utf8' }).stdout.trim() : null,
        rounds: ROUNDS,
        ...figures,
        targets: targets(),
      },
      3,
    ),
  ),
);

async function measured() {
  const { page: relayShell } = await buildShell({ module: fileOf('../../attest/bench/relay-machines.mjs') });
  const shell = shellFor('controller');
  const relayFew = written('relay-10k.jsonl', relayLines(FEW));
  const few = written('controller-10k.jsonl', roundLines(FEW, sha256));
  const relay = await openings(ROUNDS, relayFew, relayShell, async (page) => ({
    forge_first: await page
      .evaluate(until, ['#/break', 'button.primary', 'Forge'])
      .then(() => page.evaluate(until, ['button.primary', 'tr[data-attack=edit]', 'integrity'])),
    forge_rest: await page.evaluate(until, ['', 'button.primary', 'Forge six']),
  }));
  const controller = await openings(ROUNDS, few, shell, async (page) => ({
    graph: await page.evaluate(until, ['#/graph', '.says', '^1[0-9]{3} nodes']),
  }));
  const report = median(
    Array.from({ length: ROUNDS }, () => {
      const began = performance.now();
      const args = [COMMAND, 'report', few, '-o', join(folder, 'report.html')];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      rmSync(join(folder, 'report.html'));
      return (performance.now() - began) / 1e3;
    }),
  );
  const followed = (await live(few)) / 1e3;
  const many = written('relay-100k.jsonl', relayLines(MANY));
  const relayMany = await openings(2, many, relayShell, async (page) => {
    await page.evaluate(until, ['#/ledger', '[data-row] .text', '.']);
    const { longest, jump } = await page.evaluate(scrolled);
    const began = performance.now();
    await page.fill('#search', 'no record holds this');
    await page.evaluate(until, ['', '.filters [role=status]', '^no record;']);
    return { longest, jump, search: performance.now() - began };
  });
  const manyOfIt = written('controller-100k.jsonl', roundLines(MANY, sha256));
  const controllerMany = await openings(2, manyOfIt, shell);
  return { relay, controller, relayMany, controllerMany, report, live: followed };
}

function targets() {
  return [
    atMost(
      'page-relay-10k',
      'a report of 10,000 records of `relay`, opened until every verdict and the first picture',
      of(({ relay }) => relay.seconds),
      1,
      's',
    ),
    atMost(
      'page-controller-10k',
      'the same of a controller run',
      of(({ controller }) => controller.seconds),
      1.8,
      's',
    ),
    atMost(
      'page-relay-100k',
      'a report of 100,000 records of `relay`',
      of(({ relayMany }) => relayMany.seconds),
      6,
      's',
    ),
    atMost(
      'page-controller-100k',
      'the same of a controller run',
      of(({ controllerMany }) => controllerMany.seconds),
      12,
      's',
    ),
    atMost(
      'page-frame',
      'its frame and progress, 10,000 records',
      of(({ relay, controller }) => Math.max(relay.frame, controller.frame)),
      0.3,
      's',
    ),
    atMost(
      'page-memory',
      'peak of the renderer beyond 150 MiB, the worst of the four',
      of(({ relay, controller, relayMany, controllerMany }) =>
        Math.max(
          ...[relay, controller, relayMany, controllerMany].map(({ peak, mib }) => (peak - 150) / mib),
        ),
      ),
      8,
      'times the ledger',
    ),
    atMost(
      'page-scroll',
      'scrolling 100,000 records: the longest task of the main thread',
      of(({ relayMany }) => relayMany.longest),
      50,
      'ms',
    ),
    atMost(
      'page-jump',
      'rows after a jump in 100,000 records, the slowest of five',
      of(({ relayMany }) => relayMany.jump),
      100,
      'ms',
    ),
    atMost(
      'page-search',
      'a search in 100,000 records that finds nothing',
      of(({ relayMany }) => relayMany.search / 1e3),
      1,
      's',
    ),
    atMost(
      'page-graph',
      'the graph page of 1,683 nodes',
      of(({ controller }) => controller.graph / 1e3),
      1,
      's',
    ),
    atMost(
      'page-forge-first',
      'Break it on 10,000 records: the first row',
      of(({ relay }) => relay.forge_first / 1e3),
      1,
      's',
    ),
    atMost(
      'page-forge-all',
      'the same, all rows',
      of(({ relay }) => (relay.forge_first + relay.forge_rest) / 1e3),
      15,
      's',
    ),
    atMost(
      'page-live',
      'a followed run of 10,000 records: appended, shown and judged',
      of(({ live: waited }) => waited),
      0.5,
      's',
    ),
    atMost(
      'report-10k',
      '`assay report` of a controller run of 10,000 records',
      of(({ report }) => report),
      1.5,
      's',
    ),
  ];
}
