/** `law-L2` of D.1, for the controller and for memory. */
import {
  encodeLine,
  utf8Bytes,
  validateRunFile,
  type EvidenceRecord,
  type Json,
  type Machine,
} from '@assay/kernel';
import { entropy, type MachineArbitraries } from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { controller } from '../../src/index.js';
import { memory } from '../../src/memory/index.js';
import { controllerArbitraries } from '../../tools/arbitraries.js';
import { randomRun } from '../../tools/random-runs.js';
import { memoryArbitraries, native } from '../memory/arbitraries.js';

const runs = lawRuns('law-L2');
const options = { sha256: native };
const STEPS = 24;
/** Milliseconds that a law may take on a machine with other work. */
const LONG = 240_000;

/** The bytes of a ledger, and at which of them each line begins. */
function fileOf(records: readonly EvidenceRecord[]): {
  readonly bytes: Uint8Array;
  readonly starts: readonly number[];
} {
  const lines = records.map((record) => utf8Bytes(`${encodeLine(record)}\n`));
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.length;
  }
  const bytes = new Uint8Array(length);
  for (const [index, line] of lines.entries()) bytes.set(line, starts[index]);
  return { bytes, starts };
}

/** `law-L2`: any bit of any byte, in any record; a line end belongs to the line that it ends. */
function tampered<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
): void {
  const hit = { lineEnds: 0, last: 0 };
  fc.assert(
    fc.property(
      fc.nat(STEPS),
      entropy(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      (length, draw, somewhere, flip, atLineEnd) => {
        const { records } = randomRun(machine, arbitraries, draw, length, options);
        const { bytes, starts } = fileOf(records);
        const line = somewhere % records.length;
        const at = atLineEnd ? (starts[line + 1] ?? bytes.length) - 1 : somewhere % bytes.length;
        const record = starts.findLastIndex((start) => start <= at);
        expect(validateRunFile(bytes, options)._tag).toBe('Right');
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        const found = validateRunFile(bytes, options);
        expect([at, found._tag === 'Left' ? found.left.record : null]).toEqual([at, record]);
        if (atLineEnd) hit.lineEnds += 1;
        if (record === records.length - 1) hit.last += 1;
      },
    ),
    runs,
  );
  if (runs.numRuns >= 100) expect([hit.lineEnds > 0, hit.last > 0]).toEqual([true, true]);
}

describe(
  'law-L2 tamper: a byte of a record that is not what it was fails validation at that ' +
    'record, a line end at the line that it ended',
  () => {
    it('law-L2 of the controller', () => tampered(controller, controllerArbitraries()), LONG);
    it('law-L2 of memory', () => tampered(memory, memoryArbitraries()), LONG);
  },
);
