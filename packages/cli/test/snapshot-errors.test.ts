/** What is told of a snapshot that could not be kept: why, as far as that is known. */
import { expect, test } from 'vitest';
import type { SnapshotUse } from '@assay/host';
import type { Output } from '../src/output/output.ts';
import { snapshotErrors } from '../src/running/snapshot-errors.ts';

test.each<readonly [string, unknown, string]>([
  [
    'its keeper gave no answer in time',
    new DOMException('nothing came within 10 ms', 'TimeoutError'),
    'it took too long',
  ],
  ['the disk is full', Object.assign(new Error('no room'), { code: 'ENOSPC' }), 'ENOSPC'],
  [
    'a pipe bears its name',
    Object.assign(new RangeError('no file'), { code: 'ERR_NO_FILE' }),
    'what bears its name is no file',
  ],
  ['it is larger than a snapshot may be', new RangeError('too large'), 'it is too large'],
])('where %s', (_, error, told) => {
  const notes: string[] = [];
  const output = { note: (text: unknown) => notes.push(JSON.stringify(text)) } as unknown as Output;
  snapshotErrors(output, {} as SnapshotUse).onSnapshotError?.({ error });
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain(told);
});
