/**
 * What a call leaves behind: the ground truth that a validator reads, and how much of its output a role sees.
 * Source: 003 §R3, §R4a (evidence grounding rule).
 */
import type { Digest } from '@assay/kernel';
import type { ToolClass } from './catalogue.js';
import type { ToolCode } from './refusal.js';

/**
 * How a call ended. `ok`: done, and the output is whole. `error`: tried, and the machine said no. `denied`:
 * not tried. `timeout`: stopped at a bound of time. `interrupted`: stopped by the caller. `truncated`: a
 * bound was reached, and the output is a part of what there is. A whole output that is only shown as head and
 * tail is `ok`.
 */
export type ToolStatus = 'ok' | 'error' | 'denied' | 'timeout' | 'interrupted' | 'truncated';

/**
 * One call as evidence. Two calls are the same when `tool`, `input` and `output` are; `digest` also compares
 * what is not shown.
 */
export type ToolCall = {
  /** The name that was asked for, known or not. */
  readonly tool: string;
  /**
   * The input as it was understood, said in one way: a path, a pattern or a line as such, otherwise canonical
   * JSON. It can be called again. Of a call that was not understood: as it came. At most 4,000 characters: a
   * longer text is cut to head and tail and ends in its SHA-256.
   */
  readonly input: string;
  /**
   * What the call is about, as it was found while it acted: the path of a file without links, as it is
   * spelled there (as one line; several as a canonical list); otherwise the input. Above 200 code units it is
   * cut there and ends in its SHA-256. Source: calls/C3.
   */
  readonly target: string;
  /**
   * Head and tail of the output, at most 4,000 characters; of a call that is not `ok`, what came before and
   * why it ended.
   */
  readonly output: string;
  readonly status: ToolStatus;
  /** Null when `ok`. */
  readonly code: ToolCode | null;
  /**
   * Of a `truncated` call: the limit with its number, or what could not be looked into; else null. Of a call
   * that is not `ok` otherwise, the output says why.
   */
  readonly why: string | null;
  /** Size of the whole output in bytes, of which less may be kept; where it was not read to its end, at least. */
  readonly output_bytes: number;
  /**
   * SHA-256 of the whole output; null where it was not read to its end. Of `read_file` of a text file: that
   * of the file.
   */
  readonly digest: Digest | null;
  /** Null for a tool that does not exist. */
  readonly class: ToolClass | null;
  /**
   * True when what the call did, or would have done, cannot be undone: it replaces or removes what was there.
   * Source: 003 §9 Law 1.
   */
  readonly irreversible: boolean;
  /**
   * SHA-256 of the file that a held call would lose or add to, or that a call lost which was confirmed with
   * it; else null. Source: calls/C8.
   */
  readonly loses: Digest | null;
};

/**
 * Characters (UTF-16 code units) that are left of a long text, the line that says so included. Source: 003
 * §R3.
 */
export const OUTPUT_CHARACTERS = 4_000;

/**
 * The text itself where it has at most `most` characters; otherwise its beginning, a line that counts what
 * was left out, and its end, together at most `most`. Head and tail are equally long up to one character; a
 * surrogate pair is never split. `most` is at least 100. Source: 003 §R3.
 */
export function headTail(text: string, most: number = OUTPUT_CHARACTERS): string {
  if (text.length <= most) return text;
  // The mark is longest where everything is left out, so the room it needs is known before the parts are cut.
  const room = most - renderMark(text.length).length;
  const headEnd = backOffPair(text, Math.ceil(room / 2));
  const tailStart = forwardOffPair(text, text.length - Math.floor(room / 2));
  return `${text.slice(0, headEnd)}${renderMark(tailStart - headEnd)}${text.slice(tailStart)}`;
}

function renderMark(count: number): string {
  return `\n[… ${count} characters left out …]\n`;
}

function backOffPair(text: string, at: number): number {
  return isPairAt(text, at) ? at - 1 : at;
}

function forwardOffPair(text: string, at: number): number {
  return isPairAt(text, at) ? at + 1 : at;
}

/** True when a cut before `at` would split a surrogate pair. */
function isPairAt(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}
