/**
 * Runs whose answers are a function of a seed, of what is asked and of how often the answer was turned away:
 * nothing in them depends on the order in which parallel sub-tasks are answered.
 *
 * @module
 */
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  utf8Bytes,
  type EvidenceRecord,
  type Json,
  type Proposal,
  type Request,
  type Source,
} from '@assay/kernel';
import { controller, defaultPolicy, type ControllerState, type Policy } from '../src/index.js';
import type { Body, Bodies } from '../src/protocol/requests.js';
import { TOOLS } from './arbitraries.js';
import { native } from '../test/memory/arbitraries.js';

/** A run played to its end. */
export type Played = {
  readonly records: readonly EvidenceRecord[];
  readonly state: ControllerState;
  readonly bodies: readonly Request<Body>[];
};

const SUBTASKS = 3;
const STEPS_MAX = 4_000;
const SOURCES: Readonly<Record<string, Source>> = { call: 'tool', confirm: 'human' };
const POLICY: Policy = {
  ...defaultPolicy,
  clock: 'stamps',
  tools: TOOLS,
  limits: { ...defaultPolicy.limits, calls: 8, retries: 1 },
  ggs: { ...defaultPolicy.ggs, max_replans: 1 },
};

/** Plays a run. `order`: chooses among what is open; null: the first. */
export function playSeed(seed: number, order: number | null): Played {
  const genesis = { text: 'do a b c', session: [], deadline_us: null };
  const opened = orThrow(
    openRun(
      controller,
      { run_id: 'r', ts_base: 'T', policy: POLICY as unknown as Json, input: genesis },
      { sha256: native },
    ),
  );
  const records = [...opened.records];
  const turned = new Map<string, number>();
  const bodies: Request<Body>[] = [];
  let { run } = opened;
  for (let turn = 0; run.outcome === null; turn += 1) {
    if (turn > STEPS_MAX) throw new Error('a run that does not end');
    const open = openRequests(run);
    const request = open[order === null ? 0 : chance(`${order} ${turn}`, open.length)];
    if (request === undefined) throw new Error('a run that waits for nothing');
    const before = turned.get(request.id) ?? 0;
    if (before === 0) bodies.push(request);
    turned.set(request.id, before + 1);
    const proposal: Proposal = {
      request_id: request.id,
      source: SOURCES[request.kind] ?? 'rule',
      proposer: 'played',
      confidence: null,
      value: null,
      failure: null,
      at_us: null,
      spent: {},
      cites: [],
      provenance: {},
      ...answerOf(request, (what, of) =>
        chance(`${seed} ${request.kind} ${JSON.stringify(request.body)} ${before} ${what}`, of),
      ),
    };
    const step = orThrow(advance(run, proposal));
    records.push(...step.records);
    run = step.run;
  }
  return { records, state: run.state, bodies };
}

type Chance = (what: string, of: number) => number;

function chance(text: string, of: number): number {
  return Number.parseInt(native(utf8Bytes(text)).slice(0, 8), 16) % of;
}

function answerOf(
  { kind, body }: Request<Body>,
  by: Chance,
): Pick<Proposal, 'value'> | Pick<Proposal, 'failure'> {
  if (by('fails', 60) === 0)
    return { failure: { code: 'unavailable', final: by('final', 2) === 0, detail: null } };
  switch (kind) {
    case 'perceive':
      return {
        value: {
          label: 't',
          intent: 'do it',
          constraints: { scope: null, deadline_us: null },
          refers_to: null,
        },
      };
    case 'plan':
      return { value: planFor(by) };
    case 'step':
      return { value: moveFor(body as Bodies['step'], by) };
    case 'call':
      return { value: madeFor(body as Bodies['call'], by) };
    case 'confirm':
      return { value: { approved: by('approved', 5) > 0, note: null } };
    case 'judge':
      return { value: judgedFor(body as Bodies['judge'], by) };
    default:
      return {
        value: {
          merged_output: 'all',
          summary: 'all',
          verdicts: (body as Bodies['merge']).criteria.map(({ id }) => ({
            criterion: id,
            verdict: by(id, 3) > 0 ? 'pass' : 'ambiguous',
            failure_class: null,
            evidence: '',
          })),
        },
      };
  }
}

function planFor(by: Chance): Json {
  const criterion = (text: string): Json => ({ text, mode: 'verifiable', hard: false, check: null });
  return {
    follows: [],
    task_criteria: [criterion('whole')],
    subtasks: Array.from({ length: SUBTASKS }, (_, at) => ({
      label: `${at}`,
      sequence: 1,
      intent: `part ${at}`,
      context: '',
      success_criteria: [criterion('is there')],
      tools: TOOLS.map(({ name }) => name).slice(by('tools', 2)),
      words: false,
    })),
  };
}

function moveFor({ seen }: Bodies['step'], by: Chance): Json {
  const sort = by('move', 100);
  if (sort < 20) return { t: 'done', output: 'said', rests_on: seen.calls === 0 ? [] : [seen.calls - 1] };
  if (sort < 22) return { t: 'give_up', code: 'cannot', call: null, why: '' };
  if (sort < 25) return 'prose';
  const calls = Array.from({ length: 1 + by('many', 3) }, (_, at) => ({
    tool: TOOLS[by(`tool ${at}`, TOOLS.length)]?.name ?? '',
    input: { path: `p${by(`path ${at}`, 3)}` },
  }));
  return { t: 'call', calls, why: '' };
}

function madeFor({ tool, input, confirmed }: Bodies['call'], by: Chance): Json {
  const sort = by('status', 100);
  const status = sort < 80 ? 'ok' : sort < 90 ? 'error' : 'denied';
  const isHeld = status === 'denied' && tool === 'write_file' && confirmed === null;
  return {
    status,
    code: isHeld ? 'needs_confirmation' : null,
    why: null,
    output: `out ${by('out', 2)}`,
    output_bytes: 5,
    digest: null,
    target: (input as { readonly path: string }).path,
    irreversible: isHeld || (tool === 'shell' && by('breach', 25) === 0),
    loses: null,
  };
}

function judgedFor({ criteria, rests_on }: Bodies['judge'], by: Chance): Json {
  const isMet = by('met', 3) > 0;
  return {
    verdicts: criteria.map(({ id }) => ({
      criterion: id,
      verdict: isMet ? 'pass' : 'fail',
      failure_class: isMet ? null : by('class', 2) === 0 ? 'logical' : 'environmental',
      evidence: '',
      calls: rests_on,
    })),
    what_was_wrong: 'w',
    what_to_do: 'd',
  };
}
