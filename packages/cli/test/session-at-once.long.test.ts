/** One session, several calls: none loses the turn of another, whoever is killed in the middle. */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { main } from '@assay/cli';
import { memoryStore } from '@assay/host';
import { nodeProcesses, tokenOf } from '@assay/store-file';
import { NO_SESSION, type Session } from '../src/commands/control/session.ts';
import { withSession } from '../src/commands/control/session-lock.ts';
import { beginTurn, isDriven, leaveTurn } from '../src/commands/control/session-turn.ts';
import { turnIdentity } from '../src/commands/control/turn-identity.ts';
import { newInterruption } from '../src/terminal/interruption.ts';
import { assay, BIN, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { drawing } from './lib/killed.ts';
import { bytesIn, firstRecords } from './lib/places.ts';

type Kept = {
  readonly count: number;
  readonly begun: readonly {
    readonly run_id: string;
    readonly owner: string | null;
    readonly stored: boolean;
  }[];
  readonly turns: readonly { readonly input: string; readonly refers: unknown }[];
};

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
/** Options of calls in one workspace, session and store of a name. */
const of = (name: string): readonly string[] => {
  mkdirSync(at(name), { recursive: true });
  writeFileSync(at(name, 'a.txt'), 'a');
  return [
    '--workspace',
    at(name),
    '--session',
    at(`${name}-session`),
    '--store',
    `file:${at(`${name}-store`)}`,
    '--no-clock',
  ];
};
const kept = (name: string): Kept =>
  JSON.parse(readFileSync(at(`${name}-session`, 'session.json'), 'utf8')) as Kept;
const inputs = (name: string): readonly string[] =>
  kept(name)
    .turns.map(({ input }) => input)
    .sort();
const lines = (n: number): string => `count the lines of a.txt and write the number to ${n}.txt`;
/** A process of this machine that has ended. */
const dead = (): string =>
  tokenOf({ ...nodeProcesses.self(), pid: spawnSync(process.execPath, ['-e', '']).pid });

describe('calls at once, each a process of its own', { timeout: 120_000 }, () => {
  test('eight of them are eight turns, and eight runs', async () => {
    const options = of('eight');
    const ended = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => assay(['control', lines(n), ...options, '--json'])),
    );
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
    const { count, begun, turns } = kept('eight');
    expect([count, begun, turns.length, new Set(inputs('eight')).size]).toEqual([8, [], 5, 5]);
    const runs = ended.map(
      ({ stdout }) => JSON.parse(stdout) as { readonly run_id: string; readonly was_over: boolean },
    );
    expect([
      new Set(runs.map(({ run_id }) => run_id)).size,
      runs.filter(({ was_over }) => was_over).length,
    ]).toEqual([8, 0]);
    expect([1, 2, 3, 4, 5, 6, 7, 8].filter((n) => !existsSync(at('eight', `${n}.txt`)))).toEqual([]);
    expect(existsSync(at('eight-session', '.locks'))).toBe(false);
  });

  test('the same words five times are five runs over one store, and five turns', async () => {
    const options = of('same');
    const ended = await Promise.all(
      [1, 2, 3, 4, 5].map(() => assay(['control', 'how many files are there?', ...options, '--json'])),
    );
    const runs = ended.map(
      ({ stdout }) =>
        JSON.parse(stdout) as {
          readonly run_id: string;
          readonly was_over: boolean;
          readonly records_found: number;
        },
    );
    expect([
      new Set(runs.map(({ run_id }) => run_id)).size,
      runs.map(({ was_over, records_found }) => [was_over, records_found]),
    ]).toEqual([5, runs.map(() => [false, 0])]);
    expect([kept('same').count, kept('same').turns.length, kept('same').begun]).toEqual([5, 5, []]);
  });

  test(
    'calls that are killed with -9 at any moment take no turn of those that end, and leave a ' +
      'session that is read',
    async () => {
      const options = of('killed');
      const draw = drawing(20_261_123);
      let ended = 0;
      for (let round = 0; round < 4; round += 1) {
        const child = spawn(process.execPath, [BIN, 'control', lines(100 + round), ...options], {
          cwd: ROOT,
          stdio: 'ignore',
        });
        const closed = new Promise<NodeJS.Signals | null>((resolve) =>
          child.on('close', (_code, signal) => resolve(signal)),
        );
        const calls = [1, 2].map((n) => assay(['control', lines(10 * round + n), ...options]));
        await sleep(200 + draw(900));
        child.kill('SIGKILL');
        for (const { code, stderr } of await Promise.all(calls)) expect([code, stderr]).toEqual([0, '']);
        ended += 2 + ((await closed) === null ? 1 : 0);
        // One that was killed may have added its turn before.
        expect([kept('killed').count >= ended, kept('killed').count <= ended + round + 1]).toEqual([
          true,
          true,
        ]);
      }
      expect(await called('control', 'how are you?', ...options)).toMatchObject({ code: 1, stderr: '' });
    },
  );

  test(
    'one that is killed with -9 in the middle is gone on with by the same call, and by ' +
      'resume where another turn came between',
    async () => {
      for (const between of [false, true]) {
        let tries = 0;
        for (let isOpen = false; !isOpen; ) {
          tries += 1;
          if (tries > 20) throw new Error('none of 20 calls could be killed before it ended');
          const name = `cut-${between}-${tries}`;
          const options = of(name);
          const child = spawn(process.execPath, [BIN, 'control', lines(1), ...options], {
            cwd: ROOT,
            stdio: 'ignore',
          });
          const closed = new Promise((resolve) => child.on('close', resolve));
          const noted = (): string =>
            existsSync(at(`${name}-session`, 'session.json')) ? (kept(name).begun[0]?.run_id ?? '') : '';
          while (
            child.exitCode === null &&
            (noted() === '' ||
              ((await bytesIn(`file:${at(`${name}-store`)}`, noted()).catch(() => null)) ?? '').split('\n')
                .length < 4)
          )
            await sleep(1);
          child.kill('SIGKILL');
          await closed;
          isOpen =
            kept(name).count === 0 &&
            !((await bytesIn(`file:${at(`${name}-store`)}`, noted())) ?? '').includes('"kind":"close"');
          if (!isOpen) continue;
          const run = noted();
          if (between) {
            expect((await called('control', lines(2), ...options)).code).toBe(0);
            expect([inputs(name), kept(name).begun.map(({ run_id }) => run_id)]).toEqual([[lines(2)], [run]]);
          }
          const again = between ? ['resume', run, ...options.slice(0, 6)] : ['control', lines(1), ...options];
          expect(await calledJson(...again)).toMatchObject({
            run_id: run,
            was_over: false,
            status: 'success',
          });
          expect([inputs(name), kept(name).begun]).toEqual([between ? [lines(1), lines(2)] : [lines(1)], []]);
        }
      }
    },
  );
});

describe('what is noted of a turn that is not added yet', () => {
  test('two calls at once in one process, in the same words: both are runs, and both are turns', async () => {
    const options = of('both');
    const runs = await Promise.all([
      calledJson('control', lines(1), ...options),
      calledJson('control', lines(1), ...options),
    ]);
    expect([
      new Set(runs.map(({ run_id }) => run_id)).size,
      kept('both').count,
      kept('both').begun,
      inputs('both'),
    ]).toEqual([2, 2, [], [lines(1), lines(1)]]);
  });

  test('a call without a store that is cut off leaves nothing to go on with', async () => {
    const [, workspace = ''] = of('nowhere');
    const interruption = newInterruption();
    const write = (text: string): void => {
      if (text.includes('plan ')) interruption.raise();
    };
    expect(
      await main(
        ['control', lines(1), '--workspace', workspace, '--session', at('nowhere-session'), '--verbose'],
        { out: { write: () => true }, err: { write }, env: {}, interruption },
      ),
    ).toBe(130);
    expect(kept('nowhere')).toEqual({ count: 0, begun: [], turns: [] });
  });

  test('a turn that was done but not added is still one after another call has ended; and then once', async () => {
    const options = of('late');
    mkdirSync(at('late-out'));
    writeFileSync(at('late-out', 'run.ledger.jsonl'), 'of another run\n');
    expect((await called('control', lines(1), ...options, '-o', at('late-out'))).code).toBe(2);
    expect((await called('control', lines(2), ...options)).code).toBe(0);
    const { begun } = kept('late');
    expect(begun).toMatchObject([{ owner: null, stored: true }]);
    for (const again of [1, 2])
      expect([
        again,
        (await called('resume', begun[0]?.run_id ?? '', ...options.slice(0, 6))).code,
        inputs('late'),
      ]).toEqual([again, 0, [lines(1), lines(2)]]);
  });

  test('a run that its own call is about to add is added by that one only', async () => {
    const options = of('hers');
    const run = (await calledJson('control', lines(1), ...options))['run_id'] as string;
    // As it is between the last record and the turn, for a call that lives: this process.
    const note = { run_id: run, owner: tokenOf(nodeProcesses.self()), stored: true };
    writeFileSync(at('hers-session', 'session.json'), JSON.stringify({ count: 0, begun: [note], turns: [] }));
    expect((await called('resume', run, ...options.slice(0, 6))).code).toBe(0);
    expect(kept('hers')).toEqual({ count: 0, begun: [note], turns: [] });
    // The same words are another run meanwhile; once that call is dead, they are its own.
    expect(await calledJson('control', lines(1), ...options)).toMatchObject({
      run_id: run.replace(/-1$/, '-2'),
      was_over: false,
    });
    writeFileSync(
      at('hers-session', 'session.json'),
      JSON.stringify({ count: 0, begun: [{ ...note, owner: dead() }], turns: [] }),
    );
    expect(await calledJson('control', lines(1), ...options)).toMatchObject({ run_id: run, was_over: true });
    expect(kept('hers')).toMatchObject({ count: 1, begun: [], turns: [{ input: lines(1) }] });
  });

  test('a run with a name of its own that was over is no turn again, whatever became of the call', async () => {
    const options = [...of('named'), '--run-id', 'mine'];
    mkdirSync(at('named-out'));
    writeFileSync(at('named-out', 'run.ledger.jsonl'), 'of another run\n');
    expect(
      (
        await called(
          'control',
          'how are you?',
          '--workspace',
          at('named'),
          '--store',
          `file:${at('named-store')}`,
          '--run-id',
          'mine',
          '--no-clock',
        )
      ).code,
    ).toBe(1);
    for (const more of [['-o', at('named-out')], [], []])
      await called('control', 'how are you?', ...options, ...more);
    expect(existsSync(at('named-session', 'session.json'))).toBe(false);
  });

  test('of runs that nobody drives the last sixteen are kept, and none that is in no store', async () => {
    const options = of('left');
    const begun = Array.from({ length: 20 }, (_, n) => ({
      run_id: `old-${n}`,
      owner: n % 2 === 0 ? null : dead(),
      stored: true,
    }));
    mkdirSync(at('left-session'));
    writeFileSync(
      at('left-session', 'session.json'),
      JSON.stringify({
        count: 3,
        begun: [{ run_id: 'nowhere', owner: dead(), stored: false }, ...begun],
        turns: [],
      }),
    );
    await called('control', lines(1), ...options);
    expect(kept('left')).toEqual({
      count: 4,
      begun: begun.slice(4),
      turns: [expect.objectContaining({ input: lines(1) })],
    });
  });

  test('a session that names one run, as it was written before, is read, and that run is gone on with', async () => {
    const options = of('older');
    const run = (await calledJson('control', lines(1), ...options))['run_id'] as string;
    writeFileSync(at('older-session', 'session.json'), JSON.stringify({ count: 0, begun: run, turns: [] }));
    expect(await calledJson('control', lines(1), ...options)).toMatchObject({ run_id: run, was_over: true });
    expect(kept('older')).toMatchObject({ count: 1, begun: [], turns: [{ input: lines(1) }] });
  });
});

const self = nodeProcesses.self();

describe('whether another call drives a run', () => {
  const noted = (owner: string | null): boolean => isDriven({ run_id: 'x', owner, stored: true });

  test('is seen of a process here: one that lives does, and one that died, no owner and no name of one do not', () => {
    expect([tokenOf(self), dead(), null, 'nobody'].map(noted)).toEqual([true, false, false, false]);
  });

  test(
    'is not known of another host or another namespace, also where a process of that number ' +
      'lives here: such a run can be gone on with',
    async () => {
      for (const elsewhere of [{ host: 'elsewhere' }, { namespace: '7' }]) {
        const owner = tokenOf({ ...self, ...elsewhere });
        expect([elsewhere, nodeProcesses.isAlive({ ...self, ...elsewhere }), noted(owner)]).toEqual([
          elsewhere,
          true,
          false,
        ]);
        const name = `strange-${Object.keys(elsewhere).join()}`;
        const options = of(name);
        const run = (await calledJson('control', lines(1), ...options))['run_id'] as string;
        writeFileSync(
          at(`${name}-session`, 'session.json'),
          JSON.stringify({ count: 0, begun: [{ run_id: run, owner, stored: true }], turns: [] }),
        );
        expect(await calledJson('control', lines(1), ...options)).toMatchObject({
          run_id: run,
          was_over: true,
        });
        expect(kept(name)).toMatchObject({ count: 1, begun: [] });
      }
    },
  );
});

test(
  'the note of a run in a store outlives a call without one that takes up the same run and ' +
    'does not come to adding it',
  async () => {
    const session = at('outlives-session');
    const left = { run_id: 'named', owner: null, stored: true };
    mkdirSync(session, { recursive: true });
    writeFileSync(join(session, 'session.json'), JSON.stringify({ count: 0, begun: [left], turns: [] }));
    const { turn } = await beginTurn(session, false, () =>
      Promise.resolve({ runId: 'named', isOver: false }),
    );
    await leaveTurn(turn, false);
    expect(JSON.parse(readFileSync(join(session, 'session.json'), 'utf8'))).toMatchObject({ begun: [left] });
  },
);

describe('two sessions over one store', () => {
  /** The options of `name`, with another session. */
  const inSession = (name: string, session: string): readonly string[] =>
    of(name).map((word) => (word === at(`${name}-session`) ? at(`${session}-session`) : word));

  test('the same words in both at once are two runs, each done and each a turn of its own session', {
    timeout: 120_000,
  }, async () => {
    for (let round = 0; round < 3; round += 1) {
      const [a, b] = [
        inSession(`pair-${round}`, `pair-${round}-a`),
        inSession(`pair-${round}`, `pair-${round}-b`),
      ];
      const ended = await Promise.all(
        [a, b].map((options) => assay(['control', lines(1), ...options, '--json'])),
      );
      const told = ended.map(({ code, stdout, stderr }) => ({
        code,
        stderr,
        ...(JSON.parse(stdout) as { readonly run_id?: string; readonly was_over?: boolean }),
      }));
      expect([new Set(told.map(({ run_id }) => run_id)).size, told.map(({ was_over }) => was_over)]).toEqual([
        2,
        [false, false],
      ]);
      for (const session of ['a', 'b'])
        expect(kept(`pair-${round}-${session}`)).toMatchObject({
          count: 1,
          begun: [],
          turns: [{ input: lines(1) }],
        });
    }
  });

  test('their runs have names of their own also where the folders have one path on two machines', async () => {
    const nameOn = async (host: string, session: Session = NO_SESSION): Promise<string> => {
      const spied = vi.spyOn(nodeProcesses, 'self').mockReturnValue({ ...self, host });
      const { run_id } = await turnIdentity({ run_id: 'run-0123456789ab', ts_base: 'T' }, session, {
        folder: at('shared'),
        store: memoryStore(),
        place: '',
      });
      spied.mockRestore();
      return run_id;
    };
    const [here, there] = [await nameOn(self.host), await nameOn('elsewhere')];
    expect([here, there]).toEqual([
      expect.stringMatching(/^run-0123456789ab-[0-9a-f]{12}-1$/),
      expect.stringMatching(/^run-0123456789ab-[0-9a-f]{12}-1$/),
    ]);
    expect([there === here, await nameOn(self.host)]).toEqual([false, here]);
    // What was begun elsewhere, or without a session in its name, keeps its name; of one that is driven now
    // the next number is taken, and other words are others.
    const noted = (run_id: string, owner: string | null): Session => ({
      ...NO_SESSION,
      begun: [{ run_id, owner, stored: true }],
    });
    for (const begun of [there, 'run-0123456789ab-1'])
      expect([
        await nameOn(self.host, noted(begun, null)),
        await nameOn(self.host, noted(begun, tokenOf(self))),
      ]).toEqual([begun, here.replace(/1$/, '2')]);
    for (const other of [
      there.replace('ab-', 'ac-'),
      there.replace(/1$/, '11'),
      there.replace(/1$/, '2'),
      `${there}-1`,
    ])
      expect([other, await nameOn(self.host, noted(other, null))]).toEqual([other, here]);
  });

  test('a run of one that lies open is not gone on with by the other', async () => {
    const [first, second] = [inSession('open', 'open-a'), inSession('open', 'open-b')];
    const run = (await calledJson('control', lines(1), ...first))['run_id'] as string;
    const ledger = at('open-store', `${run}.ledger.jsonl`);
    writeFileSync(ledger, firstRecords(readFileSync(ledger, 'utf8'), 4));
    const other = await calledJson('control', lines(1), ...second);
    expect(other).toMatchObject({ was_over: false, records_found: 0 });
    expect(other['run_id']).not.toBe(run);
    expect(readFileSync(ledger, 'utf8').trimEnd().split('\n')).toHaveLength(4);
  });

  test('a session that is moved goes on with its interrupted turn, by the same words or resume', async () => {
    for (const again of ['control', 'resume']) {
      const [before, after] = [
        inSession(`gone-${again}`, `gone-${again}-a`),
        inSession(`gone-${again}`, `gone-${again}-b`),
      ];
      const run = (await calledJson('control', lines(1), ...before))['run_id'] as string;
      const ledger = at(`gone-${again}-store`, `${run}.ledger.jsonl`);
      writeFileSync(ledger, firstRecords(readFileSync(ledger, 'utf8'), 4));
      writeFileSync(
        at(`gone-${again}-a-session`, 'session.json'),
        JSON.stringify({ count: 0, begun: [{ run_id: run, owner: dead(), stored: true }], turns: [] }),
      );
      renameSync(at(`gone-${again}-a-session`), at(`gone-${again}-b-session`));
      const args =
        again === 'control' ? ['control', lines(1), ...after] : ['resume', run, ...after.slice(0, 6)];
      expect(await calledJson(...args)).toMatchObject({
        run_id: run,
        was_over: false,
        records_found: 4,
        status: 'success',
      });
      expect(kept(`gone-${again}-b`)).toMatchObject({ count: 1, begun: [], turns: [{ input: lines(1) }] });
    }
  });

  test('a copy of a session is another one: the same words in both are two runs', async () => {
    const [first, second] = [inSession('copied', 'copied-a'), inSession('copied', 'copied-b')];
    await called('control', lines(1), ...first);
    cpSync(at('copied-a-session'), at('copied-b-session'), { recursive: true });
    const runs = await Promise.all(
      [first, second].map((options) => calledJson('control', lines(2), ...options)),
    );
    expect([new Set(runs.map(({ run_id }) => run_id)).size, runs.map(({ was_over }) => was_over)]).toEqual([
      2,
      [false, false],
    ]);
  });

  test(
    'the path to a session is no part of it: by a link the same turn is gone on with, and ' +
      'without a store the name of a run says nothing of folders',
    async () => {
      const options = inSession('path', 'path-a');
      const run = (await calledJson('control', lines(1), ...options))['run_id'] as string;
      const ledger = at('path-store', `${run}.ledger.jsonl`);
      writeFileSync(ledger, firstRecords(readFileSync(ledger, 'utf8'), 4));
      writeFileSync(at('path-a-session', 'session.json'), JSON.stringify({ count: 0, begun: [], turns: [] }));
      symlinkSync(at('path-a-session'), at('path-b-session'), 'dir');
      expect(await calledJson('control', lines(1), ...inSession('path', 'path-b'))).toMatchObject({
        run_id: run,
        was_over: false,
        records_found: 4,
      });
      const nowhere = await Promise.all(
        ['c', 'd'].map(
          async (one) =>
            (
              await calledJson(
                'control',
                lines(1),
                '--workspace',
                at('path'),
                '--session',
                at(`path-${one}-session`),
                '--no-clock',
              )
            )['run_id'],
        ),
      );
      expect(nowhere).toEqual([expect.stringMatching(/^run-[0-9a-f]{12}-1$/), nowhere[0]]);
    },
  );

  test(
    'of a run with a name of its own that another session holds no note is left, and what ' +
      'that one did is no turn later',
    async () => {
      const [first, second] = [inSession('held', 'held-a'), inSession('held', 'held-b')];
      const run = ['--run-id', 'mine'];
      // Somebody elsewhere who begins this run and has written nothing yet.
      const lock = at('held-store', '.locks', 'mine');
      mkdirSync(lock, { recursive: true });
      writeFileSync(join(lock, tokenOf({ ...nodeProcesses.self(), host: 'elsewhere' })), '');
      const { code, stderr } = await called('control', lines(1), ...second, ...run);
      expect([code, stderr]).toEqual([5, expect.stringContaining('assay: store_locked: ')]);
      expect(kept('held-b')).toEqual({ count: 0, begun: [], turns: [] });
      rmSync(lock, { recursive: true });
      expect((await called('control', lines(1), ...first, ...run)).code).toBe(0);
      expect(await calledJson('control', lines(1), ...second, ...run)).toMatchObject({ was_over: true });
      expect([kept('held-a').count, kept('held-b')]).toEqual([1, { count: 0, begun: [], turns: [] }]);
    },
  );

  test('a note of its own outlives a call that is refused while somebody else drives that run', async () => {
    const options = of('still');
    const run = (await calledJson('control', lines(1), ...options))['run_id'] as string;
    const ledger = at('still-store', `${run}.ledger.jsonl`);
    writeFileSync(ledger, firstRecords(readFileSync(ledger, 'utf8'), 4));
    const note = { run_id: run, owner: null, stored: true };
    writeFileSync(
      at('still-session', 'session.json'),
      JSON.stringify({ count: 0, begun: [note], turns: [] }),
    );
    mkdirSync(at('still-store', '.locks', run), { recursive: true });
    writeFileSync(
      at('still-store', '.locks', run, tokenOf({ ...nodeProcesses.self(), host: 'elsewhere' })),
      '',
    );
    expect(await called('control', lines(1), ...options)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('assay: store_locked: ') as string,
    });
    expect(kept('still')).toEqual({ count: 0, begun: [note], turns: [] });
  });
});

describe('the lock of a session', () => {
  const locked = (name: string, owner: string): string => {
    mkdirSync(at(name, '.locks', '.session'), { recursive: true });
    writeFileSync(at(name, '.locks', '.session', owner), '');
    return at(name);
  };

  test('of a process that died is taken over; of one that lives it is waited for, and then told who it is', async () => {
    expect(await withSession(locked('of-dead', dead()), async () => 'done', 0)).toBe('done');
    await expect(
      withSession(locked('of-living', tokenOf(nodeProcesses.self())), async () => 'done', 100),
    ).rejects.toMatchObject({
      problem: {
        code: 'session_locked',
        exit: 5,
        message: expect.stringContaining('this process') as string,
        place: at('of-living'),
      },
    });
    await expect(
      withSession(
        locked('of-stranger', tokenOf({ ...nodeProcesses.self(), host: 'elsewhere' })),
        async () => 'done',
        100,
      ),
    ).rejects.toMatchObject({
      problem: {
        code: 'session_locked',
        remedy: expect.stringContaining(`rm -r ${at('of-stranger', '.locks', '.session')}`) as string,
      },
    });
  });

  test.each([
    ['.locks', 'no folder'],
    ['.locks/.session', 'no lock'],
  ])('where %s is a file it is said so, before anything is done', async (name, kind) => {
    const session = kind.replace(' ', '-');
    const options = of(session);
    mkdirSync(dirname(at(`${session}-session`, name)), { recursive: true });
    writeFileSync(at(`${session}-session`, name), '');
    const { code, stderr } = await called('control', lines(1), ...options);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`assay: session_locked: what is called ${name} there is ${kind}`),
    ]);
    expect(existsSync(at(session, '1.txt'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32')(
    'where .locks/.session is a link to a folder full of names it is said at once that it is no lock',
    async () => {
      const options = of('linked-lock');
      mkdirSync(at('linked-lock-session', '.locks'), { recursive: true });
      symlinkSync(ROOT, at('linked-lock-session', '.locks', '.session'));
      const begun = performance.now();
      const { code, stderr } = await called('control', lines(1), ...options);
      expect([code, stderr]).toEqual([
        5,
        expect.stringContaining('assay: session_locked: what is called .locks/.session there is no lock'),
      ]);
      expect(performance.now() - begun).toBeLessThan(20_000);
    },
  );

  test('one that cannot be let go of is told as a folder that cannot be written', async () => {
    const place = at('stuck', '.locks', '.session');
    const replaced = async (): Promise<void> => {
      const [owner = ''] = readdirSync(place);
      rmSync(join(place, owner));
      mkdirSync(join(place, owner));
    };
    await expect(withSession(at('stuck'), replaced, 0)).rejects.toMatchObject({
      problem: { code: 'unwritable', place: at('stuck') },
    });
  });

  test.skipIf(process.platform === 'win32')(
    'where .locks is a link to a folder it is held there, and the link stays',
    async () => {
      const options = of('linked');
      mkdirSync(at('linked-session'));
      mkdirSync(at('linked-elsewhere'));
      symlinkSync(at('linked-elsewhere'), at('linked-session', '.locks'));
      expect(await called('control', lines(1), ...options)).toMatchObject({ code: 0, stderr: '' });
      expect([
        kept('linked').count,
        readdirSync(at('linked-elsewhere')),
        readdirSync(at('linked-session')),
      ]).toEqual([1, [], ['.locks', 'session.json']]);
    },
  );
});
