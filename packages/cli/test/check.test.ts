/** `assay check`: a pack held against evidence, and what is no pack or no evidence. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@assay/kernel';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { commit, reading, recordsOf } from './lib/hand.ts';

const folder = temporaryFolder();
const SEED =
  'The lift must stop within 5 s. Never carry more than 300 kg. The handover is by 2026-03-16. Seats should be soft.';
const COMMITS = [
  commit(SEED, 'The lift must stop within 5 s', {
    key: 'lift.time',
    op: '<=',
    value: { n: 5, scale: 0 },
    unit: 's',
  }),
  commit(
    SEED,
    'Never carry more than 300 kg',
    { key: 'lift.mass', op: '>', value: { n: 300, scale: 0 }, unit: 'kg' },
    'must_not',
  ),
  commit(SEED, 'The handover is by 2026-03-16', {
    key: 'handover.date',
    op: '<=',
    value: '2026-03-16',
    unit: 'date',
  }),
  { ...(commit(SEED, 'Seats should be soft', null, 'should') as JsonObject) },
  {
    ...(commit(SEED, 'soft', { key: 'question', op: '=', value: 'vague', unit: null }) as JsonObject),
    kind: 'question',
  },
];
const records = recordsOf(SEED, [
  { slot: 'a', source: 'human', proposer: 'a', value: [reading('all', COMMITS)] },
]);
const content = (
  records.find(
    ({ kind, payload }) => kind === 'artifact' && (payload as JsonObject)['name'] === 'verification_pack',
  )?.payload as JsonObject
)['content'] as JsonObject;

let files = 0;
function file(value: Json | string): string {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
const PACK = file(content);
const seen = (check_id: string, observed: Json, unit: Json = null): Json => ({
  check_id,
  observed,
  unit,
  source: 'test run of May',
});
const GOOD = [seen('check-1', 4900, 'ms'), seen('check-2', 0.3, 't'), seen('check-3', true)];

describe('a pack held against evidence', () => {
  test(
    'every check is told with its verdict, its reason and what was observed; exit 1 while a ' +
      'question is open',
    async () => {
      const { code, stdout, stderr } = await called('check', PACK, file(GOOD));
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toMatch(
        new RegExp(
          String.raw`^pass {5}check-1 {3}must {6}"The lift must stop within 5 s" \(lift time ≤ 5 s\): ` +
            String.raw`within the threshold: 4900 ms \(test run of May\)$`,
          'm',
        ),
      );
      expect(stdout).toMatch(
        /^pass {5}check-2 {3}must_not .*\(lift mass > 300 kg\): within the threshold: 0\.3 t/m,
      );
      expect(stdout).toMatch(/^pass {5}check-3 {3}must .*\(inspection\): seen as agreed: true/m);
      expect(stdout).toMatch(
        /^missing {2}check-4 {3}should .*: it waits for an answer to an open question$/m,
      );
      expect(stdout).toMatch(/^fail {5}3 pass, 0 fail, 2 missing; 1 that binds does not pass$/m);
    },
  );

  test('exit 0 where every check that binds passes', async () => {
    const checks = (content['checks'] as readonly JsonObject[]).filter(
      ({ waits_for }) => (waits_for as readonly Json[]).length === 0,
    );
    const pack = file({ ...content, checks });
    expect(await called('check', pack, file(GOOD))).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^pass {5}3 pass, 0 fail, 0 missing; every check that binds passes$/m),
    });
    expect(await called('check', pack, file(GOOD), '--quiet')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test(
    'exit 1 where one fails, is missing, or cannot be compared; --quiet leaves a line of ' +
      'each that binds',
    async () => {
      const evidence = file([seen('check-1', 5.1, 's'), seen('check-2', 250, 'km'), seen('check-77', true)]);
      const { code, stdout, stderr } = await called('check', PACK, evidence);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^fail {5}check-1 .*: outside of the threshold: 5\.1 s/m);
      expect(stdout).toMatch(/^missing {2}check-2 .*: observed in another kind or unit.*: 250 km/m);
      expect(stdout).toMatch(/^missing {2}check-3 .*: nothing was observed$/m);
      expect(stderr).toContain('the pack has no check check-77');
      expect((await called('check', PACK, evidence, '--quiet')).stdout.split('\n').slice(0, 3)).toEqual([
        `${PACK}: check-1 fail: outside`,
        `${PACK}: check-2 missing: not_comparable`,
        `${PACK}: check-3 missing: no_evidence`,
      ]);
    },
  );

  test('a check says under what it holds, where that stands outside the words of its claim', async () => {
    const seed = 'When the door opens, the alarm must sound if it is on, otherwise the clerk must wait.';
    const claim = (words: string, scope: { readonly [name: string]: string }): Json => ({
      ...(commit(seed, words) as JsonObject),
      scope: {
        actor: null,
        condition: null,
        exception: null,
        ...Object.fromEntries(
          Object.entries(scope).map(([name, part]) => [name, (commit(seed, part) as JsonObject)['quote']]),
        ),
      } as Json,
    });
    const commits = [
      claim('the alarm must sound if it is on', { condition: 'if it is on' }),
      claim('the clerk must wait', { condition: 'When the door opens', exception: 'if it is on' }),
    ];
    const scoped = recordsOf(
      seed,
      [{ slot: 'a', source: 'human', proposer: 'a', value: [reading('all', commits)] }],
      { policy: { min_score: 0 } },
    ).find(({ payload }) => (payload as JsonObject)['name'] === 'verification_pack');
    const { stdout } = await called(
      'check',
      file((scoped?.payload as JsonObject)['content'] as JsonObject),
      file([]),
    );
    expect(stdout).toContain('"the alarm must sound if it is on" (');
    expect(stdout).toContain('"the clerk must wait (if: When the door opens) (except: if it is on)" (');
  });

  test('a pack in which nothing binds passes, and says that nothing could have failed', async () => {
    const may = (content['checks'] as readonly JsonObject[]).map((one) => ({ ...one, modality: 'may' }));
    for (const [checks, why] of [
      [may, 'none is must or must_not'],
      [[], 'it has none'],
    ] as const) {
      const pack = file({ ...content, checks });
      const { code, stdout, stderr } = await called('check', pack, file([]));
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        new RegExp(
          `^pass {5}0 pass, 0 fail, ${checks.length} missing; nothing in it is binding\nno check ` +
            `of this pack binds: ${why}, so this pass says nothing`,
          'm',
        ),
      );
      expect(stdout).not.toContain('every check that binds passes');
      expect(await calledJson('check', pack, file([]))).toMatchObject({
        outcome: 'pass',
        binding: 0,
      });
      expect((await called('check', pack, file([]), '--quiet')).stdout).toBe(
        `${pack}: nothing in it is binding\n`,
      );
    }
    expect(await calledJson('check', PACK, file([]))).toMatchObject({ binding: 4 });
  });

  test("with --json it is the kernel's verdict", async () => {
    const json = await calledJson('check', PACK, file(GOOD));
    expect(json).toMatchObject({
      file: PACK,
      outcome: 'fail',
      counts: { pass: 3, fail: 0, missing: 2 },
      unknown: [],
      checks: [
        {
          id: 'check-1',
          status: 'pass',
          reason: 'within',
          observed: { observed: { n: 4900, scale: 0 }, unit: 'ms' },
        },
        {},
        {},
        {},
        {},
      ],
    });
  });

  test('the pack that run writes is taken as it is', async () => {
    await called('run', 'Keep audit logs at least 6 months.', '-o', join(folder, 'out'));
    expect(readFileSync(join(folder, 'out', 'verification-pack.md'), 'utf8')).toContain(
      'assay check verification-pack.json results.json',
    );
    expect(
      await called(
        'check',
        join(folder, 'out', 'verification-pack.json'),
        file([seen('check-1', 7, 'month')]),
      ),
    ).toMatchObject({ code: 0 });
  });

  test('text from a pack and from evidence is shown, never obeyed', async () => {
    const evil = 'a\u001b[31m\u202e\n::error::b';
    const checks = (content['checks'] as readonly JsonObject[]).map((one, index) => ({
      ...one,
      id: `${index}${evil}`,
      text: evil,
    }));
    const { stdout, stderr } = await called(
      'check',
      file({ ...content, checks }),
      file([{ check_id: `0${evil}`, observed: evil, unit: null, source: evil }, seen(evil, true)]),
    );
    // oxlint-disable-next-line no-control-regex -- what must not be printed
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^::/m);
  });
});

describe('wrong use is exit 2, with a place and a remedy', () => {
  const binary = join(folder, 'binary');
  writeFileSync(
    binary,
    Uint8Array.from({ length: 300 }, (_, index) => (index * 89) % 256),
  );
  const big = join(folder, 'big');
  // A sparse file: its size is there, its bytes are not.
  writeFileSync(big, '');
  truncateSync(big, 104_857_600);
  const first = (content['checks'] as readonly JsonObject[])[0] ?? {};
  test.each<readonly [name: string, pack: string, evidence: string, code: string, words: string]>([
    [
      'an older pack',
      file({ ...content, format: 'assay-verification-pack/0' }),
      file([]),
      'pack',
      'assay-verification-pack/1',
    ],
    [
      'a pack without checks',
      file({ ...content, checks: undefined as unknown as Json }),
      file([]),
      'pack',
      'root',
    ],
    [
      'a check of another form',
      file({ ...content, checks: [{ ...first, method: 'guess' }] }),
      file([]),
      'pack',
      '/checks/0/method',
    ],
    ['two checks of one id', file({ ...content, checks: [first, first] }), file([]), 'pack', 'check-1'],
    [
      'an observation of another form',
      PACK,
      file([...GOOD, { check_id: 'check-1', observed: null, source: '' }]),
      'evidence',
      '/3/observed',
    ],
    ['an observation too fine', PACK, file([seen('check-1', 0.12345678901, 's')]), 'evidence', '/0/observed'],
    ['a binary pack', binary, file([]), 'not_text', 'UTF-8'],
    ['binary evidence', PACK, binary, 'not_text', 'UTF-8'],
    ['a line of 100 MB', big, file([]), 'too_large', '16777216'],
    ['evidence of 100 MB', PACK, big, 'too_large', '16777216'],
    ['nesting without end', file('['.repeat(100_000)), file([]), 'inadmissible', 'levels'],
    [
      'a field too many',
      file({ ...content, checks: [{ ...first, more: 1 }] }),
      file([]),
      'pack',
      '/checks/0',
    ],
    [
      'a version to come',
      file({ ...content, format: 'assay-verification-pack/2' }),
      file([]),
      'pack',
      'assay-verification-pack/2',
    ],
  ])('%s', async (_, pack, evidence, code, words) => {
    const { code: exit, stdout, stderr } = await called('check', pack, evidence);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+\\n(?: {2}place {3}.+\\n)? {2}remedy {2}\\S`));
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
