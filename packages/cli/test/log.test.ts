/**
 * `assay log`: forgeries of a store and its log as recipes, each found under its own code; any store; a log at work;
 * what goes wrong.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { encodeLine, orThrow, readCanonical, type EvidenceRecord } from '@assay/kernel';
import { formatEntry, type LogEntry, parseEntry, signCheckpoint, TiledTree, tilePath } from '@assay/attest';
import { ATTEST_PUBLISHED } from '@assay/attest/schemas';
import { nativeEd25519, openLog, openLogGuard, readSecretKey } from '@assay/attest/node';
import { nativeSha256, type Store } from '@assay/host';
import { WriteError } from '@assay/host/files';
import { openUrl } from '@assay/host/store-file';
import { openUrl as openSqlite } from '@assay/store-sqlite';
import { openUrl as openPostgres } from '@assay/store-postgres';
import { main } from '@assay/cli';
import { freshName, server, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { POLL, poll } from '../../../scripts/forgeries/runs.mjs';
import { LOG_SHELL, withLog } from '../src/commands/log/problem.ts';
import type { Stop } from '../src/problems/problem.ts';
import { newInterruption } from '../src/terminal/signals.ts';
import { argv, temporaryFolder } from './lib/assay.ts';
import { called, calledJson, shaped } from './lib/called.ts';

const folder = temporaryFolder();
const [KEY, WITNESS] = [join(folder, 'log.key'), join(folder, 'witness.key')];
const keys = Promise.all([called('keygen', KEY), called('keygen', WITNESS)]);
const CRYPTO = { engine: nativeEd25519, sha256: nativeSha256 };
const shapeOf = (name: string) => ATTEST_PUBLISHED.find(([one]) => one === name)?.[2] as never;
let made = 0;
const place = (name: string): string => join(folder, `${name}-${(made += 1)}`);

const records = (run_id: string, changes: object = {}): readonly EvidenceRecord[] =>
  poll({ run_id, ...changes });
const OPEN = { answers: POLL.answers.slice(0, 2) };

async function keep(store: Store, run: string, changes: object = {}): Promise<void> {
  orThrow(await store.append(run, null, records(run, changes)));
}

const at = (root: string): readonly string[] => [
  '--log',
  join(root, 'log'),
  '--store',
  `file:${join(root, 'runs')}`,
];
const witness = (root: string) =>
  called('log', 'witness', '--log', join(root, 'log'), '--key', WITNESS, '--state', join(root, 'state'));
/** A store of three closed runs and an open one, its log, cosigned, and a copy of the checkpoint. */
const honest = (async () => {
  await keys;
  const root = place('honest');
  const store = orThrow(openUrl(`file:${join(root, 'runs')}`));
  for (const run of ['a', 'b', 'c']) await keep(store, run);
  await keep(store, 'waiting', OPEN);
  await store.close();
  expect((await called('log', 'append', ...at(root), '--key', KEY)).code).toBe(0);
  expect((await witness(root)).code).toBe(0);
  cpSync(join(root, 'log/checkpoint'), join(root, 'earlier'));
  return root;
})();

const TRUST = ['--trust', `${KEY}.pub`, '--witness', `${WITNESS}.pub`];
const check = (root: string) =>
  ['log', 'check', ...at(root), ...TRUST, '--since', join(root, 'earlier')] as const;
const ledger = (root: string, run: string): string => join(root, 'runs', `${run}.ledger.jsonl`);
const entriesOf = (root: string): readonly LogEntry[] =>
  readFileSync(join(root, 'log/entries/000.p/7'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => orThrow(parseEntry(Buffer.from(line))));

/** What whoever holds the log's key can do: any entries, signed. */
function forgeLog(root: string, entries: readonly LogEntry[]): void {
  const tree = new TiledTree(nativeSha256);
  const lines = entries.map(formatEntry);
  for (const line of lines) tree.add(nativeSha256(Buffer.from(line)));
  rmSync(join(root, 'log'), { recursive: true });
  const put = (name: string, bytes: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, 'log', name)), { recursive: true });
    writeFileSync(join(root, 'log', name), bytes);
  };
  for (const { level, place: column, hashes } of tree.partial())
    put(tilePath(level, column, hashes.length), Buffer.from(hashes.join(''), 'hex'));
  put(tilePath('entries', 0, lines.length), lines.map((line) => `${line}\n`).join(''));
  const secret = orThrow(readSecretKey(KEY));
  put('checkpoint', signCheckpoint({ size: tree.size, root: tree.root() }, secret, CRYPTO));
}

type Recipe = {
  readonly code: string;
  readonly run: string | null;
  readonly forge: (root: string) => void | Promise<unknown>;
};

const RECIPES: { readonly [forged: string]: Recipe } = {
  'a run removed from the store': {
    code: 'missing_run',
    run: 'b',
    forge: (root) => rmSync(ledger(root, 'b')),
  },
  'a run that was never logged': {
    code: 'unlogged',
    run: 'hidden',
    forge: async (root) => {
      const store = orThrow(openUrl(`file:${join(root, 'runs')}`));
      await keep(store, 'hidden');
      await store.close();
    },
  },
  'a ledger decided anew with another answer': {
    code: 'head_mismatch',
    run: 'b',
    forge: (root) => {
      const answers = [...POLL.answers.slice(0, -1), { request_id: '1.2', value: { option: 'harbour' } }];
      writeFileSync(
        ledger(root, 'b'),
        records('b', { answers })
          .map((one) => `${encodeLine(one)}\n`)
          .join(''),
      );
    },
  },
  'another run under the same id': {
    code: 'head_mismatch',
    run: 'waiting',
    forge: (root) =>
      writeFileSync(
        ledger(root, 'waiting'),
        records('waiting', { ...OPEN, ts_base: '2027' })
          .map((one) => `${encodeLine(one)}\n`)
          .join(''),
      ),
  },
  'the end of a ledger cut off': {
    code: 'head_mismatch',
    run: 'c',
    forge: (root) =>
      writeFileSync(
        ledger(root, 'c'),
        readFileSync(ledger(root, 'c'), 'utf8').split('\n').slice(0, 5).join('\n') + '\n',
      ),
  },
  'a payload edited': {
    code: 'head_mismatch',
    run: 'a',
    forge: (root) =>
      writeFileSync(ledger(root, 'a'), readFileSync(ledger(root, 'a'), 'utf8').replace('harbour', 'harvest')),
  },
  'an entry left out of the next tree, and its run with it': {
    code: 'inconsistent',
    run: null,
    forge: async (root) => {
      rmSync(ledger(root, 'b'));
      forgeLog(
        root,
        entriesOf(root)
          .filter(({ run_id }) => run_id !== 'b')
          .map((entry) => ('opened' in entry && entry.run_id === 'c' ? { ...entry, opened: 2 } : entry)),
      );
      const refused = await witness(root);
      expect([refused.code, refused.stderr.includes('assay: inconsistent')]).toEqual([3, true]);
      // The operator asks another witness, which knows no better; it is not the one that is trusted.
      const state = join(root, 'other-state');
      await called('log', 'witness', '--log', join(root, 'log'), '--key', WITNESS, '--state', state);
    },
  },
  'an opening doubled': {
    code: 'twice',
    run: 'a',
    forge: async (root) => {
      forgeLog(root, [...entriesOf(root), ...entriesOf(root).slice(0, 1)]);
      await witness(root);
    },
  },
  'a checkpoint without its witness': {
    code: 'unwitnessed',
    run: null,
    forge: (root) => cpSync(join(root, 'earlier-unsigned'), join(root, 'log/checkpoint')),
  },
  'a run that ended, and an end that is not logged': {
    code: 'unclosed',
    run: 'waiting',
    forge: (root) =>
      writeFileSync(
        ledger(root, 'waiting'),
        records('waiting')
          .map((one) => `${encodeLine(one)}\n`)
          .join(''),
      ),
  },
};

describe('a forgery is found under its own code', () => {
  test('without one, all is well; a run under way is listed', async () => {
    const root = await honest;
    const { code, stdout } = await called(...check(root));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The log and the store hold the same runs \(4 runs, 7 entries, witnessed 20/);
    expect(stdout).toContain('1 runs are under way (unclosed):\n  waiting\n');
    expect(shaped(shapeOf('log-check'), await calledJson(...check(root)))).toMatchObject({
      findings: [{ code: 'unclosed', run_id: 'waiting', fault: false }],
    });
  });

  test.concurrent.each(Object.entries(RECIPES))('%s', async (_, { code, run, forge }) => {
    const root = place('forged');
    cpSync(await honest, root, { recursive: true });
    const checkpoint = readFileSync(join(root, 'earlier'), 'utf8');
    writeFileSync(join(root, 'earlier-unsigned'), checkpoint.slice(0, checkpoint.indexOf('— assay-witness')));
    await forge(root);
    const { code: exit, stdout } = await called(...check(root));
    const told = stdout.split('\n').filter((line) => /^[a-z_]+ {2}\S+: /.test(line));
    expect([exit, told.map((line) => line.split(':')[0])]).toEqual([
      3,
      [`${code}  ${run ?? checkpoint.split('\n')[0] ?? ''}`],
    ]);
  });
});

describe('any store', () => {
  const stores: readonly (readonly [string, () => Promise<readonly [url: string, store: Store]>])[] = [
    [
      'sqlite',
      async () => {
        const url = `sqlite:${place('runs')}.db`;
        return [url, orThrow(await openSqlite(url))];
      },
    ],
    [
      'postgres',
      async () => {
        const url = urlOf(freshName());
        return [url, orThrow(openPostgres(url, { connections: 1, notify: false }))];
      },
    ],
  ];

  test.each(stores)('%s', async (kind, open) => {
    if (kind === 'postgres' && server === null) return;
    await keys;
    const [url, store] = await open();
    const where = ['--log', place('log'), '--store', url];
    try {
      await keep(store, 'a');
      await keep(store, 'open', OPEN);
      expect((await called('log', 'append', ...where, '--key', KEY)).stdout).toMatch(
        /^2 runs opened, 1 closed/,
      );
      const rest = records('open').slice(records('open', OPEN).length);
      const head = orThrow(await store.head('open'));
      orThrow(await store.append('open', head, rest));
      expect((await called('log', 'append', ...where, '--key', KEY)).stdout).toMatch(
        /^0 runs opened, 1 closed/,
      );
      await keep(store, 'lost', OPEN);
      const lost = ['--abandon', 'lost=poison', '--by', 'ops'];
      expect((await called('log', 'append', ...where, '--key', KEY, ...lost)).stdout).toMatch(
        /^1 runs opened, 0 closed, 1 given up; 6 entries/,
      );
      expect((await called('log', 'check', ...where, '--trust', `${KEY}.pub`)).stdout).toBe(
        'The log and the store hold the same runs (3 runs, 6 entries).\n',
      );
    } finally {
      await store.close();
      if (kind === 'postgres')
        await sql(`DROP SCHEMA "${new URL(url).searchParams.get('schema') ?? ''}" CASCADE`);
    }
  });
});

describe('a log at work', () => {
  test('logs and cosigns what comes, so that calls go on; a check meanwhile finds nothing wrong', async () => {
    await keys;
    const root = place('work');
    const store = orThrow(openUrl(`file:${join(root, 'runs')}`));
    await keep(store, 'first');
    const start = (...args: readonly string[]) => {
      const interruption = newInterruption();
      const nowhere = { write: () => undefined };
      const ended = main(args, { out: nowhere, err: nowhere, env: process.env, interruption });
      return async () => (interruption.raise(), ended);
    };
    const log = join(root, 'log');
    const stops = [
      start('log', 'append', ...at(root), '--key', KEY, '--follow'),
      start('log', 'witness', '--log', log, '--key', WITNESS, '--state', join(root, 'state'), '--follow'),
    ];
    while (!existsSync(join(log, 'checkpoint'))) await sleep(10);
    const guard = openLogGuard({ folder: log, sha256: nativeSha256 });
    for (const run of ['x', 'y', 'z']) {
      await keep(store, run, OPEN);
      const genesis_hash = records(run)[0]?.record_hash;
      await guard.opened({ run_id: run, genesis_hash: genesis_hash as never });
      orThrow(
        await store.append(
          run,
          orThrow(await store.head(run)),
          records(run).slice(records(run, OPEN).length),
        ),
      );
      const { code, stdout } = await called('log', 'check', ...at(root), ...TRUST);
      expect([run, code, stdout.split('\n')[0]]).toEqual([
        run,
        0,
        expect.stringMatching(/hold the same runs/),
      ]);
    }
    // One sequencer, and one witness for a state.
    const second = await called('log', 'append', ...at(root), '--key', KEY);
    expect([second.code, second.stderr]).toEqual([5, expect.stringMatching(/^assay: log_locked: /)]);
    for (const stop of stops) expect(await stop()).toBe(130);
    await store.close();
    expect((await called('log', 'append', ...at(root), '--key', KEY)).code).toBe(0);
    const whole = await calledJson('log', 'check', ...at(root), '--trust', `${KEY}.pub`);
    expect(whole).toMatchObject({ log: { size: 8 }, findings: [] });
  });
});

describe('what goes wrong', () => {
  test('a broken run is left out and named, and the others are logged', async () => {
    const root = place('broken');
    cpSync(await honest, root, { recursive: true });
    writeFileSync(ledger(root, 'bad'), '{}\n');
    const { code, stdout, stderr } = await called('log', 'append', ...at(root), '--key', KEY);
    expect([code, stdout.includes('0 runs opened')]).toEqual([3, true]);
    expect(stderr).toMatch(/this run is damaged, so it was not logged\n {2}place {3}bad/);
  });

  test('a damaged log is told, and neither continued nor checked', async () => {
    const root = place('damaged');
    cpSync(await honest, root, { recursive: true });
    const entries = join(root, 'log/entries/000.p/7');
    writeFileSync(entries, readFileSync(entries).subarray(0, 700));
    for (const args of [
      check(root),
      ['log', 'append', ...at(root), '--key', KEY],
      ['log', 'prove', 'c', '--log', join(root, 'log')],
    ]) {
      const { code, stderr } = await called(...args);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/^assay: log_damaged: /)]);
    }
  });

  test('a full disk, one that is read-only, and a file in the way: a code and what to do', async () => {
    const fails = async (fault: Error): Promise<unknown> => {
      try {
        return await withLog('L', () => Promise.reject(fault));
      } catch (stop) {
        const { exit, code, place: at } = (stop as Stop).problem;
        return [exit, code, at];
      }
    };
    const errno = (code: string) => Object.assign(new Error(code), { code, errno: -1, syscall: 'write' });
    expect(await fails(errno('ENOSPC'))).toEqual([5, 'unwritable', 'L']);
    expect(await fails(new WriteError({ code: 'unwritable', path: 'L/x', errno: 'EROFS' }))).toEqual([
      5,
      'unwritable',
      'L/x',
    ]);
    const file = place('file');
    writeFileSync(file, '');
    const store = (await honest) + '/runs';
    const { code, stderr } = await called(
      ...argv`log append --log ${file} --store file:${store} --key ${KEY}`,
    );
    expect([code, stderr.split(':')[1]]).toEqual([2, ' missing_file']);
  });

  test('the secret key is in no message and no file', async () => {
    const root = await honest;
    const secret = readFileSync(KEY, 'utf8').trim().split(':').at(-1) ?? 'none';
    const files = ['checkpoint', 'entries/000.p/7'].map((name) =>
      readFileSync(join(root, 'log', name), 'utf8'),
    );
    const told = await called('log', 'append', ...at(root), '--key', `${KEY}.pub`);
    for (const text of [...files, told.stdout, told.stderr]) expect(text).not.toContain(secret);
  });

  test('every document of --json has its form', async () => {
    const root = place('documents');
    cpSync(await honest, root, { recursive: true });
    shaped(shapeOf('log-append'), await calledJson('log', 'append', ...at(root), '--key', KEY));
    const state = ['--key', WITNESS, '--state', join(root, 'state')];
    shaped(shapeOf('log-witness'), await calledJson('log', 'witness', '--log', join(root, 'log'), ...state));
    shaped(shapeOf('log-prove'), await calledJson('log', 'prove', 'a', '--log', join(root, 'log')));
    for (const entry of entriesOf(root))
      shaped(shapeOf('log-entry'), orThrow(readCanonical(Buffer.from(formatEntry(entry)))).value);
    const log = await openLog(join(root, 'log'), orThrow(readSecretKey(KEY)), LOG_SHELL);
    await log.close();
    expect(log.index.size).toBe(7);
  });
});
