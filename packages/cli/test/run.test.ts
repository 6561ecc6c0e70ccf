/** `assay run`: the same call writes the same bytes, and nothing is half written. */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashCanonical, orThrow, type Json } from '@assay/kernel';
import { argv, assay, document, resultsIn, ROOT, temporaryFolder } from './lib/assay.ts';
import { bytesIn, kindsOfStores } from './lib/places.ts';
import { requestFile } from './lib/requests.ts';

const folder = temporaryFolder();
const BRACKET = requestFile(folder, 'bracket-drawing-note');
const read = (path: string): string => readFileSync(path, 'utf8');
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a request becomes a blueprint and a pack', () => {
  const out = join(folder, 'bracket');

  test('with its ledger, which verifies with the head that was printed', async () => {
    const { code, json } = await document(
      argv`run ${BRACKET} --set run_id=bracket --set ts_base=T -o ${out}`,
    );
    expect(code).toBe(0);
    expect(json).toMatchObject({ run_id: 'bracket', ts_base: 'T', status: 'success' });
    expect(resultsIn(out)).toEqual([
      'blueprint.json',
      'blueprint.md',
      'run.ledger.jsonl',
      'verification-pack.json',
      'verification-pack.md',
    ]);
    const verified = await document(
      argv`verify ${join(out, 'run.ledger.jsonl')} --head ${String(json['head_line'])}`,
    );
    expect(verified.json).toMatchObject({
      results: [
        {
          head: json['head'],
          outcome: 'success',
          checks: {
            integrity: { verdict: 'held' },
            rederivation: { verdict: 'held' },
            completeness: { verdict: 'held' },
          },
        },
      ],
    });
    expect((await assay(['verify', join(out, 'run.ledger.jsonl')])).code).toBe(0);
  });

  test('each result file hashes to the artifact hash in the close', () => {
    const close = JSON.parse(read(join(out, 'run.ledger.jsonl')).trimEnd().split('\n').at(-1) ?? '') as {
      readonly payload: { readonly artifact_hashes: object };
    };
    expect(close.payload.artifact_hashes).toEqual({
      blueprint: sha256(join(out, 'blueprint.json')),
      verification_pack: sha256(join(out, 'verification-pack.json')),
    });
  });

  test('twice the same call: the same bytes with ids given; else two runs that do not accuse each other', async () => {
    for (const ids of [['--set', 'run_id=r', '--set', 'ts_base=T'], []]) {
      const [a, b] = [join(folder, `a${ids.length}`), join(folder, `b${ids.length}`)];
      for (const to of [a, b])
        expect(
          (await assay(['run', BRACKET, '--pin', 'no_paint=true', '--proposer', 'rules', ...ids, '-o', to]))
            .code,
        ).toBe(0);
      const [one, other] = [a, b].map((to) => join(to, 'run.ledger.jsonl')) as [string, string];
      if (ids.length > 0)
        for (const name of readdirSync(a)) expect(sha256(join(b, name)), name).toBe(sha256(join(a, name)));
      else expect(sha256(other)).not.toBe(sha256(one));
      expect((await assay(['verify', one, other])).code).toBe(0);
    }
  });

  test('derived ids differ where the input differs', async () => {
    const one = await document(['run', BRACKET]);
    const other = await document(['run', BRACKET, '--pin', 'no_paint=true']);
    expect(one.json['run_id']).not.toBe(other.json['run_id']);
  });
});

describe('where the text comes from', () => {
  test('a file, standard input and the command line give the same run', async () => {
    const text = read(BRACKET).replace(/\n$/, '');
    expect(text.length).toBeGreaterThan(200);
    const [file, stdin, quoted] = [
      await document(['run', BRACKET, '--set', 'run_id=same']),
      await document(['run', '-', '--set', 'run_id=same'], { input: `${text}\n` }),
      await document(['run', text, '--set', 'run_id=same']),
    ];
    expect(stdin.json['head']).toEqual(file.json['head']);
    expect(quoted.json['head']).toEqual(file.json['head']);
  });

  test.each([
    'Keep audit logs in CSV and/or JSON for 6 months',
    'Read the notes from notes.txt.',
    'Export reports, one per day, as report.csv',
  ])('%s: a text, not a path', async (text) => {
    // Decided or refused by its rules: what was read is the text.
    expect([0, 1]).toContain((await assay(['run', text])).code);
  });

  test('a quoted text longer than any file name is a text', async () => {
    const { code, json } = await document(['run', 'Keep audit logs at least 6 months. '.repeat(300)]);
    expect([
      [0, 'success'],
      [1, 'refused'],
    ]).toContainEqual([code, json['status']]);
  });
});

describe('recorded answers', () => {
  const recording = join(folder, 'recorded.json');
  const seed = 'Keep audit logs at least 6 months.';

  /** A recording of what the rules say, in a slot of its own: made from a run's own ledger. */
  beforeAll(async () => {
    const out = join(folder, 'to-record');
    const policy = join(folder, 'slot.json');
    writeFileSync(policy, '{"proposers":["by-hand"]}');
    await assay(['run', seed, '--set', `policy=@${policy}`, '-o', out]);
    const records = read(join(out, 'run.ledger.jsonl'))
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly kind: string;
            readonly payload: {
              readonly requests: readonly { readonly kind: string; readonly body: Json }[];
              readonly value: Json;
            };
          },
      );
    const [ask] = records[1]?.payload.requests ?? [];
    if (ask === undefined) throw new Error('nothing was asked');
    const body = { kind: ask.kind, body: ask.body };
    const proposal = {
      source: 'synthetic',
      proposer: 'fixture:by-hand',
      confidence: null,
      value: records[2]?.payload.value ?? null,
      failure: null,
      provenance: {},
    };
    writeFileSync(
      recording,
      JSON.stringify({
        format: 'assay-recorded/0',
        entries: [{ ask_hash: orThrow(hashCanonical({ t: 'ask', ...body })), ask: body, proposal }],
      }),
    );
  });

  test('answer as they were recorded, under their own source and name', async () => {
    const out = join(folder, 'recorded-out');
    const { code } = await assay(['run', seed, '--proposer', `recorded:${recording}`, '-o', out]);
    expect(code).toBe(0);
    expect(read(join(out, 'run.ledger.jsonl'))).toContain('"proposer":"fixture:by-hand"');
    expect((await assay(['verify', join(out, 'run.ledger.jsonl')])).code).toBe(0);
  });

  test('a miss is loud: the nearest entry and the field that differs', async () => {
    const { code, stderr } = await assay([
      'run',
      `${seed} Delete them after a year.`,
      '--proposer',
      `recorded:${recording}`,
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        String.raw`^assay: recording_miss: No recorded answer to ask [0-9a-f]{64}.*first difference at ` +
          String.raw`\/body\/seed_text: asked .*recorded `,
      ),
    );
    expect(stderr).toMatch(/^ {2}place .*recorded\.json\n {2}remedy /m);
    expect(
      (
        await assay([
          'run',
          `${seed} Delete them after a year.`,
          '--proposer',
          `recorded:${recording}`,
          '--quiet',
        ])
      ).stderr,
    ).toContain('recording_miss');
  });

  test('a recording that holds nothing says so, where it failed and as a problem', async () => {
    const empty = join(folder, 'empty.json');
    writeFileSync(empty, '{"format":"assay-recorded/0","entries":[]}');
    const { code, stdout, stderr } = await assay(['run', seed, '--proposer', `recorded:${empty}`]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/"recorded" +rule +the recording has no answer to this$/m);
    expect(stderr).toMatch(
      new RegExp(
        String.raw`^assay: recording_empty: this recording is empty: .*\n {2}place {3}.*empty\.json\n ` +
          String.raw`{2}remedy {2}record an answer into it`,
      ),
    );
    const beside = await assay(argv`run ${seed} --proposer rules --proposer recorded:${empty} --quiet`);
    expect([beside.code, beside.stdout]).toEqual([0, '']);
    expect(beside.stderr).toContain('recording_empty');
  });

  test('what was written by hand and calls itself something else is refused: exit 2', async () => {
    const renamed = join(folder, 'renamed.json');
    writeFileSync(renamed, read(recording).replace('"source":"synthetic"', '"source":"human"'));
    const { code, stderr } = await assay(['run', seed, '--proposer', `recorded:${renamed}`]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^assay: recording: .*proposer at \/entries\/0\/proposal\/proposer\n.*\n {2}remedy .*fixture:NAME/,
    );
  });
});

describe('wrong use: exit 2, and nothing is written', () => {
  const binary = join(folder, 'binary.txt');
  const latin = join(folder, 'latin.txt');
  const policy = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  beforeAll(() => {
    writeFileSync(
      binary,
      Uint8Array.from({ length: 300 }, (_, index) => index % 256),
    );
    writeFileSync(latin, Buffer.from('Größe höchstens 5 m', 'latin1'));
  });

  test.each([
    ['a binary', () => [binary], 'not_text'],
    ['a text in another encoding', () => [latin], 'not_text'],
    [
      'a policy nested 10,000 deep',
      () => [BRACKET, '--set', `policy=@${policy('p3.json', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)}`],
      'inadmissible',
    ],
  ])('%s', async (_, args, code) => {
    const to = join(folder, 'nothing-here');
    const { code: exit, stdout, stderr } = await assay(['run', ...args(), '-o', to]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+\\n(?: {2}place {3}.+\\n)? {2}remedy {2}.+`));
    expect(existsSync(to) ? readdirSync(to) : []).toEqual([]);
  });
});

/** True where a file system may be mounted: not for a plain user, nor in a user namespace (`unshare -rn`). */
function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'assay-cli-probe-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(probe);
  }
}

// Under CI nothing is left out: there the mount itself fails the suite.
const isLeftOut = process.env['CI'] !== 'true' && !canMount();
if (isLeftOut)
  console.warn('run: full and read-only media are left out, since no file system may be mounted here');

describe.skipIf(isLeftOut)('an output that cannot be written', () => {
  /** A file system of 256 KiB in memory. */
  const medium = mkdtempSync(join(tmpdir(), 'assay-cli-medium-'));
  beforeAll(() => void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', medium]));
  afterAll(() => {
    execFileSync('umount', [medium]);
    rmdirSync(medium);
  });

  test('a folder that is a file: exit 2, nothing written', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    const { code, stdout, stderr } = await assay(['run', BRACKET, '-o', file]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^assay: unwritable: .*nothing was written/);
    expect(read(file)).toBe('mine');
  });

  test("a result's name taken by a folder: nothing of the run is written", async () => {
    const to = join(folder, 'taken');
    mkdirSync(join(to, 'verification-pack.json'), { recursive: true });
    expect((await assay(['run', BRACKET, '-o', to])).code).toBe(2);
    expect(readdirSync(to)).toEqual(['verification-pack.json']);
  });

  test('a full medium: exit 5, nothing half written, and the run goes on when there is room', async () => {
    const to = join(medium, 'out');
    mkdirSync(to);
    writeFileSync(join(to, 'notes.txt'), 'earlier');
    writeFileSync(join(medium, 'ballast'), Buffer.alloc(249_000));
    const { code, stdout, stderr } = await assay(['run', BRACKET, '-o', to]);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toContain('ENOSPC');
    expect(resultsIn(to)).toEqual(['notes.txt', 'run.ledger.jsonl']);
    expect((await assay(['resume', to])).code).toBe(5);
    rmSync(join(medium, 'ballast'));
    expect((await assay(['resume', to])).code).toBe(0);
    expect((await assay(['verify', join(to, 'run.ledger.jsonl')])).code).toBe(0);
    rmSync(to, { recursive: true });
    writeFileSync(join(medium, 'ballast'), Buffer.alloc(249_000));
  });

  test('a store on a full medium: exit 5', async () => {
    const { code, stderr } = await assay(['run', BRACKET, '--store', `file:${join(medium, 'runs')}`]);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^assay: store_unavailable: .*ENOSPC/);
  });

  test('a read-only medium: refused before the run is begun', async () => {
    const store = `file:${join(medium, 'kept')}`;
    mkdirSync(join(medium, 'kept'));
    execFileSync('mount', ['-o', 'remount,ro', medium]);
    expect(await assay(['store', 'check', store])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('EROFS'),
    });
    const { code, stderr } = await assay(['run', BRACKET, '-o', join(medium, 'new')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^assay: unwritable: the disk is read-only/);
    for (const args of [
      [
        'tamper',
        join(ROOT, 'golden-fixtures/forgeries/twin-poll/ledger.jsonl'),
        'edit',
        '-o',
        join(medium, 'x'),
      ],
      [
        'verify',
        join(ROOT, 'golden-fixtures/forgeries/twin-poll/ledger.jsonl'),
        '--junit',
        join(medium, 'x'),
      ],
    ]) {
      expect((await assay(args)).stderr).toContain('unwritable');
    }
    execFileSync('mount', ['-o', 'remount,rw', medium]);
  });
});

describe('--store', () => {
  test.each(kindsOfStores(folder))(
    '$kind: keeps the run with the bytes that -o writes; the same call takes it up, another of its name is refused',
    async ({ kind, fresh }) => {
      const [store, out] = [fresh(), join(folder, `kept-${kind}`)];
      const first = await document(argv`run ${BRACKET} --set run_id=kept --store ${store} -o ${out}`);
      const second = await document(argv`run ${BRACKET} --set run_id=kept --store ${store}`);
      expect([first.code, second.code, second.json['head']]).toEqual([0, 0, first.json['head']]);
      expect(await bytesIn(store, 'kept')).toBe(read(join(out, 'run.ledger.jsonl')));
      const other = await assay(argv`run ${BRACKET} --pin no_x=true --set run_id=kept --store ${store}`);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('run_exists')]);
      expect((await document(argv`store check ${store}`)).json).toMatchObject({ runs: 1 });
    },
  );
});
