/** `assay impact`: many recorded runs under a change, what is expected of them, and bad input. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { impactDocumentSchema, type ImpactDocument } from '@assay/kernel/schemas';
import { main } from '@assay/cli';
import { newInterruption } from '../src/terminal/signals.ts';
import { FORGERIES, ROOT, spawned, temporaryFolder } from './lib/assay.ts';
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

describe('bad input', () => {
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
