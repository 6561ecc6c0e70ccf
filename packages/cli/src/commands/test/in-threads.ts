/**
 * Fixtures judged and locked with machines of the user, each in a new thread.
 *
 * @module
 */
import { makeThreads } from '../../files/threads.js';
import { Stop, type Problem } from '../../problems/problem.js';
import type { CommonOptions } from '../../call/output.js';
import type { Found } from './find.js';
import type { Judgement } from './judge.js';
import type { LockedRow } from './lock.js';

/** What each thread is given. */
export type TestOrder = {
  readonly modules: readonly string[];
  readonly isForced: boolean;
  readonly options: CommonOptions;
};
/** What a thread is asked. */
export type TestTask = { readonly t: 'judge' | 'lock'; readonly found: Found };
/** What it answers. */
export type TestTold =
  | { readonly t: 'judge'; readonly judgement: Judgement }
  | { readonly t: 'lock'; readonly row: LockedRow }
  | { readonly t: 'problem'; readonly problem: Problem };

/** How fixtures are judged and locked. Raises `Stop`. */
export type Tester = {
  readonly judge: (found: Found) => Promise<Judgement>;
  readonly lock: (found: Found) => Promise<LockedRow>;
  readonly end: () => void;
};

/** Asks a new thread for each fixture. */
export function testerInThreads(order: TestOrder): Tester {
  const { asks, end } = makeThreads<TestTask, TestTold>(1, 'test-worker', order, true);
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
