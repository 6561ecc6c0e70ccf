/**
 * What a thread of `assay mcp` does: one call of a tool after the other, with the store of the main thread.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { callApart } from '@assay/mcp';
import { newInterruption } from '../../terminal/interruption.js';
import { Output } from '../output.js';
import type { ApartOrder, ApartTask, ApartTold } from './apart.js';
import { deskWithout } from './desk.js';
import { remoteStores, type StoreGave } from './remote-store.js';

const { flags, session, place, isVerbose } = workerData as ApartOrder;
const tell = (told: ApartTold): void => parentPort?.postMessage(told);
const waiting = new Map<number, (gave: StoreGave) => void>();
let asked = 0;
const stores = remoteStores(
  (ask) =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      tell({ t: 'store', id: asked, ask });
    }),
);
const { env, stdout: out, stderr: err } = process;
const output = new Output({ verbose: isVerbose }, { out, err, env });
const context = { output, env, readLine: null, interruption: newInterruption() };
const desk = deskWithout(context, flags, session).then((opened) => ({ ...opened, ...stores, place }));
// Whoever calls is told.
desk.catch(() => undefined);
let stopping = new AbortController();
parentPort?.on('message', (task: ApartTask) => {
  if (task.t === 'store') {
    waiting.get(task.id)?.(task.gave);
    waiting.delete(task.id);
  } else if (task.t === 'stop') stopping.abort();
  else {
    stopping = new AbortController();
    const { signal } = stopping;
    void desk
      .then((opened) => callApart(opened, task.tool, task.args, { client: task.client, signal }))
      .then((answer) => tell({ t: 'answer', answer }));
  }
});
