/**
 * A worker of the campaign, until SIGTERM: `node worker.mjs JSON`. Its tool notes each call that begins in the file of
 * the worker, takes a while, and applies the effect once for each key; the worker notes what was recorded.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { bullmqEngine, dbosEngine, openFleet } from '../../dist/index.js';
import { MACHINES, makePorts } from './runs.mjs';

const { storeUrl, kind, engineUrl, schema, folder, name, concurrency, leaseMs, toolMs, clockUntil } =
  JSON.parse(process.argv[2]);
const note = (what, text) => appendFileSync(join(folder, `calls-${name}`), `${what} ${Date.now()} ${text}\n`);

async function call(key, answer) {
  note('begin', key);
  await sleep(toolMs);
  try {
    closeSync(openSync(join(folder, 'effects', key.replaceAll('/', '_')), 'wx'));
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  note('end', key);
  return answer();
}

const store = orThrow(openUrl(storeUrl));
const engine = await { dbos: dbosEngine, bullmq: bullmqEngine }[kind]({ url: engineUrl, schema });
const opened = await openFleet({ store, engine });
// The server is away: the next one tries again.
if (opened._tag === 'Left') process.exit(1);
const fleet = opened.right;
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
const worked = await fleet.work({
  machines: MACHINES,
  ports: ({ run_id, inbox, now }) => makePorts(run_id, { call, clock: { now, until: clockUntil }, inbox }),
  concurrency,
  leaseMs,
  signal: ending.signal,
  drive: ({ run_id }) => ({
    onEvent: ({ type }) => {
      if (type === 'append') note('record', run_id);
    },
  }),
  onEvent: (event) => {
    if (event.type === 'error') note('error', `${event.from} ${event.error?.code ?? event.error}`);
    if (event.type === 'segment' && event.fault !== null) note('fault', `${event.run_id} ${event.fault}`);
  },
});
await fleet.close();
await store.close();
// The engine or the server was away: the next one tries again.
process.exit(worked._tag === 'Left' ? 1 : 0);
