/** The tool `answer`: an answer of the client to an open request of a stored run. */
import { createHash } from 'node:crypto';
import {
  cutText,
  advance,
  err,
  makeHead,
  ok,
  type EvidenceRecord,
  type Failure,
  type Json,
  type JsonObject,
  type Request,
  type Result,
  type Run,
} from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { intent } from '@assay/kernel/intent';
import { CallNotesError, loadRun, nativeSha256, withLostCalls, type Store } from '@assay/host';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { readShape } from '@assay/models';
import * as z from 'zod';
import { CLIENT_PROPOSER, type Caller, type Desk, problem, type ToolProblem } from '../desk.js';
import {
  described,
  runDocumentSchema,
  requireRunId,
  runIdArgument,
  storedRecord,
  writing,
} from '../stored.js';
import { makeSchema, tool, type Tool } from '../tool.js';
import { verifyRun } from './run.js';

const ANSWER = z.strictObject({
  run_id: runIdArgument,
  request_id: z.string().max(32).describe('request_id of an open request'),
  answer: z.json().describe('as form of the open request says'),
});

/** UTF-16 units of an answer that are kept as they came; the hash is of the whole. */
const RAW_UNITS_MAX = 262_144;
const TEXT_UNITS_MAX = 240;
const NAME_UNITS_MAX = 100;

/**
 * Gives an answer to an open request. Its source is `live_model` whatever the client says: what calls a tool
 * is a model, and none can write `human`. Calls at the request that a kill cut off are charged with it, by
 * the desk's `drive.budget.notes`. An answer that is not accepted is recorded, uses an attempt, and stands in
 * `rejection`. Problems, with nothing recorded: `run_id`, `no_run`, `other_machine`, `run_closed`,
 * `not_open`, `source_not_accepted`, those of the store.
 */
export function answerTool(desk: Desk): Tool {
  return tool({
    name: 'answer',
    title: 'Answer an open request',
    description:
      'Gives a stored run your answer to one of its open requests (open_requests of run). You ' +
      'propose; the kernel checks the answer against the words of the request and decides. The ' +
      'answer is recorded as one of a model, with what your client calls itself; it never ' +
      "counts as a person's. An open request says how to read it, and the form of an answer.",
    input: ANSWER,
    schemas: {
      output: makeSchema(
        runDocumentSchema.extend({
          rejection: z
            .nullable(z.strictObject({ code: z.string(), detail: z.json() }))
            .describe('why the answer was not accepted; null where it was'),
        }),
      ),
    },
    hints: { readOnly: false, idempotent: false, openWorld: false },
    call: (args, caller) => writing(desk, (store) => answerRequest(desk, store, args, caller)),
  });
}

async function answerRequest(
  desk: Desk,
  store: Store,
  { run_id, request_id, answer: given }: z.infer<typeof ANSWER>,
  { client, signal }: Caller,
): Promise<Result<ToolProblem, object>> {
  const known = requireRunId(run_id);
  if (known._tag === 'Left') return known;
  const other = await otherMachine(desk, run_id);
  if (other !== null) return err(other);
  const loaded = await loadRun(intent, run_id, store, { sha256: nativeSha256 });
  if (loaded._tag === 'Left') return err(desk.describe(loaded.left, run_id));
  const { run, due, head } = loaded.right;
  if (run.outcome !== null)
    return problem(
      'run_closed',
      'this run is over: nothing can be recorded any more',
      run_id,
      'look at it with show',
    );
  const request = run.open.get(request_id)?.request;
  if (request === undefined)
    return problem(
      'not_open',
      'this run has no such open request; nothing was recorded',
      request_id,
      'run with the same arguments says which are open',
    );
  if (!request.accepts.includes('live_model'))
    return problem(
      'source_not_accepted',
      `this request takes answers of ${request.accepts.join(', ')} only; nothing was recorded`,
      request_id,
      'it has to be answered elsewhere',
    );
  // Begun elsewhere and killed, a model's call has cost, and its request is recorded here.
  const charged = await charging(desk, run, makeProposal(request, given, client));
  if (charged._tag === 'Left') return charged;
  const proposal = charged.right;
  const step = advance(run, proposal);
  if (step._tag === 'Left')
    return problem(
      step.left.code,
      'this answer cannot be recorded',
      step.left.path,
      'numbers must be finite and text well-formed, within docs/formats/limits.md',
    );
  // What a crash had cut from the last group is stored first, and the run becomes ours.
  const taken = await store.append(run_id, head, due);
  if (taken._tag === 'Left') return err(described(desk, taken.left));
  signal.throwIfAborted();
  const appended = await store.append(run_id, makeHead(run), step.right.records);
  if (appended._tag === 'Left') return err(described(desk, appended.left));
  const document = await verifyRun(desk, step.right.run, signal);
  return document._tag === 'Left'
    ? document
    : ok({ ...document.right, rejection: rejectionIn(step.right.records) });
}

async function charging<S, I, E extends Json, A extends Json>(
  { drive: { budget } = {}, describe }: Desk,
  run: Run<S, I, E, A>,
  proposal: JsonObject,
): Promise<Result<ToolProblem, JsonObject>> {
  try {
    return ok(await withLostCalls(budget?.notes, run, proposal));
  } catch (error) {
    if (!(error instanceof CallNotesError)) throw error;
    return err(describe(error.fault, run.genesis.run_id));
  }
}

/** Another machine's run is told of before it is loaded, which would only say that it does not hold. */
async function otherMachine(desk: Desk, runId: string): Promise<ToolProblem | null> {
  const first = await storedRecord(desk, runId, 0);
  if (first._tag === 'Left') return first.left;
  const machine = readField(first.right?.payload, 'machine');
  const name = readText(machine, 'name');
  if (name === intent.name && readField(machine, 'version') === intent.version) return null;
  return {
    code: 'other_machine',
    message:
      `this run belongs to ${name === '' ? 'no known machine' : name}; ` +
      'the tool answer supports only intent runs',
    place: runId,
    remedy: 'drive it with @assay/host, by the program that began it',
  };
}

/** The proposal: read as a model's answer is, with what came and who the client says it is. */
function makeProposal(request: Request, given: Json, client: Caller['client']): JsonObject {
  const raw = JSON.stringify(given).toWellFormed();
  const read =
    request.kind === interpretationsTask.kind
      ? interpretationsTask.read(given, request.body, readShape)
      : err({ code: 'no_task', path: '', text: request.kind });
  const failure: Failure | null =
    read._tag === 'Right'
      ? null
      : {
          code: 'malformed',
          final: false,
          detail: {
            code: read.left.code,
            path: cutText(read.left.path, TEXT_UNITS_MAX),
            text: cutText(read.left.text, TEXT_UNITS_MAX),
          },
        };
  const now = Date.now();
  const named =
    client === null
      ? 'unknown'
      : `${cutText(client.name, NAME_UNITS_MAX)} ${cutText(client.version, NAME_UNITS_MAX)}`;
  return {
    request_id: request.id,
    source: 'live_model',
    proposer: CLIENT_PROPOSER,
    confidence: read._tag === 'Right' ? read.right.confidence : null,
    value: read._tag === 'Right' ? read.right.value : null,
    failure,
    at_us: now * 1_000,
    spent: {},
    cites: [],
    provenance: {
      provider: 'mcp-client',
      model: named,
      date: new Date(now).toISOString().slice(0, 10),
      raw_response_hash: createHash('sha256').update(raw, 'utf8').digest('hex'),
      raw_response: cutText(raw, RAW_UNITS_MAX),
      raw_response_units: raw.length,
    },
  };
}

/** Of a failure the kernel says its code alone; what was wrong stands in the failure. */
function rejectionIn(
  records: readonly EvidenceRecord[],
): { readonly code: string; readonly detail: Json } | null {
  const rejection = records.find(({ kind }) => kind === 'rejection')?.payload;
  if (rejection === undefined) return null;
  const failure = readField(records.find(({ kind }) => kind === 'proposal')?.payload, 'failure');
  return {
    code: readText(rejection, 'code'),
    detail: failure === null ? readField(rejection, 'detail') : readField(failure, 'detail'),
  };
}
