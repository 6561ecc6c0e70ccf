/**
 * A plan carried out in a workspace. Its tasks are done by an agent, call by call, each a run of its
 * own; declared checks say what holds. Source: 000 §5 RESOLVE; dec-K82, dec-K83.
 *
 * @module
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { controller } from '@assay/controller';
import { openTaskTools, policyOver } from '@assay/controller/shell';
import { folderBlobs, memoryBlobs, memoryOutputs, type Ports, maskedAddress, type Store } from '@assay/host';
import { isObject, type Json, type Request } from '@assay/kernel';
import type { Policy } from '@assay/planner';
import { assembleInto, leafPorts, missingPort } from '@assay/planner/shell';
import { encodeFile } from '@assay/verifier/attacks';
import { storeProblem, openStore } from '../../files/store.js';
import { writeNew } from '../../files/write.js';
import type { ModelOptions } from '../../options/llm.js';
import { misuse, orStop, unreachable, type Problem } from '../../problems/problem.js';
import { ASSEMBLY_NAME, BLOBS_NAME, recordsIn } from '../../start/results.js';
import type { OpenedRun } from '../../start/places.js';
import { leavingSignals } from '../../terminal/signals.js';
import { readPlayers, toolsProblem } from '../controller/players.js';
import {
  LIBRARY_RUN,
  capabilityPort,
  createLibrary,
  makeHandOn,
  libraryPort,
  readLibrary,
  type LibraryPlace,
} from '@assay/planner/library-shell';
import { driveProblem } from '../../start/drive-machine.js';
import { sharedNamed } from '../../start/stored-run.js';
import { fieldText } from './person.js';
import type { PlanPlayers } from './players.js';

/** With what a plan is carried out. `others`: everybody who is no leaf. */
type Carrying = {
  readonly runId: string;
  readonly kept: OpenedRun;
  readonly policy: Policy;
  /** Which commands people have named, and what recordings hold. */
  readonly players: Pick<PlanPlayers, 'commands' | 'holds'>;
  readonly workspace: string;
  readonly names: readonly string[];
  readonly models: ModelOptions;
  /** Of results; undefined for none. */
  readonly output: string | undefined;
};

/** A plan that is carried out. `end`: writes the runs of its leaves and, with a folder, what was assembled. */
export type Carried = {
  readonly portsOf: (others: Ports) => Ports;
  readonly end: (assembly: Json) => Promise<readonly string[]>;
};

/** Opens workspace and tools. Raises `Stop`. */
export async function carrying(given: Carrying): Promise<Carried> {
  const { runId, policy, workspace, output } = given;
  const { commands, holds } = given.players;
  const { store, journal } = given.kept;
  const checks = Object.fromEntries(policy.checks.map(({ name, command }) => [name, command]));
  const tools = orStop(await openTaskTools(workspace, { checks }), (error) => toolsProblem(error, workspace));
  const blobs =
    output === undefined ? (journal?.blobs ?? memoryBlobs()) : folderBlobs(join(resolve(output), BLOBS_NAME));
  const named = given.names.filter((name) => name.startsWith('llm:'));
  const players = await readPlayers(named, given.models);
  const rules = { tools: tools.listed, memory: false, clock: 'stamps' } as const;
  const agent = {
    runId,
    store,
    policy: policyOver(rules),
    task: {
      tools: tools.tools,
      portsOf: players.portsOf,
      person: null,
      confirmed: [],
      recall: null,
      outputs: journal?.outputs ?? memoryOutputs(),
      done: journal?.done() ?? null,
    },
    toolset: tools.toolset,
    blobs,
    machine: leavingSignals(controller),
    isModel: named.length > 0,
  };
  const runs = async (name: string): Promise<typeof tools.toolset> =>
    orStop(await openTaskTools(workspace, { checks: { [name]: commands.get(name) ?? [] } }), (error) =>
      toolsProblem(error, workspace),
    ).toolset;
  // Of what a request names, nobody here plays what is neither in the policy nor a command.
  const isMissing = (request: Request): boolean => {
    const name = fieldText(request.body, 'resolver');
    const isKnown = policy.resolvers.some(({ id }) => id === name) || commands.has(name);
    return request.kind === 'resolve' && !isKnown && !holds(request);
  };
  return {
    portsOf: (others) =>
      leafPorts({
        ...{ policy, tools: tools.toolset, blobs, agent },
        others: (request) => (isMissing(request) ? missingPort : others(request)),
        commands: { has: (name) => commands.has(name), run: runs },
      }),
    end: async (assembly) => {
      if (output === undefined) return [];
      const listed = orStop(await store.list(), (error) => storeProblem(error, output));
      const written: string[] = [];
      for (const child of listed.filter((id) => id.startsWith(`${runId}~`))) {
        const path = join(output, `${child}.ledger.jsonl`);
        await writeNew([{ path, bytes: encodeFile(await recordsIn(store, child, output)) }]);
        written.push(path);
      }
      if (!isObject(assembly)) return written;
      const folder = join(output, ASSEMBLY_NAME);
      mkdirSync(folder, { recursive: true });
      orStop(await assembleInto(folder, assembly, blobs), ({ code, path }) =>
        misuse('assembly', `a file could not be put together: ${code}`, path, `look into ${folder}`),
      );
      return existsSync(folder) ? [...written, folder] : written;
    },
  };
}

/** A library that a run asks. `close`: hands on what the run has for it, and says what went wrong, if anything. */
type OpenLibrary = {
  readonly ports: Ports;
  readonly close: () => Promise<Problem | null>;
};

/** Opens a library, and makes it where there is none. Raises `Stop`: those of the store, and of one that is none. */
export async function openLibrary(given: string, run: Store, runId: string): Promise<OpenLibrary> {
  const { url, run: libraryId } = sharedNamed(given, LIBRARY_RUN);
  const store = await openStore(url);
  const place = maskedAddress(url);
  try {
    orStop(await createLibrary(store, libraryId), (error) => storeProblem(error, place));
    orStop(await readLibrary(store, libraryId), (error) => driveProblem(error, libraryId, place));
  } catch (error) {
    await store.close();
    throw error;
  }
  const at: LibraryPlace = { library: store, libraryId, run, runId };
  const [asked, waited] = [libraryPort(at), capabilityPort(at)];
  return {
    ports: ({ kind }) => (kind === 'library' ? asked : kind === 'capability' ? waited : null),
    close: async () => {
      try {
        const handed = await makeHandOn(at);
        if (handed._tag === 'Right' && handed.right.rejected.length === 0) return null;
        const code = handed._tag === 'Left' ? handed.left.code : (handed.right.rejected[0] ?? '');
        return unreachable(
          'library_untold',
          `some entries of this run were not written to the library: ${code}`,
          place,
          'run the same command again; entries that exist are skipped',
        ).problem;
      } finally {
        await store.close();
      }
    },
  };
}
