/**
 * A ledger for other tools: rows as JSON and CSV, and an in-toto statement.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, makeRecord, nobleSha256, orThrow, admit } from '@assay/kernel';
import { forCsv } from '@assay/views';
import { csvRow, jsonRow } from '../src/commands/export.ts';
import { assay, document, POLL, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const ledger = readFileSync(POLL, 'utf8')
  .trimEnd()
  .split('\n')
  .map(
    (line) =>
      JSON.parse(line) as { readonly kind: string; readonly record_hash: string; readonly payload: unknown },
  );
/** Cells of CSV as RFC 4180 has them. */
const cells = (line: string): readonly string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );

describe('export', () => {
  test('jsonl: one row a record, payloads as they are', async () => {
    const { code, stdout } = await assay(['export', POLL, 'jsonl']);
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(rows).toMatchObject(
      ledger.map(({ kind, record_hash, payload }, position) => ({
        run_id: 'poll',
        position,
        sequence: position,
        kind,
        record_hash,
        payload,
        is_erased: false,
      })),
    );
    expect((await document(['export', POLL, 'jsonl'])).json['records']).toEqual(rows);
  });

  test('csv: the same, and payloads read back from their cell', async () => {
    const { code, stdout } = await assay(['export', POLL, 'csv']);
    expect(code).toBe(0);
    const [header = '', ...rows] = stdout.trimEnd().split('\n').map(cells);
    const at = (name: string): number => header.indexOf(name);
    expect(header).toEqual([
      'run_id',
      'position',
      'sequence',
      'ts',
      'kind',
      'parent',
      'payload_hash',
      'record_hash',
      'is_erased',
      'payload',
    ]);
    expect(
      rows.map((row) => [row[at('kind')], row[at('record_hash')], JSON.parse(row[at('payload')] ?? '')]),
    ).toEqual(ledger.map(({ kind, record_hash, payload }) => [kind, record_hash, payload]));
  });

  test('in-toto: the file by its digest, the head as predicate', async () => {
    const { json } = await document(['export', POLL, 'in-toto']);
    expect(json).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        {
          name: 'poll.ledger.jsonl',
          digest: { sha256: createHash('sha256').update(readFileSync(POLL)).digest('hex') },
        },
      ],
      predicate: { t: 'assay.head.v1', count: 15, last_hash: ledger.at(-1)?.record_hash, closed: true },
    });
    expect(JSON.parse((await assay(['export', POLL, 'in-toto'])).stdout)).toEqual(json);
  });

  test('hostile names of a foreign chain are no formulas and hide nothing', async () => {
    const path = join(folder, 'foreign.jsonl');
    const record = makeRecord(
      { ts: '@SUM(A1)', kind: '=cmd|"x"\u202e', parent: null },
      orThrow(admit({ a: '=1' })),
      nobleSha256,
    );
    writeFileSync(path, `${encodeLine(record)}\n`);
    const { stdout } = await assay(['export', path, 'csv']);
    expect(cells(stdout.split('\n')[1] ?? '').slice(0, 5)).toEqual([
      '',
      '0',
      '',
      "'@SUM(A1)",
      '\'=cmd|"x"\\u{202e}',
    ]);
    expect(['-2', '-x', '+1', '', '["=1"]'].map(forCsv)).toEqual([
      '"-2"',
      '"\'-x"',
      '"\'+1"',
      '""',
      '"[""=1""]"',
    ]);
  });

  test(
    'no cell has an exception: whatever it begins with, no control and no direction mark ' +
      'leaves a foreign chain',
    () => {
      const hidden = [
        '\u001b]0;x\u0007',
        '\u009b31m',
        '\u007f\u0080',
        '\u202e\u2066\u061c\u200f',
        '\u0000\t\r\n',
      ].join('');
      const shown =
        '\\u{1b}]0;x\\u{7}\\u{9b}31m\\u{7f}\\u{80}\\u{202e}\\u{2066}\\u{61c}\\u{200f}\\u{0}\\u{9}\\u{d}\\u{a}';
      for (const start of ['', '[', '{', '"', '=', '\\']) {
        const text = `${start}${hidden}`;
        const record = makeRecord(
          { ts: text, kind: text, parent: null },
          orThrow(admit({ [text]: text })),
          nobleSha256,
        );
        const line = csvRow(jsonRow({ run_id: null, first: 0, isForeign: true }, 0, record));
        expect(line).toMatch(/^[ -~]*$/);
        const row = cells(line);
        const cell = `${start === '=' ? "'=" : start}${shown}`;
        expect([row.slice(3, 5), JSON.parse(row.at(-1) ?? '')]).toEqual([[cell, cell], record.payload]);
      }
    },
  );
});
