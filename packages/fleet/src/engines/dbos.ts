/** DBOS as an engine: nothing but PostgreSQL. Source: fleet §1. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker as Thread } from 'node:worker_threads';
import type { DBOS as Dbos, DBOSClient, WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { Pool } from 'pg';
import type { Engine, Job, Taking } from '../engine.js';
import { engineError, loadPackage, parseServer, resolve, Turns, within } from './package.js';

const PACKAGE = { name: '@dbos-inc/dbos-sdk', version: '5.3.0' };
/** Who owns the rows, and the version of the workflow: DBOS gives a job to its own application and version only. */
const OWNER = { application: 'assay_fleet', version: '1', workflow: 'segment' };
/** How often a queue is looked at, while jobs come and once none came for so long: each look is four statements. */
const POLL = { busyMs: 50, idleMs: 250, idleAfterMs: 10_000 };
const BEAT_MS = 1_000;
/** DBOS keeps rows of finished workflows. */
const FINISHED = ['SUCCESS', 'ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'] as const;
const PAGE = 5_000;
const CLOSE_MS = 5_000;

type Settings = { readonly url: string; readonly schema: string; readonly isPooled: boolean };
type Package = { readonly DBOS: typeof Dbos; readonly DBOSClient: typeof DBOSClient };

/**
 * DBOS 5 in the schema `NAME_dbos` of the store's database. `url`: the store's. Contacts no server. One engine
 * of a process takes jobs at a time. Rejects with `engine_package`, `engine_url`.
 */
export async function dbosEngine(options: {
  readonly url: string;
  readonly schema: string;
}): Promise<Engine> {
  const address = parseServer(options.url, ['postgres:', 'postgresql:']);
  const isPooled = address.searchParams.has('pgbouncer');
  for (const name of ['schema', 'pgbouncer']) address.searchParams.delete(name);
  // As the store means them: the driver alone takes `require` for `verify-full`.
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true');
  const loaded = await loadPackage(PACKAGE, () => import('@dbos-inc/dbos-sdk'));
  const engine = new DbosEngine(loaded, { url: address.href, schema: `${options.schema}_dbos`, isPooled });
  return {
    name: `dbos ${PACKAGE.version}`,
    offer: (jobs) => engine.said(() => engine.offer(jobs)),
    take: (taking) => engine.said(() => engine.take(taking)),
    forget: (workers) => engine.said(() => engine.forget(workers)),
    close: () => engine.close(),
  };
}

/** The one workflow of the process, and what it does: a workflow is registered once, before DBOS is launched. */
let segment: ((job: Job) => Promise<void>) | null = null;
let isRegistered = false;

class DbosEngine {
  private readonly dbos: typeof Dbos;
  private readonly makeClient: typeof DBOSClient;
  private readonly url: string;
  private readonly schema: string;
  private readonly pool: Pool;
  private client: Promise<DBOSClient> | null = null;
  private stop: (() => Promise<void>) | null = null;
  private ended: Promise<void> = Promise.resolve();
  private busyAt = 0;

  /**
   * What the server forgets of an engine is offered again, so nothing here waits for its log. Not through a pooler: it
   * takes no such option, or gives the connection to others.
   */
  constructor({ DBOS, DBOSClient }: Package, { url, schema, isPooled }: Settings) {
    this.dbos = DBOS;
    this.makeClient = DBOSClient;
    this.url = url;
    this.schema = schema;
    this.pool = new Pool({
      connectionString: url,
      application_name: 'assay',
      max: 8,
      keepAlive: true,
      ...(isPooled ? {} : { options: '-c synchronous_commit=off' }),
    });
    // An idle connection broke: the next statement says so.
    this.pool.on('error', ignore);
    this.pool.on('connect', (connection) => connection.on('error', ignore));
  }

  async said<A>(work: () => Promise<A>): Promise<A> {
    try {
      return await work();
    } catch (error) {
      throw engineError('dbos', error);
    }
  }

  /** All or none, in one transaction: a job is one statement to DBOS. */
  async offer(jobs: readonly Job[]): Promise<void> {
    await this.withSchema(async (client) => {
      const connection = await this.pool.connect();
      let isOver = true;
      try {
        await connection.query('BEGIN');
        // oxlint-disable-next-line no-await-in-loop -- a connection does one statement at a time
        for (const job of jobs)
          await client.enqueueInTransaction(connection, { ...optionsFor(job), workflowID: job.ticket }, job);
        await connection.query('COMMIT');
        isOver = false;
      } finally {
        connection.release(isOver);
      }
    });
  }

  async take(taking: Taking): Promise<{ readonly stop: () => Promise<void> }> {
    if (segment !== null) throw Object.assign(new Error('taken'), { code: 'EBUSY' });
    const turns = new Turns(taking);
    this.busyAt = performance.now();
    segment = async (job) => {
      this.busyAt = performance.now();
      if (await turns.run(job)) return;
      // A failure is not recorded: it could hold a secret.
      await this.again(job).catch((error: unknown) => taking.onError(engineError('dbos', error)));
    };
    try {
      await this.launch(taking);
    } catch (error) {
      await this.dbos.shutdown().catch(ignore);
      segment = null;
      throw error;
    }
    let timer: NodeJS.Timeout | undefined;
    let beats = 0;
    const beat = async (): Promise<void> => {
      beats += 1;
      await this.upkeep(taking, beats % 5 === 0).catch((error: unknown) =>
        taking.onError(engineError('dbos', error)),
      );
      if (this.stop !== null) timer = setTimeout(() => void beat(), BEAT_MS);
    };
    timer = setTimeout(() => void beat(), BEAT_MS);
    this.stop = async (): Promise<void> => {
      if (this.stop === null) return;
      this.stop = null;
      clearTimeout(timer);
      turns.stop();
      this.ended = this.dbos.shutdown({ workflowCompletionTimeoutMS: CLOSE_MS }).finally(() => {
        segment = null;
      });
      this.ended.catch(() => undefined);
      await Promise.resolve();
    };
    return { stop: this.stop };
  }

  /** Gives what they held to others, and removes what they finished. */
  async forget(workers: readonly string[]): Promise<void> {
    if (workers.length === 0) return;
    await this.withSchema(async (client) => {
      const held = await list(client, { executorId: [...workers], status: 'PENDING' });
      const queues = new Set(held.map(({ queueName }) => queueName ?? ''));
      for (const queueName of queues)
        await client.resumeWorkflows(
          held.filter((each) => each.queueName === queueName).map(({ workflowID }) => workflowID),
          { queueName },
        );
      await this.sweep(client, workers);
    });
  }

  async close(): Promise<void> {
    await this.stop?.();
    const all = async (): Promise<void> => {
      await this.ended;
      await (await this.client)?.destroy();
      await this.pool.end();
    };
    await within(2 * CLOSE_MS, all(), () => engineError('dbos', null)).catch(() => undefined);
  }

  private async launch({ queues, worker, ...taking }: Taking): Promise<void> {
    const { dbos } = this;
    if (!isRegistered)
      dbos.registerWorkflow(async (job: Job) => segment?.(job), {
        name: OWNER.workflow,
        maxRecoveryAttempts: 1_000_000_000,
      });
    isRegistered = true;
    dbos.setConfig({
      name: OWNER.application,
      systemDatabaseUrl: this.url,
      systemDatabasePool: this.pool,
      systemDatabaseSchemaName: this.schema,
      applicationVersion: OWNER.version,
      executorID: worker,
      listenQueues: [...queues],
      useListenNotify: false,
      // What it says may quote data; what matters is seen by `upkeep`.
      logger: SILENT,
    });
    // This makes the tables, or those of a newer version.
    await this.locked(() => dbos.launch());
    await this.register(await this.opened(), queues, taking);
  }

  private async register(
    client: DBOSClient,
    queues: readonly string[],
    { concurrency }: Pick<Taking, 'concurrency'>,
  ): Promise<void> {
    for (const name of queues)
      await client.registerQueue(name, { workerConcurrency: concurrency, minPollingIntervalMs: this.pollMs });
  }

  /** Sees whether the server answers, makes again what was wiped, and now and then removes what is finished. */
  private async upkeep(taking: Taking, isSweeping: boolean): Promise<void> {
    await this.withSchema(async (client) => {
      const { pollMs } = this;
      const there = new Map(
        (await client.listQueues()).map(({ name, minPollingIntervalMs }) => [name, minPollingIntervalMs]),
      );
      await this.register(
        client,
        taking.queues.filter((name) => there.get(name) !== pollMs),
        taking,
      );
      if (isSweeping) await this.sweep(client, [taking.worker]);
    });
  }

  private get pollMs(): number {
    return performance.now() - this.busyAt > POLL.idleAfterMs ? POLL.idleMs : POLL.busyMs;
  }

  private async sweep(client: DBOSClient, workers: readonly string[]): Promise<void> {
    const finished = await list(client, { executorId: [...workers], status: [...FINISHED] });
    if (finished.length > 0) await client.deleteWorkflows(finished.map(({ workflowID }) => workflowID));
  }

  /** The job under a name of its own, a second from now. */
  private async again(job: Job): Promise<void> {
    const workflowID = `${job.ticket}/${randomUUID()}`;
    await this.withSchema((client) =>
      client.enqueue({ ...optionsFor(job), workflowID, delaySeconds: 1 }, job),
    );
  }

  /** Does work with a client; where the tables are not there, they are made, and it is done again. */
  private async withSchema<A>(work: (client: DBOSClient) => Promise<A>): Promise<A> {
    const client = await this.opened();
    try {
      return await work(client);
    } catch (error) {
      if (!MISSING.has(engineError('dbos', error).code)) throw error;
      await this.locked(() => migrate(this.url, this.schema));
      return work(client);
    }
  }

  private opened(): Promise<DBOSClient> {
    this.client ??= this.makeClient.create({
      systemDatabaseUrl: this.url,
      systemDatabasePool: this.pool,
      systemDatabaseSchemaName: this.schema,
      applicationName: OWNER.application,
      logger: SILENT,
    });
    return this.client;
  }

  /**
   * Two that make the tables at once get in each other's way. Who waits asks again and again: a statement that
   * waited for the lock would have `CREATE INDEX CONCURRENTLY` wait for it.
   */
  private async locked(work: () => Promise<void>): Promise<void> {
    const connection = await this.pool.connect();
    const lock = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got';
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is ours
      while (!(await connection.query<{ got: boolean }>(lock, [this.schema])).rows[0]?.got) await sleep(100);
      await work();
    } finally {
      // With the connection ends the lock.
      connection.release(true);
    }
  }
}

/** Makes or changes the tables of DBOS. In a thread, since it says so on stdout, which is the caller's. */
async function migrate(url: string, schemaName: string): Promise<void> {
  const workerData = { sdk: resolve(PACKAGE.name), url, schemaName };
  const thread = new Thread(MIGRATE, { eval: true, stdout: true, stderr: true, workerData });
  for (const stream of [thread.stdout, thread.stderr]) stream.resume();
  const [code] = (await once(thread, 'message')) as readonly unknown[];
  await thread.terminate();
  if (code !== null) throw Object.assign(new Error('the tables were not made'), { code });
}

const MIGRATE = `
const { parentPort, workerData: { sdk, url, schemaName } } = require('node:worker_threads');
require(sdk).DBOS.migrate(url, { schemaName }).then(
  () => parentPort.postMessage(null),
  ({ code, cause }) => parentPort.postMessage(String(code ?? cause?.code)),
);`;

/** undefined_table, invalid_schema_name. */
const MISSING: ReadonlySet<string> = new Set(['42P01', '3F000']);

const SILENT = { info: ignore, debug: ignore, warn: ignore, error: ignore };

function ignore(): void {}

function optionsFor({ queue }: Job): { queueName: string; workflowName: string; appVersion: string } {
  return { queueName: queue, workflowName: OWNER.workflow, appVersion: OWNER.version };
}

function list(
  client: DBOSClient,
  filter: Parameters<DBOSClient['listWorkflows']>[0],
): Promise<readonly WorkflowStatus[]> {
  return client.listWorkflows({ ...filter, limit: PAGE, loadInput: false, loadOutput: false });
}
