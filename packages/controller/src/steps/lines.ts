/**
 * Lines of evidence, read back: `tool: input → output`, each cut at 200 units. Source: 003 §R3 `tool_calls`;
 * controller, `evidenceLine`.
 *
 * @module
 */
import { EVIDENCE_RULES } from '../protocol/evidence.js';
import { CALL_STATUSES, type CallStatus } from '../protocol/tools.js';
import type { Look } from './checks.js';

/**
 * A call as its line shows it. `isWhole`: the output is all there. `bytes`, `digest`: of all of it where the
 * line says them; null where it does not.
 */
export type Seen = {
  readonly tool: string;
  readonly input: string;
  readonly status: CallStatus;
  readonly output: string;
  readonly isWhole: boolean;
  readonly bytes: number | null;
  readonly digest: string | null;
  readonly line: string;
};

const ARROW = ' → ';
const MARK = /… \[([0-9]{1,15}) bytes(?:, sha256 ([0-9a-f]{64}))?\]$/;

/** Reads a line as one of a call that is meant; null where it is another, or none. */
export function seenIn(line: string, { tool, inputs }: Look): Seen | null {
  if (!line.startsWith(`${tool}: `)) return null;
  const rest = line.slice(tool.length + 2);
  const known = inputs.map(shownInput).find((input) => rest.startsWith(`${input}${ARROW}`));
  const end = known?.length ?? (inputs.length === 0 ? endOfInput(rest) : -1);
  if (end < 0) return null;
  const said = rest.slice(end + ARROW.length);
  const status = CALL_STATUSES.find((name) => said.startsWith(`[${name}] `)) ?? 'ok';
  return {
    tool,
    input: rest.slice(0, end),
    status,
    line,
    ...outputIn(status === 'ok' ? said : said.slice(status.length + 3), tool),
  };
}

/** The input as a line shows it. */
function shownInput(input: string): string {
  const cut = input.slice(0, EVIDENCE_RULES.first);
  return input.length > cut.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/**
 * Where an input ends that is not known beforehand: where the bracket closes that it begins with, at the
 * bound where it was cut, else before the first arrow.
 */
function endOfInput(rest: string): number {
  const closed = endOfJson(rest);
  if (closed >= 0 && closed <= EVIDENCE_RULES.first && rest.startsWith(ARROW, closed)) return closed;
  const bounds = [EVIDENCE_RULES.first, EVIDENCE_RULES.first - 1];
  return bounds.find((bound) => rest.startsWith(ARROW, bound)) ?? rest.indexOf(ARROW);
}

function endOfJson(text: string): number {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < Math.min(text.length, EVIDENCE_RULES.first); at += 1) {
    const sign = text.charAt(at);
    if (isText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * A replacement character in what a command gave may stand for bytes that are no text: of such an output a
 * short line says no digest.
 */
function outputIn(said: string, tool: string): Pick<Seen, 'output' | 'isWhole' | 'bytes' | 'digest'> {
  const isExact = tool !== 'shell' || !said.includes('\uFFFD');
  if (said.length <= EVIDENCE_RULES.first)
    return { output: said, isWhole: isExact, bytes: null, digest: null };
  const mark = MARK.exec(said);
  const output = mark === null ? said : said.slice(0, mark.index);
  return { output, isWhole: false, bytes: mark === null ? null : Number(mark[1]), digest: mark?.[2] ?? null };
}
