/** Reports: what goes into a page comes out of it, and no page is read in two ways. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, test as vitest } from 'vitest';
import { readReport, renderReport } from '@assay/explorer';
import { nobleSha256 } from '@assay/kernel';
import { buildShell } from '@assay/explorer/build';
import { renderPage } from '../src/build/build.ts';
import { given, newEngine, none } from './tools/engine.ts';

const TWIN = new URL('../../../golden-fixtures/forgeries/twin-kept-outside/', import.meta.url);

const SHELL = renderPage('body { margin: 0 }', 'let a = 1;');
const OPENING = '<script type="application/gzip" id="assay-ledger">';
const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });
const codeOf = (page: string): string => {
  const read = readReport(page, [SHELL]);
  return read._tag === 'Left' ? read.left.code : read.right.page;
};
const packed = (text: string): string => gzipSync(text).toString('base64');
const withData = (data: string): string => SHELL.replace(OPENING, `${OPENING}${data}`);

describe('report/splice-then-read', () => {
  test.prop([bytes])('the ledger comes out as it went in, and the page is the shell', (ledger) => {
    const read = readReport(renderReport(ledger, SHELL), [SHELL]);
    expect(read).toEqual({ _tag: 'Right', right: { ledger: expect.anything(), page: 'same' } });
    if (read._tag === 'Right') expect(new Uint8Array(read.right.ledger)).toEqual(ledger);
  });

  test.prop([bytes, fc.nat(), fc.constantFrom('x', '<', ' ', '<script>', '\u0000')])(
    'a page that was changed anywhere around the data is not the shell',
    (ledger, seed, put) => {
      const page = renderReport(ledger, SHELL);
      const at = seed % page.indexOf(OPENING);
      expect(codeOf(page.slice(0, at) + put + page.slice(at))).not.toBe('same');
    },
  );
});

describe('what a report keeps beside its ledger', () => {
  const ledger = readFileSync(new URL('ledger.jsonl', TWIN));
  const line = readFileSync(new URL('kept/poll-sealed.openings.jsonl', TWIN), 'utf8').trim();
  const name = readdirSync(new URL('kept/blobs/', TWIN))[0] ?? '';
  const blob = readFileSync(new URL(`kept/blobs/${name}`, TWIN));
  const statesOf = async (page: string): Promise<readonly unknown[]> => {
    const engine = newEngine();
    const checked = await engine.answer('load', given(Buffer.from(page)), none);
    if (checked.t === 'refused') throw new Error(checked.says);
    const shown = await Promise.all(
      Array.from({ length: checked.records }, (_, at) => engine.answer('record', at, none)),
    );
    const cited = shown.flatMap((one) => one?.cited ?? []);
    const states = Object.fromEntries(cited.map(({ of, state, text }) => [of, [state, text !== null]]));
    return [checked.document.checks.integrity.verdict, checked.kept, states];
  };

  vitest('fits, is absent, or is another: only what fits is shown, and no verdict rests on it', async () => {
    const all = { openings: [line], blobs: new Map([[name, blob]]) };
    const page = renderReport(ledger, SHELL, all);
    expect(codeOf(page)).toBe('same');
    expect(await statesOf(page)).toEqual(['held', 2, { opening: ['fits', true], blob: ['fits', true] }]);
    expect(await statesOf(renderReport(ledger, SHELL))).toEqual([
      'held',
      0,
      { opening: ['absent', false], blob: ['absent', false] },
    ]);
    const odd = {
      openings: [line.replace('Nadezhda', 'Mallory')],
      blobs: new Map([[name, Buffer.from('x')]]),
    };
    expect(await statesOf(renderReport(ledger, SHELL, odd))).toEqual([
      'held',
      2,
      { opening: ['wrong', false], blob: ['wrong', false] },
    ]);
    // One wrong opening of a seal spoils the right one, in whatever order; so says the command.
    for (const openings of [
      [line, ...odd.openings],
      [...odd.openings, line],
    ])
      expect((await statesOf(renderReport(ledger, SHELL, { openings, blobs: new Map() })))[2]).toMatchObject({
        opening: ['wrong', false],
      });
  });

  vitest('a long text is cut, and how much of it is said', async () => {
    const long = Buffer.from('x'.repeat(70_000));
    const [digest, token] = [nobleSha256(long), `"bytes":${long.length}`];
    const citing = ledger.toString().replace('"bytes":31', token).replace(name, digest);
    const engine = newEngine();
    const page = renderReport(Buffer.from(citing), SHELL, { openings: [], blobs: new Map([[digest, long]]) });
    await engine.answer('load', given(Buffer.from(page)), none);
    const at = citing.split('\n').findIndex((one) => one.includes(digest));
    const cited = (await engine.answer('record', at, none))?.cited.find(({ of }) => of === 'blob');
    expect([cited?.state, cited?.text?.length, cited?.left]).toEqual(['fits', 65_536, 4_464]);
  });

  vitest(
    'what cannot be unpacked, or is too large, is said; no base64 and a second element are not ours',
    async () => {
      const KEPT = '<script type="application/gzip" id="assay-kept">';
      const put = (data: string): string => renderReport(ledger, SHELL).replace(KEPT, `${KEPT}${data}`);
      const bomb = gzipSync(Buffer.alloc(33 * 1_048_576), { level: 1 }).toString('base64');
      for (const data of ['AAAA', bomb]) {
        const [verdict, kept, states] = await statesOf(put(data));
        expect([verdict, kept, states]).toEqual([
          'held',
          null,
          { opening: ['absent', false], blob: ['absent', false] },
        ]);
      }
      expect(codeOf(put('<!--<script>'))).toBe('unknown');
      expect(codeOf(put('</script>' + KEPT))).toBe('unknown');
    },
  );
});

describe('what is no report', () => {
  const report = withData(packed('{}\n'));
  const two = report.replace('</body>', `${OPENING}${packed('{"a":1}\n')}</script></body>`);
  test.each([
    ['no data element', '<!doctype html><p>hello'],
    ['no data', SHELL],
    ['two data elements', two],
    [
      'a second one in another spelling',
      report.replace('</body>', "<SCRIPT ID = 'assay-ledger'>AAAA</SCRIPT></body>"),
    ],
    ['another element of that id before it', report.replace('<body>', '<body><p id=assay-ledger>')],
    ['no base64', withData('{"v":1}')],
    ['base64 cut off', withData(packed('{}\n').slice(0, -1))],
    ['no gzip', withData('AAAA')],
    ['gzip cut off', withData(gzipSync('x'.repeat(99)).subarray(0, -4).toString('base64'))],
    ['two members of gzip', withData(Buffer.concat([gzipSync('{}\n'), gzipSync('[]\n')]).toString('base64'))],
    ['an empty member before', withData(Buffer.concat([gzipSync(''), gzipSync('{}\n')]).toString('base64'))],
    [
      'padding behind the gzip that ends with the size of the data',
      withData(Buffer.concat([gzipSync('{}\n'), Buffer.from([0, 0, 3, 0, 0, 0])]).toString('base64')),
    ],
    [
      'bytes behind the gzip',
      withData(Buffer.concat([gzipSync('{}\n'), Buffer.from('abcdef')]).toString('base64')),
    ],
  ])('%s is refused', (_name, page) => {
    expect(codeOf(page)).toBe('report_ledger');
  });

  test('a member with a name, a comment and more fields is one member', () => {
    const [start, data] = [Buffer.from(gzipSync('{}\n')).subarray(0, 10), gzipSync('{}\n').subarray(10)];
    for (const [flags, fields] of [
      [8, 'name\0'],
      [16, 'comment\0'],
      [4, '\u0002\0ab'],
      [1, ''],
      [28, '\u0002\0abname\0comment\0'],
    ] as const) {
      start[3] = flags;
      const member = Buffer.concat([start, Buffer.from(fields), data]);
      expect(codeOf(withData(member.toString('base64')))).toBe('same');
    }
  });

  test('a tag that never ends, with the id many times over, is refused at once', () => {
    const began = performance.now();
    expect(codeOf(`<!doctype html><p ${'id=assay-ledger '.repeat(200_000)}`)).toBe('report_ledger');
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('a gzip bomb is refused, and never unpacked whole', () => {
    const bomb = gzipSync(Buffer.alloc(160 * 1_048_576), { level: 1 }).toString('base64');
    expect(codeOf(withData(bomb))).toBe('report_ledger');
  });
});

test('a shell is refused that already holds data, and a script that would end its element', () => {
  expect(() => renderReport(new Uint8Array([1]), withData('AAAA'))).toThrow(RangeError);
  expect(() => renderPage('', 'const a = "</script>";')).toThrow(RangeError);
});

test('a shell is built of a module with a view and of one without', async () => {
  for (const name of ['own-machine', 'plain-machine']) {
    const module = fileURLToPath(new URL(`tools/${name}.mjs`, import.meta.url));
    const { page } = await buildShell({ module });
    expect(codeOf(renderReport(new Uint8Array([1]), page))).toBe('unknown');
  }
});
