/**
 * Notes that cannot be used: nothing waits for them without end, nothing is charged that cannot be, and no
 * answer is lost over them.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { advance, isObject, openRun, orThrow, type JsonObject, type Spent } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  folderNotes,
  idempotencyKey,
  memoryStore,
  withLostCalls,
  type CallNotes,
  type DriveOptions,
  type Port,
} from '../src/index.ts';
import { AT_ONCE, copyNotes, payloads, poll, port } from './tools.js';
import { virtually } from './simulation/virtually.js';
import { draws } from '../../kernel/tools/laws.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-notes-hostile-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const place = (): string => {
  const own = join(folder, `place-${(made += 1)}`);
  mkdirSync(own);
  return own;
};

const MAX = Number.MAX_SAFE_INTEGER;
const POLICY = { voters: 1, quorum: 1, attempts: 2 };
const told = (cents: number): { readonly value: { readonly option: string }; readonly spent: Spent } => ({
  value: { option: 'soup' },
  spent: { cents },
});
const costly = (cents = 4): ReturnType<typeof port> & Port => ({
  ...port(() => told(cents)),
  bound: () => ({ cents: 10 }),
});
const noting = (...lost: readonly Spent[]): CallNotes => ({ begin: () => Promise.resolve(lost) });

async function driven(
  notes: CallNotes,
  given: Partial<DriveOptions> = {},
): Promise<{
  readonly result: unknown;
  readonly proposals: readonly JsonObject[];
  readonly errors: readonly string[];
}> {
  const store = memoryStore();
  const errors: string[] = [];
  const ballot = costly();
  // The run is there before its notes: of one that begins, what is noted is of another that was taken away.
  orThrow(await drive(tally, poll(POLICY), { store, ports: () => null, signal: AbortSignal.abort() }));
  const result = await drive(tally, poll(POLICY), {
    store,
    ports: ({ kind }) => (kind === 'ballot' ? ballot : null),
    retry: AT_ONCE,
    onEvent: (event) => {
      if (event.type === 'port_error') errors.push(String(event.error));
    },
    ...given,
    budget: { limits: {}, notes, ...given.budget },
  });
  return { result, proposals: (await payloads(store, 'proposal')).filter(isObject), errors };
}

describe.skipIf(process.platform === 'win32')('what bears the name of notes and is no file', () => {
  const KINDS: readonly (readonly [string, (path: string) => void])[] = [
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    [
      'a pipe behind a link',
      (path) => {
        execFileSync('mkfifo', [`${path}.pipe`]);
        symlinkSync(`${path}.pipe`, path);
      },
    ],
    ['a folder', (path) => mkdirSync(path)],
    ['a device without end', (path) => symlinkSync('/dev/zero', path)],
    ['a device that is full', (path) => symlinkSync('/dev/full', path)],
  ];

  it.each(KINDS)('%s is an error of the drive at once: no call is made', async (_, make) => {
    const own = place();
    make(join(own, 'poll-1.calls'));
    const ballot = costly();
    const { result, proposals } = await driven(folderNotes(own), { ports: () => ballot });
    expect(result).toEqual({
      _tag: 'Left',
      left: { code: 'notes', reason: 'unavailable', path: join(own, 'poll-1.calls'), errno: 'ERR_NO_FILE' },
    });
    expect([ballot.calls, proposals]).toEqual([[], []]);
  });

  it.each(KINDS)('%s is neither copied nor copied to', async (_, make) => {
    const [from, to, good] = [place(), place(), place()];
    make(join(from, 'run.calls'));
    make(join(to, 'run.calls'));
    writeFileSync(join(good, 'run.calls'), 'key {"cents":5}\n');
    for (const [source, target, at] of [
      [from, good, from],
      [good, to, to],
    ] as const) {
      await expect(copyNotes(source, target, 'run')).rejects.toMatchObject({
        fault: { code: 'notes', reason: 'unavailable', path: join(at, 'run.calls'), errno: 'ERR_NO_FILE' },
      });
    }
    expect(readFileSync(join(good, 'run.calls'), 'utf8')).toBe('key {"cents":5}\n');
  });
});

describe('notes that never answer', () => {
  const silence = (): Promise<never> => new Promise(() => undefined);
  const FAULT = {
    _tag: 'Left',
    left: { code: 'notes', reason: 'unavailable', path: '', errno: 'ETIMEDOUT' },
  };
  it.each<[string, Partial<DriveOptions>, number]>([
    ['by no deadline, after ten seconds', { deadlines: { call: null } }, 10_000],
    ['of a call, after its deadline', { deadlines: { call: 4_000 } }, 4_000],
    ['of a run, after its deadline', { deadlines: { run: 3_000 } }, 3_000],
    ['of a run with limits', { deadlines: { run: 3_000 }, budget: { limits: { cents: 99 } } }, 3_000],
    ['of a call whose deadline is short, after a second', { deadlines: { call: 5 } }, 1_000],
    ['of a run that is over, after a second', { deadlines: { run: 0 } }, 1_000],
    ['of a request that nobody answers, after ten seconds', { ports: () => null }, 10_000],
    ['of calls at once', { deadlines: { run: 3_000 }, concurrency: 4 }, 3_000],
  ])('end the drive, %s', async (_, given, ms) => {
    const seen = await virtually(async (world) => {
      const { result, proposals } = await driven({ begin: silence }, { ...given, timer: world.timer });
      return { result, proposals, ms: world.timer.now() };
    });
    expect(seen).toEqual({ result: FAULT, proposals: [], ms });
  });

  it('end nothing that the signal ends: an abort is no error', async () => {
    const stopping = new AbortController();
    const notes: CallNotes = {
      begin: () => {
        setTimeout(() => stopping.abort(), 20);
        return silence();
      },
    };
    for (const deadlines of [{}, { run: 0 }])
      expect(await driven(notes, { signal: stopping.signal, deadlines })).toMatchObject({
        result: { right: { end: 'interrupted' } },
        proposals: [],
      });
  });

  it('are told of to who records an answer without a drive', async () => {
    const { run } = orThrow(openRun(tally, poll(POLICY)));
    const late: CallNotes = { begin: () => Promise.reject(new DOMException('late', 'TimeoutError')) };
    await expect(withLostCalls(late, run, { request_id: '1.0' })).rejects.toMatchObject({
      fault: { code: 'notes', errno: 'ETIMEDOUT' },
    });
  });
});

describe('a note whose amounts cannot be charged', () => {
  const run = orThrow(openRun(tally, poll(POLICY))).run;
  const key = idempotencyKey(run, '1.0');
  const PORTS: readonly [string, Partial<DriveOptions>][] = [
    ['that answers', {}],
    ['under a limit', { budget: { limits: { cents: 1_000 } } }],
    ['that covers nothing', { budget: { limits: { cents: 0 } } }],
    ['that is missing', { ports: () => null }],
  ];

  it.each(PORTS)(
    'is damaged where its unit is no name or stands there twice: with a port %s',
    async (_, given) => {
      for (const json of [
        '{"Bad Unit!":3}',
        '{"__proto__":3}',
        '{"":3}',
        '{"cents":9,"cents":1}',
        '{"cents":9007199254740992}',
        '{"cents":-0}',
        `{"${'c'.repeat(65)}":1}`,
      ]) {
        const own = place();
        writeFileSync(join(own, 'poll-1.calls'), `${key} {"cents":1}\n${key} ${json}\n`);
        const { result, proposals } = await driven(folderNotes(own), given);
        expect([json, result, proposals]).toEqual([
          json,
          {
            _tag: 'Left',
            left: { code: 'notes', reason: 'damaged', path: join(own, 'poll-1.calls'), line: 2 },
          },
          [],
        ]);
      }
    },
  );

  it('of notes of your own is a RangeError', async () => {
    for (const lost of [{ 'Bad Unit!': 3 }, JSON.parse('{"__proto__":3}') as Spent, { cents: -1 }])
      await expect(driven(noting(lost))).rejects.toThrow(RangeError);
  });

  it('is held at the greatest exact integer, and the answer stands', async () => {
    const { result, proposals, errors } = await driven(noting({ cents: MAX }, { cents: MAX, other: 2 }));
    expect([result, errors]).toEqual([expect.objectContaining({ _tag: 'Right' }), []]);
    expect(proposals[0]).toMatchObject({
      proposer: 'test',
      value: { option: 'soup' },
      spent: { cents: MAX, other: 2 },
      provenance: { lost_calls: 2, lost_charged: { cents: MAX, other: 2 } },
    });
    let calls = 0;
    const second: Port = {
      ...port(() => told(7)),
      perform: () => ((calls += 1) === 1 ? Promise.reject(new Error('away')) : Promise.resolve(told(7))),
    };
    const twice = await driven(noting({ cents: MAX - 10 }), {
      ports: ({ kind }) => (kind === 'ballot' ? second : null),
    });
    expect(
      twice.proposals
        .filter(({ request_id }) => request_id === '1.0')
        .map(({ spent, failure }) => [spent, failure]),
    ).toEqual([
      [{ cents: MAX - 10 }, expect.objectContaining({ code: 'unavailable' })],
      [{ cents: 10 }, null],
    ]);
  });

  it.each(PORTS.filter((_, index) => index % 2 === 0))(
    'is left out where the kernel takes the answer only without: with a port %s',
    async (_, given) => {
      // More units than a record has room for.
      const many = Object.fromEntries(Array.from({ length: 70_000 }, (_each, unit) => [`unit_${unit}`, 1]));
      const [bare, short] = [await driven(noting(), given), await driven(noting(many), given)];
      expect(bare.proposals.length).toBeGreaterThan(0);
      expect(short.proposals[0]).toEqual(bare.proposals[0]);
      expect(short.errors.filter((error) => error.includes('is recorded without'))).not.toEqual([]);
      expect(bare.errors.filter((error) => error.includes('is recorded without'))).toEqual([]);
    },
  );

  it('never replaces an answer nor ends the drive, whatever the amounts', async () => {
    const amount = fc.oneof(fc.nat(), fc.integer({ min: MAX - 5, max: MAX }));
    const spent = fc.dictionary(fc.constantFrom('cents', 'constructor', 'tokens'), amount);
    await fc.assert(
      fc.asyncProperty(fc.array(spent, { maxLength: 3 }), amount, async (lost, cents) => {
        const { result, proposals } = await driven(noting(...lost), {
          ports: ({ kind }) => (kind === 'ballot' ? costly(cents) : null),
        });
        expect([result, proposals[0]]).toEqual([
          expect.objectContaining({ _tag: 'Right' }),
          expect.objectContaining({ proposer: 'test', value: { option: 'soup' }, failure: null }),
        ]);
        const charged = (proposals[0]?.['spent'] ?? {}) as Spent;
        for (const unit of new Set([...lost.flatMap(Object.keys), 'cents'])) {
          const sum = lost.reduce(
            (all, each) => all + BigInt(Object.hasOwn(each, unit) ? (each[unit] ?? 0) : 0),
            unit === 'cents' ? BigInt(cents) : 0n,
          );
          expect(charged[unit]).toBe(sum > BigInt(MAX) ? MAX : Number(sum));
        }
      }),
      { seed: 0x04a55a, numRuns: draws(60) },
    );
  });

  it('leaves an answer recorded without a drive as it is, and says so in its provenance', async () => {
    const answer = {
      request_id: '1.0',
      source: 'human',
      proposer: 'ada',
      confidence: null,
      value: { option: 'soup' },
      failure: null,
      at_us: null,
      spent: { cents: MAX },
      cites: [],
      provenance: {},
    };
    const charged = await withLostCalls(noting({ cents: 5 }), run, answer);
    expect(charged).toEqual({ ...answer, provenance: { lost_calls: 1, lost_charged: { cents: 5 } } });
    expect(advance(run, charged)._tag).toBe('Right');
  });
});

describe('notes that are copied', () => {
  it('lose nothing that another process notes there meanwhile', async () => {
    const [from, to] = [place(), place()];
    writeFileSync(
      join(from, 'run.calls'),
      Array.from({ length: 50 }, (_, call) => `key/${call} {"cents":5}\n`).join(''),
    );
    const own = folderNotes(to);
    const over = new AbortController();
    const live = (async () => {
      for (let call = 0; !over.signal.aborted || call < 50; call += 1)
        await own.begin('run', `live/${call}`, { cents: 1 });
    })();
    for (let time = 0; time < 5; time += 1) await copyNotes(from, to, 'run');
    over.abort();
    await live;
    const lines = readFileSync(join(to, 'run.calls'), 'utf8').trimEnd().split('\n');
    const noted = lines.filter((line) => line.startsWith('live/'));
    expect(noted).toEqual(noted.map((_, call) => `live/${call} {"cents":1}`));
    expect([noted.length >= 50, lines.filter((line) => line.startsWith('key/')).length]).toEqual([true, 50]);
  });

  it('stand on a line of their own after one that a crash cut', async () => {
    const [from, to] = [place(), place()];
    writeFileSync(join(from, 'run.calls'), 'key {"cents":5}\n');
    writeFileSync(join(to, 'run.calls'), 'own {"cents":1}\nown {"ce');
    for (let time = 0; time < 2; time += 1) await copyNotes(from, to, 'run');
    appendFileSync(join(to, 'run.calls'), 'own {"cents":2}\n');
    expect([
      await folderNotes(to).begin('run', 'key', null),
      await folderNotes(to).begin('run', 'own', null),
    ]).toEqual([[{ cents: 5 }], [{ cents: 1 }, { cents: 2 }]]);
  });
});
