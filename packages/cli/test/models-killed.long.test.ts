/**
 * Killed while a call to a model is open: after resume one answer is accepted, and every attempt's cost
 * stands in the ledger once.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { scripted, type Scripted } from '../../models/test/tools/scripted-server.ts';
import { REQUEST, said } from '../../models/test/tools/synthetic.ts';
import { argv, assay, ROOT, temporaryFolder } from './lib/assay.ts';
import { calledWith, envOf, named } from './lib/models.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const folder = temporaryFolder();
const BIN = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));
const servers: Scripted[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** Runs the command until the server has so many calls, then kills it. */
async function killedAtCall(
  server: Scripted,
  calls: number,
  args: readonly string[],
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<NodeJS.Signals | number | null> {
  const { CI: _ci, NODE_OPTIONS: _node, ...env } = process.env;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: ROOT,
    env: { ...env, ...envOf(server.url) },
    stdio: 'ignore',
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on('close', (code, by) => resolve(by ?? code)),
  );
  while (server.received.length < calls && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill(signal);
  return ended;
}

type Proposal = {
  readonly source: string;
  readonly value: unknown;
  readonly failure: unknown;
  readonly spent: Readonly<Record<string, number>>;
  readonly provenance: Readonly<Record<string, unknown>>;
};
const proposalsIn = (out: string): readonly Proposal[] =>
  readFileSync(join(out, 'run.ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const record = JSON.parse(line) as { readonly kind: string; readonly payload: Proposal };
      return record.kind === 'proposal' ? [record.payload] : [];
    });

describe.skipIf(!hasLoopback).each([
  ['file', 'SIGKILL'],
  ['sqlite', 'SIGKILL'],
  ['file', 'SIGINT'],
] as const)('%s, %s', (kind, signal) => {
  test.each([1, 2])('%i times', async (kills) => {
    const place = join(folder, `${kind}-${signal}-${kills}`);
    const store = kind === 'file' ? `file:${join(place, 'store')}` : `sqlite:${join(place, 'runs.db')}`;
    const server = await scripted('anthropic', (call) =>
      call < kills ? { silent: true } : call === kills ? { text: 'no JSON' } : { text: said() },
    );
    servers.push(server);
    const proposer = named('anthropic', server.url);
    const begin = ['run', REQUEST, '--set', 'run_id=open', '--proposer', proposer, '--store', store];
    const again = ['resume', `${store}#open`, '--proposer', `llm=${proposer}`];
    for (let killed = 1; killed <= kills; killed += 1) {
      expect(await killedAtCall(server, killed, killed === 1 ? begin : again, signal)).toBe(
        signal === 'SIGKILL' ? 'SIGKILL' : 130,
      );
      expect(server.received).toHaveLength(killed);
    }
    const out = join(place, 'out');
    const { code, stdout, stderr } = await calledWith(envOf(server.url), ...again, '-o', out);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const head = /^head +(assay-head:\S+)$/m.exec(stdout)?.[1] ?? '';
    expect((await assay(['verify', join(out, 'run.ledger.jsonl'), '--head', head])).code).toBe(0);

    // The first attempt has what its lost calls can have cost at most, and its own; the second one its own.
    const proposals = proposalsIn(out);
    expect(proposals.map(({ source, failure }) => [source, failure === null])).toEqual([
      ['live_model', false],
      ['live_model', true],
    ]);
    const [first, second] = proposals;
    expect(first?.provenance).toMatchObject({
      lost_calls: kills,
      lost_charged: { output_tokens: kills * 16_384 },
    });
    const bound =
      (first?.provenance['lost_charged'] as Readonly<Record<string, number>>)['input_tokens'] ?? 0;
    expect(bound % kills === 0 && bound > kills * 120).toBe(true);
    expect([first?.spent, second?.spent]).toEqual([
      { input_tokens: bound + 120, output_tokens: kills * 16_384 + 45 },
      { input_tokens: 120, output_tokens: 45 },
    ]);
    expect(second?.provenance).not.toHaveProperty('lost_calls');
    // Calls made: those that were lost, and one for each recorded attempt. The lost ones went under the key
    // of the first.
    expect(server.received).toHaveLength(kills + 2);
    expect(
      new Set(server.received.slice(0, kills + 1).map(({ headers }) => headers['idempotency-key'])).size,
    ).toBe(1);

    // Driven again it is over: nobody is asked, and nothing is charged twice.
    expect((await calledWith(envOf(server.url), ...again)).code).toBe(0);
    expect(server.received).toHaveLength(kills + 2);
    expect(
      existsSync(join(place, kind === 'file' ? 'store/calls/open.calls' : 'runs.db.calls/open.calls')),
    ).toBe(true);
  });
});

test.skipIf(!hasLoopback)(
  'a budget holds over a kill: what was lost is not there to be spent again',
  async () => {
    const store = `file:${join(folder, 'tight')}`;
    const server = await scripted('compatible', (call) =>
      call === 0 ? { silent: true } : call === 1 ? { text: 'no JSON' } : { text: said() },
    );
    servers.push(server);
    const proposer = named('compatible', server.url);
    const budget = ['--llm', 'budget.output_tokens=49152'];
    const flags = ['--proposer', proposer, '--store', store, ...budget];
    await killedAtCall(server, 1, ['run', REQUEST, '--set', 'run_id=tight', ...flags]);
    const { code, stderr } = await calledWith(
      {},
      ...argv`resume ${store}#tight --proposer ${proposer} ${budget}`,
    );
    // Three times 16,384: the lost call and two attempts.
    expect([code, stderr, server.received.length]).toEqual([0, '', 3]);

    const strict = await scripted('compatible', [{ silent: true }]);
    servers.push(strict);
    const less = ['--proposer', named('compatible', strict.url), '--llm', 'budget.output_tokens=49151'];
    const kept = `file:${join(folder, 'strict')}`;
    await killedAtCall(strict, 1, ['run', REQUEST, '--set', 'run_id=strict', '--store', kept, ...less]);
    const refused = await calledWith({}, 'resume', `${kept}#strict`, ...less);
    expect([refused.code, strict.received.length, refused.stderr]).toEqual([
      1,
      1,
      expect.stringContaining('of 49151 output_tokens, 0 are spent and 0 reserved, and it could need 49152'),
    ]);
  },
);

test.skipIf(!hasLoopback).each([
  [
    'another model with fewer tokens',
    (url: string) => [
      '--proposer',
      `llm=${named('compatible', url, 'other')}`,
      '--llm',
      'max_output_tokens=10',
    ],
    16_384 + 45,
  ],
  ['rules', () => ['--proposer', 'llm=rules'], 16_384],
  [
    'a budget that covers nothing',
    (url: string) => ['--proposer', `llm=${named('compatible', url)}`, '--llm', 'budget.output_tokens=1'],
    16_384,
  ],
] as const)(
  'a call that was killed is charged once, by its note, where %s answers then',
  async (name, flags, tokens) => {
    const place = join(folder, name.replaceAll(' ', '-'));
    const server = await scripted('compatible', (call) => (call === 0 ? { silent: true } : { text: said() }));
    servers.push(server);
    const store = `file:${join(place, 'store')}`;
    await killedAtCall(server, 1, [
      ...argv`run ${REQUEST} --set run_id=open --proposer ${named('compatible', server.url)}`,
      ...argv`--store ${store}`,
    ]);
    await calledWith({}, 'resume', `${store}#open`, ...flags(server.url), '-o', join(place, 'out'));
    const [first, ...rest] = proposalsIn(join(place, 'out'));
    expect([first?.spent['output_tokens'], first?.provenance]).toEqual([
      tokens,
      expect.objectContaining({ lost_calls: 1 }),
    ]);
    for (const { provenance } of rest) expect(provenance).not.toHaveProperty('lost_calls');
    expect((await assay(['verify', join(place, 'out', 'run.ledger.jsonl'), '--quiet'])).code).toBe(0);
  },
);

test.skipIf(!hasLoopback)(
  'notes that cannot be written are exit 5, damaged ones exit 3: no call is made, and the ' +
    'run goes on once they can be used',
  async () => {
    const server = await scripted('anthropic', (call) => (call === 0 ? { silent: true } : { text: said() }));
    servers.push(server);
    const place = join(folder, 'unnoted');
    const args = [
      ...argv`run ${REQUEST} --set run_id=open --proposer ${named('anthropic', server.url)}`,
      ...argv`--store file:${place}`,
    ];
    const run = (): ReturnType<typeof calledWith> => calledWith(envOf(server.url), ...args);
    mkdirSync(place);
    writeFileSync(join(place, 'calls'), 'a file');
    const closed = await run();
    expect([closed.code, closed.stderr]).toEqual([
      5,
      expect.stringMatching(
        new RegExp(
          String.raw`^assay: notes_unavailable: .*ENOTDIR.*\n {2}place .*open\.calls\n {2}remedy .*, and ` +
            String.raw`give the same command again$`,
          'm',
        ),
      ),
    ]);
    expect([existsSync(join(place, 'open.ledger.jsonl')), server.received.length]).toEqual([false, 0]);
    rmSync(join(place, 'calls'));
    await killedAtCall(server, 1, args);
    const noted = readFileSync(join(place, 'calls', 'open.calls'));
    writeFileSync(join(place, 'calls', 'open.calls'), 'no note\n');
    const damaged = await run();
    expect([damaged.code, damaged.stderr, server.received.length]).toEqual([
      3,
      expect.stringMatching(/^assay: notes_damaged: line 1 /m),
      1,
    ]);
    writeFileSync(join(place, 'calls', 'open.calls'), noted);
    expect([(await run()).code, server.received.length]).toEqual([0, 2]);
  },
);

test.skipIf(!hasLoopback).each(['file', 'sqlite'] as const)(
  '%s: begun again after its store was removed, a run is charged for nothing that was ' +
    'answered, and its budget is its own',
  async (kind) => {
    const place = join(folder, `removed-${kind}`);
    const server = await scripted('compatible', () => ({ text: said() }));
    servers.push(server);
    const out = join(place, 'out');
    const args = [
      'run',
      REQUEST,
      '--proposer',
      named('compatible', server.url),
      '--llm',
      'budget.output_tokens=40000',
      '--store',
      kind === 'file' ? `file:${place}/runs` : `sqlite:${place}/runs.db`,
      '-o',
      out,
    ];
    mkdirSync(place);
    for (let time = 0; time < 3; time += 1) {
      for (const name of readdirSync(place))
        if (/^runs(\.db(-\w+)?)?$/.test(name))
          for (const each of kind === 'file'
            ? readdirSync(join(place, name))
                .filter((file) => file.endsWith('.jsonl'))
                .map((file) => join(name, file))
            : [name])
            rmSync(join(place, each));
      rmSync(out, { recursive: true, force: true });
      const { code, stderr } = await calledWith({}, ...args);
      expect([time, code, stderr, server.received.length]).toEqual([time, 0, '', time + 1]);
      for (const { provenance } of proposalsIn(out)) expect(provenance).not.toHaveProperty('lost_calls');
    }
  },
);
