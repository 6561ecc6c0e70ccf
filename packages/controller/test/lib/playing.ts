import {
  advance,
  makeHead,
  isOk,
  openRequests,
  openRun,
  orThrow,
  replayable,
  replayWith,
  type EvidenceRecord,
  type GenesisInput,
  type Json,
  type Proposal,
  type Request,
  type Run,
  type Source,
} from '@assay/kernel';
import {
  controller,
  defaultPolicy,
  type ControllerState,
  type CallAnswer,
  type FinalResult,
  type JudgeBody,
  type MergeBody,
  type Policy,
  type StepBody,
  type Tool,
} from '../../src/index.js';
import type { ControllerEvent } from '../../src/loop/events.js';
import type { Body, Input, CallBody } from '../../src/protocol/requests.js';

/** What a role says to a request: a value, or a failure's code. */
export type Said = { readonly value: Json } | { readonly failure: Proposal['failure'] };
/**
 * Who answers: by kind of request; null leaves the request open. `execute` stands for `step` and `call`
 * together: it says what one attempt at a sub-task does ({@link Work}), asked once for each.
 */
export type Cast = Readonly<Record<string, (body: never, turn: number) => Said | null>>;
/** An attempt at a sub-task. */
export type Attempted = Pick<StepBody, 'subtask' | 'attempt'>;
/** One call of a script: what R3 decides, and what comes of it. `input`: a path, or a line of a shell. */
export type Scripted = Omit<CallAnswer, 'target' | 'why' | 'loses' | 'code'> & {
  readonly tool: string;
  readonly input: string;
  readonly code?: string;
  readonly target?: string;
  readonly loses?: string;
};
/** What an attempt does, call by call, and what it says at its end: done, or given up. */
export type Work = {
  readonly status: 'completed' | 'failed';
  readonly output: string;
  readonly tool_calls: readonly Scripted[];
};

const SOURCE: Readonly<Record<string, Source>> = {
  clock: 'clock',
  confirm: 'human',
  call: 'tool',
  recall: 'run',
};

/** A tool of a run. */
export function toolOf(name: string, of: Tool['class'], more: Partial<Tool> = {}): Tool {
  const schema = { type: 'object' };
  return { name, class: of, reversible: true, holds: false, again: true, schema, ...more };
}

/** A policy with tools of each kind, and what is given. */
export function policyWith(more: Partial<Policy> = {}): Policy {
  return {
    ...defaultPolicy,
    clock: 'stamps',
    tools: [
      toolOf('find_files', 'search'),
      toolOf('read_file', 'read'),
      toolOf('write_file', 'write', { holds: true }),
      toolOf('remove_file', 'write', { reversible: false }),
      toolOf('shell', 'shell'),
    ],
    ...more,
  };
}

/** A call that went well. */
export function called(tool: string, input: string, output = 'done', more: Partial<Scripted> = {}): Scripted {
  return {
    tool,
    input,
    output,
    status: 'ok',
    output_bytes: output.length,
    digest: null,
    irreversible: false,
    ...more,
  };
}

/** One criterion as a planner writes it. */
export function criterion(
  text: string,
  more: { readonly mode?: 'verifiable' | 'plausible'; readonly hard?: boolean } = {},
): { text: string; mode: 'verifiable' | 'plausible'; hard: boolean; check: Json } {
  return { text, mode: more.mode ?? 'verifiable', hard: more.hard ?? false, check: null };
}

/** A plan of sub-tasks, each with its criteria, all in one group. */
export function planOf(
  subtasks: readonly {
    readonly criteria: readonly ReturnType<typeof criterion>[];
    readonly tools?: readonly string[];
    readonly words?: boolean;
    readonly sequence?: number;
  }[],
  task: readonly ReturnType<typeof criterion>[] = [],
): Json {
  return {
    follows: [],
    task_criteria: task,
    subtasks: subtasks.map(({ criteria, tools = ['write_file'], words = false, sequence = 1 }, index) => ({
      label: `s${index}`,
      sequence,
      intent: `do part ${index}`,
      context: '',
      success_criteria: criteria,
      tools,
      words,
    })),
  } as unknown as Json;
}

/** A task. */
export const TASK: Json = {
  label: 'a_task',
  intent: 'write the report',
  constraints: { scope: null, deadline_us: null },
  refers_to: null,
};

/** An attempt that makes these calls and says that it is done. */
export function did(...tool_calls: readonly Scripted[]): { readonly value: Json } {
  const work: Work = { status: 'completed', output: 'written', tool_calls };
  return { value: work as unknown as Json };
}

/** How a criterion is found: met, or the class of its failure. */
export type Found = 'pass' | 'logical' | 'environmental';
/** What a role says of each criterion: all alike, or by its place. */
export type Finding<B> = Found | ((index: number, body: B) => Found);

/** Verdicts on all criteria; one that is not met is a `fail`, or what is given. */
export function verdictsOn<B extends JudgeBody | MergeBody>(
  body: B,
  finding: Finding<B>,
  unmet: 'fail' | 'ambiguous' = 'fail',
): readonly Json[] {
  return body.criteria.map(({ id }, index) => {
    const found = typeof finding === 'string' ? finding : finding(index, body);
    const isMet = found === 'pass';
    const verdict = isMet ? 'pass' : unmet;
    return { criterion: id, verdict, failure_class: isMet ? null : found, evidence: 'looked' };
  });
}

/** R4a, who finds so. */
export function judging(finding: Finding<JudgeBody>): (body: JudgeBody) => { readonly value: Json } {
  return (body) => ({
    value: { verdicts: verdictsOn(body, finding), what_was_wrong: null, what_to_do: null },
  });
}

/** R4b, who finds so. */
export function merging(
  finding: Finding<MergeBody>,
  unmet: 'fail' | 'ambiguous' = 'fail',
): (body: MergeBody) => { readonly value: Json } {
  return (body) => ({
    value: { merged_output: 'x', summary: 'x', verdicts: verdictsOn(body, finding, unmet) },
  });
}

/** Roles that do everything right. */
export const willing: Cast = {
  clock: () => ({ value: { t_us: 1 } }),
  perceive: () => ({ value: TASK }),
  plan: () => ({
    value: planOf(
      [{ criteria: [criterion('the report is there')] }],
      [criterion('the report says what was asked')],
    ),
  }),
  execute: (body: Attempted) => did(called('write_file', `report-${body.subtask}`)),
  judge: judging('pass'),
  merge: (body: MergeBody) => ({
    value: {
      merged_output: 'the report',
      summary: 'the report is written',
      verdicts: verdictsOn(body, 'pass'),
    },
  }),
};

/** A run of this machine. */
export type ControllerRun = Run<ControllerState, Input, ControllerEvent, Body>;

/** A played run: everything recorded, and how it ended. */
export type Played = {
  readonly run: ControllerRun;
  readonly records: readonly EvidenceRecord[];
  readonly result: FinalResult | null;
  readonly events: readonly ControllerEvent[];
  readonly rejections: readonly string[];
  readonly asked: readonly Request[];
};

/**
 * Plays a run to its end, or until nobody answers. `begun`: what its first record says otherwise, as of a
 * continuation. `stamp`: microseconds of the n-th answer, where answers are stamped. `source`: who answers a
 * kind, where it is not who should.
 */
export function play(
  policy: Policy,
  cast: Cast,
  options: {
    readonly begun?: Partial<GenesisInput>;
    readonly text?: string;
    readonly session?: Json;
    readonly stamp?: (turn: number) => number;
    readonly max?: number;
    readonly source?: Readonly<Record<string, Source>>;
  } = {},
): Played {
  const step = orThrow(
    openRun(controller, {
      run_id: 'played',
      ts_base: 'T',
      policy: policy as unknown as Json,
      input: {
        text: options.text ?? 'write the report',
        session: options.session ?? [],
        deadline_us: null,
      },
      ...options.begun,
    }),
  );
  const players = cast['execute'] === undefined ? cast : { ...executing(cast['execute']), ...cast };
  const records: EvidenceRecord[] = [...step.records];
  const asked: Request[] = [];
  let run: ControllerRun = step.run;
  const turns = new Map<string, number>();
  let turn = 0;
  for (; turn < (options.max ?? 10_000); turn += 1) {
    const found = openRequests(run)
      .map((request) => ({ request, said: saidTo(players, request, turns) }))
      .find(({ said }) => said !== null);
    if (found === undefined || found.said === null) break;
    const { request, said } = found;
    asked.push(request);
    turns.set(request.kind, (turns.get(request.kind) ?? 0) + 1);
    const proposal: Proposal = {
      request_id: request.id,
      source: options.source?.[request.kind] ?? SOURCE[request.kind] ?? 'rule',
      proposer: 'played',
      confidence: null,
      value: 'value' in said ? said.value : null,
      failure: 'failure' in said ? said.failure : null,
      at_us: options.stamp === undefined ? null : options.stamp(turn),
      spent: {},
      cites: [],
      provenance: {},
    };
    const next = advance(run, proposal);
    if (!isOk(next)) throw new Error(`refused: ${JSON.stringify(next.left)}`);
    run = next.right.run;
    records.push(...next.right.records);
  }
  return playedOf(run, records, asked);
}

/** A run with what its records say. */
export function playedOf(
  run: ControllerRun,
  records: readonly EvidenceRecord[],
  asked: readonly Request[],
): Played {
  const result = artifactOf(records, 'final_result') as FinalResult | null;
  const events = records.flatMap((record) =>
    record.kind === 'decision' ? (record.payload as { events: readonly ControllerEvent[] }).events : [],
  );
  const rejections = records.flatMap((record) =>
    record.kind === 'rejection' ? [(record.payload as { code: string }).code] : [],
  );
  return { run, records, result, events, rejections, asked };
}

/** Replays a played run from its records alone; throws where a record is not re-derived. */
export function replayed({ records, run }: Played): void {
  const again = orThrow(replayWith([replayable(controller)], records));
  if (again.head.hash !== makeHead(run).hash) throw new Error('replayed to another head');
}

/** R3 and the host by one script. */
function executing(execute: NonNullable<Cast[string]>): Cast {
  const attempts = new Map<string, { readonly from: number; readonly said: Said | null }>();
  const of = ({ subtask, attempt, seen }: StepBody): NonNullable<ReturnType<typeof attempts.get>> => {
    const key = `${subtask} ${attempt}`;
    const known = attempts.get(key);
    if (known !== undefined) return known;
    const begun = { from: seen.calls, said: execute({ subtask, attempt } as never, attempts.size) };
    attempts.set(key, begun);
    return begun;
  };
  const last = new Map<string, { readonly from: number; readonly work: Work }>();
  return {
    step: (body: StepBody) => {
      const { from, said } = of(body);
      if (said === null || 'failure' in said) return said;
      const work = said.value as unknown as Work;
      last.set(body.subtask, { from, work });
      const next = work.tool_calls[body.seen.calls - from];
      if (next !== undefined)
        return { value: { t: 'call', calls: [{ tool: next.tool, input: inputOf(next) }], why: '' } };
      const rests_on = work.tool_calls.map((_, at) => from + at);
      return {
        value:
          work.status === 'completed'
            ? { t: 'done', output: work.output, rests_on }
            : { t: 'give_up', code: 'cannot', call: rests_on.at(-1) ?? null, why: work.output },
      };
    },
    call: ({ subtask, n, confirmed }: CallBody) => {
      const { from, work } = last.get(subtask) ?? { from: 0, work: null };
      const { tool: _, input, code, target, loses, ...more } = orNone(work?.tool_calls[n - from]);
      // What was held back is done once it is confirmed.
      const isHeld = code === 'needs_confirmation' && confirmed !== null;
      const made = isHeld ? { ...more, status: 'ok' } : more;
      const said = { code: isHeld ? null : (code ?? null), target: target ?? input, loses: loses ?? null };
      return { value: { ...made, ...said, why: null } as unknown as Json };
    },
  };
}

function inputOf({ tool, input }: Scripted): Json {
  return tool === 'shell' ? { command: input } : { path: input };
}

function orNone<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('a call that the script does not have');
  return found;
}

/** Verdicts that name no calls get those that the claim rests on. */
function withCalls(kind: string, body: Json, said: Said | null): Said | null {
  if (kind !== 'judge' || said === null || 'failure' in said) return said;
  const { rests_on } = body as unknown as JudgeBody;
  const value = said.value as { readonly verdicts?: readonly { readonly calls?: Json }[] } | null;
  if (!Array.isArray(value?.verdicts)) return said;
  const verdicts = value.verdicts.map((verdict) =>
    typeof verdict === 'object' && verdict !== null && !('calls' in verdict)
      ? { ...verdict, calls: rests_on }
      : verdict,
  );
  return { value: { ...value, verdicts } as unknown as Json };
}

function saidTo(cast: Cast, request: Request, turns: ReadonlyMap<string, number>): Said | null {
  const answer = cast[request.kind];
  return answer === undefined
    ? null
    : withCalls(
        request.kind,
        request.body as Json,
        answer(request.body as never, turns.get(request.kind) ?? 0),
      );
}

function artifactOf(records: readonly EvidenceRecord[], name: string): Json | null {
  for (const { kind, payload } of records) {
    if (kind === 'artifact' && (payload as { name: string }).name === name)
      return (payload as { content: Json }).content;
  }
  return null;
}
