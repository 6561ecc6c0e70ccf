/**
 * `node asking.mjs FOLDER SERVER LOG`: drives a run of `lookup` over files with a port to that server, and
 * prints how it ended.
 */
import { drive } from '@assay/host';
import { mcpToolPort, recordedPin } from '@assay/mcp';
import { fileStore } from '@assay/host/store-file';
import { lookup } from './lookup.mjs';

const [folder, server, log] = process.argv.slice(2);
const store = fileStore(folder);
const genesis = {
  run_id: 'run',
  ts_base: 't',
  policy: { attempts: 2 },
  input: { questions: ['one', 'two'] },
};
const stored = await store.head('run');
const pin = stored.right === null ? null : await recordedPin(store, 'run', 'mcp:slow/lookup');
const port = mcpToolPort({
  place: { command: process.execPath, args: [server, log] },
  label: 'slow',
  tool: 'lookup',
  pin,
});
const driven = await drive(lookup, genesis, { store, ports: () => port });
await store.close();
process.stdout.write(`${driven._tag === 'Right' ? driven.right.end : JSON.stringify(driven.left)}\n`);
