/**
 * What an executor reads of its sub-task. Source: calls/C4.
 *
 * @module
 */
import { admit, field, isObject, orThrow } from '@assay/kernel';
import { callsIn, type EvidenceItem, type SubTaskEvidence } from './evidence.js';
import { callText, headTail, SHORT_UNITS, WHOLE_UNITS } from './shown.js';

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
    ['YOUR LAST ANSWERS WERE REFUSED', turned_away.map(({ code, detail }) => `${code} ${textOf(detail)}`)],
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

function textOf(detail: Parameters<typeof admit>[0]): string {
  return orThrow(admit(detail)).text;
}
