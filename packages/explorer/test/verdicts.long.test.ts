/** The page gives the verdicts of the command: over every golden fixture. */
import { nativeSha256 } from '@assay/host';
import { expect, test } from 'vitest';
import { verify } from '@assay/verifier';
import { readReport, renderReport } from '@assay/explorer';
import { renderPage } from '../src/build/build.ts';
import { fixtures, given, golden, loaded, loadTwice, machines, newEngine, none } from './tools/engine.ts';

const isSame = async (name: string): Promise<void> => {
  const bytes = golden(name);
  const { checked } = await loaded(bytes);
  expect(checked.document).toEqual(verify('x', bytes, { machines, sha256: nativeSha256 }).document);
  const { integrity, rederivation } = checked.document.checks;
  const mayDraw = integrity.verdict === 'held' && rederivation.verdict === 'held';
  expect(checked.picture !== null).toBe(mayDraw);
  if (!mayDraw) expect([checked.knobs, checked.files, checked.next]).toEqual([[], [], []]);
};

test.each(fixtures())('explorer/same-verdicts: %s', isSame);

test.each([...fixtures(), ...fixtures('forgeries/')])(
  'a second worker beside the first comes to the same: %s',
  async (name) => {
    const [alone, both] = await loadTwice(golden(name));
    expect(both).toEqual(alone);
  },
);

test('1,000 mutated reports: the page holds no check that the command denies', async () => {
  const shell = renderPage('', 'let a;');
  const report = Buffer.from(renderReport(golden('tally-success'), shell));
  const start = report.indexOf('id="assay-ledger">') - 40;
  let judged = 0;
  for (let seed = 1; seed <= 1_000; seed += 1) {
    // Half of them in the bytes of the ledger, half in those of the page and its data.
    const ledger = golden('tally-success');
    const page = Buffer.from(report);
    const [mutated, at] =
      seed % 2 === 0
        ? [ledger, (seed * 7_919) % ledger.length]
        : [page, start + ((seed * 7_919) % (report.length - start))];
    mutated[at] = (mutated[at] ?? 0) ^ (1 << (seed % 7));
    const bytes = seed % 2 === 0 ? Buffer.from(renderReport(ledger, shell)) : page;
    const read = readReport(bytes.toString('utf8'), [shell]);
    const shown = await newEngine().answer('load', given(bytes), none);
    if (read._tag === 'Left' || shown.t === 'refused') {
      // What one of them cannot read, neither of them calls held.
      expect([seed, read._tag, shown.t]).toEqual([seed, 'Left', 'refused']);
      continue;
    }
    judged += 1;
    const { document } = verify('x', read.right.ledger, { machines, sha256: nativeSha256 });
    expect([seed, shown.document]).toEqual([seed, document]);
  }
  expect(judged).toBeGreaterThan(500);
});
