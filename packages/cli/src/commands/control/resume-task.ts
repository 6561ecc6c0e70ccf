/**
 * A stored task taken up where it stands, and driven to its end.
 *
 * @module
 */
import { headOf, isArray, isObject, type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import { playedBy } from '@assay/agent';
import { controller, type ConfirmBody, type Policy } from '@assay/controller';
import { loadRun, maskedAddress } from '@assay/host';
import type { Context } from '../context.js';
import type { ExitCode } from '../../problems/exit.js';
import { textIn, valueIn } from '../../terminal/fields.js';
import type { ModelOptions } from '../../options/models.js';
import type { NamedStore } from '../../files/store.js';
import { requireVersion, type Begun } from '../run/stored-run.js';
import { show } from '../../terminal/shown.js';
import { requireUnchanged } from '../run/outputs.js';
import type { ModelFlags } from '../../options/llm.js';
import { recordsIn } from '../run/records-in.js';
import { requireRoom } from '../run/require-room.js';
import { driveMachine, driveProblem } from '../run/run-request.js';
import { driveControl, type Driven } from './drive-control.js';
import { memoryOf } from './memory.js';
import type { ControlOptions, TaskOptions } from './options.js';
import { readPlayers } from './players.js';
import { toolsAgain, requireFolder, requirePerson, requirePlayers } from './resume-options.js';
import { tellControl } from './tell-ended.js';

/** Options of `resume`, as a task takes them. */
export type ResumeTask = TaskOptions & {
  readonly store: string;
  readonly proposer: readonly string[];
  readonly output?: string;
  readonly force?: boolean;
} & ModelFlags;

/**
 * Goes on with a stored task and writes what `control` would have written; of one that is over, only writes,
 * and where a folder is named it is the one of the task. Machine, policy and words are those of its first
 * record. Leaves the store open. Exit codes as `control`. Raises `Stop`: those of {@link toolsAgain},
 * {@link requirePlayers}, {@link requirePerson}.
 */
export async function resumeTask(
  context: Context,
  store: NamedStore,
  begun: Begun,
  { models, ...given }: ResumeTask & { readonly models: ModelOptions },
): Promise<ExitCode> {
  const { run_id } = begun.identity;
  const place = maskedAddress(given.store);
  requireVersion(begun, controller.version);
  const target = given.force === true ? undefined : given.output;
  if (target !== undefined) await requireRoom(controller, target, run_id, store, place);
  const options: ControlOptions = { ...given, allow: [], set: [], after: [], clock: false };
  const loaded = await loadRun(controller, run_id, store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, run_id, place);
  const { run } = loaded.right;
  const memory = await memoryOf(options.memory, context.output);
  const due = loaded.right.due.length;
  let driven: Driven;
  if (run.outcome === null) {
    const tools = await toolsAgain(begun, options);
    const answered = proposalsIn(await recordsIn(store, run_id, place));
    const players = await readPlayers(options.proposer, models);
    requirePlayers(begun.policy as unknown as Policy, answered.played, players);
    const person = (await import('../person.js')).personOf(context);
    requirePerson(
      [...run.open].flatMap(([, { request }]) =>
        request.kind === 'confirm' ? [request.body as unknown as ConfirmBody] : [],
      ),
      person !== null,
      options,
    );
    if (options.proposer.length === 0 && answered.count === 0)
      context.output.note(
        show`assay: nobody has played a role of this run yet, and none is named: the rules play them all`,
      );
    driven = await driveControl(context, {
      start: run_id,
      runId: run_id,
      store,
      tools,
      memory,
      options,
      players,
    });
  } else {
    if (options.workspace !== undefined) await requireFolder(begun, options.workspace);
    driven = {
      ended: await driveMachine(controller, run_id, run_id, store, {
        ports: () => null,
        place,
      }),
      misses: new Map(),
      found: headOf(run).count - due,
    };
  }
  if (target !== undefined) requireUnchanged(target, driven.ended);
  return await tellControl(context, {
    ...driven,
    memory,
    options,
    workspace: options.workspace ?? '(not needed: the run was over)',
    identity: begun.identity,
  });
}

/** Who played which role so far, and how many answers there are. */
function proposalsIn(records: readonly EvidenceRecord[]): {
  readonly played: ReturnType<typeof playedBy>;
  readonly count: number;
} {
  const kinds = new Map<string, string>();
  const proposals: JsonObject[] = [];
  for (const { kind, payload } of records) {
    if (kind === 'proposal' && payload !== undefined && isObject(payload)) proposals.push(payload);
    for (const request of kind === 'decision' ? requestsIn(payload) : [])
      kinds.set(textIn(request, 'id'), textIn(request, 'kind'));
  }
  return { played: playedBy(proposals, (id) => kinds.get(id) ?? ''), count: proposals.length };
}

function requestsIn(payload: Json | undefined): readonly Json[] {
  const requests = valueIn(payload, 'requests');
  return isArray(requests) ? requests : [];
}
