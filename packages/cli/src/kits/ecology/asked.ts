/**
 * Worlds whose agents are asked: by language models in the time of the wall, or by a recording in virtual time.
 *
 * @module
 */
import { join } from 'node:path';
import { drive, folderBlobs, memoryBlobs, type DriveEvent, type Port } from '@assay/host';
import { type EvidenceRecord, type Head, isObject, type Json } from '@assay/kernel';
import type { Ecology, EcologyState } from '@assay/ecology';
import {
  openPorts,
  parseMindRecording,
  stampPort,
  virtualClock,
  wallClock,
  watchWorld,
  WORLD_TASKS,
  type MindRecording,
  type WorldPorts,
} from '@assay/ecology/shell';
import { readJson, shortenName } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import type { ModelFlags } from '../../options/llm.js';
import { misuse, orStop, type Stop } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import type { RunAt, Call } from '../../start/kit.js';
import { liveDrive, modelOptions } from '../../start/model-failures.js';
import { BLOBS_NAME } from '../../start/results.js';
import { textIn, valueIn } from '../../terminal/shown.js';
import { readVault } from './answers.js';
import { openWorld } from './kit.js';
import { loadMcp } from '../../options/mcp.js';

/** Names the file of servers. */
const SERVERS_VARIABLE = 'ASSAY_MCP_SERVERS';

type Place = { readonly url: string } | { readonly command: string };

/**
 * Tools by server and name: `{"mcpServers": {NAME: {"command": …, "args"?, "env"?} | {"url": …, "headers"?}}}`, as other
 * clients read it. Contacts nobody. Raises `Stop`: `bad_servers`, `package`, and those of reading a file.
 */
async function openTools(env: NodeJS.ProcessEnv): Promise<(server: string, tool: string) => Port | null> {
  const path = env[SERVERS_VARIABLE];
  if (path === undefined || path === '') return () => null;
  const places = readPlaces(await readJson(path), path);
  const { mcpToolPort } = await loadMcp('a world with tools');
  return (server, tool) => {
    const place = places.get(server);
    return place === undefined ? null : mcpToolPort({ place, label: server, tool });
  };
}

function readPlaces(json: Json, path: string): ReadonlyMap<string, Place> {
  const servers = isObject(json) ? json['mcpServers'] : undefined;
  if (servers === undefined || !isObject(servers)) throw badServers(path, '/mcpServers');
  return new Map(
    Object.entries(servers).map(([name, given]) => {
      const isPlace =
        isObject(given) && (typeof given['command'] === 'string') !== (typeof given['url'] === 'string');
      if (!isPlace) throw badServers(path, `/mcpServers/${name}`);
      return [name, given as unknown as Place];
    }),
  );
}

function badServers(path: string, at: string): Stop {
  return misuse(
    'bad_servers',
    `not a file of MCP servers, at ${at}`,
    shortenName(path),
    'write it like {"mcpServers":{"web":{"command":"npx","args":["-y","SERVER"]}}}',
  );
}

/** Who is asked. `scorer`: null where nobody scores. */
export type Asked = {
  readonly name: string;
  readonly mind: Port | null;
  readonly recording: MindRecording | null;
  readonly scorer: WorldPorts['scorer'];
  readonly units: ReadonlySet<string>;
};

/** Calls of models at once. */
const CONCURRENCY = 64;

/** True for the name of a model or a recording, not a module of minds. */
export function isAsked(name: string): boolean {
  return /^(?:llm|recorded):/.test(name);
}

/** Opens `llm:PROVIDER/MODEL` or `recorded:FILE`. Raises `Stop`. */
export async function openAsked(
  name: string,
  { context, flags }: Pick<Call<ModelFlags>, 'context' | 'flags'>,
): Promise<Asked> {
  if (name.startsWith('recorded:')) {
    const path = name.slice('recorded:'.length);
    const recording = orStop(parseMindRecording(await readJson(path)), (error) =>
      misuse(
        'bad_recording',
        `not a recording of minds, at ${error.path === '' ? 'its root' : error.path}`,
        shortenName(path),
        'see docs/formats/ecology.md',
      ),
    );
    return { name, mind: null, recording, scorer: null, units: new Set() };
  }
  const options = modelOptions(context, flags);
  const { modelNamed } = await import('../../options/models.js');
  const { portOf, units } = await modelNamed(name, options);
  const sent = [...options.sent.filter((each) => !each.startsWith('temperature=')), 'temperature=0'];
  const judge = await modelNamed(name, { ...options, sent });
  const [mind, scorer] = [portOf(WORLD_TASKS), judge.portOf(WORLD_TASKS)];
  return { name, mind: stampPort(mind), recording: null, scorer, units: new Set(units) };
}

/** Drives a world on, and gives why it stops, its state and its head. Raises `Stop`. */
export async function driveAsked(
  { context, flags }: Pick<Call<ModelFlags & { readonly output?: string }>, 'context' | 'flags'>,
  at: RunAt,
  given: {
    readonly machine: Ecology;
    readonly asked: Asked;
    readonly scorer: WorldPorts['scorer'];
    readonly until_us: number | null;
    readonly records: number | null;
    readonly steps: number | null;
    readonly end_us: number | null;
    readonly signal?: AbortSignal | undefined;
    readonly onEvent?: ((event: DriveEvent) => void) | undefined;
  },
): Promise<{ readonly end: AskedEnd; readonly state: EcologyState; readonly head: Head }> {
  const { machine, asked, until_us, records, steps, end_us } = given;
  const { store, journal, place } = at.kept;
  const watched = watchWorld(machine);
  const isVirtual = asked.recording !== null;
  const last = Math.min(until_us ?? Infinity, end_us ?? Infinity);
  const clock = isVirtual ? virtualClock(watched, last) : wallClock(watched);
  const vault = readVault(context.env);
  const ports = openPorts({
    watched,
    mind: asked.mind,
    recording: asked.recording,
    scorer: given.scorer ?? asked.scorer ?? null,
    outside: { model: () => asked.mind, tool: await openTools(context.env) },
    blobs:
      flags.output === undefined
        ? (journal?.blobs ?? memoryBlobs())
        : folderBlobs(join(flags.output, BLOBS_NAME)),
    ...(vault === null ? {} : { vault }),
    others: ({ kind }) => (kind === 'clock' ? clock : null),
  });
  const stop = new AbortController();
  let end: AskedEnd | null = null;
  const endWith = (why: AskedEnd): void => {
    end ??= why;
    stop.abort();
  };
  given.signal?.addEventListener('abort', () => endWith('interrupted'), { once: true });
  if (given.signal?.aborted === true) endWith('interrupted');
  const limit = !isVirtual && Number.isFinite(last) ? setTimeout(() => endWith('until'), last / 1_000) : null;
  const { budget } = liveDrive({ units: asked.units, slots: CONCURRENCY, journal, flags });
  const driven = await drive(watched.machine, at.start, {
    store,
    ports,
    ...(budget === undefined ? {} : { budget }),
    ...(isVirtual ? { order: 'turn', concurrency: 1 } : { order: 'arrival', concurrency: CONCURRENCY + 1 }),
    ...(steps === null ? {} : { steps }),
    signal: stop.signal,
    onEvent: (event) => {
      given.onEvent?.(event);
      if (event.type !== 'append') return;
      if (records !== null && event.head.count >= records) endWith('records');
      if (event.records.some(isBudgetSpent)) endWith('budget');
    },
  });
  if (limit !== null) clearTimeout(limit);
  const { run, head, end: how } = orStop(driven, (error) => driveProblem(error, at.identity.run_id, place));
  if (run.outcome !== null) return { end: 'closed', state: run.state, head };
  if (how === 'paused') return { end: 'steps', state: run.state, head };
  if (how !== 'waiting' && how !== 'idle') return { end: end ?? 'interrupted', state: run.state, head };
  if (!isVirtual || end_us === null || (until_us !== null && until_us < end_us))
    return { end: isVirtual ? 'until' : 'quiet', state: run.state, head };
  const world = await openWorld(machine, { ...at, start: run.genesis.run_id }, place);
  world.stop(end_us);
  const closed = orStop(await world.write(), (error) => storeProblem(error, place));
  return { end: 'closed', state: world.state, head: closed };
}

/** Why a world stops here. */
export type AskedEnd = 'until' | 'records' | 'steps' | 'quiet' | 'closed' | 'interrupted' | 'budget';

function isBudgetSpent({ kind, payload }: EvidenceRecord): boolean {
  const failure = kind === 'proposal' ? valueIn(payload, 'failure') : null;
  return textIn(failure, 'code') === 'denied' && textIn(valueIn(failure, 'detail'), 'code') === 'budget';
}
