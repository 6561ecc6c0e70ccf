/** An engine that does not answer, which takes its time to be known. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeServer, freshName, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { assay, ROOT } from './lib/assay.ts';

const WORK = join(ROOT, 'examples', 'fleet', 'work.mjs');
const CANARY = 'c4n4ry-p4ssw0rd';

describeServer('an engine that is away', () => {
  const schema = freshName();
  afterAll(() => sql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${schema}_fleet" CASCADE`));

  test('is named without its password, exit 5', async () => {
    const engine = `bullmq:redis://:${CANARY}@127.0.0.1:9`;
    const args = ['work', '--with', WORK, '--store', urlOf(schema), '--engine', engine];
    const { code, stdout, stderr } = await assay(args, { mayConnect: true });
    expect([code, stderr]).toEqual([5, expect.stringContaining('assay: engine_unavailable: ')]);
    expect(stderr).toContain('--engine bullmq:redis://:***@127.0.0.1:9');
    expect(stdout + stderr).not.toContain(CANARY);
  });
});
