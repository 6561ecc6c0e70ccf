/** The page gives the verdicts of the command, and draws nothing where one failed: over the forgeries. */
import { nativeSha256 } from '@assay/host';
import { expect, test } from 'vitest';
import { verify } from '@assay/verifier';
import { fixtures, golden, loaded, loadTwice, machines } from './tools/engine.ts';

const isSame = async (name: string): Promise<void> => {
  const bytes = golden(name);
  const { checked } = await loaded(bytes);
  expect(checked.document).toEqual(verify('x', bytes, { machines, sha256: nativeSha256 }).document);
  const { integrity, rederivation } = checked.document.checks;
  const mayDraw = integrity.verdict === 'held' && rederivation.verdict === 'held';
  expect(checked.picture !== null).toBe(mayDraw);
  if (!mayDraw) expect([checked.knobs, checked.files, checked.next]).toEqual([[], [], []]);
};

test.each(fixtures('forgeries/'))('explorer/same-verdicts: %s', isSame);

test.each(['controller-accept', 'planner-e1-agent', 'tally-success', ...fixtures('forgeries/').slice(0, 12)])(
  'a second worker beside the first comes to the same: %s',
  async (name) => {
    const [alone, both] = await loadTwice(golden(name));
    expect(both).toEqual(alone);
  },
);
