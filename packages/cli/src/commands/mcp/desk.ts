/**
 * What `assay mcp` offers, from its options: the same proposers, stores and documents as the other commands.
 */
import { randomUUID } from 'node:crypto';
import { openTaskTools } from '@assay/controller/shell';
import {
  type Journal,
  maskedAddress,
  memoryStore,
  type Ports,
  type Store,
  StoreReadError,
  type StoreError,
} from '@assay/host';
import { err, ok, type Result } from '@assay/kernel';
import type { Desk, ToolProblem } from '@assay/mcp';
import { journalOf, openStore } from '../../files/store.js';
import { readPolicy, readPlayers, toolsProblem } from '../../kits/controller/players.js';
import { answeringWith } from '../../options/settings.js';
import { machinesFor, redeciderFrom, viewableFor } from '../../options/machines.js';
import { numbered, openProposer } from '../../options/proposers.js';
import { Stop, makeDefect, orStop, type Problem } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import { liveDrive, modelOptions } from '../../start/model-failures.js';
import { show } from '../../terminal/shown.js';
import { Output, type Context } from '../../call/output.js';
import { newInterruption } from '../../terminal/signals.js';
import type { MessagePort, Worker } from 'node:worker_threads';
import { startThread } from '../../files/threads.js';
import type { ModelFlags } from '../../options/llm.js';

/** Who may be asked, by the name of the slot, and in which units language models among them are counted. */
type Offered = {
  readonly proposers: ReadonlyMap<string, Ports>;
  readonly units: ReadonlySet<string>;
  readonly isOpenWorld: boolean;
};

/**
 * Opens what is offered, its calls done in threads; who calls closes its store. Raises `Stop`: those of the
 * proposers, the budget, the machines and the store.
 */
export async function openDesk(context: Context, flags: DeskFlags): Promise<Desk> {
  const { store: url } = flags;
  const session = url === undefined ? randomUUID() : null;
  const desk = await deskWithout(context, flags, session);
  context.output.progress(show`assay: mcp offers ${[...desk.proposers.keys()].join(', ')}`);
  const store: Store = url === undefined ? memoryStore() : await openStore(url);
  const stores = { store, ...(url === undefined ? {} : { writing: () => told(() => openStore(url)) }) };
  const apart = makeApart({ flags, session, isVerbose: context.output.isVerbose }, stores);
  return { ...desk, ...stores, apart };
}

/** What is offered, but for the stores. `session`: what makes runs those of one server, where no store lasts. */
async function deskWithout(
  context: Context,
  flags: DeskFlags,
  session: string | null,
): Promise<Omit<Desk, 'store'>> {
  const { proposers, units, isOpenWorld } = await offered(context, flags);
  // The store may hold runs of any machine, and come to hold others.
  const machines = await machinesFor(flags.machine, ['-']);
  const { store: url } = flags;
  const journal = url === undefined ? null : await journalOf(url);
  const { budget, deadlines } = liveDrive({ units, slots: proposers.size, journal, flags });
  return {
    place: url === undefined ? 'memory' : maskedAddress(url),
    proposers,
    isOpenWorld,
    own: { ...(await answeringWith({ ...flags, proposer: named(flags) })), session },
    machines,
    allowAnswer: flags.proposer.includes(CLIENT),
    ...(flags.workspace === undefined
      ? {}
      : { task: await taskIn(context, flags.workspace, flags, journal) }),
    viewable: (machine) => viewableFor(flags.machine, machine),
    redecider: (machine) => redeciderFrom(flags.machine, machine),
    describe: (error, runId) => plainly(driveProblem(error, runId, url ?? '').problem),
    drive: { ...(budget === undefined ? {} : { budget }), ...(deadlines === undefined ? {} : { deadlines }) },
    onDefect: (error) =>
      context.output.complaint(
        makeDefect(error, context.output.isVerbose),
        error instanceof Error ? (error.stack ?? null) : null,
      ),
  };
}

/** Tasks in a folder: every file tool; the models that are named play all roles, else the rules. */
async function taskIn(
  context: Context,
  workspace: string,
  flags: DeskFlags,
  journal: Journal | null,
): Promise<NonNullable<Desk['task']>> {
  const tools = orStop(await openTaskTools(workspace, {}), (error) => toolsProblem(error, workspace));
  const named = flags.proposer.filter((name) => name.startsWith('llm:'));
  const players = await readPlayers(named, modelOptions(context, flags));
  const { policy } = await readPolicy({}, {}, tools.listed, players);
  return { tools, portsOf: players.portsOf, policy, journal };
}

/** Among the proposers: clients may answer open requests. */
const CLIENT = 'client';

function named({ proposer }: Pick<DeskFlags, 'proposer'>): readonly string[] {
  return proposer.filter((name) => name !== CLIENT);
}

async function offered(context: Context, { proposer, ...flags }: DeskFlags): Promise<Offered> {
  // Standard input is the client's, so nobody is at a terminal.
  const { interpretationsTask } = await import('@assay/kernel/intent-prompts');
  const tasks = () => Promise.resolve([interpretationsTask]);
  const asked = { person: null, models: modelOptions(context, flags), tasks };
  const misses = new Map<string, never>();
  const slots: { readonly slot: string; readonly ports: Ports }[] = [];
  const units = new Set<string>();
  const own = named({ proposer });
  const names = own.length === 0 ? ['rules'] : own;
  for (const name of names) {
    const { slots: own, ports, units: counted } = await openProposer(name, misses, asked);
    slots.push(...own.map((slot) => ({ slot, ports })));
    for (const unit of counted) units.add(unit);
  }
  const table = new Map(
    numbered(slots.map(({ slot }) => slot)).map((name, index) => [name, slots[index]?.ports ?? (() => null)]),
  );
  return { proposers: table, units, isOpenWorld: units.size > 0 };
}

/** What stops a command is an answer here: the process goes on. */
async function told<A>(work: () => Promise<A>): Promise<Result<ToolProblem, A>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof Stop) return err(plainly(error.problem));
    throw error;
  }
}

function plainly({ code, message, place, remedy }: Problem): ToolProblem {
  return { code, message, place, remedy };
}

type Apart = NonNullable<Desk['apart']>;
type Answer = Awaited<ReturnType<Apart>>;
type Client = Parameters<Apart>[2]['client'];

/** The options of `mcp` that say what is offered. */
export type DeskFlags = ModelFlags & {
  readonly store?: string;
  readonly proposer: readonly string[];
  readonly machine: readonly string[];
  readonly workspace?: string;
};

/** What each thread is given: what the server was, and what it made of it. */
type ApartOrder = {
  readonly flags: DeskFlags;
  readonly session: string | null;
  readonly isVerbose: boolean;
};
/** What a thread is sent: its call, then what the store gave, in the order in which it was asked; to stop. */
type ApartTask =
  | { readonly t: 'call'; readonly tool: string; readonly args: unknown; readonly client: Client }
  | { readonly t: 'store'; readonly id: number; readonly gave: unknown }
  | { readonly t: 'stop' };
/** What it sends. */
type ApartTold =
  | { readonly t: 'store'; readonly id: number; readonly ask: StoreAsk }
  | { readonly t: 'answer'; readonly answer: Answer };

/** Threads that wait for a call at most. */
const IDLE_MAX = 2;
/** Milliseconds that a call which is given up has to stop by itself, between two records. */
const PATIENCE_MS = 250;

/**
 * The hook of a desk. A thread serves one call after the other, with modules of the user one call alone. Raises
 * the signal's reason where a call is given up, and what is nobody's mistake.
 */
function makeApart(order: ApartOrder, stores: Pick<Desk, 'store' | 'writing'>): Apart {
  const idle: Worker[] = [];
  const isFresh = order.flags.machine.length > 0;
  const wait = (thread: Worker): void => {
    const leave = (): void => void idle.splice(0, idle.length, ...idle.filter((one) => one !== thread));
    thread.removeAllListeners().once('error', leave).once('exit', leave).unref();
    idle.push(thread);
  };
  const start = (): Worker => startThread('mcp', order);
  // A thread takes a while to start: one is ready before the first call, and one before the next.
  wait(start());
  return async (tool, args, { client, signal }) => {
    signal.throwIfAborted();
    const thread = (idle.pop() ?? start()).removeAllListeners();
    thread.ref();
    if (isFresh && idle.length === 0) wait(start());
    const { answer, end } = storeAnswers(stores);
    const send = (task: ApartTask): void => thread.postMessage(task);
    let isDone = false;
    try {
      const found = await new Promise<Answer>((resolve, reject) => {
        const giveUp = (): void => {
          send({ t: 'stop' });
          setTimeout(() => reject(signal.reason as Error), PATIENCE_MS).unref();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        thread.on('error', reject);
        thread.on('exit', () => reject(new Error('a machine ended the thread it runs in')));
        thread.on('message', (told: ApartTold) => {
          if (told.t === 'answer') resolve(told.answer);
          else answer(told.ask).then((gave) => send({ t: 'store', id: told.id, gave }), reject);
        });
        send({ t: 'call', tool, args, client });
      });
      isDone = !signal.aborted;
      return found;
    } finally {
      if (isDone && !isFresh && idle.length < IDLE_MAX) wait(thread);
      else void thread.removeAllListeners().terminate();
      await end();
    }
  };
}

type Stores = Required<Pick<Desk, 'store' | 'writing'>>;
/** What is asked, by name, and with what. */
type StoreAsk = readonly [op: string, ...given: readonly unknown[]];
type Lines = Result<StoreError, readonly Uint8Array[]>;

/** Bytes of lines that one answer holds, and one line more. */
const BATCH_BYTES = 262_144;

/**
 * Answers what one call asks of its store: from `open` to `close` one opened for a call that writes. `read` gives the
 * number of the reading, `next` its further lines, none at its end. `end` closes what is open, appends first.
 */
function storeAnswers({ store, writing }: Pick<Desk, 'store' | 'writing'>) {
  const readings: AsyncIterator<Uint8Array>[] = [];
  let opening: ReturnType<Stores['writing']> | null = null;
  const opened = async (): Promise<Store | null> => {
    const found = await opening;
    return found?._tag === 'Right' ? found.right : null;
  };
  const current = async (): Promise<Store> => (await opened()) ?? store;
  const close = async (): Promise<void> => {
    await (await opened())?.close();
    opening = null;
  };
  const asked: { readonly [op: string]: (...given: never[]) => Promise<unknown> } = {
    open: async () => {
      opening = writing?.() ?? null;
      return (await opening)?._tag === 'Left' ? opening : null;
    },
    close,
    list: async () => (await current()).list(),
    head: async (run: string) => (await current()).head(run),
    append: async (...group: Parameters<Store['append']>) => (await current()).append(...group),
    read: async (...run: Parameters<Store['read']>) =>
      readings.push((await current()).read(...run)[Symbol.asyncIterator]()) - 1,
    next: async (reading: number): Promise<Lines> => {
      const lines: Uint8Array[] = [];
      try {
        for (let bytes = 0; bytes < BATCH_BYTES; ) {
          const next = await readings[reading]?.next();
          if (next === undefined || next.done === true) break;
          lines.push(next.value.slice());
          bytes += next.value.length + 1;
        }
        return ok(lines);
      } catch (error) {
        if (error instanceof StoreReadError) return err(error.error);
        throw error;
      }
    },
  };
  const answer = ([op, ...given]: StoreAsk) => asked[op]?.(...(given as never[])) ?? Promise.resolve();
  const end = (): Promise<void> => {
    for (const reading of readings) void reading.return?.().catch(() => undefined);
    return close();
  };
  return { answer, end };
}

/** The stores as the other thread has them. */
function remoteStores(ask: <T>(...asked: StoreAsk) => Promise<T>): Stores {
  const store: Store = {
    list: () => ask('list'),
    head: (run) => ask('head', run),
    append: (...group) => ask('append', ...group),
    read: async function* (...run) {
      const reading = await ask<number>('read', ...run);
      for (;;) {
        const lines = await ask<Lines>('next', reading);
        if (lines._tag === 'Left') throw new StoreReadError(lines.left);
        if (lines.right.length === 0) return;
        yield* lines.right;
      }
    },
    close: () => ask('close'),
  };
  return {
    store,
    writing: async () => (await ask<Awaited<ReturnType<Stores['writing']>> | null>('open')) ?? ok(store),
  };
}

/** What a thread does: one call of a tool after the other, with the store of the main thread. */
export function callSent({ flags, session, isVerbose }: ApartOrder, port: MessagePort): void {
  const tell = (told: ApartTold): void => port.postMessage(told);
  const waiting: ((gave: never) => void)[] = [];
  const stores = remoteStores(
    (...ask) => new Promise((resolve) => tell({ t: 'store', id: waiting.push(resolve) - 1, ask })),
  );
  const { env, stdout: out, stderr: err } = process;
  const output = new Output({ verbose: isVerbose }, { out, err, env });
  const context = { output, env, readLine: null, interruption: newInterruption() };
  const desk = deskWithout(context, flags, session).then((opened) => ({ ...opened, ...stores }));
  // Whoever calls is told.
  desk.catch(() => undefined);
  const stopping = new AbortController();
  port.on('message', (task: ApartTask) => {
    if (task.t === 'store') waiting[task.id]?.(task.gave as never);
    else if (task.t === 'stop') stopping.abort();
    else {
      waiting.length = 0;
      const caller = { client: task.client, signal: stopping.signal };
      void Promise.all([desk, import('@assay/mcp')])
        .then(([opened, { callApart }]) => callApart(opened, task.tool, task.args, caller))
        .then((answer) => tell({ t: 'answer', answer }));
    }
  });
}
