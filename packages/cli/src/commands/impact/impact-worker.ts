/**
 * What a worker does for `assay impact`: it is sent ledgers and judges them.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Stop } from '../../problems/problem.js';
import { makeJudge, type ImpactOrder } from './judge.js';
import type { Task, Told } from './pool.js';

const judge = makeJudge(workerData as ImpactOrder);
// Whoever asks is told.
judge.catch(() => undefined);
parentPort?.on('message', ({ file, bytes }: Task) => {
  void judge
    .then((ready) => ready(file, bytes))
    .then(
      (judged): Told => ({ t: 'row', judged }),
      (error: unknown): Told => {
        if (error instanceof Stop) return { t: 'problem', problem: error.problem };
        throw error;
      },
    )
    .then((told) => parentPort?.postMessage(told));
});
