/** Engines of real servers, whose takers are processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { bullmqEngine, dbosEngine, type Job } from '../../src/index.js';
import { serverOf } from '../../../store-postgres/test/tools/server-of.js';
import { CANARY, type EnginePlace, type Taker, type TakerOptions } from '../fleet-contract.js';

/** The servers that tests use, null where there is none. */
export const postgres: string | null = serverOf(process.env);
export const redis: string | null =
  process.env['ASSAY_TEST_REDIS'] ?? (process.env['CI'] === 'true' ? 'redis://127.0.0.1:6379' : null);

const LEASE_MS = 2_000;
const TAKER = fileURLToPath(new URL('taker.mjs', import.meta.url));
let made = 0;

/** DBOS in a schema of its own. */
export async function dbosPlace(url: string): Promise<EnginePlace> {
  const schema = freshName();
  const engine = await dbosEngine({ url, schema });
  const sql = async (text: string): Promise<readonly object[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<object>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const takers = new Takers('dbos', url, schema);
  const wipe = async (): Promise<void> => {
    await sql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${schema}_dbos" CASCADE`);
  };
  return {
    engine,
    leaseMs: LEASE_MS,
    start: (worker, options) => takers.start(worker, options),
    wipe,
    dump: async () => JSON.stringify(await sql(`SELECT w::text FROM "${schema}_dbos".workflow_status w`)),
    remove: async () => {
      await takers.end();
      await engine.close();
      await wipe();
    },
  };
}

/** BullMQ under a prefix of its own. */
export async function bullmqPlace(url: string): Promise<EnginePlace> {
  const schema = freshName();
  const engine = await bullmqEngine({ url, schema });
  const server = new Redis(url);
  const keys = (): Promise<string[]> => server.keys(`assay:${schema}:*`);
  const takers = new Takers('bullmq', url, schema);
  const wipe = async (): Promise<void> => void (await server.del('none', ...(await keys())));
  return {
    engine,
    leaseMs: LEASE_MS,
    start: (worker, options) => takers.start(worker, options),
    wipe,
    dump: async () => {
      const hashes = (await keys()).map(async (key) =>
        (await server.type(key)) === 'hash' ? JSON.stringify(await server.hgetall(key)) : '',
      );
      return (await Promise.all(hashes)).join('\n');
    },
    remove: async () => {
      await takers.end();
      await engine.close();
      await wipe();
      server.disconnect();
    },
  };
}

function freshName(): string {
  made += 1;
  return `assay_test_${process.pid}_${made}`;
}

type Told = { readonly job?: Job; readonly done?: Job; readonly answer?: string };

/** Processes that take jobs of one engine. */
class Takers {
  private readonly children: Set<ChildProcess> = new Set();
  private readonly place: { readonly kind: string; readonly url: string; readonly schema: string };

  constructor(kind: string, url: string, schema: string) {
    this.place = { kind, url, schema };
  }

  async start(worker: string, options: TakerOptions = {}): Promise<Taker> {
    const { queues = ['tally@1'], concurrency = 4, rejects = 0, ms = 10 } = options;
    const taking = { queues, concurrency, worker, leaseMs: LEASE_MS };
    const child = fork(TAKER, [JSON.stringify({ ...this.place, taking, rejects, ms, canary: CANARY })]);
    this.children.add(child);
    const [taken, done]: [Job[], Job[]] = [[], []];
    child.on('message', (told: Told) => {
      if (told.job !== undefined) taken.push(told.job);
      if (told.done !== undefined) done.push(told.done);
    });
    await heard(child, 'ready');
    return {
      taken,
      done,
      stop: async () => {
        child.send('stop');
        await heard(child, 'stop');
      },
      kill: () => this.kill(child),
    };
  }

  async end(): Promise<void> {
    await Promise.all([...this.children].map((child) => this.kill(child)));
  }

  private async kill(child: ChildProcess): Promise<void> {
    this.children.delete(child);
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  }
}

async function heard(child: ChildProcess, answer: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.on('message', (told: Told) => {
      if (told.answer === answer) resolve();
    });
    child.once('exit', () => reject(new Error(`the taker ended before it said ${answer}`)));
  });
}
