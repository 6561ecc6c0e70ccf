/**
 * Evidence rules, as data and as code: what an executor says is a claim, what its tools left is the ground
 * truth. None of this is asked of a model. Source: 003 §R3 "Skills", §R4a "evidence grounding rule".
 *
 * @module
 */
import { absurd } from '@assay/kernel';
import { cut } from '../memory/tag.js';
import type { Tool, ToolCall, ToolClass } from './tools.js';

/**
 * The rules. `head_tail`: units kept of a tool's output; `first`: units of it shown in a line of evidence;
 * `marker`: most that the mark of what was left out may take; `checks`: commands that only look, so that none
 * of them after a failed action shows that it happened; `acting`: how options begin that make one of them
 * act, by command, a single letter also among others (`-uo`); `operands`: the most that one of them may be
 * given, where one more is written to.
 */
export const EVIDENCE_RULES: Readonly<{
  head_tail: number;
  first: number;
  marker: number;
  checks: readonly string[];
  acting: Readonly<Record<string, readonly string[]>>;
  operands: Readonly<Record<string, number>>;
}> = Object.freeze({
  head_tail: 4_000,
  first: 200,
  marker: 64,
  checks: Object.freeze([
    'ls',
    'find',
    'stat',
    'cat',
    'head',
    'tail',
    'wc',
    'du',
    'test',
    'file',
    'grep',
    'cut',
    'sort',
    'uniq',
    'tr',
    'sha256sum',
  ]),
  // Long options can be shortened: `--o` is `--output`, `--co` the `--compress-program` of sort, which runs
  // one, and the `--compile` of file.
  acting: Object.freeze({
    find: Object.freeze(['-delete', '-exec', '-ok', '-fprint', '-fls']),
    sort: Object.freeze(['-o', '--o', '--co']),
    file: Object.freeze(['-C', '--co']),
  }),
  operands: Object.freeze({ uniq: 1 }),
});

/** The greatest length of an output that an executor may hand in. */
export const OUTPUT_MAX: number = EVIDENCE_RULES.head_tail + EVIDENCE_RULES.marker;

/**
 * One call as a line: `tool: input → first 200 units of the output`; where the output is longer,
 * `… [N bytes, sha256 H]` follows: what a line does not show can be compared by it. The digest is left out
 * where the call has none. Source: 003 §R3, `tool_calls`.
 */
export function evidenceLine({ tool, input, output, status, output_bytes, digest }: ToolCall): string {
  const said = status === 'ok' ? '' : `[${status}] `;
  const mark =
    output.length <= EVIDENCE_RULES.first
      ? ''
      : `… [${output_bytes} bytes${digest === null ? '' : `, sha256 ${digest}`}]`;
  return `${tool}: ${cut(input, EVIDENCE_RULES.first)} → ${said}${cut(output, EVIDENCE_RULES.first)}${mark}`;
}

/**
 * What one call of a tool of this class does: acts, only looks, or searches. A command that only looks is no
 * act.
 */
export type CallKind = 'act' | 'look' | 'search';

/** The kind of a call. A tool that the run does not know acts. */
export function callKind(
  { tool, input }: Pick<ToolCall, 'tool' | 'input'>,
  tools: readonly Tool[],
): CallKind {
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
 * The call that a result rests on. Acts alone count where there are any, else every call; of these the first
 * that went wrong and was not done again with success, else the last. Done again is the same tool on the same
 * input, letter by letter: what another tool did, or this one elsewhere, in other words or with another
 * option (`--dry-run`), shows nothing of what failed. Null where no tool was called.
 */
export function primaryCall(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall | null {
  const acts = calls.filter((call) => callKind(call, tools) === 'act');
  const counted = acts.length > 0 ? acts : calls;
  // A look that was cut says what it says; it is no failure, and hides none.
  const stands = (status: ToolCall['status']): boolean =>
    status === 'ok' || (status === 'truncated' && acts.length === 0);
  const failed = counted.find(
    ({ tool, input, status }, index) =>
      !stands(status) &&
      !counted
        .slice(index + 1)
        .some((later) => later.status === 'ok' && later.tool === tool && later.input === input),
  );
  return failed ?? counted.at(-1) ?? null;
}

/** Why a claim does not stand: the executor says it completed, and its tools say otherwise. */
export type Contradiction = {
  readonly code: 'nothing_was_done' | 'primary_call_failed' | 'cut_without_completion';
  readonly line: string | null;
};

/**
 * Holds a claim of completion against the calls. A look after a failed act changes nothing: it is no act. A
 * search that ran and found nothing is an answer, and no contradiction. Null where the claim may stand.
 * Source: 003 §R4a; dec-B8.
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

/**
 * True for a line of which every command, parted by pipes, only looks. A redirection, a substitution, an
 * expansion of braces or a list of commands outside quotes cannot be told, and acts; so does a pattern of
 * file names where one of them could be written to, or be an option that acts. What stands in quotes is read
 * as the words that the command is given.
 */
function onlyLooks(line: string): boolean {
  const bare = line.replace(
    /'([^']*)'|"((?:[^"$`\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, one?: string) =>
      (single ?? double ?? one ?? '').replace(/[\s|;&<>`$(){}\\*?[]/g, 'x'),
  );
  if (/[;&<>`$(){}\n]/.test(bare)) return false;
  return bare.split('|').every((command) => {
    const [name = '', ...words] = command.trim().split(/\s+/);
    return (
      EVIDENCE_RULES.checks.includes(name) &&
      !words.some((word) => isActing(name, word)) &&
      operandsOf(words) <= (EVIDENCE_RULES.operands[name] ?? Infinity)
    );
  });
}

function isActing(name: string, word: string): boolean {
  // A pattern of file names may stand for one that is such an option; after `./`, or after any letter, it
  // stands for none.
  return (EVIDENCE_RULES.acting[name] ?? []).some(
    (option) =>
      word.startsWith(option) ||
      (option.length === 2 && /^-[^-]/.test(word) && word.includes(option.slice(1))) ||
      /^(?:-.*)?[*?[]/.test(word),
  );
}

/**
 * At least as many operands as there are: the value of an option counts as one, a pattern of file names as
 * any number.
 */
function operandsOf(words: readonly string[]): number {
  if (words.some((word) => /[*?[]/.test(word))) return Infinity;
  return words.filter(
    (word, index) => word === '-' || !word.startsWith('-') || words.slice(0, index).includes('--'),
  ).length;
}
