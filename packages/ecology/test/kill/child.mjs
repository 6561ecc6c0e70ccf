/**
 * A world whose minds and models are a server: `node child.mjs FOLDER URL STEPS`. Says `up` once its first record is
 * stored; ends after so many answers.
 */
import { join } from 'node:path';
import { drive, folderBlobs, folderNotes } from '../../../host/dist/index.js';
import { fileStore } from '../../../host/dist/store-file/index.js';
import { ecology, resolveConfig } from '../../dist/index.js';
import { openPorts, watchWorld } from '../../dist/shell/index.js';

const [folder, url, steps] = process.argv.slice(2);
const ask = async (kind, request, call) => {
  const answer = await fetch(`${url}/${kind}`, {
    method: 'POST',
    signal: call.signal,
    body: JSON.stringify({ key: call.key, id: request.id, body: request.body }),
  });
  return answer.json();
};
const port = (kind, bound) => ({
  source: 'live_model',
  proposer: `llm:fake/${kind}`,
  bound: () => bound,
  perform: (request, call) => ask(kind, request, call),
});
const initial = ['ann', 'bob', 'cid'];
const config = {
  agents: { initial, asked: initial },
  resources: { llm_budget_uusd: 1_000_000_000, llm_rate_per_min: 10_000_000, provider_tpm: 100_000_000 },
  calls: { max: 4 },
};
const policy = resolveConfig(config).right;
const plain = {
  interface: null,
  owner: null,
  has_standing: false,
  can_execute: false,
  access_contract_id: null,
};
const artifacts = [{ ...plain, id: 'gpt', content: { model: 'small', price_mscrip: 5 } }];
const store = fileStore(folder);
const watched = watchWorld(ecology);
const small = port('call', { input_tokens: 500, output_tokens: 100 });
const driven = await drive(
  watched.machine,
  { run_id: 'kill', ts_base: 'T', policy, input: { artifacts }, engine: null },
  {
    store,
    ports: openPorts({
      watched,
      mind: port('act', { input_tokens: 2_000, output_tokens: 200 }),
      outside: { model: (name) => (name === 'small' ? small : null) },
      blobs: folderBlobs(join(folder, 'blobs')),
    }),
    concurrency: 8,
    order: 'arrival',
    steps: Number(steps),
    budget: { limits: {}, notes: folderNotes(join(folder, 'notes')) },
    onEvent: ({ type }) => {
      if (type === 'append') process.stdout.write('up\n');
    },
  },
);
await store.close();
// A lock that the killed one left is taken over; another writer is no fault of this test.
process.exit(driven._tag === 'Right' ? 0 : 3);
