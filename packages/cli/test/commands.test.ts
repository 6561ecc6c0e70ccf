/** show, head, diff, tamper, test, doctor: what each says, and what it exits with. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, Ledger, orThrow, type Json } from '@assay/kernel';
import { argv, assay, document, FORGERIES, POLL, ROOT, temporaryFolder } from './lib/assay.ts';
import { requestFile } from './lib/requests.ts';
import { describeChange } from '../src/terminal/shown.ts';
import { nodeVersion } from '../src/commands/doctor.ts';

const folder = temporaryFolder();
const forgery = (name: string): string => join(FORGERIES, name, 'ledger.jsonl');
const read = (path: string): string => readFileSync(path, 'utf8');

describe('head', () => {
  test('says of an open run that it goes on', async () => {
    const { code, stderr } = await assay(['head', forgery('twin-open')]);
    expect(code).toBe(0);
    expect(stderr).toContain('not finished');
  });
});

describe('show', () => {
  test('one record whole, one result whole', async () => {
    expect(JSON.parse((await assay(['show', POLL, '7'])).stdout)).toMatchObject({
      kind: 'rejection',
      payload: { code: 'unknown_option' },
    });
    expect(JSON.parse((await assay(['show', POLL, 'result'])).stdout)).toMatchObject({
      winner: 'library',
    });
  });
});

describe('a result in the place of a ledger', () => {
  test('each command says what the file is', async () => {
    const out = join(folder, 'result');
    expect((await assay(['run', 'Reports must load within 3 s.', '-o', out])).code).toBe(0);
    for (const command of ['show', 'verify'])
      expect(await assay([command, join(out, 'blueprint.json')])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^assay: not_a_ledger: .*assay-blueprint/) as unknown,
      });
  });
});

describe('diff', () => {
  test('of a chain that no run of ours wrote is wrong use: exit 2', async () => {
    const chain = new Ledger();
    orThrow(chain.append('t', 'note', { text: 'mine' }));
    const path = join(folder, 'foreign.jsonl');
    writeFileSync(path, chain.records.map((record) => `${encodeLine(record)}\n`).join(''));
    for (const files of [
      [path, POLL],
      [POLL, path],
    ]) {
      const { code, stderr } = await assay(['diff', ...files]);
      expect([code, stderr.startsWith('assay: foreign_chain')]).toEqual([2, true]);
    }
  });

  test('one ballot changed: exit 1, the decision, and that an answer caused it', async () => {
    expect(await document(['diff', POLL, forgery('ballot-changed')])).toMatchObject({
      code: 1,
      json: { kind: 'differs', decision: 4, causes: ['proposal'] },
    });
    expect((await assay(['diff', POLL, forgery('ballot-changed')])).stdout).toContain('answers: differs');
  });

  test('one changed byte anywhere is no defect, and never the same run', async () => {
    const bytes = readFileSync(POLL);
    const path = join(folder, 'mutated.jsonl');
    for (let at = 0; at < bytes.length; at += 397) {
      const mutated = Buffer.from(bytes);
      mutated[at] = (mutated[at] ?? 0) ^ (1 + (at % 7));
      writeFileSync(path, mutated);
      expect([2, 3]).toContain((await assay(['diff', POLL, path])).code);
    }
  });

  test('another policy that changed nothing else is named', async () => {
    expect((await document(['diff', POLL, forgery('policy-changed')])).json).toMatchObject({
      causes: ['policy'],
    });
  });
});

describe('tamper', () => {
  test.each([
    ['edit', 'integrity'],
    ['drop', 'integrity'],
    ['swap', 'integrity'],
    ['truncate', 'completeness'],
    ['rehash', 'rederivation'],
    ['rederive', 'completeness'],
  ])('%s: a labelled copy, caught by %s as announced', async (attack, check) => {
    const copy = join(folder, `${attack}.jsonl`);
    const before = read(POLL);
    const { code, json } = await document(['tamper', POLL, attack, '-o', copy]);
    expect(code).toBe(0);
    expect(json).toMatchObject({ forged: true, attack, caught_by: check, as_announced: true });
    expect(read(POLL)).toBe(before);
    expect(read(copy)).not.toBe(before);
    expect(JSON.parse(read(`${copy}.forged.json`))).toMatchObject({ forged: true, attack });
    const head = (await assay(['head', POLL])).stdout;
    const alone = (await assay(['verify', copy])).code;
    expect(alone).toBe(check === 'completeness' ? 0 : 3);
    expect((await assay(['verify', copy, '--head', head])).code).toBe(3);
  });

  test('what changed reads differently on both sides, in an intent run too', async () => {
    const out = join(folder, 'changed');
    await assay([
      'run',
      'Keep invoices for 10 years. The page should load fast. Refunds must be paid within 14 days.',
      '-o',
      out,
    ]);
    const { code, stdout } = await assay(
      argv`tamper ${join(out, 'run.ledger.jsonl')} rederive -o ${join(folder, 'changed.jsonl')}`,
    );
    const [, from, to] = /^ {2}field +\/payload\/\S*: (.*) → (.*)$/m.exec(stdout) ?? [];
    expect([code, from]).toEqual([0, expect.stringMatching(/readings?$/)]);
    expect(to).not.toBe(from);
  });

  test.each<readonly [string, Json, Json, string]>([
    ['short values whole', 1, 2, '1 → 2'],
    [
      'long texts around the first difference',
      `${'a'.repeat(100)}b`,
      `${'a'.repeat(100)}c`,
      `…${'a'.repeat(16)}b" → …${'a'.repeat(16)}c"`,
    ],
    [
      'a text that goes on',
      'a'.repeat(100),
      `${'a'.repeat(100)} (not so)`,
      `…${'a'.repeat(16)}" → …${'a'.repeat(16)} (not so)"`,
    ],
    ['long lists by number', ['a'.repeat(100), 1], ['a'.repeat(100)], '2 items → 1 item'],
    ['long lists of one length by place', ['a'.repeat(100), 1], ['a'.repeat(100), 2], 'item 2 of 2: another'],
  ])('a change is shown so that it can be seen: %s', (_, from, to, said) => {
    expect(
      describeChange(from, to, 60)
        .parts.map(({ text }) => text)
        .join(''),
    ).toBe(said);
  });

  test('a ledger of an unknown machine: rehash cannot be judged, exit 4', async () => {
    const copy = join(folder, 'unknown.jsonl');
    expect((await assay(['tamper', forgery('unknown-machine-version'), 'rehash', '-o', copy])).code).toBe(4);
    expect(
      (await assay(['tamper', forgery('unknown-machine-version'), 'rederive', '-o', copy])).stderr,
    ).toMatch(/unknown_machine[^]*--machine FILE\.mjs/);
  });
});

describe('test', () => {
  const golden = join(folder, 'golden', 'poll');
  const expected = join(golden, 'expected.json');
  mkdirSync(golden, { recursive: true });
  cpSync(POLL, join(golden, 'ledger.jsonl'));
  writeFileSync(
    join(golden, 'fixture.json'),
    JSON.stringify({ name: 'poll', about: 'a poll', machine: { name: 'tally', version: 1 } }),
  );
  writeFileSync(expected, JSON.stringify({ chosen: { artifact: 'result', path: '/winner', value: '?' } }));

  test('a lock that lacks fields locks nothing: exit 1', async () => {
    const { code, stdout } = await assay(['test', join(folder, 'golden')]);
    expect(code).toBe(1);
    expect(stdout).toContain('missing /summary_hash');
  });

  test('--lock is refused under CI=true, but for again', async () => {
    const refused = await assay(['test', join(folder, 'golden'), '--lock', 'new'], { env: { CI: 'true' } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('update_in_ci');
    expect(read(expected)).toContain('"?"');
    expect(
      (await assay(['test', join(folder, 'golden'), '--lock', 'again'], { env: { CI: 'true' } })).code,
    ).toBe(0);
  });

  test('--lock writes the lock; the ledger, which replays, stays byte for byte', async () => {
    expect((await assay(['test', join(folder, 'golden'), '--lock', 'new'])).code).toBe(0);
    expect(JSON.parse(read(expected))).toMatchObject({
      chosen: { value: 'library' },
      status: 'success',
      records: 15,
    });
    expect(read(join(golden, 'ledger.jsonl'))).toBe(read(POLL));
    expect((await assay(['test', join(folder, 'golden')])).stdout).toContain(
      '1 replayed, 0 forgeries caught, 0 misses as announced, 0 differences',
    );
  });

  test('a fixture whose lock names another winner differs: exit 1, field, expected and got', async () => {
    writeFileSync(expected, read(expected).replace('"library"', '"harbour"'));
    const { code, stdout } = await assay(['test', join(folder, 'golden')]);
    expect(code).toBe(1);
    expect(stdout).toContain('chosen/value: expected "harbour", got "library"');
  });

  test('forgeries are all caught, the misses missed, the twins replayed', async () => {
    const { code, json } = await document(['test', FORGERIES]);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      replayed: readdirSync(FORGERIES).filter((name) => name.startsWith('twin-')).length,
      differs: 0,
    });
    expect(Number(json['caught'])).toBeGreaterThan(30);
  });

  test('a forgery that is none any more differs: exit 1', async () => {
    const stale = join(folder, 'stale', 'was-forged');
    cpSync(join(FORGERIES, 'decision-rehashed'), stale, { recursive: true });
    cpSync(POLL, join(stale, 'ledger.jsonl'));
    const { code, stdout } = await assay(['test', join(folder, 'stale')]);
    expect(code).toBe(1);
    expect(stdout).toContain('rederivation verdict: expected "failed", got "held"');
  });

  test('what assay run wrote is replayed', async () => {
    const out = join(folder, 'ran');
    await assay(['run', requestFile(folder, 'bracket-drawing-note'), '-o', out]);
    expect((await assay(['test', out])).stdout).toContain('1 replayed');
  });

  test('--lock writes through no link', async () => {
    const linked = join(folder, 'linked');
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(linked);
    cpSync(POLL, join(linked, 'poll.ledger.jsonl'));
    symlinkSync('../elsewhere', join(linked, 'poll'));
    expect((await assay(['test', linked, '--lock', 'new'])).code).toBe(2);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    expect(readdirSync(linked).sort()).toEqual(['poll', 'poll.ledger.jsonl']);
  });

  test('--lock makes a run a fixture: another run in its place differs', async () => {
    const out = join(folder, 'locked');
    mkdirSync(out);
    cpSync(POLL, join(out, 'one.ledger.jsonl'));
    const locked = await assay(['test', out, '--lock', 'new']);
    expect([locked.code, locked.stdout]).toEqual([0, expect.stringContaining('1 replayed')]);
    expect(readdirSync(out)).toEqual(['one']);
    expect(readdirSync(join(out, 'one')).sort()).toEqual(['expected.json', 'fixture.json', 'ledger.jsonl']);
    expect(read(join(out, 'one', 'ledger.jsonl'))).toBe(read(POLL));

    cpSync(join(ROOT, 'golden-fixtures/tally-unicode/ledger.jsonl'), join(out, 'one', 'ledger.jsonl'));
    const differs = await assay(['test', out]);
    expect([differs.code, differs.stdout]).toEqual([
      1,
      expect.stringMatching(/^differs +one +\/chosen\/value\/abstained: expected 0, got 1;/m),
    ]);
  });

  test.each(['ledger.jsonl', 'expected.json'])('a golden run without %s differs: exit 1', async (missing) => {
    const out = join(folder, `without-${missing}`);
    cpSync(join(ROOT, 'golden-fixtures/tally-success'), join(out, 'lost'), { recursive: true });
    cpSync(join(ROOT, 'golden-fixtures/tally-refused'), join(out, 'other'), { recursive: true });
    cpSync(join(ROOT, 'golden-fixtures/tally-unicode/ledger.jsonl'), join(out, 'lost', 'ledger.jsonl'));
    rmSync(join(out, 'lost', missing));
    const { code, stdout } = await assay(['test', out]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^differs +lost +missing file: ${missing}$`, 'm')),
    ]);
    expect(stdout).toContain('1 replayed');
  });

  test('a run whose machine nobody has is not checked, with what to give: exit 4', async () => {
    const out = join(folder, 'unknown');
    mkdirSync(out);
    cpSync(forgery('unknown-machine-version'), join(out, 'run.ledger.jsonl'));
    const { code, stdout } = await assay(['test', out]);
    expect([code, stdout]).toEqual([4, expect.stringMatching(/^not_checked +run.ledger.*--machine FILE/m)]);
    expect(stdout).toContain('0 differences, 1 not checked');
    cpSync(join(ROOT, 'golden-fixtures/tally-success'), join(out, 'lost'), { recursive: true });
    rmSync(join(out, 'lost', 'ledger.jsonl'));
    expect((await assay(['test', out])).code).toBe(1);
  });

  test.each([
    ['decision-rehashed', 2, /not_derivable: the machine computes another record 5 from/],
    ['twin-open', 2, /no_lock: this run is open/],
    ['edited-payload', 3, /payload_hash: the integrity of this ledger does not hold, at record 13/],
    ['unknown-machine-version', 4, /unknown_machine: [^]*--machine FILE/],
  ])('--lock keeps %s as it is, and says why', async (name, code, why) => {
    const out = join(folder, `unlocked-${name}`);
    mkdirSync(out);
    cpSync(forgery(name), join(out, 'run.ledger.jsonl'));
    const { code: exit, stderr } = await assay(['test', out, '--lock', 'new']);
    expect([exit, stderr]).toEqual([code, expect.stringMatching(why)]);
    expect(readdirSync(out)).toEqual(['run.ledger.jsonl']);
    expect(read(join(out, 'run.ledger.jsonl'))).toBe(read(forgery(name)));
  });

  test('--lock of a run done again: the same is unchanged, another needs again, and is locked anew', async () => {
    const out = join(folder, 'locked-twice');
    const [run, held] = [join(out, 'run.ledger.jsonl'), join(out, 'run', 'ledger.jsonl')];
    const other = join(ROOT, 'golden-fixtures/tally-refused/ledger.jsonl');
    const lock = (...more: readonly string[]): ReturnType<typeof assay> =>
      assay(['test', out, '--lock', ...(more.length === 0 ? ['new'] : more)]);
    mkdirSync(out);
    cpSync(POLL, run);
    expect((await lock()).stdout).toMatch(/^locked +run.ledger.jsonl +moved to run\/ledger.jsonl$/m);
    cpSync(POLL, run);
    expect((await lock()).stdout).toMatch(/^unchanged +run.ledger.jsonl /m);
    cpSync(other, run);
    expect(await lock()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/exists: [^]*--lock again/) as unknown,
    });
    expect([read(held), read(run)]).toEqual([read(POLL), read(other)]);
    expect((await lock('again')).stdout).toMatch(
      /^locked anew +run.ledger.jsonl [^]*1 replayed, [^]* 0 diff/m,
    );
    expect([read(held), existsSync(run)]).toEqual([read(other), false]);
  });

  test('--lock replaces what a fixture locks only with again, and locks none that lost a file', async () => {
    const out = join(folder, 'relocked');
    cpSync(join(ROOT, 'golden-fixtures/tally-success'), join(out, 'one'), { recursive: true });
    cpSync(join(ROOT, 'golden-fixtures/tally-unicode/ledger.jsonl'), join(out, 'one', 'ledger.jsonl'));
    const lock = (...more: readonly string[]): ReturnType<typeof assay> =>
      assay(['test', out, '--lock', ...(more.length === 0 ? ['new'] : more)]);
    const before = read(join(out, 'one', 'expected.json'));
    const lost = await assay(['test', out]);
    expect([lost.code, (await lock()).stderr]).toEqual([1, expect.stringContaining('exists')]);
    expect(read(join(out, 'one', 'expected.json'))).toBe(before);
    const forced = await lock('again');
    expect([forced.code, forced.stdout], forced.stderr).toEqual([
      0,
      expect.stringMatching(/^locked anew +one /m),
    ]);
    rmSync(join(out, 'one', 'expected.json'));
    expect((await lock('again')).stderr).toContain('missing_file');
  });
});

describe('doctor', () => {
  test('all works here', async () => {
    const { code, json } = await document(['doctor']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      checks: [
        { check: 'node', state: 'works' },
        { check: 'packages', state: 'works' },
        { check: 'digest', state: 'works' },
        { check: 'sandbox', state: 'works' },
        { check: 'sqlite', state: 'works' },
        { check: 'postgres', state: 'works' },
        { check: 'fleet', state: 'works' },
        { check: 'engine', state: 'works', detail: 'dbos 5.3.0, bullmq 6.7.0' },
        { check: 'offline', state: 'works' },
      ],
    });
  });

  test.each([
    ['20.18.9', 2],
    ['20.19.0', 0],
    ['18.20.8', 2],
    ['24.0.0', 0],
  ])('Node %s exits %i', (version, exit) => {
    expect(nodeVersion(version).exit).toBe(exit);
  });
});
