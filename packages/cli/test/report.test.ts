/** report, and verify of a report: what each writes, says and exits with. */
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Shape } from '@assay/kernel';
import { PUBLISHED } from '@assay/kernel/schemas';
import type { VerifyDocument } from '@assay/verifier';
import { assay, document, FORGERIES, POLL, temporaryFolder } from './lib/assay.ts';
import { shaped } from './lib/called.ts';

const folder = temporaryFolder();
type Results = { readonly results: readonly (VerifyDocument & { readonly page?: string })[] };
/** What verify prints, held to its published schema. */
const verified = async (path: string): Promise<Results['results'][number] | undefined> => {
  const { json } = await document(['verify', path]);
  return shaped(PUBLISHED.find(([name]) => name === 'verify')?.[2] as Shape<Results>, json).results[0];
};
const at = (name: string): string => join(folder, name);

describe('report', () => {
  test('writes a page that verify reads as the ledger, and knows as its own', async () => {
    expect((await assay(['report', POLL, '-o', at('poll.html')])).code).toBe(0);
    const report = await verified(at('poll.html'));
    expect(report?.page).toBe('same');
    expect(report?.checks).toEqual((await verified(POLL))?.checks);
  });

  test('a world with contracts gets the page with their engine; without one it gets the smaller page', async () => {
    for (const [name, hasEngine] of [
      ['ecology-21-mandate', true],
      ['ecology-3-price', false],
    ] as const) {
      const ledger = join(FORGERIES, '..', name, 'ledger.jsonl');
      const page = at(`${name}.html`);
      expect((await assay(['report', ledger, '-o', page])).code).toBe(0);
      expect(readFileSync(page, 'utf8').includes("'wasm-unsafe-eval'")).toBe(hasEngine);
      const report = await verified(page);
      expect([report?.page, report?.checks.rederivation.verdict]).toEqual(['same', 'held']);
      expect(report?.checks).toEqual((await verified(ledger))?.checks);
    }
  });

  test('--with holds what the ledger cites, and the page is still ours; what does not fit is told', async () => {
    const place = join(FORGERIES, 'twin-kept-outside');
    const ledger = join(place, 'ledger.jsonl');
    await assay(['report', ledger, '-o', at('bare.html')]);
    const given = await assay(['report', ledger, '--with', join(place, 'kept'), '-o', at('kept.html')]);
    expect([given.code, /2 openings and blobs of --with/.test(given.stdout)]).toEqual([0, true]);
    expect(readFileSync(at('kept.html')).length).toBeGreaterThan(readFileSync(at('bare.html')).length);
    const [bare, kept] = [await verified(at('bare.html')), await verified(at('kept.html'))];
    expect([kept?.page, kept?.checks]).toEqual(['same', bare?.checks]);
    const wrong = at('wrong');
    cpSync(join(place, 'kept'), wrong, { recursive: true });
    for (const name of readdirSync(join(wrong, 'blobs'))) writeFileSync(join(wrong, 'blobs', name), 'other');
    expect((await assay(['report', ledger, '--with', wrong, '-o', at('wrong.html')])).code).toBe(3);
  });

  test('--with takes nothing that does not fit, and replaces nothing it reads', async () => {
    const place = join(FORGERIES, 'twin-kept-outside');
    const ledger = join(place, 'ledger.jsonl');
    const theirs = at('theirs');
    cpSync(join(place, 'kept'), theirs, { recursive: true });
    const [name = ''] = readdirSync(join(theirs, 'blobs'));
    const [blob, openings] = [join(theirs, 'blobs', name), join(theirs, 'poll-sealed.openings.jsonl')];
    writeFileSync(at('private.txt'), 'a key of mine');
    rmSync(blob);
    symlinkSync(at('private.txt'), blob);
    writeFileSync(openings, readFileSync(openings, 'utf8').replace('{', '{"note":"mine",'));
    const given = await assay(['report', ledger, '--with', theirs, '-o', at('theirs.html')]);
    expect([given.code, /openings and blobs/.test(given.stdout)]).toEqual([3, false]);
    for (const target of [openings, blob, at('private.txt')]) {
      const refused = await assay(['report', ledger, '--with', theirs, '-o', target]);
      expect([refused.code, refused.stderr.includes('same_file')]).toEqual([2, true]);
    }
    expect((await assay(['report', ledger, '--with', theirs, '-o', join(theirs, 'r.html')])).code).toBe(3);
  });

  test('a report of another version is written again as one of this', async () => {
    await assay(['report', POLL, '-o', at('one.html')]);
    const page = readFileSync(at('one.html'), 'utf8');
    writeFileSync(at('old.html'), page.replace('<title>assay', '<title>old assay'));
    expect((await verified(at('old.html')))?.page).toBe('unknown');
    expect((await assay(['report', at('old.html'), '-o', at('new.html')])).code).toBe(0);
    expect(readFileSync(at('new.html'), 'utf8')).toBe(page);
  });

  test('a page that was changed is unknown, whatever its ledger comes to', async () => {
    await assay(['report', POLL, '-o', at('changed.html')]);
    const page = readFileSync(at('changed.html'), 'utf8');
    writeFileSync(at('changed.html'), page.replace('<body>', '<body><h1>All is well</h1>'));
    expect((await verified(at('changed.html')))?.page).toBe('unknown');
    const { code, stdout } = await assay(['verify', at('changed.html')]);
    expect([code, stdout]).toEqual([4, expect.stringMatching(/believe nothing/)]);
    expect((await assay(['verify', at('changed.html'), '--checks', 'any'])).code).toBe(0);
  });

  test('a ledger that fails gets its report too: exit 3, and the page says the same', async () => {
    const forged = join(FORGERIES, 'twin-poll', 'ledger.jsonl');
    const broken = at('broken.jsonl');
    writeFileSync(broken, readFileSync(forged, 'utf8').replace('"decision"', '"decisiom"'));
    expect((await assay(['report', broken, '-o', at('broken.html')])).code).toBe(3);
    expect((await assay(['verify', at('broken.html')])).code).toBe(3);
  });

  test.each([
    ['no ledger in it', '<!doctype html><p>hello', 'report_ledger'],
    ['half of one', '<!doctype html><script type="application/gzip" id="assay-ledger">H4sI', 'report_ledger'],
  ])('a page with %s is refused', async (_name, text, code) => {
    writeFileSync(at('odd.html'), text);
    const refused = await assay(['verify', at('odd.html')]);
    expect([refused.code, refused.stderr.includes(code)]).toEqual([2, true]);
  });

  test('the ledger is not replaced', async () => {
    writeFileSync(at('own.jsonl'), readFileSync(POLL));
    expect((await assay(['report', at('own.jsonl'), '-o', at('own.jsonl')])).code).toBe(2);
  });
});
