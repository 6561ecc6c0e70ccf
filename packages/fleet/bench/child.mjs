/**
 * A process of the benches: `node child.mjs JSON`. It drives polls alone, or works in a fleet, and tells its parent of
 * each call and of each run that is closed. Told {drive} it drives those runs; {hold}, whether its calls are held up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { drive, Later } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { tally } from '@assay/testing';
import { bullmqEngine, dbosEngine, openFleet } from '../dist/index.js';

const {
  kind,
  storeUrl,
  redisUrl,
  schema,
  concurrency,
  connections = 4,
  toolMs = 10,
  leaseMs = 5_000,
  isTelling,
} = JSON.parse(process.argv[2]);
const store = orThrow(openUrl(storeUrl, { connections }));
let isHeld = false;

const voter = {
  source: 'rule',
  proposer: 'voter',
  perform: async ({ id }, { key }) => {
    if (isTelling) process.send({ call: key });
    await (isHeld ? new Promise(() => undefined) : sleep(toolMs));
    return { value: { option: id.endsWith('2') ? 'salad' : 'soup' } };
  },
};

/** A poll whose name begins with h: the first ballot is a person's, the others wait for it. */
function portsOf({ run_id, inbox }) {
  const isPersons = run_id.startsWith('h');
  let isAnswered = !isPersons;
  const person = {
    ...inbox,
    perform: async (...given) => {
      const answer = await inbox.perform(...given);
      isAnswered = true;
      return answer;
    },
  };
  const after = {
    ...voter,
    perform: async (...given) => {
      if (!isAnswered) throw new Later();
      return voter.perform(...given);
    },
  };
  return ({ kind: asked, id }) =>
    asked !== 'ballot' ? null : isPersons && id === '1.0' ? person : isPersons ? after : voter;
}

process.on('message', (told) => {
  if (told.hold !== undefined) isHeld = told.hold;
  if (told.drive !== undefined) void driveAll([...told.drive], told.notes);
  if (told === 'usage') {
    globalThis.gc();
    process.send({ usage: { rss: process.memoryUsage().rss, cpu: process.cpuUsage() } });
  }
});

async function driveAll(geneses, hasNotes) {
  const budget = hasNotes ? { budget: { limits: {}, notes: store.journal.calls } } : {};
  const one = async () => {
    for (let genesis = geneses.shift(); genesis !== undefined; genesis = geneses.shift()) {
      orThrow(await drive(tally, genesis, { store, ports: portsOf(genesis), ...budget }));
      process.send({ closed: genesis.run_id });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

if (kind === 'drive') process.send({ up: true });
else {
  const url = kind === 'dbos' ? storeUrl : redisUrl;
  const engine = await { dbos: dbosEngine, bullmq: bullmqEngine }[kind]({ url, schema });
  const fleet = orThrow(await openFleet({ store, engine }));
  const ending = new AbortController();
  process.once('SIGTERM', () => ending.abort());
  orThrow(
    await fleet.work({
      machines: [tally],
      ports: portsOf,
      concurrency,
      leaseMs,
      signal: ending.signal,
      onEvent: (event) => {
        if (event.type === 'segment' && event.end === 'closed') process.send({ closed: event.run_id });
        if (event.type === 'error') console.error(event.from, event.error?.code ?? event.error);
      },
    }),
  );
  await fleet.close();
  process.exit(0);
}
