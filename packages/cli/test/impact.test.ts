/** `assay impact`: many recorded runs under a change, what is expected of them, and bad input. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { impactDocumentSchema, type ImpactDocument } from '@assay/kernel/schemas';
import { main } from '@assay/cli';
import { newInterruption } from '../src/terminal/signals.ts';
import { argv, FORGERIES, ROOT, spawned, temporaryFolder } from './lib/assay.ts';
import { called, shaped } from './lib/called.ts';

const folder = temporaryFolder();
const golden = (name: string): string => join(ROOT, 'golden-fixtures', name);
const TALLIES = ['tally-success', 'tally-refused', 'tally-unicode'].map(golden);
/** A poll that version 99 of the machine wrote: nobody but the user has it. */
const OWN = join(FORGERIES, 'unknown-machine-version', 'ledger.jsonl');
const TALLY = JSON.stringify(new URL('../../testing/dist/machines/tally.js', import.meta.url).href);

async function judged(
  ...args: readonly string[]
): Promise<ImpactDocument & { readonly exit: number | null }> {
  const { code, stdout } = await called('impact', ...args, '--json');
  return { exit: code, ...shaped(impactDocumentSchema, JSON.parse(stdout)) };
}

function machineFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    `import { existsSync, rmSync, writeFileSync } from 'node:fs';\nimport { tally } from ${TALLY};\nexport const machines = [${text}];\n`,
  );
  return path;
}

describe('a changed limit over a folder of runs', () => {
  const set = ['--set', 'policy.quorum=1'];

  test('a refused run that would be decided comes first, with figures, cause and sources', async () => {
    const document = await judged(...TALLIES, ...set);
    expect(document).toMatchObject({
      exit: 0,
      counts: { flipped: 1, same: 2 },
      groups: [
        {
          class: 'flipped',
          kind: 'outcome',
          runs: 1,
          from: expect.stringMatching(/^refused: /),
          to: 'success',
        },
      ],
    });
    expect(document.runs[0]).toMatchObject({
      file: join(golden('tally-refused'), 'ledger.jsonl'),
      was: { outcome: 'refused' },
      would_be: { outcome: 'success', reasons: [] },
      flip: {
        parts: { decision: expect.any(Number) },
        because: { was: expect.any(String), would_be: expect.any(String) },
      },
    });
    expect(document.runs[0]?.flip?.rests_on.length).toBeGreaterThan(0);
    const { stdout } = await called('impact', ...TALLIES, ...set);
    expect(stdout).toMatch(/^flipped +1 × tally@1 refused: \S+ → success$/m);
  });

  test('--expect: none, then the accepted report; what is written for CI', async () => {
    const [junit, markdown, report] = ['j.xml', 'm.md', 'r.json'].map((name) => join(folder, name));
    const none = await judged(
      ...argv`${TALLIES} ${set} --expect none -o ${junit ?? ''} -o ${markdown ?? ''}`,
    );
    expect(none.exit).toBe(1);
    expect(readFileSync(junit ?? '', 'utf8')).toMatch(
      /tests="3" failures="1" errors="0"[^]*<failure type="flipped"/,
    );
    expect(readFileSync(markdown ?? '', 'utf8')).toContain('**flipped**');
    writeFileSync(report ?? '', JSON.stringify({ ...none, exit: undefined }));
    expect((await judged(...TALLIES, ...set, '--expect', report ?? '')).exit).toBe(0);
    // Another change is not the one that was accepted.
    const other = await called('impact', ...TALLIES, '--set', 'policy.quorum=4', '--expect', report ?? '');
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('another change') });
    // A run that is gone is missed.
    expect(await judged(...TALLIES.slice(0, 2), ...set, '--expect', report ?? '')).toMatchObject({
      exit: 4,
      counts: { not_usable: 1 },
    });
    writeFileSync(report ?? '', '{}');
    expect(await called('impact', ...TALLIES, ...set, '--expect', report ?? '')).toMatchObject({ code: 2 });
  });

  test('annotations name unexpected runs on GitHub', async () => {
    const read = { out: '', err: '' };
    const summary = join(folder, 'summary.md');
    const code = await main(['impact', ...TALLIES, ...set, '--expect', 'none'], {
      out: { write: (text) => (read.out += text) },
      err: { write: (text) => (read.err += text) },
      env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
    });
    expect([code, read.err]).toEqual([
      1,
      expect.stringMatching(/^::error file=\S+,line=\d+,title=assay impact flipped::/m),
    ]);
    expect(readFileSync(summary, 'utf8')).toContain('### assay impact');
  });

  test('several threads print the same document', async () => {
    const one = await spawned(['impact', ...TALLIES, ...set, '--json'], { env: { ASSAY_THREADS: '1' } });
    const two = await spawned(['impact', ...TALLIES, ...set, '--json'], { env: { ASSAY_THREADS: '2' } });
    expect(two).toEqual(one);
  });
});

describe("a user's machine in another version", () => {
  test('--machine alone is the change', async () => {
    const same = machineFile('same.mjs', '{ ...tally, version: 100 }');
    expect(await judged(OWN, '--machine', same, '--expect', 'none')).toMatchObject({
      exit: 0,
      counts: { same: 1 },
    });
    const strict = machineFile(
      'strict.mjs',
      `{ ...tally, version: 100, decide: (state, answer, context) => {
        const made = tally.decide(state, answer, context);
        return made._tag === 'Right' && made.right.outcome !== undefined
          ? { _tag: 'Right', right: { ...made.right, outcome: { status: 'refused', reasons: ['strict'] } } } : made; } }`,
    );
    expect(await judged(OWN, '--machine', strict, '--expect', 'none')).toMatchObject({
      exit: 1,
      counts: { flipped: 1 },
      runs: [{ would_be: { outcome: 'refused', reasons: ['strict'] } }],
    });
  });

  test('with another change it is who recorded, and must derive the runs again', async () => {
    const own = machineFile('own.mjs', '{ ...tally, version: 99 }');
    expect(await judged(OWN, '--machine', own, '--set', 'quorum=3')).toMatchObject({
      exit: 0,
      decisions: expect.any(Number),
    });
    const other = machineFile('other.mjs', '{ ...tally, name: "poll", version: 99 }');
    expect(await called('impact', OWN, '--machine', other)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: nothing_to_check: [^]*unknown_machine/),
    });
  });
});

describe('what is judged', () => {
  const set = ['--set', 'policy.quorum=1'];

  test('every ledger below a folder, also beside no expected.json, and none of forgeries', async () => {
    const place = join(folder, 'below');
    for (const name of ['a', 'a/b', 'forgeries']) mkdirSync(join(place, name), { recursive: true });
    for (const path of ['a/x.ledger.jsonl', 'a/b/ledger.jsonl', 'forgeries/ledger.jsonl'])
      cpSync(join(golden('tally-refused'), 'ledger.jsonl'), join(place, path));
    writeFileSync(join(place, 'a', 'expected.json'), '{}');
    expect(await judged(place, ...set, '--expect', 'none')).toMatchObject({
      exit: 1,
      counts: { flipped: 2, not_usable: 1 },
    });
  });
});

test('the comment on a pull request says of a gate how many calls change, and such as', async () => {
  const [policy, comment] = [join(folder, 'strict.json'), join(folder, 'comment.md')];
  writeFileSync(policy, '{"gate":1,"allow":["search"]}');
  const document = await judged(golden('gate-support'), '--policy', policy, '-o', comment);
  expect(document.compared).toMatchObject([
    {
      ...{ machine: 'gate@1', unit: 'call', run: 'session', runs: 1, total: 7 },
      counts: [{ count: 2 }, { count: 0 }, { count: 0 }, { count: 0 }],
      groups: [
        { what: 'write_file', example: { at: 3 } },
        { what: 'send_email', example: { at: 5 } },
      ],
    },
  ]);
  const text = readFileSync(comment, 'utf8');
  expect(text).toContain('**2 of 7 calls would now be refused**');
  expect(text).toMatch(
    /\| would now be refused \| 1 \| write[^]*what the model would have done after a refusal/,
  );
  expect(text).not.toContain('| flipped |');
});

describe('bad input', () => {
  test('a folder without a ledger, a folder with other files, a ledger that does not verify', async () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed, { recursive: true });
    expect(await called('impact', mixed, '--set', 'a=1')).toMatchObject({ code: 2 });
    writeFileSync(join(mixed, 'notes.txt'), 'no ledger');
    writeFileSync(join(mixed, 'bad.ledger.jsonl'), 'no ledger\n');
    expect(await called('impact', mixed, '--set', 'a=1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: nothing_to_check: /),
    });
    cpSync(join(golden('tally-success'), 'ledger.jsonl'), join(mixed, 'good.ledger.jsonl'));
    expect(await judged(mixed, '--set', 'quorum=2')).toMatchObject({
      exit: 4,
      counts: { not_usable: 1, same: 1 },
      groups: [{ class: 'not_usable', kind: 'encoding' }],
    });
  });

  test('a store is read; one that is not there is out of reach', async () => {
    const missing = `file:${join(folder, 'nowhere')}`;
    expect(await called('impact', missing, '--set', 'a=1')).toMatchObject({ code: 5 });
    const url = `file:${join(folder, 'runs')}`;
    expect((await called('run', 'Keep logs for 30 days.', '--store', url)).code).toBeLessThan(2);
    expect(await judged(url, '--set', 'policy.min_score=0')).toMatchObject({
      decisions: expect.any(Number),
      runs: [{ file: expect.stringContaining('#') }],
    });
  });

  test('a store that goes away in the middle, and one with a damaged run', async () => {
    const runs = join(folder, 'leaving');
    mkdirSync(runs);
    for (const path of TALLIES) {
      const bytes = readFileSync(join(path, 'ledger.jsonl'));
      const { run_id } = /"run_id":"(?<run_id>[^"]+)"/.exec(bytes.toString())?.groups ?? {};
      writeFileSync(join(runs, `${run_id}.ledger.jsonl`), bytes);
    }
    mkdirSync(join(runs, 'zz-damaged.ledger.jsonl'));
    expect(await judged(`file:${runs}`, '--set', 'policy.quorum=1')).toMatchObject({
      exit: 4,
      counts: { flipped: 1, same: 2, not_usable: 1 },
    });
    // The first decision takes the store away.
    const leaving = machineFile(
      'leaving.mjs',
      `{ ...tally, version: 2, open: (...given) => {
        rmSync(${JSON.stringify(runs)}, { recursive: true, force: true }); return tally.open(...given); } }`,
    );
    expect(await judged(`file:${runs}`, '--machine', leaving)).toMatchObject({
      exit: 5,
      counts: { same: 1, not_usable: 0 },
    });
  });

  test.each([0, 1])('an interruption tells what was found so far: %i runs', async (count) => {
    const interruption = newInterruption();
    const hangs = join(folder, `hangs${count}`);
    if (count === 0) interruption.raise();
    // The second ledger is never done with: the thread that works on it is ended.
    const module = machineFile(
      `stop${count}.mjs`,
      `{ ...tally, version: 2, decide: (...given) => {
        if (given[2].run_id !== 'spring-fair') for (writeFileSync(${JSON.stringify(hangs)}, ''); ; );
        return tally.decide(...given); } }`,
    );
    const waiting = setInterval(() => {
      if (existsSync(hangs)) interruption.raise();
    }, 20);
    let out = '';
    const code = await main(['impact', ...TALLIES, '--machine', module, '--json'], {
      out: { write: (text) => (out += text) },
      err: { write: () => undefined },
      env: {},
      interruption,
    });
    clearInterval(waiting);
    expect([code, JSON.parse(out)]).toMatchObject([130, { interrupted: true, counts: { same: count } }]);
  });
});
