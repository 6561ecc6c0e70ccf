/** One bundle, in a thread of Node and in a web worker of chromium: the bytes are those of `assay run`. */
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { assay, verify, workplace } from '../testing/runs.mjs';
import { decide } from './page.mjs';

const here = import.meta.dirname;
const folder = workplace();
const bundle = join(folder, 'decider.bundle.js');
const TEXT = 'Keep audit logs for 90 days. Pages must load within 2 seconds; never store card numbers.';
let expected = '';

before(() => {
  execFileSync(process.execPath, [join(here, 'bundle.mjs'), bundle]);
  assay(
    'run',
    TEXT,
    '--set',
    'run_id=in-a-worker',
    '--set',
    'ts_base=worker',
    '-o',
    join(folder, 'cli'),
    '--quiet',
  );
  expected = readFileSync(join(folder, 'cli', 'run.ledger.jsonl'), 'utf8');
});

void test('in a thread of Node', () => {
  const path = join(folder, 'thread.jsonl');
  assert.equal(
    execFileSync(process.execPath, [join(here, 'in-thread.mjs'), bundle, TEXT, path], { encoding: 'utf8' }),
    'success\n',
  );
  assert.equal(readFileSync(path, 'utf8'), expected);
});

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const tools = createRequire(join(here, '..', '..', '..', 'scripts', 'checks', 'package.json'));
const isThere =
  CHROMIUM !== undefined &&
  existsSync(join(here, '..', '..', '..', 'scripts', 'checks', 'node_modules', 'playwright-core'));
const browser = {
  skip:
    isThere || process.env['CI'] === 'true'
      ? false
      : 'no chromium, or no playwright-core: npm run check:examples installs the latter',
};

void test('in a web worker of chromium, which asks the network for nothing', browser, async () => {
  const chromium = await tools('playwright-core').chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await chromium.newPage();
    const asked = [];
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      asked.push(pathname);
      if (pathname === '/decider.bundle.js')
        return route.fulfill({ contentType: 'text/javascript', body: readFileSync(bundle, 'utf8') });
      return pathname === '/'
        ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>desk</title>' })
        : route.abort();
    });
    await page.goto('http://desk.example/');
    const { ledger, outcome, artifacts } = await page.evaluate(
      `(${decide})('/decider.bundle.js', 'in-a-worker', ${JSON.stringify(TEXT)})`,
    );
    assert.equal(outcome, 'success');
    assert.ok(Object.hasOwn(artifacts, 'blueprint'));
    assert.equal(ledger, expected);
    const path = join(folder, 'browser.jsonl');
    writeFileSync(path, ledger);
    assert.equal(verify(path), 'success, integrity held, rederivation held');
    assert.deepEqual(
      asked.filter((path) => path !== '/favicon.ico'),
      ['/', '/decider.bundle.js'],
    );
  } finally {
    await chromium.close();
  }
});
