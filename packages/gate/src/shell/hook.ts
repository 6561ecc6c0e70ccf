/**
 * The hooks of a coding agent: before a tool is used its call is decided, afterwards it is settled. Each hook is a
 * process of its own; the agent performs the call. Source: gate/G17a.
 *
 * @module
 */
import type { StoreError } from '@assay/host';
import { patiently } from '@assay/host/shared-run';
import { err, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import { GateError } from './errors.js';
import type { Gate } from './gate.js';
import type { GateCall } from './types.js';

/** What a hook says, as Claude Code documents it; null: nothing. */
export type HookAnswer = {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PreToolUse';
    readonly permissionDecision: 'allow' | 'deny' | 'ask';
    readonly permissionDecisionReason: string;
  };
} | null;

const EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
/** How long a hook tries again while other hooks write to its session: an agent makes calls side by side. */
const PATIENCE_MS = 20_000;

/**
 * Answers one hook of Claude Code: `PreToolUse` with a decision, `PostToolUse` and `PostToolUseFailure` by settling the
 * call; other events say nothing: a session that ended may be resumed. What goes wrong before a call is `ask`, never
 * `allow`; after it, this rejects. What a person allowed at the agent is recorded as approved there. `open`: opens the
 * gate of a session, whose calls are performed elsewhere; anew where another hook of the session wrote meanwhile.
 */
export async function answerHook(given: Json, open: (session: string) => Promise<Gate>): Promise<HookAnswer> {
  const event = readText(given, 'hook_event_name');
  try {
    if (!isObject(given) || event === '') throw new TypeError('expected an object with hook_event_name');
    if (!EVENTS.includes(event)) return null;
    const answered = await patiently(() => attempt(given, event, open), { patienceMs: PATIENCE_MS });
    if (answered._tag === 'Right') return answered.right;
    throw new GateError('store', answered.left);
  } catch (error) {
    // A document of another shape may be a question before a call as well.
    if (event !== '' && event !== 'PreToolUse') throw error;
    return say('ask', `The gate could not decide: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Left: what the store says, of which `locked` and `stale_head` pass. */
async function attempt(
  hook: JsonObject,
  event: string,
  open: (session: string) => Promise<Gate>,
): Promise<Result<StoreError, HookAnswer>> {
  try {
    const gate = await open(needText(hook, 'session_id'));
    try {
      if (event === 'PreToolUse') return ok(await decide(gate, hook));
      await settle(gate, hook, event === 'PostToolUse');
      return ok(null);
    } finally {
      await gate.close();
    }
  } catch (error) {
    if (error instanceof GateError && error.code === 'store') return err(error.detail as StoreError);
    throw error;
  }
}

const PROPOSER = 'claude-code';

async function decide(gate: Gate, hook: JsonObject): Promise<HookAnswer> {
  const decided = await gate.decide(readCall(hook));
  switch (decided.verdict) {
    case 'perform':
      return say('allow', `Call ${decided.n} is allowed by the policy.`);
    case 'refused':
      return say('deny', decided.error.message);
    case 'pending':
      return say('ask', decided.error.why);
    case 'known':
      return say('ask', `Call ${decided.n} was made before, under the same id.`);
  }
}

async function settle(gate: Gate, hook: JsonObject, isDone: boolean): Promise<void> {
  const n = gate.find(readCall(hook));
  if (n === null) throw new TypeError('no such call was decided here');
  // It was performed, so the person at the agent allowed what the policy asked about.
  if (gate.waiting().some((call) => call.n === n)) await gate.answer(n, { approved: true, by: PROPOSER });
  const result = hook[isDone ? 'tool_response' : 'error'] ?? null;
  await gate.settle(n, { result, ok: isDone, proposer: PROPOSER });
}

function readCall(hook: JsonObject): GateCall {
  const agent = readText(hook, 'agent_id');
  return {
    tool: needText(hook, 'tool_name'),
    principal: agent === '' ? 'main' : `agent-${agent}`,
    call_id: needText(hook, 'tool_use_id'),
    input: hook['tool_input'] ?? {},
    proposer: PROPOSER,
  };
}

function needText(hook: JsonObject, key: string): string {
  const text = readText(hook, key);
  if (text === '') throw new TypeError(`expected the text ${key}`);
  return text;
}

function say(permissionDecision: 'allow' | 'deny' | 'ask', permissionDecisionReason: string): HookAnswer {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  };
}
