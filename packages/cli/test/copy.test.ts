/** `assay store copy`: the same bytes in another store, or a reason, and nothing overwritten. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '@assay/cli';
import { encodeLine, orThrow, parseEnvelope, type Json } from '@assay/kernel';
import { copyDocumentSchema } from '@assay/kernel/schemas';
import { beforeAll, describe, expect, test } from 'vitest';
import { newInterruption } from '../src/terminal/signals.ts';
import { argv, FORGERIES, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { bytesIn, firstRecords, folderWith, kindsOfStores, storeLedger } from './lib/places.ts';

const folder = temporaryFolder();
const kinds = kindsOfStores(folder);
const ledgers = new Map<string, string>();
let made = 0;
const place = (): string => join(folder, `at-${(made += 1)}`);
const ledger = (runId: string): string => ledgers.get(runId) ?? '';
const recordsOf = (text: string): number => text.split('\n').length - 1;
const runIdOf = (text: string): string =>
  (JSON.parse(firstRecords(text, 1)) as { readonly payload: { readonly run_id: string } }).payload.run_id;

beforeAll(async () => {
  for (const [runId, request] of [
    ['done', 'Keep logs at least 6 months. Delete them then.'],
    ['refused', 'It would be nice.'],
    ['unicode', 'The page "Grüße 🙂 \u202e" must load in 2 s.'],
  ] as const) {
    const out = join(folder, `out-${runId}`);
    await called(...argv`run ${request} --set run_id=${runId} --proposer rules --proposer rules -o ${out}`);
    ledgers.set(runId, readFileSync(join(out, 'run.ledger.jsonl'), 'utf8'));
  }
  ledgers.set('begun', '');
  await called(
    ...argv`run ${'Keep mail at least 2 years.'} --set run_id=begun -o ${join(folder, 'out-begun')}`,
  );
  ledgers.set('begun', firstRecords(readFileSync(join(folder, 'out-begun', 'run.ledger.jsonl'), 'utf8'), 3));
});

describe.each(
  kinds.flatMap((from) => kinds.map((to) => ({ name: `${from.kind} to ${to.kind}, and back`, from, to }))),
)('$name', ({ from, to }) => {
  test('every run has the same bytes; once more, each is already there', async () => {
    const [source, target, back] = [from.fresh(), to.fresh(), from.fresh()];
    for (const [runId, text] of ledgers) await storeLedger(source, runId, text);
    const json = await calledJson('store', 'copy', source, target);
    expect(copyDocumentSchema(json as Json)).toBeNull();
    expect(json['runs']).toEqual(
      ['begun', 'done', 'refused', 'unicode'].map((run_id) =>
        expect.objectContaining({
          run_id,
          result: 'copied',
          added: recordsOf(ledger(run_id)),
          identical: true,
          rederivation: { verdict: 'held', code: null, record: null },
          problem: null,
        }),
      ),
    );
    expect((await called('store', 'copy', target, back)).code).toBe(0);
    for (const [runId, text] of ledgers)
      for (const url of [source, target, back]) expect(await bytesIn(url, runId)).toBe(text);
    const { code, stdout } = await called('store', 'copy', source, target);
    expect([code, [...stdout.matchAll(/^\S+ +already there +0 records {2}assay-head:1:/gm)].length]).toEqual([
      0, 4,
    ]);
  });

  test('a beginning is completed, wherever it ends; a run that is named, alone', async () => {
    const [source, target] = [from.fresh(), to.fresh()];
    await storeLedger(source, 'done', ledger('done'));
    await storeLedger(source, 'refused', ledger('refused'));
    for (let kept = 1; kept < recordsOf(ledger('done')); kept += 1) {
      const one = kept === 1 ? target : to.kind === 'postgres' ? null : to.fresh();
      if (one === null) continue;
      await storeLedger(one, 'done', firstRecords(ledger('done'), kept));
      const { code, stdout } = await called('store', 'copy', `${source}#done`, one);
      expect([kept, code, stdout]).toEqual([
        kept,
        0,
        expect.stringMatching(new RegExp(`^done +completed +${recordsOf(ledger('done')) - kept} records`)),
      ]);
      expect(await bytesIn(one, 'done')).toBe(ledger('done'));
    }
    expect(await bytesIn(target, 'refused')).toBe(null);
    expect(await called('store', 'copy', `${source}#nowhere`, target)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: no_run: .*\n {2}place {3}nowhere/),
    });
  });
});

describe('nothing is overwritten', () => {
  /** A ledger in which one payload was erased: same hashes, other bytes. */
  const erased = (text: string): string =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { payload, ...rest } = orThrow(parseEnvelope(JSON.parse(line)));
        const erased = rest.kind === 'proposal' || payload === undefined ? rest : { ...rest, payload };
        return `${encodeLine(erased)}\n`;
      })
      .join('');

  test.each(kinds)('erased payloads stay erased, and stay where they are: $kind', async ({ fresh }) => {
    const text = erased(ledger('done'));
    expect(text).not.toBe(ledger('done'));
    const [source, target, whole] = [folderWith(place(), 'done', text), fresh(), fresh()];
    expect(await calledJson('store', 'copy', source, target)).toMatchObject({
      runs: [
        {
          result: 'copied',
          identical: true,
          rederivation: { verdict: 'not_checked', code: 'payload_erased' },
        },
      ],
    });
    expect(await bytesIn(target, 'done')).toBe(text);
    await storeLedger(whole, 'done', ledger('done'));
    for (const [from, to, bytes] of [
      [source, whole, ledger('done')],
      [whole, target, text],
    ] as const) {
      expect(await calledJson('store', 'copy', from, to)).toMatchObject({
        runs: [{ result: 'already_there', added: 0, identical: false }],
      });
      expect(await bytesIn(to, 'done')).toBe(bytes);
    }
  });
});

describe('what does not hold is not copied: exit 3, nothing written for it, the other runs copied', () => {
  const spoil = (text: string): string => text.replace('at least 6', 'at least 7');
  const forged = readFileSync(join(FORGERIES, 'decision-rehashed', 'ledger.jsonl'), 'utf8');

  test.each([
    ['a payload changed', 'done', () => spoil(ledger('done')), /source_invalid: .*payload_hash at record 0/],
    [
      'a decision changed, every hash computed again',
      runIdOf(forged),
      () => forged,
      /does not re-derive: differs at record/,
    ],
  ])('%s', async (_, runId, text, said) => {
    const from = place();
    const source = folderWith(from, runId, text());
    folderWith(from, 'refused', ledger('refused'));
    const target = `file:${place()}`;
    const { code, stderr } = await called('store', 'copy', source, target);
    expect([code, stderr]).toEqual([3, expect.stringMatching(said)]);
    expect(readdirSync(target.slice('file:'.length))).toEqual(['refused.ledger.jsonl']);
    expect(await bytesIn(target, 'refused')).toBe(ledger('refused'));
    const json = await calledJson('store', 'copy', source, target);
    expect(copyDocumentSchema(json as Json)).toBeNull();
  });

  test('a target that is spoiled before its end is not built on', async () => {
    const source = folderWith(place(), 'done', ledger('done'));
    for (const kept of [4, recordsOf(ledger('done'))]) {
      const damaged = firstRecords(spoil(ledger('done')), kept);
      const target = folderWith(place(), 'done', damaged);
      const { code, stderr } = await called('store', 'copy', source, target);
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/^assay: target_invalid: .+\n {2}place .+\n {2}remedy /),
      ]);
      expect(await bytesIn(target, 'done')).toBe(damaged);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a run that cannot be read stops no other', () => {
  const unreadable: readonly (readonly [
    what: string,
    exit: number,
    code: RegExp,
    make: (path: string) => void,
  ])[] = [
    ['a folder of its name', 3, /^store_torn$/, (path) => mkdirSync(path)],
    ['a link that leads back to itself', 5, /^store_unavailable$/, (path) => symlinkSync(path, path)],
    ['a link to nowhere', 3, /^store_torn$/, (path) => symlinkSync(`${path}-none`, path)],
  ];

  test.each(unreadable)(
    '%s, in the source and in the target: reported, exit %i, the others copied',
    async (_, exit, code, make) => {
      const [from, to] = [place(), place()];
      const source = folderWith(from, 'refused', ledger('refused'));
      make(join(from, 'done.ledger.jsonl'));
      const { code: ended, stdout, stderr } = await called('store', 'copy', source, `file:${to}`);
      expect([ended, stdout]).toEqual([exit, expect.stringMatching(/^done +refused .+\nrefused +copied /)]);
      expect(stderr).toMatch(/^assay: \w+: .+\n {2}place {3}.+\n {2}remedy {2}.+\n$/);
      const json = await calledJson('store', 'copy', source, `file:${to}`);
      expect(copyDocumentSchema(json as Json)).toBeNull();
      expect(json).toMatchObject({
        runs: [
          { result: 'refused', problem: { code: expect.stringMatching(code) } },
          { result: 'already_there' },
        ],
      });
      expect(await bytesIn(`file:${to}`, 'refused')).toBe(ledger('refused'));

      const target = place();
      mkdirSync(target);
      make(join(target, 'begun.ledger.jsonl'));
      const sound = place();
      for (const [runId, text] of ledgers) folderWith(sound, runId, text);
      expect(await called('store', 'copy', `file:${sound}`, `file:${target}`)).toMatchObject({
        code: exit,
        stdout: expect.stringMatching(
          /^begun +refused .+\ndone +copied .+\nrefused +copied .+\nunicode +copied /,
        ),
      });
    },
  );

  test('a store that is gone ends the copy: exit 5, and it is said once', async () => {
    const from = place();
    for (const [runId, text] of ledgers) folderWith(from, runId, text);
    const to = join(folder, 'a-file');
    writeFileSync(to, '');
    expect(await called('store', 'copy', `file:${from}`, `file:${to}`)).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(/^assay: store_unavailable: .+\n {2}place .+\n {2}remedy .+\n$/),
    });
  });
});

test('an interruption leaves whole runs and a command that goes on', async () => {
  const from = place();
  for (const [runId, text] of ledgers) folderWith(from, runId, text);
  const target = `file:${place()}`;
  const interruption = newInterruption();
  let err = '';
  const write = (text: string): void => {
    err += text;
    if (text.includes('done: storing')) interruption.raise();
  };
  const code = await main(['store', 'copy', `file:${from}`, target, '--verbose'], {
    out: { write: () => true },
    err: { write },
    env: {},
    interruption,
  });
  expect([code, err]).toEqual([
    130,
    expect.stringContaining(`remedy  assay store copy file:${from} ${target}\n`),
  ]);
  expect(readdirSync(target.slice('file:'.length)).sort()).toEqual([
    'begun.ledger.jsonl',
    'done.ledger.jsonl',
  ]);
  expect(await calledJson('store', 'copy', `file:${from}`, target)).toMatchObject({
    runs: [
      { result: 'already_there' },
      { result: 'already_there' },
      { result: 'copied' },
      { result: 'copied' },
    ],
  });
});

describe('notes of calls', () => {
  const notesAt = (url: string, runId: string): string =>
    url.startsWith('file:')
      ? join(url.slice(5), 'calls', `${runId}.calls`)
      : join(
          url.slice(7, url.lastIndexOf('/')),
          `${url.slice(url.lastIndexOf('/') + 1)}.calls`,
          `${runId}.calls`,
        );
  const begun = async (): Promise<string> => {
    const source = `file:${place()}`;
    await storeLedger(source, 'begun', ledger('begun'));
    mkdirSync(join(notesAt(source, 'begun'), '..'));
    return source;
  };
  const LINE = 'key/1.0/0 {"cents":5}\n';

  test.each(['file', 'sqlite'])(
    'go with their run into a %s store, as often as they stand there, and once',
    async (kind) => {
      const source = await begun();
      mkdirSync(join(folder, 'notes'), { recursive: true });
      const target =
        kind === 'file' ? `file:${place()}` : `sqlite:${join(folder, 'notes', `to-${(made += 1)}.db`)}`;
      writeFileSync(notesAt(source, 'begun'), `${LINE}${LINE}key/1.0/0 {"ce`);
      for (let times = 0; times < 2; times += 1) {
        expect((await called('store', 'copy', source, target)).code).toBe(0);
        expect(readFileSync(notesAt(target, 'begun'), 'utf8')).toBe(`${LINE}${LINE}`);
      }
      const own = 'key/1.1/0 {"cents":7}\n';
      writeFileSync(notesAt(target, 'begun'), `${LINE}${own}`);
      expect((await called('store', 'copy', source, target)).code).toBe(0);
      expect(readFileSync(notesAt(target, 'begun'), 'utf8')).toBe(`${LINE}${own}${LINE}`);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'that are a pipe are not waited for: exit 5, and what it is',
    async () => {
      const source = await begun();
      execFileSync('mkfifo', [notesAt(source, 'begun')]);
      const { code, stderr } = await called('store', 'copy', source, `file:${place()}`);
      expect([code, stderr]).toEqual([
        5,
        expect.stringMatching(
          new RegExp(
            String.raw`^assay: notes_unavailable: .*\n {2}place .*begun\.calls\n {2}remedy {2}this is ` +
              String.raw`a folder, a pipe or a device; remove it, and copy again`,
            'm',
          ),
        ),
      ]);
    },
  );

  test('that would lie under a file: the run says so, every other one is copied, and the store is told of', async () => {
    const source = await begun();
    for (const runId of ['done', 'refused']) await storeLedger(source, runId, ledger(runId));
    const target = `file:${place()}`;
    writeFileSync(notesAt(source, 'begun'), LINE);
    mkdirSync(target.slice(5));
    writeFileSync(join(target.slice(5), 'calls'), '');
    const problem = expect.objectContaining({
      code: 'notes_unavailable',
      place: expect.stringContaining('begun.calls'),
    }) as object;
    const json = await called('store', 'copy', source, target, '--json');
    expect([json.code, copyDocumentSchema(JSON.parse(json.stdout)) === null]).toEqual([5, true]);
    expect((JSON.parse(json.stdout) as { readonly runs: unknown }).runs).toEqual([
      expect.objectContaining({ run_id: 'begun', result: 'copied', added: 3, problem }),
      ...['done', 'refused'].map(
        (run_id) => expect.objectContaining({ run_id, result: 'copied', problem: null }) as object,
      ),
    ]);
    for (const runId of ['begun', 'done', 'refused'])
      expect(await bytesIn(target, runId)).toBe(ledger(runId));
    const { code, stdout, stderr } = await called('store', 'copy', source, target);
    expect([code, stdout, stderr]).toEqual([
      5,
      expect.stringMatching(
        /^begun +already there +0 records {2}assay-head:\S+; notes_unavailable\ndone +already there/,
      ),
      expect.stringMatching(/^assay: notes_unavailable: /m),
    ]);
  });

  const genesisOf = (text: string): string =>
    (JSON.parse(firstRecords(text, 1)) as { readonly record_hash: string }).record_hash;
  test('of what tools had done go with an open run; of one that is over nobody needs any', async () => {
    const [source, target] = [await begun(), `file:${place()}`];
    await storeLedger(source, 'done', ledger('done'));
    const [open, over] = [ledger('begun'), ledger('done')].map((text) => `${genesisOf(text)}.done`);
    const text = `${genesisOf(ledger('begun'))}/7.0/0 0 {"call":{}}\n`;
    for (const name of [open, over]) writeFileSync(join(source.slice(5), 'calls', name ?? ''), text);
    for (let times = 0; times < 2; times += 1) {
      expect((await called('store', 'copy', source, target)).code).toBe(0);
      expect(readdirSync(join(target.slice(5), 'calls'))).toEqual([open]);
      expect(readFileSync(join(target.slice(5), 'calls', open ?? ''), 'utf8')).toBe(text);
    }
  });
});
