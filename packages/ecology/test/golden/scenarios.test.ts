/** The scenarios of C2 as committed: each is derived again, with the engine that its genesis names. */
import { readdirSync, readFileSync } from 'node:fs';
import { nativeSha256 } from '@assay/host';
import { begin, orThrow, replayable, type EvidenceRecord, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { ecology, ecologyMachine } from '../../src/index.js';
import { chain, changed, draftsOf, reclosed } from '../../../../scripts/forgeries/forge.mjs';
import { freshEngine } from '../../tools/engine.js';

const FOLDER = new URL('../../../../golden-fixtures/', import.meta.url);
const options = { sha256: nativeSha256 };
const machines = [ecology, ecologyMachine(freshEngine())].map((machine) => replayable(machine, options));
const NAMES = readdirSync(FOLDER).filter((name) => name.startsWith('ecology-'));

function read(name: string): readonly EvidenceRecord[] {
  return readFileSync(new URL(`${name}/ledger.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
}

describe('scenarios', () => {
  it.each(NAMES)('%s', (name) => {
    const [genesis, ...rest] = read(name);
    if (genesis === undefined) throw new Error('an empty ledger');
    let follower = orThrow(begin(machines, genesis, options));
    for (const record of rest) follower = orThrow(follower.feed(record));
    expect(follower.due).toEqual([]);
  });

  it('a world with contracts is nobody’s without its engine', () => {
    const [genesis] = read('ecology-21-mandate');
    if (genesis === undefined) throw new Error('an empty ledger');
    const begun = begin([replayable(ecology, options)], genesis, options);
    expect(begun._tag === 'Left' && begun.left.code).toBe('unknown_machine');
  });

  const FORGED: readonly (readonly [what: string, name: string, from: RegExp, to: string])[] = [
    ['verdict', 'ecology-22-signatures', /"y":false/, '"y":true'],
    ['balance', 'ecology-2-two-buyers', /"t":"mv","x":300/, '"t":"mv","x":30'],
    ['auction result', 'ecology-3-price', /"price":40/, '"price":20'],
    ['window sum', 'ecology-14-rate', /"r":"cpu","t":"use","x":\d+/, '"r":"cpu","t":"use","x":1'],
    ['refund', 'ecology-6-void', /"t":"mv","x":50\}/, '"t":"mv","x":5}'],
  ];
  it.each(FORGED)('a forged %s, every hash made anew, differs at its record', (_what, name, from, to) => {
    const honest = read(name);
    const at = honest.findIndex(
      ({ kind, payload }) => kind === 'decision' && from.test(JSON.stringify(payload)),
    );
    expect(at).toBeGreaterThan(0);
    const forged = chain(
      reclosed(
        changed(
          draftsOf(honest),
          at,
          (payload: Json) => JSON.parse(JSON.stringify(payload).replace(from, to)) as Json,
        ),
      ),
    );
    expect(judged(forged.map((line: string) => JSON.parse(line) as EvidenceRecord))).toEqual([
      'rederivation',
      'differs',
      at,
    ]);
    expect(judged(honest)).toBeNull();
  });
});

/** The first failure of a ledger: its check, its code, its record; null where it is derived again whole. */
function judged([genesis, ...rest]: readonly EvidenceRecord[]):
  | readonly [string, string, number | null]
  | null {
  if (genesis === undefined) throw new Error('an empty ledger');
  let follower = orThrow(begin(machines, genesis, options));
  for (const record of rest) {
    const step = follower.feed(record);
    if (step._tag === 'Left') return [step.left.check, step.left.code, step.left.record];
    follower = step.right;
  }
  return null;
}
