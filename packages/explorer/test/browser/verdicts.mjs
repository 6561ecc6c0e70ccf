/** In a page from a file: the verdicts of the command over every fixture and forgery, and no picture of a lie. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { allShells, readReport, renderReport, shellFor } from '@assay/explorer';
import { nobleSha256 } from '@assay/kernel';
import { verify } from '@assay/verifier';
import { forge } from '@assay/verifier/attacks';
import {
  check,
  checkEach,
  ended,
  fixtures,
  go,
  golden,
  lookAt,
  machines,
  opened,
  reported,
  shellOf,
  verdictsIn,
  verdictsOf,
  written,
} from './lib.mjs';
import { readFileSync } from 'node:fs';

const shells = allShells();

checkEach('explorer/same-verdicts', [...fixtures(), ...fixtures('forgeries/')], async (name) => {
  const ledger = golden(name);
  const { document } = verify('x', ledger, { machines });
  const url = reported(name, ledger);
  const read = readReport(readFileSync(new URL(url), 'utf8'), shells);
  assert.equal(read.right.page, 'same');
  assert.deepEqual(new Uint8Array(read.right.ledger), new Uint8Array(ledger));
  await lookAt(url, async (page) => {
    assert.equal(await ended(page), 'checked');
    assert.deepEqual(await verdictsIn(page), verdictsOf(document));
    const { integrity, rederivation } = document.checks;
    const isBroken = [integrity, rederivation].some(({ verdict }) => verdict === 'failed');
    const headline = await page.textContent('h1');
    assert.equal(headline === 'Do not rely on this file', isBroken);
    const mayDraw = integrity.verdict === 'held' && rederivation.verdict === 'held';
    assert.equal((await page.$$('[data-panel]')).length > 0, mayDraw);
    assert.deepEqual([page.asked, page.broken], [[], []]);
  });
});

check('a world with contracts in a page without their engine: not checked, and no picture', async () => {
  const page = await opened(
    written('no-engine', renderReport(golden('ecology-21-mandate'), shellFor('all'))),
  );
  assert.equal(await ended(page), 'checked');
  const rederivation = await page.$('.trust [data-check=rederivation]');
  assert.equal(await rederivation.getAttribute('data-verdict'), 'not_checked');
  assert.match(await page.textContent('.five'), /engine.*assay verify/);
  await go(page, '#/decision');
  assert.match(await page.innerText('main'), /Nothing to show here/);
  assert.deepEqual([await page.$$('[data-panel]'), page.asked, page.broken], [[], [], []]);
  await page.close();
});

check('what a file claims that does not hold is shown only as what the file says', async () => {
  const records = golden('tally-success').toString().trimEnd().split('\n');
  const { bytes } = forge('rehash', records.map(JSON.parse), { sha256: nobleSha256, machines });
  const page = await opened(reported('claims', Buffer.from(bytes)));
  assert.equal(await ended(page), 'checked');
  assert.match(await page.innerText('.about'), /the file says/);
  await go(page, '#/graph');
  await page.waitForSelector('[aria-label="context graph"]');
  assert.match(await page.innerText('main'), /what the file says that the machine based/);
  await page.close();
});

check('what a report keeps is shown on the record that cites it, as text', async () => {
  const name = 'forgeries/twin-kept-outside';
  const [ledger, at] = [golden(name), new URL(`../../../../golden-fixtures/${name}/kept/`, import.meta.url)];
  const openings = [readFileSync(new URL('poll-sealed.openings.jsonl', at), 'utf8').trim()];
  const page = await opened(
    written('kept', renderReport(ledger, shellOf(ledger), { openings, blobs: new Map() })),
  );
  assert.equal(await ended(page), 'checked');
  const records = ledger.toString().trimEnd().split('\n');
  const place = records.findIndex((line) => line.includes('"$sealed":'));
  await page.evaluate((to) => (location.hash = `#/record/${to}`), place);
  await page.waitForSelector('[data-cited][data-state=fits]');
  assert.match(await page.innerText('aside'), /Nadezhda/);
  assert.deepEqual([page.asked, page.broken], [[], []]);
  await page.close();
});

check('mutated reports: no check holds in the page that the command denies', async () => {
  const ledger = golden('tally-success');
  for (let seed = 1; seed <= 12; seed += 1) {
    const mutated = Buffer.from(ledger);
    mutated[(seed * 7_919) % mutated.length] ^= 1 << (seed % 8);
    const { document } = verify('x', mutated, { machines });
    await lookAt(reported(`mutated-${seed}`, mutated), async (page) => {
      await ended(page);
      assert.deepEqual(await verdictsIn(page), verdictsOf(document), `seed ${seed}`);
    });
  }
});

const element = (data) => `<script type="application/gzip" id="assay-ledger">${data}</script>`;
const packed = (text) => gzipSync(text).toString('base64');
for (const [what, data] of [
  ['no base64', '*'],
  ['no gzip', 'AAAA'],
  ['gzip cut off', gzipSync('x'.repeat(99)).subarray(0, -6).toString('base64')],
  ['two members', Buffer.concat([gzipSync('{}\n'), gzipSync('[]\n')]).toString('base64')],
  ['a gzip bomb', gzipSync(Buffer.alloc(200 * 1_048_576), { level: 1 }).toString('base64')],
])
  check(`a report with ${what}: a sentence, no verdict, and the command refuses it too`, async () => {
    const text = shellFor('tally').replace(element(''), element(data));
    assert.equal(readReport(text, shells)._tag, 'Left');
    const page = await opened(written(`odd-${what}`, text));
    assert.equal(await ended(page), 'error');
    assert.match(await page.textContent('main'), /Nothing was checked/);
    assert.deepEqual(await page.$$('[data-verdict]'), []);
    await page.close();
  });

check('a report with two data elements shows no verdict, as the command refuses it', async () => {
  const [ledger, other] = [golden('tally-success'), golden('tally-refused')];
  const data = element(packed(other));
  const text = renderReport(ledger, shellOf(ledger)).replace('<script type="application/gzip"', `${data}$&`);
  assert.equal(readReport(text, shells)._tag, 'Left');
  const page = await opened(written('two-elements', text));
  assert.equal(await ended(page), 'error');
  assert.match(await page.textContent('main'), /more than one data element/);
  assert.deepEqual(await page.$$('[data-verdict]'), []);
  await page.close();
});

check('an empty ledger, no records, and a shell with swapped data', async () => {
  const empty = await opened(written('empty', shellFor('tally').replace(element(''), element(packed('')))));
  assert.equal(await ended(empty), 'checked');
  assert.equal(
    (await verdictsIn(empty)).some(([, verdict]) => verdict === 'held'),
    false,
  );
  await empty.close();
  const url = reported('swapped', golden('intent-unicode'));
  const text = readFileSync(new URL(url), 'utf8');
  const swapped = text.replace(
    /id="assay-ledger">[^<]*/,
    `id="assay-ledger">${packed(golden('tally-success'))}`,
  );
  const read = readReport(swapped, [shellOf(golden('intent-unicode'))]);
  assert.deepEqual(new Uint8Array(read.right.ledger), new Uint8Array(golden('tally-success')));
});

check('without scripts the page says so, and shows no verdict', async () => {
  const page = await opened(reported('plain', golden('tally-success')), { javaScriptEnabled: false });
  const text = await page.innerText('body');
  assert.match(text, /nothing was checked/);
  assert.doesNotMatch(text, /held/);
  await page.close();
});
