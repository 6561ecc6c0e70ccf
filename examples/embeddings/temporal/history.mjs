/**
 * `node history.mjs history.json RUNS`: writes the history of the workflow of this folder, and its ledger.
 * Its origin: no Temporal service could be had where this was written. What is asked and answered is real, by
 * this folder's loop and activities; the events around it, with their ids and times, are put together in
 * `events.mjs` in the form of a service's export.
 */
import { writeFileSync } from 'node:fs';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/host/store-file';
import { refunds } from '../refunds/machine.mjs';
import { genesis, scripted, till, typed } from '../refunds/scenario.mjs';
import { activities } from './activities.mjs';
import { History } from './events.mjs';
import { loop } from './loop.mjs';

const [, , path = 'history.json', folder = 'runs'] = process.argv;
const store = orThrow(openUrl(`file:${folder}`));
const performs = activities(store, { next: scripted, approval: typed('yes'), pay: till });
const history = new History();
history.start('desk', [genesis]);

/** Runs an activity, and notes it. */
const noted =
  (name) =>
  async (...args) => {
    const result = await performs[name](...args);
    history.activity(name, args, result);
    return result;
  };
const head = await loop(refunds, genesis, {
  append: noted('append'),
  next: noted('next'),
  approval: noted('approval'),
  pay: noted('pay'),
});
history.complete(head);
writeFileSync(path, `${JSON.stringify({ events: history.events }, null, 1)}\n`);
await store.close();
