/**
 * A run of a model, given again without it: the same answers to the same evidence, and to no other.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { orThrow } from '@assay/kernel';
import { controller } from '@assay/controller';
import { drive, memoryStore, type Ports } from '@assay/host';
import { parseRecording, recordedPorts, makeRecording } from '@assay/proposers';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { controlled, type Controlled, type Course } from './tools/roles.ts';

const base = mkdtempSync(join(tmpdir(), 'assay-again-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const COURSE: Course = {
  text: 'copy a.txt to b.txt in capital letters',
  doing: (see) => {
    see.write('b.txt', see.file('a.txt').toUpperCase());
    return 'b.txt is written';
  },
};
const over = (a: string): string => {
  const root = mkdtempSync(join(base, 'w-'));
  writeFileSync(join(root, 'a.txt'), a);
  return root;
};
const kept = ({ records }: Controlled, sources: readonly string[]): Ports =>
  recordedPorts(
    orThrow(
      parseRecording(
        orThrow(makeRecording(records, ({ source }) => sources.includes(String(source)))).document,
      ),
    ),
  );

/** The ledger of a run in which nothing is asked of anybody else. */
async function ledgerOf({ genesis }: Controlled, ports: Ports): Promise<string> {
  const store = memoryStore();
  expect(orThrow(await drive(controller, genesis, { store, ports, order: 'turn' })).end).toBe('success');
  let text = '';
  for await (const line of store.read(genesis.run_id)) text += `${Buffer.from(line).toString('utf8')}\n`;
  return text;
}

describe.skipIf(!hasLoopback)('a recorded run', () => {
  test('of roles and tools is played to the same bytes each time, and nothing is done', async () => {
    const run = await controlled(over('alpha\n'), COURSE);
    const ports = kept(run, ['live_model', 'tool']);
    const [first, second] = [await ledgerOf(run, ports), await ledgerOf(run, ports)];
    expect(first).toBe(second);
    expect(first).toContain('recorded_model');
  });

  test('of roles alone is a hit over equal files, and a loud miss over others', async () => {
    const answers = kept(await controlled(over('alpha\n'), COURSE), ['live_model']);
    const [same, other] = [over('alpha\n'), over('beta\n')];
    const hit = await controlled(same, { ...COURSE, answers });
    expect([hit.end, hit.received.length, readFileSync(join(same, 'b.txt'), 'utf8')]).toEqual([
      'success',
      0,
      'ALPHA\n',
    ]);
    const miss = await controlled(other, { ...COURSE, answers });
    expect([miss.end, existsSync(join(other, 'b.txt'))]).toEqual(['refused', false]);
    expect(miss.text).toContain('recording_miss');
  });
});
