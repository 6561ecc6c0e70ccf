/** `assay test`: golden fixtures replay, forgeries are caught. */
import { machinesFor } from '../options/machines.js';
import { EXIT, misuse, type ExitCode, Stop, type Problem } from '../problems/problem.js';
import { padded, show, styled } from '../terminal/shown.js';
import { type Context, Output, type CommonOptions } from '../call/output.js';
import { findFixtures, type Found, judgeFound, type Judgement } from './test/judge.js';
import { lockFixture, lockFound, type Locked, type LockedRow } from './test/lock.js';
import type { MessagePort } from 'node:worker_threads';
import { makeThreads } from '../files/threads.js';

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

/** What each thread is given. */
type TestOrder = {
  readonly modules: readonly string[];
  readonly isForced: boolean;
  readonly options: CommonOptions;
};
/** What a thread is asked. */
type TestTask = { readonly t: 'judge' | 'lock'; readonly found: Found };
/** What it answers. */
type TestTold =
  | { readonly t: 'judge'; readonly judgement: Judgement }
  | { readonly t: 'lock'; readonly row: LockedRow }
  | { readonly t: 'problem'; readonly problem: Problem };

/** How fixtures are judged and locked. Raises `Stop`. */
type Tester = {
  readonly judge: (found: Found) => Promise<Judgement>;
  readonly lock: (found: Found) => Promise<LockedRow>;
  readonly end: () => void;
};

/** Asks a new thread for each fixture. */
function testerInThreads(order: TestOrder): Tester {
  const { asks, end } = makeThreads<TestTask, TestTold>(1, 'test', order, true);
  const told = async (t: TestTask['t'], found: Found): Promise<TestTold> => {
    const [ask] = asks;
    const answer = await ask?.({ t, found });
    if (answer?.t === t) return answer;
    throw answer?.t === 'problem' ? new Stop(answer.problem) : new TypeError('a thread gave another answer');
  };
  return {
    judge: async (found) =>
      ((await told('judge', found)) as Extract<TestTold, { readonly t: 'judge' }>).judgement,
    lock: async (found) => ((await told('lock', found)) as Extract<TestTold, { readonly t: 'lock' }>).row,
    end,
  };
}

/** What a thread does for one fixture: it judges it, or locks it. */
export function testSent({ modules, isForced, options }: TestOrder, port: MessagePort): void {
  const output = new Output(options, { out: process.stdout, err: process.stderr, env: process.env });
  const answered = async ({ t, found }: TestTask): Promise<TestTold> => {
    try {
      const machines = await machinesFor(modules, [found.ledger]);
      return t === 'judge'
        ? { t, judgement: await judgeFound(found, machines, output) }
        : { t, row: await lockFixture(found, machines, isForced) };
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return { t: 'problem', problem: error.problem };
    }
  };
  port.on('message', (task: TestTask) => {
    void answered(task).then((told) => port.postMessage(told));
  });
}
