/** `assay report --serve`: the page over HTTP, and a run that grows, is killed and goes on while it is followed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { check, ended, folder, go, golden, opened } from './lib.mjs';

const COMMAND = new URL('../../../cli/bin/assay.mjs', import.meta.url).pathname;

/** Starts `assay report --serve`; gives its address and how to end it. */
async function viewing(place) {
  const child = spawn(process.execPath, [COMMAND, 'report', place, '--serve'], {
    env: { ...process.env, BROWSER: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve) => {
    child.stdout.setEncoding('utf8').once('data', (text) => resolve(text.trim()));
  });
  // A test that fails leaves no server behind.
  after(() => child.kill('SIGKILL'));
  const end = () =>
    new Promise((resolve) => {
      child.once('exit', (code) => resolve(code));
      child.kill('SIGINT');
    });
  return { url, end };
}

check('a folder of runs: chosen, checked in the page, and nothing but its own server is asked', async () => {
  const place = join(folder, 'runs');
  mkdirSync(place, { recursive: true });
  for (const name of ['tally-success', 'intent-unicode'])
    writeFileSync(join(place, `${name}.jsonl`), golden(name));
  const { url, end } = await viewing(place);
  const page = await opened(url);
  await page.waitForFunction(() => document.querySelectorAll('td .v.held').length === 2);
  assert.match(await page.innerText('main'), /tally-success.jsonl\s+tally@1\s+Decided/);
  await page.click('[data-run="intent-unicode.jsonl"]');
  await page.waitForSelector('[data-check=rederivation][data-verdict=held]');
  assert.equal(await ended(page), 'checked');
  assert.deepEqual([page.asked, page.broken], [[], []]);
  await page.close();
  assert.equal(await end(), 130);
});

check('what is appended while a run is being checked is read then', async () => {
  const lines = golden('intent-several-proposers').toString().trimEnd().split('\n');
  const path = join(folder, 'meanwhile.jsonl');
  writeFileSync(path, `${lines.slice(0, 6).join('\n')}\n`);
  const { url, end } = await viewing(path);
  const page = await opened('about:blank');
  // The first answer is on its way while the rest is written.
  await page.route(
    '**/run/*',
    async (route) => {
      const response = await route.fetch();
      appendFileSync(path, `${lines.slice(6).join('\n')}\n`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto(url);
  await page.waitForFunction(() => /Decided/.test(document.querySelector('h1')?.textContent ?? ''), null, {
    timeout: 5_000,
  });
  await page.close();
  assert.equal(await end(), 130);
});

check('a run that another replaces while it is followed, or once it has ended, is read anew', async () => {
  const lines = golden('intent-several-proposers').toString().trimEnd().split('\n');
  const path = join(folder, 'replaced.jsonl');
  writeFileSync(path, `${lines.slice(0, 6).join('\n')}\n`);
  const { url, end } = await viewing(path);
  const page = await opened(url);
  await page.waitForSelector('[data-check=integrity][data-verdict=held]');
  for (const [name, machine] of [
    ['tally-success', 'tally@1'],
    ['intent-clinic-reminders', 'intent@1'],
  ]) {
    // Whoever writes a file anew empties it first.
    writeFileSync(path, '');
    await page.waitForSelector('[data-check=integrity][data-verdict=failed]');
    writeFileSync(path, golden(name));
    await page.waitForSelector(`header .chip:text("${machine}")`);
    await page.waitForSelector('[data-check=rederivation][data-verdict=held]');
    assert.match(await page.textContent('h1'), /Decided|Accepted/i);
  }
  await page.close();
  assert.equal(await end(), 130);
});

check('where a followed run can be read no further, what was read before is still shown', async () => {
  const lines = golden('intent-several-proposers').toString().trimEnd().split('\n');
  const path = join(folder, 'gone.jsonl');
  writeFileSync(path, `${lines.slice(0, 6).join('\n')}\n`);
  const { url, end } = await viewing(path);
  const page = await opened(url);
  await page.waitForSelector('[data-check=integrity][data-verdict=held]');
  await page.route('**/run/*from=*', (route) => route.fulfill({ status: 404 }));
  appendFileSync(path, `${lines[6]}\n`);
  await page.waitForSelector('[role=alert]');
  assert.match(await page.innerText('[role=alert]'), /The rest was not checked/);
  await page.waitForSelector('[data-check=integrity][data-verdict=held]');
  assert.match(await page.innerText('main'), /still open/);
  await page.close();
  assert.equal(await end(), 130);
});

check('a run that grows is followed: verdicts so far, one history, and no jump of what is read', async () => {
  const lines = golden('intent-several-proposers').toString().trimEnd().split('\n');
  const path = join(folder, 'growing.jsonl');
  const shown = (count) => `${lines.slice(0, count).join('\n')}\n`;
  writeFileSync(path, shown(6));
  const { url, end } = await viewing(path);
  const page = await opened(url);
  await page.waitForSelector('[data-check=integrity][data-verdict=held]');
  assert.match(await page.textContent('.sentence'), /still open/);
  assert.match(await page.innerText('main'), /still open/);
  await go(page, '#/ledger');
  await page.waitForSelector('[data-row="5"]');
  await page.focus('[data-row="3"]');
  const began = Date.now();
  appendFileSync(path, `${lines[6]}\n`);
  await page.waitForSelector('[data-row="6"]');
  assert.ok(Date.now() - began < 3_000);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.row), '3');
  // Killed in the middle of a line, then mended and gone on, as a resumed run does.
  appendFileSync(path, lines[7].slice(0, 40));
  await page.waitForTimeout(400);
  truncateSync(path, Buffer.byteLength(shown(7)));
  appendFileSync(path, `${lines.slice(7).join('\n')}\n`);
  await page.waitForSelector(`[data-row="${lines.length - 1}"]`);
  await go(page, '#/overview');
  assert.match(await page.textContent('h1'), /Decided/);
  for (const name of ['integrity', 'rederivation'])
    assert.equal(await page.getAttribute(`[data-check=${name}]`, 'data-verdict'), 'held');
  assert.doesNotMatch(await page.textContent('.sentence'), /still open/);
  assert.deepEqual(page.broken, []);
  await page.close();
  assert.equal(await end(), 130);
});
