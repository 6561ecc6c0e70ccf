/**
 * Fixtures judged and locked with machines of the user, each in a new thread.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { makeThreads } from '../../files/threads.js';
import { Stop, type Problem } from '../../problems/problem.js';
import { Output, type CommonOptions } from '../../call/output.js';
import { machinesFor } from '../../options/machines.js';
import { judgeFound, type Found, type Judgement } from './judge.js';
import { lockFixture, type LockedRow } from './lock.js';

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
