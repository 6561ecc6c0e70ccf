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
 * mark of what was left out may take; `checks`: commands that only look, so that none of them after a failed action shows that it happened;
 * `acting`: how options begin that make one of them act.
 */
export const EVIDENCE_RULES: Readonly<{ head_tail: number; first: number; marker: number; checks: readonly string[]; acting: readonly string[] }> = Object.freeze({
  head_tail: 4_000,
  first: 200,
  marker: 64,
  checks: Object.freeze(['ls', 'find', 'stat', 'cat', 'head', 'tail', 'wc', 'du', 'test', 'file', 'grep', 'cut', 'sort', 'uniq', 'tr', 'sha256sum']),
  acting: Object.freeze(['-delete', '-exec', '-ok', '-fprint', '-fls', '-o', '--output']),
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
      return onlyLooks(input) ? 'look' : 'act';
    default:
      return absurd(known);
  }
}

/**
 * The call that a result rests on. Acts alone count where there are any, else every call; of these the first that went wrong and was not done again with
 * success by the same means (the tool, and in a shell its first command), else the last. So nothing that is called after a failed act can stand for it,
 * however it is written. Null where no tool was called.
 */
export function primaryCall(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall | null {
  const acts = calls.filter((call) => callKind(call, tools) === 'act');
  const counted = acts.length > 0 ? acts : calls;
  const failed = counted.find((call, index) => call.status !== 'ok' && !counted.slice(index + 1).some((later) => later.status === 'ok' && meansOf(later, tools) === meansOf(call, tools)));
  return failed ?? counted.at(-1) ?? null;
}

/** By what a call was made. */
function meansOf({ tool, input }: ToolCall, tools: readonly Tool[]): string {
  const isShell = tools.some(({ name, class: of }) => name === tool && of === 'shell');
  return isShell ? `${tool} ${/^\s*(\S+)/.exec(input)?.[1] ?? ''}` : tool;
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

/** True for a line of which every command, parted by pipes, only looks. A redirection, a substitution or a list of commands outside quotes cannot be told, and acts. */
function onlyLooks(line: string): boolean {
  const bare = line.replace(/'[^']*'|"[^"$`]*"|\\./g, 'x');
  if (/[;&<>`$()\n]/.test(bare)) return false;
  return bare.split('|').every((command) => {
    const [name = '', ...words] = command.trim().split(/\s+/);
    return EVIDENCE_RULES.checks.includes(name) && !words.some((word) => EVIDENCE_RULES.acting.some((option) => word.startsWith(option)));
  });
}
