/** What an executor and a judge read of a sub-task: its calls as text. Source: calls/C4, calls/C6. */
import { admit, field, isObject, orThrow, cutText, type Json } from '@assay/kernel';
import { callsIn, type EvidenceItem, type SubTaskEvidence, type EvidenceCall } from './evidence.js';

/** Units of outputs that are shown whole, and then of those that are shortened. */
const WHOLE_IN_ALL = 48_000;
const SHORT_IN_ALL = 12_000;

/**
 * The sub-task as text: what is to be done, what earlier groups brought, every call with its input and
 * output, corrections, why the last answers were turned away, and the calls that are left. Outputs are shown
 * from the newest on: 4,000 units each until 48,000 in all, then 600 each until 12,000, then none; what is
 * left out is said. A call that was turned away as repeated is shown whole.
 */
export function transcript(of: SubTaskEvidence): string {
  const { subtask, must_not, prior, turned_away } = of;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['TASK', [subtask.intent]],
    ['CONTEXT', subtask.context === '' ? [] : [subtask.context]],
    ['CRITERIA', subtask.criteria.map(({ id, text }) => `${id} ${text}`)],
    ['MUST NOT USE', [...must_not.tools, ...must_not.targets.map(({ tool, target }) => `${tool} ${target}`)]],
    ['EARLIER RESULTS', prior.map(({ intent, output }) => `${intent}\n${headTail(output, WHOLE_UNITS)}`)],
    ['UNTIL NOW', happened(of)],
    ['YOUR LAST ANSWERS WERE REFUSED', turned_away.map(({ code, detail }) => `${code} ${writeText(detail)}`)],
    ['CALLS LEFT', [String(of.allowed - callsIn(of).length)]],
  ];
  return sections
    .flatMap(([title, lines]) => (lines.length === 0 ? [] : [`${title}\n${lines.join('\n\n')}`]))
    .join('\n\n');
}

function happened(of: SubTaskEvidence): readonly string[] {
  const repeated = new Set(
    of.turned_away.flatMap(({ code, detail }) =>
      code === 'repeated_call' && isObject(detail) ? (field(detail, 'n') ?? null) : [],
    ),
  );
  const lines: string[] = [];
  let [whole, short, left_out] = [WHOLE_IN_ALL, SHORT_IN_ALL, 0];
  for (const item of of.items.toReversed()) {
    if (item.t !== 'call') {
      lines.push(otherText(item));
      continue;
    }
    const full = callText(item, WHOLE_UNITS);
    const isWhole = full.length <= whole || repeated.has(item.n);
    const text = isWhole ? full : callText(item, SHORT_UNITS);
    if (isWhole) whole -= full.length;
    else {
      whole = 0;
      short -= text.length;
    }
    if (short < 0) left_out += 1;
    else lines.push(text);
  }
  if (left_out > 0) lines.push(`(${left_out} earlier calls are left out)`);
  return lines.toReversed();
}

function otherText(item: Exclude<EvidenceItem, { readonly t: 'call' }>): string {
  return item.t === 'claim'
    ? `you said it is done, resting on ${numbers(item.rests_on)}: ${headTail(item.output, SHORT_UNITS)}`
    : `the validator (${numbers(item.calls)}): ${item.what_was_wrong}. To do: ${item.what_to_do}`;
}

function numbers(calls: readonly number[]): string {
  return calls.length === 0 ? 'no call' : calls.map((n) => `#${n}`).join(' ');
}

function writeText(detail: Parameters<typeof admit>[0]): string {
  return orThrow(admit(detail)).text;
}

/** Units of one output that are shown, head and tail together. Source: 003 §R3 (`headTail(result, 4000)`). */
const WHOLE_UNITS = 4_000;
/** Units of an output that is only mentioned. */
const SHORT_UNITS = 600;
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
function callText(call: EvidenceCall, most: number): string {
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

/** Units of calls that are shown with their outputs. */
const IN_ALL = 12_000;

/**
 * The calls of a sub-task as text: those that the last claim rests on with their outputs, 4,000 units each
 * and 12,000 in all, then the newest of the others as long as there is room; every other in one line. In the
 * order in which they were made.
 */
export function judged(of: SubTaskEvidence): string {
  const calls = callsIn(of);
  const claim = of.items.findLast((item) => item.t === 'claim');
  const rests_on = new Set(claim?.t === 'claim' ? claim.rests_on : []);
  const first = [
    ...calls.filter(({ n }) => rests_on.has(n)),
    ...calls.filter(({ n }) => !rests_on.has(n)).toReversed(),
  ];
  const shown = new Map<number, string>();
  let left = IN_ALL;
  for (const call of first) {
    const text = callText(call, WHOLE_UNITS);
    if (text.length > left) continue;
    shown.set(call.n, text);
    left -= text.length;
  }
  return calls.map((call) => shown.get(call.n) ?? callLine(call)).join('\n\n');
}
