/** What an executor and its judge read (calls/C4, calls/C6). */
import { describe, expect, it } from 'vitest';
import { callsIn, judged, NO_EVIDENCE, subTaskIn, transcript } from '../../src/evidence/index.js';
import { withRecord } from '../../src/evidence/evidence.js';
import type { SubTaskEvidence } from '../../src/evidence/index.js';
import { called, did, planOf, criterion, play, policyWith, willing, type Scripted } from '../lib/playing.js';

/** What there is of the one sub-task once these calls were made. */
function after(calls: readonly Scripted[], rests_on?: readonly number[]): SubTaskEvidence {
  const played = play(
    policyWith({
      limits: { ...policyWith().limits, calls: 256 },
      guard: { triples: 0, oscillation: 0, same_rounds: 0 },
    }),
    {
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [criterion('it is read')], tools: ['read_file'] }]) }),
      execute: () => did(...calls),
      ...(rests_on === undefined ? {} : { judge: () => null }),
    },
  );
  const of = subTaskIn(played.records.reduce(withRecord, NO_EVIDENCE), '0.0');
  if (of === null) throw new Error('no sub-task');
  return of;
}
const text = (letter: string, length: number): string => letter.repeat(length);
const reads = (count: number, length: number): readonly Scripted[] =>
  Array.from({ length: count }, (_, n) =>
    called('read_file', `${n}.txt`, text(String.fromCodePoint(0x4e00 + n), length)),
  );

describe('a transcript', () => {
  it('shows three files of 4,000 units whole', () => {
    const shown = transcript(after(reads(3, 4_000)));
    for (const n of [0, 1, 2]) expect(shown).toContain(text(String.fromCodePoint(0x4e00 + n), 4_000));
  });

  it('shows the newest whole up to 48,000 units, then 600 each, then says what it leaves out', () => {
    const count = 60;
    const of = after(reads(count, 4_000));
    const shown = transcript(of);
    const lengthOf = (n: number): number => shown.split(String.fromCodePoint(0x4e00 + n)).length - 1;
    expect([lengthOf(count - 1), lengthOf(count - 11)]).toEqual([4_000, 4_000]);
    expect([lengthOf(count - 14), lengthOf(0)]).toEqual([600, 0]);
    expect(shown).toMatch(/\d+ earlier calls are left out/);
    expect(shown.length).toBeLessThan(66_000);
    expect(callsIn(of)).toHaveLength(count);
  });

  it('tells the task, what was refused and the calls that are left', () => {
    const shown = transcript(after(reads(2, 10)));
    expect(shown).toContain('do part 0');
    expect(shown).toContain('it is read');
    expect(shown).toMatch(/CALLS LEFT\n254/);
  });
});

describe('what a judge reads', () => {
  it('is whole where the claim rests on it, within 12,000 units, and a line else', () => {
    const shown = judged(after(reads(20, 4_000)));
    expect(shown.length).toBeLessThan(20_000);
    expect(shown.match(/#\d+ /g)).toHaveLength(20);
  });
});
