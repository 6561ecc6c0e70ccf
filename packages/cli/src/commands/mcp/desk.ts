/**
 * What `assay mcp` offers, from its options: the same proposers, stores and documents as the other commands.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { openTaskTools } from '@assay/controller/shell';
import { maskedAddress, memoryStore, type Ports, type Store } from '@assay/host';
import { err, ok, type Result } from '@assay/kernel';
import type { Desk, ToolProblem } from '@assay/mcp';
import { openStore, storeProblem } from '../../files/store.js';
import { readPolicy, readPlayers, toolsProblem } from '../../kits/controller/players.js';
import { answeringWith } from '../../options/identity.js';
import { machinesFor, redeciderFrom, viewableFor } from '../../options/machines.js';
import { numbered, openProposer } from '../../options/proposers.js';
import { Stop, makeDefect, orStop, type Problem } from '../../problems/problem.js';
import { liveDrive, modelOptions } from '../../start/model-failures.js';
import { notesFolder } from '../../start/places.js';
import { show } from '../../terminal/shown.js';
import type { Context } from '../../call/output.js';
import { makeApart, type DeskFlags } from './apart.js';

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
export async function deskWithout(
  context: Context,
  flags: DeskFlags,
  session: string | null,
): Promise<Omit<Desk, 'store'>> {
  const { proposers, units, isOpenWorld } = await offered(context, flags);
  // The store may hold runs of any machine, and come to hold others.
  const machines = await machinesFor(flags.machine, ['-']);
  const { store: url } = flags;
  const notes = url === undefined ? null : await notesFolder(url);
  const { budget, deadlines } = liveDrive({ units, slots: proposers.size, notes, flags });
  return {
    place: url === undefined ? 'memory' : maskedAddress(url),
    proposers,
    isOpenWorld,
    own: { ...(await answeringWith(flags)), session },
    machines,
    allowAdvance: flags.allowAdvance === true,
    ...(flags.workspace === undefined ? {} : { task: await taskIn(context, flags.workspace, flags, notes) }),
    viewable: (machine) => viewableFor(flags.machine, machine),
    redecider: (machine) => redeciderFrom(flags.machine, machine),
    describe: (error) => plainly(storeProblem(error, url ?? '').problem),
    drive: { ...(budget === undefined ? {} : { budget }), ...(deadlines === undefined ? {} : { deadlines }) },
    onDefect: (error) =>
      context.output.complaint(
        makeDefect(error, context.output.isVerbose),
        error instanceof Error ? (error.stack ?? null) : null,
      ),
  };
}

/** Tasks in a folder: every file tool, no shell; the models that are named play all roles, else the rules. */
async function taskIn(
  context: Context,
  workspace: string,
  flags: DeskFlags,
  notes: string | null,
): Promise<NonNullable<Desk['task']>> {
  const tools = orStop(await openTaskTools(workspace, { allow: [], shell: [] }), (error) =>
    toolsProblem(error, workspace),
  );
  const named = flags.proposer.filter((name) => name.startsWith('llm:'));
  const players = await readPlayers(named, modelOptions(context, flags));
  const { policy } = await readPolicy({}, {}, tools.listed, players);
  return { tools, portsOf: players.portsOf, policy, notes };
}

async function offered(context: Context, { proposer, ...flags }: DeskFlags): Promise<Offered> {
  // Standard input is the client's, so nobody is at a terminal.
  const asked = { person: null, models: modelOptions(context, flags) };
  const misses = new Map<string, never>();
  const slots: { readonly slot: string; readonly ports: Ports }[] = [];
  const units = new Set<string>();
  const names = proposer.length === 0 ? ['rules'] : proposer;
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
