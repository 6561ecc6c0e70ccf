/** Fleets for the benches: one in a schema of its own, and the processes that work in it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { tally } from '@assay/testing';
import { machine } from '../../../bench/lib/targets.mjs';
import { memoryEngine, openFleet } from '../dist/index.js';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const isCi = process.env.CI === 'true';
const POSTGRES = process.env.ASSAY_TEST_POSTGRES || (isCi ? 'postgres://postgres@127.0.0.1:5432/test' : null);
const REDIS = process.env.ASSAY_TEST_REDIS || (isCi ? 'redis://127.0.0.1:6379' : null);
export const ENGINES = ['dbos', 'bullmq'];

/** Prints that a bench was not run, and ends the process, where a server is missing. */
export function requireServers(bench, targets) {
  if (POSTGRES !== null && REDIS !== null) return;
  const not_run =
    'set ASSAY_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE and ASSAY_TEST_REDIS=redis://HOST:PORT';
  console.log(JSON.stringify({ bench, not_run, node: process.version, machine: machine(), targets }));
  process.exit(0);
}

let made = 0;

/** A fleet in a schema of its own. */
export async function makeFleet() {
  made += 1;
  const schema = `assay_bench_${process.pid}_${made}`;
  const url = new URL(POSTGRES);
  url.searchParams.set('schema', schema);
  const store = orThrow(openUrl(url.href, { connections: 8 }));
  const fleet = orThrow(await openFleet({ store, engine: memoryEngine() }));
  // Makes the tables.
  orThrow(await fleet.submit(tally, [makeGenesis('r-first')]));
  return {
    schema,
    store,
    fleet,
    storeUrl: url.href,
    remove: async () => {
      const schemas = [schema, `${schema}_fleet`, `${schema}_dbos`];
      await store.ask(
        `SET client_min_messages = warning; ${schemas.map((each) => `DROP SCHEMA IF EXISTS "${each}" CASCADE`).join('; ')}`,
      );
      await store.close();
      const redis = new Redis(REDIS);
      await redis.del('none', ...(await redis.keys(`assay:${schema}:*`)));
      redis.disconnect();
    },
  };
}

/** A poll. */
export function makeGenesis(run_id, voters = 3) {
  const policy = { voters, quorum: 1, attempts: 3 };
  return { run_id, ts_base: 't', policy, input: { question: 'Lunch?', options: ['soup', 'salad'] } };
}

/** Starts a process, and returns once it works. `kind`: `drive`, or an engine. */
export async function startChild({ storeUrl, schema, fleet }, kind, given) {
  const own = { kind, storeUrl, schema, redisUrl: REDIS, ...given };
  const child = fork(CHILD, [JSON.stringify(own)], { execArgv: ['--expose-gc', '--no-warnings'] });
  if (kind === 'drive') await once(child, 'message');
  else {
    const isUp = async () => orThrow(await fleet.workers()).some(({ pid }) => pid === child.pid);
    while (!(await isUp())) await sleep(20);
    await sleep(1_500);
  }
  return child;
}

export async function endChild(child, signal = 'SIGTERM') {
  const exit = once(child, 'exit');
  if (child.exitCode === null && child.kill(signal)) await exit;
}

/** Resolves with the time of the first message that `isIt`. */
export function heard(children, isIt) {
  return new Promise((resolve) => {
    const listen = (told) => {
      if (!isIt(told)) return;
      for (const child of children) child.off('message', listen);
      resolve(performance.now());
    };
    for (const child of children) child.on('message', listen);
  });
}
