/**
 * A process that drives a poll over files: `node child.mjs FOLDER [MS]`; writes a line after each durable
 * group. A vote takes MS milliseconds more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { drive, folderSnapshots, portsByKind } from '@assay/host';
import { fileStore } from '@assay/host/store-file';
import { tally } from '@assay/testing';

const folder = process.argv[2];
const pace = Number(process.argv[3] ?? 0);
const genesis = {
  run_id: 'poll-1',
  ts_base: 't0',
  policy: { voters: 24, quorum: 1, attempts: 2 },
  input: { question: 'lunch?', options: ['soup', 'salad'] },
};
const ballot = {
  source: 'rule',
  proposer: 'test',
  perform: async ({ id }, { key }) => {
    await sleep(pace + (Number(id.slice(2)) % 7));
    return { value: { option: Number(id.slice(2)) % 5 === 0 && key.endsWith('/0') ? 'tea' : 'soup' } };
  },
};
const store = fileStore(folder);
const onEvent = ({ type }) => {
  if (type === 'append') process.stdout.write('.\n');
};
const driven = await drive(tally, genesis, {
  store,
  ports: portsByKind({ ballot }),
  concurrency: 4,
  order: 'turn',
  onEvent,
  snapshots: { keep: folderSnapshots(folder), every: 8 },
});
await store.close();
if (driven._tag === 'Right') process.exit(driven.right.end === 'success' ? 0 : 1);
process.exit(
  driven.left.code === 'store' && ['locked', 'stale_head'].includes(driven.left.error.code) ? 3 : 1,
);
