import {
  advance,
  headOf,
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
  type ExecuteBody,
  type FinalResult,
  type JudgeBody,
  type MergeBody,
  type Policy,
  type ToolCall,
} from '../../src/index.js';
import type { ControllerEvent } from '../../src/loop/events.js';
import type { Input } from '../../src/protocol/answers.js';
import type { Body } from '../../src/protocol/asks.js';

/** What a role says to a request: a value, or a failure's code. */
export type Said = { readonly value: Json } | { readonly failure: Proposal['failure'] };
/** Who answers: by kind of request; null leaves the request open. */
export type Cast = Readonly<Record<string, (body: never, turn: number) => Said | null>>;

const SOURCE: Readonly<Record<string, Source>> = {
  clock: 'clock',
  confirm: 'human',
  execute: 'tool',
  recall: 'run',
};

/** A policy with two tools, and what is given. */
export function policyWith(more: Partial<Policy> = {}): Policy {
  return {
    ...defaultPolicy,
    clock: 'stamps',
    tools: [
      { name: 'find_files', class: 'search', reversible: true, available: true },
      { name: 'read_file', class: 'read', reversible: true, available: true },
      { name: 'write_file', class: 'write', reversible: true, available: true },
      { name: 'remove_file', class: 'write', reversible: false, available: true },
      { name: 'shell', class: 'shell', reversible: true, available: true },
      { name: 'mdfind', class: 'search', reversible: true, available: false },
    ],
    ...more,
  };
}

/** A call that went well. */
export function called(tool: string, input: string, output = 'done', more: Partial<ToolCall> = {}): ToolCall {
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
    readonly uses?: readonly { tool: string; target: string }[];
    readonly sequence?: number;
  }[],
  task: readonly ReturnType<typeof criterion>[] = [],
): Json {
  return {
    task_criteria: task,
    subtasks: subtasks.map(
      ({ criteria, uses = [{ tool: 'write_file', target: '*' }], sequence = 1 }, index) => ({
        label: `s${index}`,
        sequence,
        intent: `do part ${index}`,
        context: '',
        success_criteria: criteria,
        uses,
      }),
    ),
  } as unknown as Json;
}

/** A task. */
export const TASK: Json = {
  label: 'a_task',
  intent: 'write the report',
  constraints: { scope: null, deadline_us: null },
  refers_to: null,
};

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
  execute: (body: ExecuteBody) => ({
    value: {
      status: 'completed',
      output: 'written',
      tool_calls: [called('write_file', `report-${body.subtask}`)],
    },
  }),
  judge: (body: JudgeBody) => ({
    value: {
      verdicts: body.criteria.map(({ id }) => ({
        criterion: id,
        verdict: 'pass',
        failure_class: null,
        evidence: 'seen',
      })),
      what_was_wrong: null,
      what_to_do: null,
    },
  }),
  merge: (body: MergeBody) => ({
    value: {
      merged_output: 'the report',
      summary: 'the report is written',
      verdicts: body.criteria.map(({ id }) => ({
        criterion: id,
        verdict: 'pass',
        failure_class: null,
        evidence: 'read',
      })),
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
      input: { text: options.text ?? 'write the report', session: options.session ?? [] },
      ...options.begun,
    }),
  );
  const records: EvidenceRecord[] = [...step.records];
  const asked: Request[] = [];
  let run: ControllerRun = step.run;
  const turns = new Map<string, number>();
  let turn = 0;
  for (; turn < (options.max ?? 10_000); turn += 1) {
    const found = openRequests(run)
      .map((request) => ({ request, said: saidTo(cast, request, turns) }))
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
  if (again.head.hash !== headOf(run).hash) throw new Error('replayed to another head');
}

function saidTo(cast: Cast, request: Request, turns: ReadonlyMap<string, number>): Said | null {
  const answer = cast[request.kind];
  return answer === undefined ? null : answer(request.body as never, turns.get(request.kind) ?? 0);
}

function artifactOf(records: readonly EvidenceRecord[], name: string): Json | null {
  for (const { kind, payload } of records) {
    if (kind === 'artifact' && (payload as { name: string }).name === name)
      return (payload as { content: Json }).content;
  }
  return null;
}
