/**
 * What a thread of `assay mcp` does: one call of a tool after the other, with the store of the main thread.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { callApart } from '@assay/mcp';
import { newInterruption } from '../../terminal/signals.js';
import { Output } from '../../call/output.js';
import type { ApartOrder, ApartTask, ApartTold } from './apart.js';
import { deskWithout } from './desk.js';
import { remoteStores } from './remote-store.js';

const { flags, session, isVerbose } = workerData as ApartOrder;
const tell = (told: ApartTold): void => parentPort?.postMessage(told);
const waiting: ((gave: never) => void)[] = [];
const stores = remoteStores(
  (...ask) => new Promise((resolve) => tell({ t: 'store', id: waiting.push(resolve) - 1, ask })),
);
const { env, stdout: out, stderr: err } = process;
const output = new Output({ verbose: isVerbose }, { out, err, env });
const context = { output, env, readLine: null, interruption: newInterruption() };
const desk = deskWithout(context, flags, session).then((opened) => ({ ...opened, ...stores }));
// Whoever calls is told.
desk.catch(() => undefined);
const stopping = new AbortController();
parentPort?.on('message', (task: ApartTask) => {
  if (task.t === 'store') waiting[task.id]?.(task.gave as never);
  else if (task.t === 'stop') stopping.abort();
  else {
    waiting.length = 0;
    const caller = { client: task.client, signal: stopping.signal };
    void desk
      .then((opened) => callApart(opened, task.tool, task.args, caller))
      .then((answer) => tell({ t: 'answer', answer }));
  }
});
