/** BullMQ as an engine: Redis. Source: fleet §1. */
import type { ConnectionOptions, Queue, Worker } from 'bullmq';
import type { Engine, Job, Taking } from '../engine.js';
import { engineError, loadPackage, parseServer, Turns, within, type EngineError } from './package.js';

const PACKAGE = { name: 'bullmq', version: '6.7.0', beside: 'ioredis@5.11.1' };
/** How long an offer, or the first connection, may take. */
const ANSWER_MS = 10_000;
const CLOSE_MS = 5_000;
const AGAIN_MS = 200;

type Package = { readonly Queue: typeof Queue; readonly Worker: typeof Worker };

/**
 * BullMQ 6, its keys under `assay:NAME` of a Redis: `redis://USER:PASSWORD@HOST:PORT/DB`, or `rediss:`.
 * Contacts no server. Rejects with `engine_package`, `engine_url`.
 */
export async function bullmqEngine(options: {
  readonly url: string;
  readonly schema: string;
}): Promise<Engine> {
  const address = parseServer(options.url, ['redis:', 'rediss:']);
  const loaded = await loadPackage(PACKAGE, () => import('bullmq'));
  const engine = new BullmqEngine(loaded, connectionFor(address), `assay:${options.schema}`);
  return {
    name: `bullmq ${PACKAGE.version}`,
    offer: (jobs) => engine.offer(jobs),
    take: (taking) => engine.take(taking),
    // Locks of a process that is gone run out, and its jobs come again by themselves.
    forget: () => Promise.resolve(),
    close: () => engine.close(),
  };
}

function connectionFor({ protocol, hostname, port, username, password, pathname }: URL): ConnectionOptions {
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port === '' ? 6379 : port),
    ...(username === '' ? {} : { username: decode(username) }),
    ...(password === '' ? {} : { password: decode(password) }),
    db: readDatabase(pathname),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    connectTimeout: ANSWER_MS,
    // A blocking connection waits for as long as it takes; how soon it tries again is ours to say.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(100 * times, 1_000),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badAddress('a % in a name or password is written %25');
  }
}

/** The number of a database, 0 by default. */
function readDatabase(pathname: string): number {
  if (/^\/?\d{0,4}$/.test(pathname)) return Number(pathname.slice(1));
  throw badAddress('its path is the number of a database, such as /2');
}

function badAddress(why: string): Error {
  return Object.assign(new Error(`the engine's address is redis://…: ${why}`), { code: 'engine_url' });
}

class BullmqEngine {
  private readonly package: Package;
  private readonly connection: ConnectionOptions;
  private readonly prefix: string;
  private readonly queues: Map<string, Queue> = new Map();
  private readonly workers: Set<Worker> = new Set();
  private failure: EngineError | null = null;

  constructor(loaded: Package, connection: ConnectionOptions, prefix: string) {
    this.package = loaded;
    this.connection = connection;
    this.prefix = prefix;
  }

  async offer(jobs: readonly Job[]): Promise<void> {
    const byQueue = new Map<string, Job[]>();
    for (const job of jobs) byQueue.set(job.queue, [...(byQueue.get(job.queue) ?? []), job]);
    await this.inTime(
      Promise.all(
        [...byQueue].map(([name, own]) =>
          this.queue(name).addBulk(
            own.map((job) => ({
              name: 'segment',
              data: job,
              opts: { ...ENDLESS, jobId: escape(job.ticket) },
            })),
          ),
        ),
      ),
    );
  }

  async take(taking: Taking): Promise<{ readonly stop: () => Promise<void> }> {
    const { queues, concurrency, leaseMs, worker: name, onError } = taking;
    const turns = new Turns(taking);
    const workers = queues.map((queue) => {
      const worker = new this.package.Worker(
        escape(queue),
        async ({ data }: { readonly data: Job }) => {
          // A failure is not recorded: it could hold a secret.
          if (!(await turns.run(data))) throw new Error('again');
        },
        {
          connection: this.connection,
          prefix: this.prefix,
          name,
          concurrency,
          lockDuration: leaseMs,
          stalledInterval: Math.min(leaseMs, 1_000),
          maxStalledCount: Number.MAX_SAFE_INTEGER,
          removeOnComplete: { count: 0 },
          removeOnFail: { count: 0 },
        },
      );
      worker.on('error', (error) => onError(this.met(error)));
      this.workers.add(worker);
      return worker;
    });
    try {
      await this.inTime(Promise.all(workers.map((worker) => this.checkReady(worker))));
    } catch (error) {
      await this.end(workers, true);
      throw error;
    }
    return {
      stop: async () => {
        await Promise.all(workers.map((worker) => worker.pause(true)));
        turns.stop();
      },
    };
  }

  /** A server that refuses a command, as to choose a database it does not have, goes on with another one. */
  private async checkReady(worker: Worker): Promise<void> {
    await worker.waitUntilReady();
    if (this.failure?.code === 'ERR') throw this.failure;
  }

  async close(): Promise<void> {
    await this.end([...this.workers], false);
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    this.queues.clear();
  }

  /** Ends workers: with their jobs, but waits no longer than a while for them. */
  private async end(workers: readonly Worker[], isForced: boolean): Promise<void> {
    for (const worker of workers) this.workers.delete(worker);
    const late = (): EngineError => engineError('bullmq', null);
    await Promise.allSettled(workers.map((worker) => within(CLOSE_MS, worker.close(isForced), late)));
  }

  private queue(name: string): Queue {
    const there = this.queues.get(name);
    if (there !== undefined) return there;
    const queue = new this.package.Queue(escape(name), { connection: this.connection, prefix: this.prefix });
    queue.on('error', (error) => void this.met(error));
    this.queues.set(name, queue);
    return queue;
  }

  private met(error: unknown): EngineError {
    this.failure = engineError('bullmq', error);
    return this.failure;
  }

  /** A connection that is away is waited for without end: who asks is told after a while. */
  private async inTime<A>(work: Promise<A>): Promise<A> {
    this.failure = null;
    try {
      return await within(
        ANSWER_MS,
        work,
        () => this.failure ?? engineError('bullmq', Object.assign(new Error(), { code: 'ETIMEDOUT' })),
      );
    } catch (error) {
      throw engineError('bullmq', error);
    }
  }
}

/** A job comes again for as long as it takes, and leaves nothing behind. */
const ENDLESS = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'fixed', delay: AGAIN_MS },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
} as const;

/** Names of BullMQ hold no colon, and are no number. */
function escape(name: string): string {
  return `-${name.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}
