/**
 * Calls as text, for a model that reads them.
 *
 * @module
 */
import { admit, cutText, orThrow, type Json } from '@assay/kernel';
import type { EvidenceCall } from './evidence.js';

/** Units of one output that are shown, head and tail together. Source: 003 §R3 (`headTail(result, 4000)`). */
export const WHOLE_UNITS = 4_000;
/** Units of an output that is only mentioned. */
export const SHORT_UNITS = 600;
/** Units of one input. */
const INPUT_UNITS = 2_000;

/** A text, or its head and tail with a line between them that counts what was left out. */
export function headTail(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = cutText(text, half);
  const from = text.length - half;
  const tail = text.slice(/^[\uDC00-\uDFFF]/.test(text.slice(from, from + 1)) ? from + 1 : from);
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** A call with its input and at most so much of its output. */
export function callText(call: EvidenceCall, most: number): string {
  const { n, tool, input, output, output_bytes, status, code, why } = call;
  const ended = [status, ...(code === null ? [] : [code]), ...(why === null ? [] : [why])].join(' ');
  const said = output === '' ? '' : `\n${headTail(output, most)}`;
  return `#${n} ${tool} ${headTail(inputText(input), INPUT_UNITS)} → ${ended}, ${output_bytes} bytes${said}`;
}

/** A call in one line: `#n tool: input → first 200 units of the output`. Source: 003 §R3, `tool_calls`. */
export function callLine({ n, tool, input, output, output_bytes, status }: EvidenceCall): string {
  const ended = status === 'ok' ? '' : `[${status}] `;
  const first = cutText(output, LINE_UNITS);
  const more = first.length < output.length ? `… [${output_bytes} bytes]` : '';
  return `#${n} ${tool}: ${cutText(inputText(input), LINE_UNITS)} → ${ended}${oneLine(first)}${more}`;
}

const LINE_UNITS = 200;

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function inputText(input: Json): string {
  return orThrow(admit(input)).text;
}
