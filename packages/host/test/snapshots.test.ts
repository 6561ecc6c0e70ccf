import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  folderSnapshots,
  memorySnapshots,
  memoryStore,
  portsByKind,
  type DriveOptions,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import type { SnapshotFault } from '../src/resume-snapshot.ts';
import { SNAPSHOT_DEADLINE_MS } from '../src/snapshots.ts';
import { virtually } from './simulation/virtually.js';
import { ledgerText, poll, port } from './tools.js';

const genesis = poll({ voters: 30, quorum: 1 });
const ports = portsByKind({
  ballot: port(({ id }) => ({ value: { option: Number(id.slice(2)) % 3 === 0 ? 'salad' : 'soup' } })),
});

/** A run of some steps with its last snapshot, and how it is driven on. */
async function halfway(steps = 20): Promise<{
  readonly runs: MemoryRuns;
  readonly kept: Map<string, Uint8Array>;
  readonly onward: (
    given?: Partial<DriveOptions>,
  ) => Promise<{ readonly text: string; readonly faults: readonly unknown[]; readonly read: number }>;
}> {
  const runs: MemoryRuns = new Map();
  const kept = new Map<string, Uint8Array>();
  orThrow(
    await drive(tally, genesis, {
      store: memoryStore(runs),
      ports,
      steps,
      snapshots: { keep: memorySnapshots(kept), every: 10 },
    }),
  );
  const onward = async (
    given: Partial<DriveOptions> = {},
  ): Promise<{ readonly text: string; readonly faults: readonly unknown[]; readonly read: number }> => {
    const inner = memoryStore(new Map([...runs].map(([id, run]) => [id, { ...run, lines: [...run.lines] }])));
    const faults: unknown[] = [];
    let read = 0;
    const store = {
      ...inner,
      read: async function* (...at: Parameters<typeof inner.read>) {
        for await (const line of inner.read(...at)) {
          read += 1;
          yield line;
        }
      },
    };
    orThrow(
      await drive(tally, 'poll-1', {
        store,
        ports,
        snapshots: { keep: memorySnapshots(new Map(kept)) },
        onEvent: (event) => {
          if (event.type === 'snapshot_error') faults.push(event.fault);
        },
        ...given,
      }),
    );
    return { text: await ledgerText(inner), faults, read };
  };
  return { runs, kept, onward };
}

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const changed = (
  kept: Map<string, Uint8Array>,
  from: RegExp | string,
  to: string,
): Map<string, Uint8Array> => {
  const text = textOf(kept.get('poll-1'));
  expect(text.replace(from, to)).not.toBe(text);
  return new Map([['poll-1', new TextEncoder().encode(text.replace(from, to))]]);
};

describe('a run that is taken up from a snapshot', () => {
  it('host/snapshot-same-bytes: ends in the bytes of a run that was never interrupted', async () => {
    const whole = memoryStore();
    orThrow(await drive(tally, genesis, { store: whole, ports }));
    const expected = await ledgerText(whole);
    for (let steps = 1; steps < 30; steps += 1) {
      const { onward } = await halfway(steps);
      const checked = await onward();
      const trusting = await onward({
        snapshots: { keep: memorySnapshots((await halfway(steps)).kept), isTrusted: true },
      });
      expect([checked.text, trusting.text, checked.faults, trusting.faults]).toEqual([
        expected,
        expected,
        [],
        [],
      ]);
      // Read until its snapshot was compared, the trusted one leaves out the middle.
      if (steps > 20) expect(trusting.read).toBeLessThan(checked.read / 2);
    }
  });

  it('is not, where the ledger says otherwise: it is derived from its first record', async () => {
    const { kept, onward } = await halfway();
    const expected = (await onward()).text;
    const count = /"head":\{"count":(\d+)/.exec(textOf(kept.get('poll-1')))?.[1] ?? '';
    const cases: readonly (readonly [SnapshotFault, Map<string, Uint8Array>])[] = [
      ['unreadable', changed(kept, /^\{/, ' {')],
      ['unreadable', changed(kept, 'assay-snapshot/0', 'assay-snapshot/9')],
      ['unreadable', changed(kept, '"name":"tally"', '"name":"totty"')],
      ['state', changed(kept, '"abstained":0', '"abstained":1')],
      ['state', changed(kept, /"rejections":0/, '"rejections":1')],
      ['head', changed(kept, /("head":\{"count":\d+,"hash":")./, '$1f')],
      ['head', changed(kept, `"head":{"count":${count}`, `"head":{"count":${Number(count) + 500}`)],
      ['head', changed(kept, `"head":{"count":${count}`, `"head":{"count":${Number(count) - 1}`)],
      ['graph', changed(kept, '"nodes":[', `"nodes":["${'0'.repeat(64)}",`)],
      ['graph', changed(kept, /"edges":\[\{[^}]*\},/, '"edges":[')],
      // As many as there are, each of them known, one of them missing.
      ['graph', changed(kept, /"edges":\[(\{[^}]*\}),\{[^}]*\}/, '"edges":[$1,$1')],
    ];
    for (const [fault, forged] of cases)
      expect({ fault, ...(await onward({ snapshots: { keep: memorySnapshots(forged) } })) }).toMatchObject({
        fault,
        text: expected,
        faults: [fault],
      });
    for (const [fault, forged] of cases.filter(([fault]) => fault !== 'graph'))
      expect(await onward({ snapshots: { keep: memorySnapshots(forged), isTrusted: true } })).toMatchObject({
        text: expected,
        faults: [fault],
      });
  });

  it('is not, where a record under it is unsound: that is what drive says', async () => {
    const { runs, kept } = await halfway();
    const stored = runs.get('poll-1');
    const line = textOf(stored?.lines[2]);
    stored?.lines.splice(
      2,
      1,
      new TextEncoder().encode(line.replace('salad', 'salat').replace('soup', 'soap')),
    );
    const faults: unknown[] = [];
    const result = await drive(tally, 'poll-1', {
      store: memoryStore(runs),
      ports,
      snapshots: { keep: memorySnapshots(kept) },
      onEvent: (event) => {
        if (event.type === 'snapshot_error') faults.push(event.fault);
      },
    });
    expect(result).toMatchObject({ left: { code: 'ledger', failed: { code: 'payload_hash', record: 2 } } });
    expect(faults).toEqual(['ledger']);
  });

  it.each([
    ['undefined', undefined],
    ['a text', '{}'],
    ['an object', {}],
    ['a number', 7],
  ])(
    'goes on where what is loaded is %s, and says so: it is derived from its first record',
    async (_, given) => {
      const { onward } = await halfway();
      const expected = await onward();
      const { text, faults, read } = await onward({
        snapshots: { keep: { save: async () => Promise.resolve(), load: async () => given as never } },
      });
      expect([text, read]).toEqual([
        expected.text,
        (await onward({ snapshots: { keep: memorySnapshots() } })).read,
      ]);
      expect(faults).toEqual([
        {
          error: new TypeError(
            `options.snapshots.keep.load: expected it to give bytes or null, got ${typeof given}`,
          ),
        },
      ]);
    },
  );

  it('goes on where snapshots can neither be loaded nor saved, and says why', async () => {
    const { onward } = await halfway();
    const expected = (await onward()).text;
    const error = new Error('gone');
    const keep = { save: () => Promise.reject(error), load: () => Promise.reject(error) };
    const { text, faults } = await onward({ snapshots: { keep, every: 1 } });
    expect(text).toBe(expected);
    expect(faults.length).toBeGreaterThan(1);
    expect(new Set(faults.map((fault) => (fault as { readonly error: unknown }).error))).toEqual(
      new Set([error]),
    );
  });
});

describe('a keeper of snapshots that does not settle', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it('is given up after its deadline, which is told, and the run goes on', async () => {
    for (const which of ['load', 'save'] as const) {
      const seen = await virtually(async (life) => {
        const runs: MemoryRuns = new Map();
        const { timer } = life;
        orThrow(await drive(tally, genesis, { store: memoryStore(runs), ports, timer, steps: 5 }));
        const faults: unknown[] = [];
        let saves = 0;
        const keep = {
          load: async () => null,
          save: async () => void (saves += 1),
          [which]: which === 'load' ? never : () => ((saves += 1), never()),
        };
        const { end } = orThrow(
          await drive(tally, 'poll-1', {
            store: memoryStore(runs),
            ports,
            timer,
            snapshots: { keep, every: 1, deadlineMs: 700 },
            onEvent: (event) => {
              if (event.type === 'snapshot_error') faults.push(event.fault);
            },
          }),
        );
        return { end, faults, saves, now: life.timer.now() };
      });
      // A save that goes on for ever is the last one that is begun.
      expect(seen).toMatchObject({ end: 'success', faults: [{ error: { name: 'TimeoutError' } }], now: 700 });
      if (which === 'save') expect(seen.saves).toBe(1);
      else expect(seen.saves).toBeGreaterThan(1);
    }
  });

  it("is waited for no longer than the drive's signal says", async () => {
    for (const which of ['load', 'save'] as const) {
      const runs: MemoryRuns = new Map();
      orThrow(await drive(tally, genesis, { store: memoryStore(runs), ports, steps: 5 }));
      const seen = await virtually(async (life) => {
        const controller = new AbortController();
        void life.wait('aborts', 300).then(() => controller.abort());
        const keep = { ...memorySnapshots(), [which]: never };
        const { end } = orThrow(
          await drive(tally, 'poll-1', {
            store: memoryStore(runs),
            ports,
            timer: life.timer,
            signal: controller.signal,
            snapshots: { keep, every: 1 },
            onEvent: ({ type }) => expect(type).not.toBe('snapshot_error'),
          }),
        );
        return { end, now: life.timer.now() };
      });
      expect(seen).toEqual({ end: 'interrupted', now: 300 });
    }
    expect(SNAPSHOT_DEADLINE_MS).toBe(10_000);
  });
});

describe('snapshots in a folder', () => {
  it.skipIf(process.platform === 'win32')(
    'nothing waits for a pipe under the name of a snapshot',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'assay-snapshots-'));
      try {
        const keep = folderSnapshots(folder);
        const [pipe, aside] = [
          join(folder, 'poll-1.snapshot.json'),
          join(folder, `poll-1.snapshot.json.${process.pid}.tmp`),
        ];
        execFileSync('mkfifo', [pipe, aside]);
        // In a process of its own, since a thread that waits keeps its process from ending.
        const host = new URL('../dist/index.js', import.meta.url).href;
        const program =
          `const { folderSnapshots } = await import(${JSON.stringify(host)}); await ` +
          `folderSnapshots(${JSON.stringify(folder)}).load('poll-1').catch((error) => ` +
          'console.log(error.code));';
        expect(
          execFileSync(process.execPath, ['--input-type=module', '-e', program], {
            encoding: 'utf8',
            timeout: 10_000,
            killSignal: 'SIGKILL',
          }),
        ).toBe('ERR_NO_FILE\n');
        await keep.save('poll-1', new TextEncoder().encode('one'));
        expect(textOf((await keep.load('poll-1')) ?? undefined)).toBe('one');
        expect(await readdir(folder)).toEqual(['poll-1.snapshot.json']);
        await mkdir(join(folder, 'poll-2.snapshot.json'));
        await expect(keep.load('poll-2')).rejects.toMatchObject({ code: 'ERR_NO_FILE' });
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('are written whole, replaced, and read back; a folder that is not there is told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-snapshots-'));
    try {
      const keep = folderSnapshots(folder);
      expect(await keep.load('poll-1')).toBeNull();
      await keep.save('poll-1', new TextEncoder().encode('one'));
      await keep.save('poll-1', new TextEncoder().encode('two'));
      expect(textOf((await keep.load('poll-1')) ?? undefined)).toBe('two');
      expect(await readdir(folder)).toEqual(['poll-1.snapshot.json']);
      await expect(keep.save('../up', new Uint8Array())).rejects.toThrow(RangeError);
      await writeFile(join(folder, 'file'), '');
      await expect(folderSnapshots(join(folder, 'file')).load('poll-1')).rejects.toThrow('ENOTDIR');
      await expect(folderSnapshots(join(folder, 'none')).save('poll-1', new Uint8Array())).rejects.toThrow(
        'ENOENT',
      );
      const { kept } = await halfway();
      await keep.save('poll-1', kept.get('poll-1') ?? new Uint8Array());
      expect(textOf((await keep.load('poll-1')) ?? undefined)).toBe(textOf(kept.get('poll-1')));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
