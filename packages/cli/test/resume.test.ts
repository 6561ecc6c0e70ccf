/** `assay resume`: whatever ended a run, it goes on to the bytes that an uninterrupted one has. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '@assay/cli';
import { encodeLine, Ledger, orThrow, type Json } from '@assay/kernel';
import { openStore } from '../src/files/store.ts';
import { newInterruption } from '../src/terminal/signals.ts';
import { POLL, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { commit, reading, writeRecording } from './lib/hand.ts';
import { signalled } from './lib/killed.ts';
import { bytesIn, firstRecords, folderWith, kindsOfStores, storeLedger } from './lib/places.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for 90 days. Pages must load in 2 seconds.';
/** As many slots as a policy may have: as many moments between two records. */
const MANY = Array.from({ length: 16 }, () => ['--proposer', 'rules']).flat();
const kinds = kindsOfStores(folder);

/** A run's folder, and its ledger, from a call without a store. */
async function uninterrupted(
  name: string,
  ...args: readonly string[]
): Promise<{ readonly out: string; readonly ledger: string }> {
  const out = join(folder, name);
  await called('run', ...args, '-o', out);
  return { out, ledger: readFileSync(join(out, 'run.ledger.jsonl'), 'utf8') };
}

const filesIn = (path: string): readonly (readonly [string, string])[] =>
  readdirSync(path)
    .sort()
    .map((name) => [name, readFileSync(join(path, name), 'utf8')]);

test('a run cut after each of its records, and inside a line: the same bytes, the same outputs', async () => {
  const { out, ledger } = await uninterrupted(
    'two',
    REQUEST,
    '--set',
    'run_id=two',
    '--proposer',
    'rules',
    '--proposer',
    'rules',
  );
  const count = ledger.split('\n').length - 1;
  for (let kept = 1; kept < count; kept += 1) {
    for (const torn of ['', '{"kind":"propo']) {
      const at = join(folder, `cut-${kept}${torn.length}`);
      const store = folderWith(join(at, 'store'), 'two', firstRecords(ledger, kept) + torn);
      const { code, stdout } = await called('resume', `${store}#two`, '-o', join(at, 'out'));
      expect([kept, code, stdout.includes(`resumed     after ${kept} records`)]).toEqual([kept, 0, true]);
      expect(await bytesIn(store, 'two')).toBe(ledger);
      expect(filesIn(join(at, 'out'))).toEqual(filesIn(out));
    }
  }
});

describe('a run that is over', () => {
  test.each([
    ['Keep logs at least 6 months.', 0],
    ['It would be nice.', 1],
  ] as const)('%s: its outputs are written, it says so, exit %i', async (request, exit) => {
    const { out, ledger } = await uninterrupted(`over-${exit}`, request, '--set', 'run_id=over');
    for (const { fresh } of kinds) {
      const store = fresh();
      await storeLedger(store, 'over', ledger);
      const again = join(folder, `again-${exit}-${store.replaceAll(/\W/g, '')}`);
      const { code, stdout } = await called('resume', `${store}#over`, '-o', again);
      expect([code, stdout]).toEqual([exit, expect.stringMatching(/^This run had already finished\./m)]);
      expect(filesIn(again)).toEqual(filesIn(out));
      expect(await calledJson('resume', `${store}#over`)).toMatchObject({
        run_id: 'over',
        was_over: true,
        status: exit === 0 ? 'success' : 'refused',
      });
    }
  });
});

test("what stands after its close is nobody's to remove: exit 3, untouched, and listed as broken", async () => {
  const { ledger } = await uninterrupted('after-close', REQUEST, '--set', 'run_id=ended');
  const text = `${ledger}${ledger.slice(0, 40)}`;
  const store = folderWith(join(folder, 'after-close-store'), 'ended', text);
  for (const more of [[], ['-o', join(folder, 'after-close-out')]]) {
    expect(await called('resume', `${store}#ended`, ...more)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^assay: store_torn: .*after the close/),
    });
    expect(readFileSync(join(folder, 'after-close-store', 'ended.ledger.jsonl'), 'utf8')).toBe(text);
  }
  expect(await called('store', 'list', store)).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/broken {3}store_torn/),
  });
});

describe('a folder that cannot take the outputs is refused before the run is driven', () => {
  test.each(kinds)('$kind: an open run is not extended, and nobody is asked', async ({ fresh }) => {
    const { ledger } = await uninterrupted(
      `room-${fresh().replaceAll(/\W/g, '')}`,
      REQUEST,
      '--set',
      'run_id=room',
    );
    const { out } = await uninterrupted(
      'room-other',
      'Keep mail at least 2 years.',
      '--set',
      'run_id=room-other',
    );
    const before = filesIn(out);
    const url = fresh();
    await storeLedger(url, 'room', firstRecords(ledger, 2));
    expect(await called('resume', `${url}#room`, '-o', out)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: exists: .*nothing was done/),
    });
    expect([await bytesIn(url, 'room'), filesIn(out)]).toEqual([firstRecords(ledger, 2), before]);
  });

  test('a run whose close was cut is not completed there, and is where the folder holds that very run', async () => {
    const { out: own, ledger } = await uninterrupted('cut-close', REQUEST, '--set', 'run_id=cut-close');
    const { out: other } = await uninterrupted(
      'cut-other',
      'Keep mail at least 2 years.',
      '--set',
      'run_id=cut-other',
    );
    const cut = firstRecords(ledger, ledger.split('\n').length - 2);
    const store = folderWith(join(folder, 'cut-close-store'), 'cut-close', cut);
    expect(await called('resume', `${store}#cut-close`, '-o', other)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: exists: /),
    });
    expect(await bytesIn(store, 'cut-close')).toBe(cut);
    expect((await called('resume', `${store}#cut-close`, '-o', own)).code).toBe(0);
    expect(await bytesIn(store, 'cut-close')).toBe(ledger);
  });
});

describe('who answers', () => {
  const file = join(folder, 'colleague.json');
  writeRecording(file, REQUEST, 'colleague', [
    reading('by-hand', [commit(REQUEST, 'Keep audit logs for 90 days')]),
  ]);

  test(
    "is the policy's to say: rules by themselves, a recording is given again, by name, alone " +
      'or as run was',
    async () => {
      const { ledger } = await uninterrupted(
        'recorded',
        REQUEST,
        '--set',
        'run_id=recorded',
        '--proposer',
        'rules',
        '--proposer',
        `recorded:${file}`,
      );
      const at = (name: string, kept: number): string =>
        folderWith(join(folder, name), 'recorded', firstRecords(ledger, kept));
      for (const kept of [2, 4]) {
        const store = at(`none-${kept}`, kept);
        const { code, stderr } = await called('resume', `${store}#recorded`);
        expect([code, stderr]).toEqual([
          2,
          expect.stringMatching(
            /^assay: option_needed: .*colleague.*\n {2}place .*\n {2}remedy .*--proposer colleague=recorded:FILE/,
          ),
        ]);
        expect(await bytesIn(store, 'recorded')).toBe(firstRecords(ledger, kept));
      }
      const ways = [
        [`recorded:${file}`],
        [`colleague=recorded:${file}`],
        ['rules', `recorded:${file}`],
        [`colleague=recorded:${file}`, 'rules=rules'],
      ];
      for (const [index, names] of ways.entries()) {
        const store = at(`way-${index}`, 2);
        expect(
          (await called('resume', `${store}#recorded`, ...names.flatMap((name) => ['--proposer', name])))
            .code,
        ).toBe(0);
        expect(await bytesIn(store, 'recorded')).toBe(ledger);
      }
      // Answered already: nobody is needed any more.
      expect((await called('resume', `${at('answered', 6)}#recorded`)).code).toBe(0);
    },
  );

  test('may be overridden by name; what names no slot, or one twice, is exit 2', async () => {
    const { ledger } = await uninterrupted('plain', REQUEST, '--set', 'run_id=plain');
    const given = writeRecording(join(folder, 'instead.json'), REQUEST, 'rules', [
      reading('instead', [
        commit(REQUEST, 'Keep audit logs for 90 days', {
          key: 'logs.keep',
          op: '=',
          value: true,
          unit: null,
        }),
      ]),
    ]);
    const store = folderWith(join(folder, 'overridden'), 'plain', firstRecords(ledger, 2));
    for (const [names, said] of [
      [['nobody=rules'], 'no slot nobody'],
      [['rules=rules', 'rules=rules'], 'two proposers'],
      [['rules', 'rules'], 'no slot rules-2'],
      [['rules=magic'], '--proposer magic'],
    ] as const) {
      const { code, stderr } = await called(
        'resume',
        `${store}#plain`,
        ...names.flatMap((name) => ['--proposer', name]),
      );
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
    expect((await called('resume', `${store}#plain`, '--proposer', `rules=recorded:${given}`)).code).toBe(0);
    expect(await bytesIn(store, 'plain')).toContain('"proposer":"fixture:rules"');
  });

  test('a person, only at a terminal', async () => {
    const lines = ['Keep audit logs for 90 days', 'must', '', '', '', '', '', '', '', 'kept', 'no', 'yes'];
    const typing = (): (() => Promise<string | null>) => {
      const left = [...lines];
      return () => Promise.resolve(left.shift() ?? null);
    };
    const streams = { out: { write: () => true }, err: { write: () => true }, env: {} };
    const first = join(folder, 'person');
    expect(
      await main(['run', REQUEST, '--set', 'run_id=person', '--proposer', 'human', '-o', first], {
        ...streams,
        readLine: typing(),
      }),
    ).toBe(0);
    const whole = readFileSync(join(first, 'run.ledger.jsonl'), 'utf8');
    const store = folderWith(join(folder, 'asked'), 'person', firstRecords(whole, 2));
    const { code, stderr } = await called('resume', `${store}#person`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^assay: no_terminal: /)]);
    expect(await main(['resume', `${store}#person`], { ...streams, readLine: typing() })).toBe(0);
    expect(await bytesIn(store, 'person')).toBe(whole);
  });
});

describe('an interruption', () => {
  test('between two records: exit 130, the run stored so far, and the command that goes on with it', async () => {
    const whole = await uninterrupted('not-interrupted', REQUEST, '--set', 'run_id=stopped', ...MANY);
    const [store, out] = [`file:${join(folder, 'stopped runs')}`, join(folder, 'stopped-out')];
    const interruption = newInterruption();
    let err = '';
    const write = (text: string): void => {
      err += text;
      if (text.includes(' 8 records')) interruption.raise();
    };
    const code = await main(
      ['run', REQUEST, '--set', 'run_id=stopped', ...MANY, '--store', store, '-o', out, '--verbose'],
      { out: { write: () => true }, err: { write }, env: {}, interruption },
    );
    expect(code).toBe(130);
    expect(await bytesIn(store, 'stopped')).toBe(firstRecords(whole.ledger, 8));
    const command = /^ {2}remedy {2}(assay resume .*)$/m.exec(err)?.[1] ?? '';
    expect(command).toBe(
      `assay resume 'file:${join(folder, 'stopped runs')}#stopped' ${MANY.join(' ')} -o ${out}`,
    );
    expect((await called('resume', `${store}#stopped`, ...MANY, '-o', out)).code).toBe(0);
    expect(filesIn(out)).toEqual(filesIn(whole.out));
  });

  test.skipIf(process.platform === 'win32')('by SIGINT, of the whole process', async () => {
    const whole = await uninterrupted('no-signal', REQUEST, '--set', 'run_id=signal', ...MANY);
    // On a busy machine a run may be over before the signal arrives, or its process about to end (null): again then.
    for (let trial = 0; trial < 20; trial += 1) {
      const store = `file:${join(folder, `signal-${trial}`)}`;
      const { code, stderr } = await signalled(
        ['run', REQUEST, '--set', 'run_id=signal', ...MANY, '--store', store],
        'SIGINT',
        2,
      );
      if (code === 0 || code === null) continue;
      expect([code, stderr]).toEqual([
        130,
        expect.stringContaining(`remedy  assay resume '${store}#signal' `),
      ]);
      expect((await called('resume', `${store}#signal`)).code).toBe(0);
      expect(await bytesIn(store, 'signal')).toBe(whole.ledger);
      return;
    }
    expect.unreachable('the run was over before the signal each time');
  });
});

describe('what cannot be resumed', () => {
  test('a run that is not there, of another machine, or of another version: exit 2', async () => {
    const ledger = readFileSync(POLL, 'utf8');
    const runId = (JSON.parse(firstRecords(ledger, 1)) as { readonly payload: { readonly run_id: string } })
      .payload.run_id;
    const store = folderWith(join(folder, 'others'), runId, ledger);
    expect(await called('resume', `${store}#nowhere`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^assay: no_run: .*\n {2}place {3}nowhere\n {2}remedy {2}assay store list/,
      ),
    });
    expect(await called('resume', `${store}#${runId}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: other_machine: .*tally/),
    });
    const { ledger: ours } = await uninterrupted('newer', REQUEST, '--set', 'run_id=newer');
    const { ts, payload } = JSON.parse(firstRecords(ours, 1)) as {
      readonly ts: string;
      readonly payload: { readonly machine: { readonly [key: string]: Json } } & {
        readonly [key: string]: Json;
      };
    };
    const chain = new Ledger();
    orThrow(chain.append(ts, 'genesis', { ...payload, machine: { ...payload.machine, version: 99 } }));
    folderWith(
      join(folder, 'others'),
      'newer',
      chain.records.map((record) => `${encodeLine(record)}\n`).join(''),
    );
    expect(await called('resume', `${store}#newer`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: machine_version: .*version 99 /),
    });
    expect(await called('resume', `${store}#a/b`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: bad_value: /),
    });
  });

  test('a run that another process writes: exit 5, and untouched', async () => {
    const { ledger } = await uninterrupted('held', REQUEST, '--set', 'run_id=held');
    const url = folderWith(join(folder, 'held-runs'), 'held', firstRecords(ledger, 2));
    const writer = await openStore(url);
    orThrow(await writer.append('held', orThrow(await writer.head('held')), []));
    expect(await called('resume', `${url}#held`)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^assay: store_locked: .+\n {2}place .+\n {2}remedy {2}wait/),
    });
    await writer.close();
    expect(await bytesIn(url, 'held')).toBe(firstRecords(ledger, 2));
    expect((await called('resume', `${url}#held`)).code).toBe(0);
    expect(await bytesIn(url, 'held')).toBe(ledger);
  });
});
