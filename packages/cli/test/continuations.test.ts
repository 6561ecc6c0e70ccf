/**
 * `assay resume` of a run that continues another one: where that one does not let it, nothing is asked, and
 * it is said why.
 */
import { join } from 'node:path';
import { drive, idempotencyKey, loadRun } from '@assay/host';
import { makeContinuation, orThrow, type Base, type GenesisInput } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { beforeEach, describe, expect, test } from 'vitest';
import { journalOf, openStore } from '../src/files/store.ts';
import { baseProblem } from '../src/start/drive-machine.ts';
import { temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { bytesIn, firstRecords, storeLedger } from './lib/places.ts';

const folder = temporaryFolder();
let made = 0;
let url = '';

/**
 * An open run `logs` and its continuation `later`, neither of which has asked anybody. Gives the key of the
 * first call of `logs`.
 */
async function begun(change: Partial<Base> = {}): Promise<string> {
  const whole = `file:${join(folder, `whole-${made}`)}`;
  await called('run', 'Keep audit logs for 90 days.', '--set', 'run_id=logs', '--store', whole, '--quiet');
  await storeLedger(url, 'logs', firstRecords((await bytesIn(whole, 'logs')) ?? '', 2));
  const store = await openStore(url);
  const { genesis, run, snapshot } = orThrow(await loadRun(intent, 'logs', store));
  const taken = snapshot();
  if (taken === null) throw new Error('the first group carries its state');
  const { ts_base, policy, input } = genesis;
  const next: GenesisInput = {
    run_id: 'later',
    ts_base,
    policy,
    input,
    base: { ...makeContinuation(taken), ...change },
  };
  // Where nothing can be compared, so that it is there whatever its base is.
  const alone = await openStore(`file:${join(folder, `alone-${made}`)}`);
  orThrow(await drive(intent, next, { store: alone, ports: () => null, steps: 0 }));
  await Promise.all([store.close(), alone.close()]);
  await storeLedger(
    url,
    'later',
    firstRecords((await bytesIn(`file:${join(folder, `alone-${made}`)}`, 'later')) ?? '', 2),
  );
  return idempotencyKey(run, '1.0');
}

/** What `resume` says of the continuation, which is left as it is. */
async function resumed(): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const before = await bytesIn(url, 'later');
  const { code, stderr, stdout } = await called('resume', `${url}#later`);
  expect([stdout, await bytesIn(url, 'later')]).toEqual(['', before]);
  return { code, stderr };
}

beforeEach(() => {
  made += 1;
  url = `file:${join(folder, `runs-${made}`)}`;
});

describe('a continuation', () => {
  test('whose base waits for it is resumed to its end', async () => {
    await begun();
    expect(await called('resume', `${url}#later`, '--quiet')).toMatchObject({ code: 0 });
  });

  test('whose base is over: exit 2', async () => {
    await begun();
    await called('resume', `${url}#logs`, '--quiet');
    expect(await resumed()).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(
          String.raw`^assay: base_closed: .*logs had 2 records when ` +
            String.raw`later took over from it, and has 7\n[\s\S]*nothing was asked`,
        ),
      ),
    });
  });

  test('whose base has a call begun: exit 2, and the request is named', async () => {
    const key = await begun();
    await (await journalOf(url)).calls.begin('logs', key, { calls: 1 });
    expect(await resumed()).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^assay: base_under_way: .*\(1\.0\)\n[\s\S]*snapshot of logs once these are answered there/,
      ),
    });
  });

  test('whose base is another ledger: exit 3', async () => {
    await begun({ hash: 'a'.repeat(64) as Base['hash'] });
    expect(await resumed()).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^assay: base_mismatch: .*\(head\)\n[\s\S]*assay verify/),
    });
  });

  test('whose base went on: exit 2, with both counts', async () => {
    await begun();
    const whole = (await bytesIn(`file:${join(folder, `whole-${made}`)}`, 'logs')) ?? '';
    url = `file:${join(folder, `further-${made}`)}`;
    await storeLedger(url, 'logs', firstRecords(whole, 3));
    await storeLedger(url, 'later', (await bytesIn(`file:${join(folder, `alone-${made}`)}`, 'later')) ?? '');
    expect(await resumed()).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(
          String.raw`^assay: base_went_on: .*: logs had 2 records when later took over from it, and has 3\n` +
            String.raw`[\s\S]*new continuation`,
        ),
      ),
    });
  });
});

test('a fork that lacks answers of its parent says what feeds it', () => {
  expect(
    baseProblem({ code: 'unfed', detail: { run_id: 'fork', count: 2, records: 8 } }, 'fork')?.problem,
  ).toMatchObject({
    code: 'unfed',
    exit: 2,
    message: expect.stringContaining('2 of 8 records'),
    remedy: expect.stringContaining('fork of @assay/host'),
  });
  expect(baseProblem({ code: 'bad_policy', detail: null }, 'fork')).toBeNull();
});
