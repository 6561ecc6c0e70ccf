/**
 * What the roles are asked and what they answer: one row for each kind of request. A body holds local ids only,
 * nothing of the run and no reading of its clock, so that recorded answers match across runs. What follows
 * from an answer is the machine's: see `decide`. Source: machine interface, `Ask`; 003, contracts of R1 to
 * R4b; calls/C1.
 */
import {
  err,
  isName,
  isObject,
  ok,
  parseShape,
  type Json,
  type Rejection,
  type Request,
  type Result,
  type Source,
} from '@assay/kernel';
import {
  anyOf,
  closed,
  digest,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  said,
  sized,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { ENTITY_UNITS_MAX, SPACE_UNITS_MAX } from '../memory/tag.js';
import {
  CRITERION,
  EVIDENCE_MAX,
  FAILURE_CLASSES,
  LOCAL_ID,
  PHRASE,
  TEXT_MAX,
  upTo,
  VERDICTS,
  WHOLE,
  SESSION,
  SUMMARY_MAX,
  TASK_SPEC,
  USER_TEXT_MAX,
} from './criteria.js';
import { PLAN_DRAFT } from './plan.js';
import { RECALL } from './recall.js';
import { CAST, type CastRole, type Role } from './roles.js';
import { CALL_STATUSES, CALLS_MAX, TARGET_MAX, TOOL_CLASSES, TOOLS_MAX } from './tools.js';

/** Longest output of a call that any policy keeps, in UTF-16 units. */
export const OUTPUT_UNITS_MAX = 65_536;
/** Longest word of an executor on what it did. */
export const CLAIM_MAX = 20_000;
/** Most calls of a task. */
export const CALLS_OF_TASK_MAX = 256;
const NAME_UNITS_MAX = 128;
/** Most unmet criteria that a planner is told of. */
export const UNMET_SHOWN = 32;
/** Most blocked targets that a tool is told. */
export const NOT_MAX = 64;

const any = text();
const texts = list(any);
const count = integer(0);
const short = sized(0, TEXT_MAX);
const target = sized(0, TARGET_MAX);

const PERCEIVE = closed({ text: sized(0, USER_TEXT_MAX), session: SESSION });
/** R1: what does the user want? `session`: the last turns, oldest first. */
export type PerceiveBody = TypeOf<typeof PERCEIVE>;

export const DECIDING_CALL = closed({
  tool: any,
  target,
  n: count,
  status: oneOf(CALL_STATUSES),
  code: nullable(any),
});
/** A call that decided how a sub-task ended. `n` counts its calls. */
export type DecidingCall = TypeOf<typeof DECIDING_CALL>;

/** The directive of the last round: what to change, without the figures that depend on time. */
const DIRECTIVE_SEEN = closed({
  directive: oneOf<readonly string[]>(['break_symmetry', 'change_approach', 'change_path', 'refine']),
  failed_criterion: any,
  failure_class: oneOf<readonly string[]>(['logical', 'environmental', 'mixed', 'none']),
  unmet: upTo(UNMET_SHOWN, any),
});
const LAST_ROUND = closed({
  subtasks: list(
    closed({
      intent: PHRASE,
      status: oneOf(['matched', 'failed']),
      reason: nullable(any),
      calls: list(DECIDING_CALL),
    }),
  ),
  gap_summary: any,
});
/** What came of the last round: each sub-task that ended, and what R4b missed. Source: calls/C7. */
export type LastRound = TypeOf<typeof LAST_ROUND>;

const TARGETS_SEEN = list(closed({ tool: any, target: sized(0, ENTITY_UNITS_MAX) }));
const MUST_NOT = closed({ tools: texts, targets: TARGETS_SEEN, rules: texts });
/** What a planner must not use, and what a memory says for and against. Source: 003 §R2 "MUST NOT Set". */
export type MustNot = TypeOf<typeof MUST_NOT>;

const PLAN = closed({
  round: count,
  task: closed({
    label: any,
    intent: any,
    constraints: closed({ scope: nullable(any), deadline_us: nullable(count) }),
  }),
  text: sized(0, USER_TEXT_MAX),
  directive: nullable(DIRECTIVE_SEEN),
  last: nullable(LAST_ROUND),
  keep: list(closed({ id: LOCAL_ID, text: PHRASE })),
  must_not: MUST_NOT,
  prefer: closed({ tools: texts, practices: texts }),
  caution: TARGETS_SEEN,
  tools: upTo(TOOLS_MAX, closed({ name: any, class: oneOf(TOOL_CLASSES), reversible: flag, about: any })),
  limits: closed({ subtasks: integer(1), criteria: integer(1) }),
});
/**
 * R2: which sub-tasks reach the intent? `keep`: what every later plan must name as hard criteria of the task,
 * word for word; ids are those of the plan before. `last`: null in the first round. `about`: the head of what a
 * tool's schema says of it.
 */
export type PlanBody = TypeOf<typeof PLAN>;

export const SEEN = closed({ calls: count, digest: nullable(digest), bytes: count });
/**
 * All that an executor has seen of a sub-task: how many calls, a chain over inputs, statuses, digests of
 * outputs, corrections and outputs of earlier groups, and the size of these in bytes. Other evidence, other
 * body. Source: calls/C1.
 */
export type Seen = TypeOf<typeof SEEN>;

const STEP = closed({ subtask: LOCAL_ID, task: digest, attempt: count, seen: SEEN });
/**
 * R3: the next move of a sub-task. `task`: digest of its intent, context, criteria and tools, and of what it
 * must not use. What there is to read is in the records: see `transcript`. Source: calls/C1.
 */
export type StepBody = TypeOf<typeof STEP>;

const callNumber = integer(0, CALLS_OF_TASK_MAX - 1);
const MOVES = {
  call: closed({
    t: oneOf(['call']),
    calls: upTo(CALLS_MAX, closed({ tool: sized(0, NAME_UNITS_MAX), input: WHOLE }), 1),
    why: short,
  }),
  done: closed({
    t: oneOf(['done']),
    output: sized(0, CLAIM_MAX),
    rests_on: upTo(CALLS_OF_TASK_MAX, callNumber),
  }),
  /** `input_missing`: what the user named is not there. */
  give_up: closed({
    t: oneOf(['give_up']),
    code: oneOf(['input_missing', 'cannot']),
    call: nullable(callNumber),
    why: short,
  }),
};
const isMove = (t: unknown): t is keyof typeof MOVES => typeof t === 'string' && Object.hasOwn(MOVES, t);
const MOVE = said<StepAnswer>(
  (value) => {
    const t = isObject(value) ? value['t'] : undefined;
    return isMove(t) ? MOVES[t](value) : '/t';
  },
  anyOf(...Object.values(MOVES)),
);
/**
 * The next move of a sub-task: calls to be made one by one, of which the first that is not `ok` drops the
 * rest; or its end. `rests_on`, `call`: calls by number. Source: 003 §R3; calls/C1.
 */
export type StepAnswer = TypeOf<(typeof MOVES)[keyof typeof MOVES]>;

/** What a person agreed to lose, as the tool said it: null where it was not looked at. Source: calls/C8. */
export const CONFIRMED = closed({ loses: nullable(digest), target: nullable(target) });
const ONE_CALL = { subtask: LOCAL_ID, n: count, tool: any, input: WHOLE };
const CALL = closed({ ...ONE_CALL, confirmed: nullable(CONFIRMED), not: upTo(NOT_MAX, target) });
/**
 * The host: make this call. `n` counts the calls of the sub-task over all its attempts; `confirmed`: what a
 * person agreed to lose, and of what target; `not`: blocked targets of this tool, which it compares before it
 * acts. Source: calls/C1, calls/C3.
 */
export type CallBody = TypeOf<typeof CALL>;

const CALLED = closed({
  status: oneOf(CALL_STATUSES),
  code: nullable(text(isName)),
  why: nullable(short),
  output: sized(0, OUTPUT_UNITS_MAX),
  output_bytes: count,
  digest: nullable(digest),
  target,
  irreversible: flag,
  loses: nullable(digest),
});
/**
 * What a call left behind. `output`: head and tail of what came; `output_bytes` and `digest` speak of all of
 * it. `target`: what it was about, as the tool found it. `irreversible`: what it did, or held back, cannot be
 * undone; `loses`: digest of what that loses. Source: calls/C1, calls/C3, calls/C8.
 */
export type CallAnswer = TypeOf<typeof CALLED>;

const CONFIRM = closed({
  ...ONE_CALL,
  target: nullable(target),
  loses: nullable(digest),
  why: oneOf(['irreversible', 'caution', 'needs_confirmation']),
});
/**
 * A person: may this call be made? `target`, `loses`: what the tool found, where it looked before; else null.
 * Source: dec-B9; 003 §9, Law 1; calls/C8.
 */
export type ConfirmBody = TypeOf<typeof CONFIRM>;

const JUDGE = closed({
  subtask: LOCAL_ID,
  intent: PHRASE,
  criteria: list(CRITERION),
  attempt: count,
  claim: sized(0, CLAIM_MAX),
  rests_on: list(count),
  seen: SEEN,
});
/**
 * R4a: which criteria are met? `claim` is the executor's own word; the evidence is in the records: see
 * `judged`. Source: calls/C6.
 */
export type JudgeBody = TypeOf<typeof JUDGE>;

const JUDGEMENT = closed({
  verdicts: VERDICTS,
  what_was_wrong: nullable(short),
  what_to_do: nullable(short),
});
/** What R4a hands in: one verdict per criterion, and what to do about what is unmet. Source: 003 §R4a. */
export type Judgement = TypeOf<typeof JUDGEMENT>;

/** What to do differently, and the calls that show what was wrong. Source: 003 §R4a `CorrectionSignal`. */
export type Correction = {
  readonly what_was_wrong: string;
  readonly what_to_do: string;
  readonly calls: readonly number[];
};

const MERGE = closed({
  intent: PHRASE,
  criteria: list(CRITERION),
  outcomes: list(closed({ subtask: LOCAL_ID, intent: PHRASE, output: sized(0, CLAIM_MAX) })),
});
/** R4b: which criteria of the task does the combined output meet? */
export type MergeBody = TypeOf<typeof MERGE>;

export const TASK_VERDICT = closed({
  criterion: LOCAL_ID,
  verdict: oneOf(['pass', 'fail', 'ambiguous']),
  failure_class: nullable(oneOf(FAILURE_CLASSES)),
  evidence: sized(0, EVIDENCE_MAX),
});
/** A verdict on a criterion of the task: `ambiguous` is a rejection (002 "Key Invariants"). */
export type TaskVerdict = TypeOf<typeof TASK_VERDICT>;

const MERGED = closed({ merged_output: WHOLE, summary: sized(0, SUMMARY_MAX), verdicts: list(TASK_VERDICT) });
/** What R4b hands in: the merged output and one verdict per criterion of the task. Source: 003 §R4b. */
export type Merge = TypeOf<typeof MERGED>;

/** What a role answers, whoever plays it. */
const PLAYED = {
  accepts: ['rule', 'live_model', 'recorded_model', 'human', 'synthetic'],
  attempts: 'attempts',
} as const;

/**
 * One kind of request. `role`: who answers, null for the host, a person and the clock. `accepts`: sources of a
 * value; a model never confirms (dec-B9), never calls, and never tells the time. `attempts`: how many answers
 * there may be, or the limit of the policy that says so. `code`: of an answer that departs from its shape.
 */
type RequestRow = {
  readonly role: Role | null;
  readonly accepts: readonly Source[];
  readonly attempts: number | 'attempts' | 'plans' | 'steps';
  readonly body: Shape;
  readonly answer: Shape;
  readonly code: string;
};

/** Every kind of request, in the order a task meets them. */
export const REQUESTS = {
  /** `round`: before which evaluation; -1 at the start. `t_us`: from an origin of the host's. */
  clock: {
    role: null,
    accepts: ['clock', 'synthetic'],
    attempts: 2,
    body: closed({ round: integer(-1) }),
    answer: closed({ t_us: count }),
    code: 'bad_clock',
  },
  perceive: { role: 'R1', ...PLAYED, body: PERCEIVE, answer: TASK_SPEC, code: 'bad_task' },
  recall: {
    role: 'R5',
    accepts: ['run', 'synthetic'],
    attempts: 'attempts',
    body: closed({ intent: sized(0, SPACE_UNITS_MAX), tools: texts }),
    answer: RECALL,
    code: 'bad_recall',
  },
  plan: { role: 'R2', ...PLAYED, attempts: 'plans', body: PLAN, answer: PLAN_DRAFT, code: 'bad_plan' },
  step: { role: 'R3', ...PLAYED, attempts: 'steps', body: STEP, answer: MOVE, code: 'bad_step' },
  /** Made once. */
  call: {
    role: null,
    accepts: ['tool', 'synthetic'],
    attempts: 1,
    body: CALL,
    answer: CALLED,
    code: 'bad_call',
  },
  /** Asked once (dec-B9). */
  confirm: {
    role: null,
    accepts: ['human'],
    attempts: 1,
    body: CONFIRM,
    answer: closed({ approved: flag, note: nullable(short) }),
    code: 'bad_confirmation',
  },
  judge: { role: 'R4a', ...PLAYED, body: JUDGE, answer: JUDGEMENT, code: 'bad_judgement' },
  merge: { role: 'R4b', ...PLAYED, body: MERGE, answer: MERGED, code: 'bad_merge' },
} as const satisfies Readonly<Record<string, RequestRow>>;

type Rows = typeof REQUESTS;
/** Kinds of request. */
export type AskKind = keyof Rows;
/** Kinds of request, in the order a task meets them. */
export const ASK_KINDS = Object.keys(REQUESTS) as readonly AskKind[];
/** The body of each kind. */
export type Bodies = { readonly [kind in AskKind]: TypeOf<Rows[kind]['body']> };
/** Any body. */
export type Body = Bodies[AskKind];
/** What answers each kind. */
export type Answers = { readonly [kind in AskKind]: TypeOf<Rows[kind]['answer']> };
/** What answers mean, by kind of request. */
export type Input = {
  readonly [kind in AskKind]: { readonly t: kind; readonly value: Answers[kind] };
}[AskKind];

/** The row of a kind of request; null for a request this machine does not make. */
export function findRow(kind: string): RequestRow | null {
  return Object.hasOwn(REQUESTS, kind) ? REQUESTS[kind as AskKind] : null;
}

/**
 * The role that a kind of request asks; null for what no player answers: a person, the host, the clock, a
 * memory.
 */
export function findCast(kind: string): CastRole | null {
  const role = findRow(kind)?.role;
  return CAST.find((one) => one === role) ?? null;
}

/** The body of a request of a kind, as a host hands it over: a port may be asked anything. Null for another. */
export function readBody<K extends AskKind>(kind: K, body: Json): Bodies[K] | null {
  const shaped = parseShape<Bodies[K]>(REQUESTS[kind].body, body);
  return shaped._tag === 'Left' ? null : shaped.right;
}

/**
 * Reads an answer by the kind of its request. Total on any JSON. Rejections: the row's `code` with {path};
 * `bad_answer` to a request this machine does not make.
 */
export function parseAnswer(value: Json, { kind }: Pick<Request, 'kind'>): Result<Rejection, Input> {
  const row = findRow(kind);
  if (row === null) return err({ code: 'bad_answer', detail: { path: '', kind } });
  const path = row.answer(value);
  return path === null ? ok({ t: kind, value } as Input) : err({ code: row.code, detail: { path } });
}
