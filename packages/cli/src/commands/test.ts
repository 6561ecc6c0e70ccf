/**
 * `assay test`: golden fixtures replay, forgeries are caught.
 *
 * @module
 */
import { machinesFor } from '../options/machines.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { padded, show, styled } from '../terminal/shown.js';
import type { Context, Output } from '../call/output.js';
import { findFixtures, type Found, judgeFound, type Judgement } from './test/judge.js';
import type { Tester } from './test/in-threads.js';
import { lockFixture, lockFound, type Locked } from './test/lock.js';

const RESULT_WIDTH = 13;
const NAME_WIDTH = 44;

/**
 * Tests everything below a folder: exit 0 where all came out as expected, 1 where something differs, 4 where
 * something could not be checked.
 */
export async function test(
  context: Context,
  folder: string,
  options: { readonly lock?: 'new' | 'again'; readonly machine: readonly string[] },
): Promise<ExitCode> {
  const { output, env } = context;
  if (options.lock === 'new' && env['CI'] === 'true') {
    throw misuse(
      'update_in_ci',
      'fixtures are not rewritten under CI=true',
      '--lock',
      'run it on your own machine and review the difference, or give --lock again',
    );
  }
  let found = findFixtures(folder);
  const tester = await makeTester(found, options, output);
  const row = (result: Judgement['result'] | Locked, name: string, detail: string): void => {
    const isOdd = result === 'differs' || result === 'not_checked';
    output.line(
      show`${padded(styled(isOdd ? 'bad' : 'good', show`${result}`), RESULT_WIDTH)}${padded(
        show`${name}`,
        NAME_WIDTH,
      )} ${detail}`,
    );
  };
  const judged: Judgement[] = [];
  try {
    if (options.lock !== undefined) {
      for (const each of lockFound(found)) {
        const { result, name, detail } = await tester.lock(each);
        row(result, name, detail);
      }
      found = findFixtures(folder);
    }
    for (const each of found) {
      const judgement = await tester.judge(each);
      judged.push(judgement);
      row(judgement.result, judgement.name, judgement.detail);
    }
  } finally {
    tester.end();
  }
  const count = (result: Judgement['result']): number =>
    judged.filter((each) => each.result === result).length;
  const counts = {
    replayed: count('replayed'),
    caught: count('caught'),
    missed: count('missed'),
    differs: count('differs'),
    not_checked: count('not_checked'),
  };
  output.document({ folder, ...counts, results: judged });
  output.line(
    show`${counts.replayed} replayed, ${counts.caught} forgeries caught, ${
      counts.missed
    } misses as announced, ${counts.differs} differences${
      counts.not_checked === 0 ? '' : `, ${counts.not_checked} not checked`
    }`,
  );
  if (counts.differs > 0) return EXIT.no;
  return counts.not_checked === 0 ? EXIT.done : EXIT.unchecked;
}

/** In this thread, or with machines of the user in a new one for each fixture. */
async function makeTester(
  found: readonly Found[],
  { lock, machine: modules }: { readonly lock?: 'new' | 'again'; readonly machine: readonly string[] },
  output: Output,
): Promise<Tester> {
  if (modules.length > 0) {
    const { testerInThreads } = await import('./test/in-threads.js');
    return testerInThreads({
      modules,
      isForced: lock === 'again',
      options: { quiet: false, verbose: output.isVerbose },
    });
  }
  const machines = await machinesFor(
    [],
    found.map(({ ledger }) => ledger),
  );
  return {
    judge: (each) => judgeFound(each, machines, output),
    lock: (each) => lockFixture(each, machines, lock === 'again'),
    end: () => undefined,
  };
}
