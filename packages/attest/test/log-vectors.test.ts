/** The committed vectors of the log, computed anew; `verify_log.py` reads the same ones. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { orThrow, sha256Hex, utf8Bytes } from '@assay/kernel';
import { logVectors } from '../../../scripts/vectors/log.mjs';
import { formatEntry, parseEntry } from '../src/index.ts';

const text = readFileSync(new URL('../../../vectors/log.json', import.meta.url), 'utf8');
const vectors = JSON.parse(text) as ReturnType<typeof logVectors>['log'];

test('the vectors are what the code makes, byte for byte', () => {
  expect(`${JSON.stringify(logVectors().log, null, 1)}\n`).toBe(text);
});

test('each entry is read as it was written, each other line is refused; each checkpoint has its verdict', () => {
  for (const { line, digest } of vectors.entries) {
    expect(formatEntry(orThrow(parseEntry(utf8Bytes(line))))).toBe(line);
    expect(sha256Hex(line)).toBe(digest);
  }
  for (const line of vectors.refused)
    expect([line, parseEntry(utf8Bytes(line))._tag]).toEqual([line, 'Left']);
  const said = vectors.checkpoints.map(({ name, checkpoint: read }) => [
    name,
    read && [read.signed, ...read.cosignatures.map(({ isSound }) => isSound)],
  ]);
  expect(Object.fromEntries(said)).toEqual({
    signed: [true],
    cosigned: [true, true],
    'cosigned by a stranger too': [true, true],
    'the signature of another size': [false],
    'the log signs twice': [false],
    'a cosignature of another checkpoint': [true, false],
    'the time moved': [true, false],
    'no signature': null,
    'no last line end': null,
    'an empty tree': null,
    'an extension line': null,
    'a line that is no signature': null,
  });
});
