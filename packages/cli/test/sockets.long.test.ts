/** No command opens a socket, asks for a name or starts a process unless a model or a server is named. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { REQUEST } from '../../models/test/tools/synthetic.ts';
import { spawned, temporaryFolder } from './lib/assay.ts';
import { writeRecording } from './lib/hand.ts';
import { CANARY } from './lib/models.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
/** Keys, models and a local server are there to be used. */
const TEMPTED = {
  ANTHROPIC_API_KEY: CANARY,
  OPENAI_API_KEY: CANARY,
  ANTHROPIC_MODEL: 'm',
  OPENAI_MODEL: 'm',
};

describe.skipIf(!hasLoopback)('under a guard that ends the process at the first socket', () => {
  beforeAll(async () => {
    await spawned(['run', REQUEST, '-o', at('run')]);
    writeRecording(at('hand.json'), REQUEST, 'hand', []);
    writeFileSync(at('evidence.json'), '[]');
  });
  const ledger = at('run', 'run.ledger.jsonl');
  // Each with the exit code it has where nothing is wrong: a command that stops early opens no socket either.
  test.each<[number, ...string[]]>([
    [0, 'demo'],
    [0, 'run', REQUEST],
    [0, 'run', REQUEST, '--store', `file:${at('store')}`, '--set', 'run_id=r'],
    [0, 'run', REQUEST, '--store', `sqlite:${at('store.db')}`, '--set', 'run_id=r'],
    // Recorded without a reading: a refusal.
    [1, 'run', REQUEST, '--proposer', `recorded:${at('hand.json')}`],
    [0, 'whatif', ledger, '--set', 'order=1'],
    [0, 'resume', `file:${at('store')}#r`],
    [0, 'store', 'list', `file:${at('store')}`],
    [0, 'store', 'copy', `file:${at('store')}`, `sqlite:${at('copy.db')}`],
    [0, 'record', ledger, '--slot', 'rules', '-o', at('recorded.json')],
    [0, 'show', ledger],
    [0, 'show', ledger],
    // Nothing is shown yet.
    [1, 'check', at('run', 'verification-pack.json'), at('evidence.json')],
    [0, 'verify', ledger],
    [0, 'tamper', ledger, 'rehash', '-o', at('forged.jsonl')],
    [0, 'head', ledger],
    [0, 'keygen', at('anna')],
    [0, 'head', ledger, '--sign', at('anna'), '-o', at('run.proofs.jsonl')],
    [0, 'verify', ledger, '--signature', at('run.proofs.jsonl'), '--trust', at('anna.pub')],
    [0, 'prove', ledger, '1', '-o', at('run.proofs.jsonl')],
    [
      0,
      'verify',
      '--proof',
      at('run.proofs.jsonl'),
      '--signature',
      at('run.proofs.jsonl'),
      '--trust',
      at('anna.pub'),
    ],
    ...['jsonl', 'csv', 'in-toto'].map((to): [number, ...string[]] => [0, 'export', ledger, to]),
    [0, 'diff', ledger, ledger],
    [0, 'doctor'],
    [0, 'mcp', '--store', `file:${at('store')}`],
    [0, '--help'],
  ])('exit %i: assay %s %s %s', async (exit, ...args) => {
    const { code, stderr } = await spawned(args, { env: TEMPTED });
    expect([code, stderr.includes('a socket was opened')]).toEqual([exit, false]);
  });

  test('the guard works: mcp --http would open one', async () => {
    const { code, stderr } = await spawned(['mcp', '--http', '0']);
    expect([code, stderr]).toEqual([99, expect.stringContaining('a socket was opened: listen')]);
  });

  test.each([['llm:anthropic/m'], ['llm:openai/m'], ['llm:compatible/m@http://127.0.0.1:12345/v1']])(
    'the guard works: %s would open one',
    async (name) => {
      const { code, stderr } = await spawned(['run', REQUEST, '--proposer', name], { env: TEMPTED });
      expect([code, stderr]).toEqual([99, expect.stringContaining('a socket was opened')]);
    },
  );
});
