/**
 * A process that makes calls through a gate until it is killed. `node child.mjs FOLDER [journal]`; says `up`
 * once it is open.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderNotes } from '../../../host/dist/index.js';
import { openGate } from '../../dist/shell/index.js';

const folder = process.argv[2];
const lines = (name) =>
  existsSync(join(folder, name))
    ? readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line))
    : [];
const log = (name, row) => appendFileSync(join(folder, name), `${JSON.stringify(row)}\n`);
const gate = await openGate({
  policy: { gate: 1, allow: ['effect', 'safe'], budgets: [{ id: 'all', max: 1_000_000 }] },
  store: folder,
  run: 'kill',
  idempotent: ['safe'],
  ...(process.argv[3] === 'journal' ? { journal: folderNotes(join(folder, 'notes')) } : {}),
});
process.stdout.write('up\n');
const ended = new Set(lines('ended').map(({ id }) => id));
const wanted = lines('wanted');
const make = async ({ id, tool, at }) => {
  const result = await gate
    .call({ tool, input: { at }, call_id: id }, async (input, { key, n }) => {
      log('seen', { tool, key, n, at: input.at });
      await new Promise((next) => {
        setTimeout(next, at % 8);
      });
      return { at: input.at };
    })
    .catch((error) => ({ error: error.code ?? String(error) }));
  log('ended', { id, ...result });
};
let next = wanted.length;
await Promise.all(wanted.filter(({ id }) => !ended.has(id)).map(make));
await Promise.all(
  Array.from({ length: 12 }, async () => {
    for (;;) {
      const at = next++;
      const call = { id: `call-${at}`, tool: at % 3 === 0 ? 'safe' : 'effect', at };
      log('wanted', call);
      await make(call);
    }
  }),
);
