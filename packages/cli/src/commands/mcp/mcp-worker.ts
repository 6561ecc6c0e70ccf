/**
 * What a thread of `assay mcp` does: one call of a tool that only reads, with the store of the main thread.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { callApart } from '@assay/mcp';
import { machinesFor, redeciderFrom, viewableFor } from '../../options/machines.js';
import { storeProblem } from '../../files/store.js';
import type { ApartOrder, ApartTask, ApartTold } from './apart.js';
import { readingStore, type StoreGave } from './reading-store.js';

const { modules, place, url } = workerData as ApartOrder;
const tell = (told: ApartTold): void => parentPort?.postMessage(told);
const waiting = new Map<number, (gave: StoreGave) => void>();
let asked = 0;
const store = readingStore(
  (ask) =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      tell({ t: 'store', id: asked, ask });
    }),
);

const loaded = machinesFor(modules, ['-']);
// Whoever calls is told.
loaded.catch(() => undefined);
parentPort?.on('message', (task: ApartTask) => {
  if (task.t === 'store') {
    waiting.get(task.id)?.(task.gave);
    waiting.delete(task.id);
    return;
  }
  void loaded
    .then((machines) =>
      callApart(
        {
          store,
          place,
          proposers: new Map(),
          machines,
          viewable: (machine) => viewableFor(modules, machine),
          redecider: (machine) => redeciderFrom(modules, machine),
          describe: (error) => storeProblem(error, url).problem,
        },
        task.tool,
        task.args,
        // A call that is given up ends this thread.
        { client: task.client, signal: new AbortController().signal },
      ),
    )
    .then((answer) => tell({ t: 'answer', answer }));
});
