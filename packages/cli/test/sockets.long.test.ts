/** No command opens a socket, asks for a name or starts a process unless a model or a server is named. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REQUEST } from '../../models/test/tools/synthetic.ts';
import { spawned, temporaryFolder } from './lib/assay.ts';
import { writeRecording } from './lib/hand.ts';
import { calledWith, CANARY } from './lib/models.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
/** Keys, models and a local server are there to be used. */
const TEMPTED = {
  ANTHROPIC_API_KEY: CANARY,
  OPENAI_API_KEY: CANARY,
  ANTHROPIC_MODEL: 'm',
  OPENAI_MODEL: 'm',
  ASSAY_MODEL: 'anthropic/m',
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
    [0, 'run', REQUEST, '--store', `file:${at('store')}`, '--run-id', 'r'],
    [0, 'run', REQUEST, '--store', `sqlite:${at('store.db')}`, '--run-id', 'r'],
    // Recorded without a reading: a refusal.
    [1, 'run', REQUEST, '--proposer', `recorded:${at('hand.json')}`],
    [0, 'whatif', ledger, '--set', 'order=1'],
    [0, 'resume', 'r', '--store', `file:${at('store')}`],
    [0, 'store', 'list', `file:${at('store')}`],
    [0, 'copy', `file:${at('store')}`, `sqlite:${at('copy.db')}`],
    [0, 'record', ledger, '--slot', 'rules', '-o', at('recorded.json')],
    [0, 'show', ledger],
    [0, 'show', ledger],
    // Nothing is shown yet.
    [1, 'check', at('run', 'verification-pack.json'), '--evidence', at('evidence.json')],
    [0, 'verify', ledger],
    [0, 'tamper', ledger, '--attack', 'rehash', '-o', at('forged.jsonl')],
    [0, 'head', ledger],
    [0, 'keygen', '-o', at('anna')],
    [0, 'head', ledger, '--sign', at('anna'), '-o', at('run.proofs.jsonl')],
    [0, 'verify', ledger, '--signature', at('run.proofs.jsonl'), '--trust', at('anna.pub')],
    [0, 'prove', ledger, '--record', '1', '-o', at('run.proofs.jsonl')],
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
    ...['jsonl', 'csv', 'in-toto'].map((to): [number, ...string[]] => [0, 'export', ledger, '--to', to]),
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

describe.skipIf(!hasLoopback)('auto', () => {
  let ollama: Server;
  let host = '';
  const asked: string[] = [];
  beforeAll(async () => {
    ollama = createServer((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      if (request.url === '/api/tags')
        response.end(
          JSON.stringify({ models: [{ name: 'zeta:1b' }, { name: 'has space' }, { name: 'alpha:1b' }] }),
        );
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(ollama.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    ollama.closeAllConnections();
    ollama.close();
  });
  const none = { OLLAMA_HOST: '127.0.0.1:1' };

  test('finds nothing: says what it looked for, uses the rules, and says that no model is used', async () => {
    const { code, stderr, stdout } = await calledWith(none, 'run', REQUEST, '--proposer', 'auto');
    expect([code, stderr, stdout]).toEqual([
      0,
      [
        'assay: auto: ASSAY_MODEL is not set',
        'assay: auto: ANTHROPIC_API_KEY is not set, ANTHROPIC_MODEL is not set',
        'assay: auto: OPENAI_API_KEY is not set, OPENAI_MODEL is not set',
        'assay: auto: no Ollama answers on this machine',
        'assay: auto: chose rules, so no language model is used',
        '',
      ].join('\n'),
      expect.stringMatching(/"rules" +rule/m),
    ]);
  });

  test('a key alone chooses nothing: which model is paid for is not guessed', async () => {
    const { stderr } = await calledWith(
      { ...none, ANTHROPIC_API_KEY: CANARY },
      'run',
      REQUEST,
      '--proposer',
      'auto',
    );
    expect(stderr).toContain('auto: ANTHROPIC_API_KEY is set, ANTHROPIC_MODEL is not set');
    expect(stderr).toContain('chose rules');
    expect(stderr).not.toContain(CANARY);
  });

  test.each([
    [{ ASSAY_MODEL: 'openai/a' }, 'llm:openai/a'],
    [{ ASSAY_MODEL: 'llm:anthropic/b', OPENAI_API_KEY: CANARY, OPENAI_MODEL: 'a' }, 'llm:anthropic/b'],
    [
      { ANTHROPIC_API_KEY: CANARY, ANTHROPIC_MODEL: 'c', OPENAI_API_KEY: CANARY, OPENAI_MODEL: 'a' },
      'llm:anthropic/c',
    ],
    [{ ANTHROPIC_API_KEY: CANARY, OPENAI_API_KEY: CANARY, OPENAI_MODEL: 'a' }, 'llm:openai/a'],
  ])('%j chooses %s', async (env, name) => {
    // An address that is none ends the command before anything is sent.
    const { stderr } = await calledWith(
      { ...none, ANTHROPIC_BASE_URL: 'x', OPENAI_BASE_URL: 'x', ...env },
      'run',
      REQUEST,
      '--proposer',
      'auto',
    );
    expect(stderr).toContain(`assay: auto: chose ${name}\n`);
  });

  test('a local Ollama: its first model by name, and it is asked for nothing but its list before', async () => {
    const { code, stderr } = await calledWith({ OLLAMA_HOST: host }, 'run', REQUEST, '--proposer', 'auto');
    expect(stderr).toContain(
      `auto: an Ollama answers, with 3 models\nassay: auto: chose llm:compatible/alpha:1b@http://${host}/v1\n`,
    );
    expect([code, asked[0]]).toEqual([5, 'GET /api/tags']);
  });

  test('another machine is not looked for', async () => {
    const { stderr } = await calledWith(
      { OLLAMA_HOST: 'http://192.0.2.1:11434' },
      'run',
      REQUEST,
      '--proposer',
      'auto',
    );
    expect(stderr).toContain('no Ollama answers on this machine');
  });
});
