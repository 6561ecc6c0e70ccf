/** An engine that does not answer, which takes its time to be known. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { assay, ROOT } from './lib/assay.ts';

const WORK = join(ROOT, 'examples', 'fleet', 'work.mjs');
const CANARY = 'c4n4ry-p4ssw0rd';

test.skipIf(!hasLoopback)('an engine that is away: named without its password, exit 5', async () => {
  const engine = `bullmq:redis://:${CANARY}@127.0.0.1:9`;
  const args = ['work', '--with', WORK, '--store', 'postgres://127.0.0.1:9/none', '--engine', engine];
  const { code, stdout, stderr } = await assay(args, { mayConnect: true });
  expect([code, stderr]).toEqual([5, expect.stringContaining('assay: engine_unavailable: ')]);
  expect(stderr).toContain('--engine bullmq:redis://:***@127.0.0.1:9');
  expect(stdout + stderr).not.toContain(CANARY);
});
