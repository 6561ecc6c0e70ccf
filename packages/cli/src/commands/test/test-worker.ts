/**
 * What a thread does for one fixture of `assay test` with machines of the user: it judges it, or locks it.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { machinesFor } from '../../options/machines.js';
import { Stop } from '../../problems/problem.js';
import { Output } from '../../call/output.js';
import type { TestOrder, TestTask, TestTold } from './in-threads.js';
import { judgeFound } from './judge.js';
import { lockFixture } from './lock.js';

const { modules, isForced, options } = workerData as TestOrder;
const output = new Output(options, { out: process.stdout, err: process.stderr, env: process.env });

async function answered({ t, found }: TestTask): Promise<TestTold> {
  try {
    const machines = await machinesFor(modules, [found.ledger]);
    return t === 'judge'
      ? { t, judgement: await judgeFound(found, machines, output) }
      : { t, row: await lockFixture(found, machines, isForced) };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { t: 'problem', problem: error.problem };
  }
}

parentPort?.on('message', (task: TestTask) => {
  void answered(task).then((told) => parentPort?.postMessage(told));
});
