/** The scenarios of C2 as committed: each is derived again, with the engine that its genesis names. */
import { readdirSync, readFileSync } from 'node:fs';
import { nativeSha256 } from '@assay/host';
import { begin, orThrow, replayable, type EvidenceRecord } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { ecology, ecologyMachine } from '../../src/index.js';
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

  const FORGED: readonly (readonly [what: string, name: string, from: string, to: string])[] = [
    ['verdict', 'ecology-22-signatures', '"y":false', '"y":true'],
    ['balance', 'ecology-2-two-buyers', '"t":"mv","x":300', '"t":"mv","x":30'],
    ['auction result', 'ecology-3-price', '"price":40', '"price":20'],
    ['window sum', 'ecology-14-rate', /"r":"cpu","t":"use","x":\d+/.source, '"r":"cpu","t":"use","x":1'],
    ['refund', 'ecology-6-void', '"t":"mv","x":50}', '"t":"mv","x":5}'],
  ];
  it.each(FORGED)('a forged %s differs at its record', (_what, name, from, to) => {
    const records = read(name);
    const at = records.findIndex(({ kind, payload }) => kind === 'decision' && new RegExp(from).test(JSON.stringify(payload)));
    expect(at).toBeGreaterThan(0);
    const [genesis, ...rest] = records;
    if (genesis === undefined) throw new Error('an empty ledger');
    let follower = orThrow(begin(machines, genesis, options));
    for (const record of rest.slice(0, at - 1)) follower = orThrow(follower.feed(record));
    const honest = records[at];
    if (honest === undefined) throw new Error('no such record');
    const payload = JSON.parse(JSON.stringify(honest.payload).replace(new RegExp(from), to)) as typeof honest.payload;
    const step = follower.feed({ ...honest, payload } as EvidenceRecord);
    expect(step._tag === 'Left' && step.left.code).toMatch(/differs|hash/);
  });
});
