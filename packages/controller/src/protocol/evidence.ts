/**
 * Evidence rules, as data and as code: what an executor says is a claim, what its tools left is the ground truth.
 * None of this is asked of a model. Source: 003 §R3 "Skills", §R4a "evidence grounding rule".
 *
 * @module
 */
import { absurd } from '@assay/kernel';
import { cut } from '../memory/tag.js';
import type { Tool, ToolCall, ToolClass } from './tools.js';

/**
 * The rules. `head_tail`: units kept of a tool's output; `first`: units of it shown in a line of evidence; `marker`: most that the
 * mark of what was left out may take; `checks`: commands that only look, so that none of them after a failed action shows that it happened.
 */
export const EVIDENCE_RULES: Readonly<{ head_tail: number; first: number; marker: number; checks: readonly string[] }> = Object.freeze({
  head_tail: 4_000,
  first: 200,
  marker: 64,
  checks: Object.freeze(['ls', 'find', 'stat', 'cat', 'head', 'tail', 'wc', 'du', 'test', 'file', 'grep', 'cut', 'sort', 'uniq', 'tr', 'sha256sum']),
});

/** The greatest length of an output that an executor may hand in. */
export const OUTPUT_MAX: number = EVIDENCE_RULES.head_tail + EVIDENCE_RULES.marker;

/**
 * One call as a line: `tool: input → first 200 units of the output`; where the output is longer, `… [N bytes, sha256 H]` follows:
 * what a line does not show can be compared by it. The digest is left out where the call has none. Source: 003 §R3, `tool_calls`.
 */
export function evidenceLine({ tool, input, output, status, output_bytes, digest }: ToolCall): string {
  const said = status === 'ok' ? '' : `[${status}] `;
  const mark = output.length <= EVIDENCE_RULES.first ? '' : `… [${output_bytes} bytes${digest === null ? '' : `, sha256 ${digest}`}]`;
  return `${tool}: ${cut(input, EVIDENCE_RULES.first)} → ${said}${cut(output, EVIDENCE_RULES.first)}${mark}`;
}

/** What one call of a tool of this class does: acts, only looks, or searches. A command that only looks is no act. */
export type CallKind = 'act' | 'look' | 'search';

/** The kind of a call. A tool that the run does not know acts. */
export function callKind({ tool, input }: Pick<ToolCall, 'tool' | 'input'>, tools: readonly Tool[]): CallKind {
  const known: ToolClass = tools.find(({ name }) => name === tool)?.class ?? 'write';
  switch (known) {
    case 'search':
      return 'search';
    case 'read':
      return 'look';
    case 'write':
    case 'app':
      return 'act';
    case 'shell':
      return commandsIn(input).every((name) => EVIDENCE_RULES.checks.includes(name)) ? 'look' : 'act';
    default:
      return absurd(known);
  }
}

/**
 * The call that a result rests on: the last act; without one the last search, or the last look. Null where no tool was called.
 */
export function primaryCall(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall | null {
  const acts = calls.filter((call) => callKind(call, tools) === 'act');
  return acts.at(-1) ?? calls.at(-1) ?? null;
}

/** Why a claim does not stand: the executor says it completed, and its tools say otherwise. */
export type Contradiction = { readonly code: 'nothing_was_done' | 'primary_call_failed' | 'cut_without_completion'; readonly line: string | null };

/**
 * Holds a claim of completion against the calls. A look after a failed act changes nothing: it is no act. A search that ran and found
 * nothing is an answer, and no contradiction. Null where the claim may stand. Source: 003 §R4a; dec-B8.
 */
export function contradictionOf(calls: readonly ToolCall[], tools: readonly Tool[]): Contradiction | null {
  const primary = primaryCall(calls, tools);
  if (primary === null) return { code: 'nothing_was_done', line: null };
  const line = evidenceLine(primary);
  switch (primary.status) {
    case 'ok':
      return null;
    case 'truncated':
      return callKind(primary, tools) === 'act' ? { code: 'cut_without_completion', line } : null;
    case 'error':
    case 'denied':
    case 'timeout':
    case 'interrupted':
      return { code: 'primary_call_failed', line };
    default:
      return absurd(primary.status);
  }
}

/** True where a call that ended this way ended by no fault of the approach. */
export function isEnvironmental(status: ToolCall['status']): boolean {
  return status === 'timeout' || status === 'interrupted' || status === 'denied';
}

/** The commands of a line, parted by pipes; a redirection, a substitution or a list of commands outside quotes is one that cannot be told: the empty text. */
function commandsIn(line: string): readonly string[] {
  const bare = line.replace(/'[^']*'|"[^"$`]*"|\\./g, 'x');
  return /[;&<>`$()\n]/.test(bare) ? [''] : bare.split('|').map((command) => /^\s*(\S+)/.exec(command)?.[1] ?? '');
}
