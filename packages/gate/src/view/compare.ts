/**
 * The calls of a run beside the same calls under another policy: which would be refused, asked or performed now.
 * Source: gate/G20.
 *
 * @module
 */
import type { DerivedRecord, EvidenceRecord, Json } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { Compared } from '@assay/kernel/view';
import type { DecidedEvent, GateEvent } from '../machine/events.js';
import { isWhole } from '../machine/tokens.js';
import { readPolicy } from '../policy/policy.js';
import { renderInput } from './fold.js';
import { renderReason } from './panels.js';

/** What may become of a call, in the order in which it is told. */
const KINDS = ['would now be refused', 'asked', 'newly performed', 'cannot be judged'] as const;
type Kind = (typeof KINDS)[number];

const NOTE =
  'Decided on the calls as they were recorded; what the model would have done after a refusal is not known.';
const WATCHES =
  'This policy only watches (mode observe) and refuses nothing: add --set policy.mode=enforce to count refusals.';

/** A call in the order of the answers. `event`: null where it was not taken up; `isStopped`: what else kept it back. */
type Call = {
  readonly tool: string;
  readonly input: Json;
  event: DecidedEvent | null;
  isApproved: boolean;
  isStopped: boolean;
};

/**
 * Compares call by call. A call whose input the record does not hold, where a rule needed it, and one that is not taken
 * up any more cannot be judged. Linear.
 */
export function compareCalls(was: readonly EvidenceRecord[], would: readonly EvidenceRecord[]): Compared {
  const [before, after] = [listCalls(was), listCalls(would)];
  const reasons = listReasons(would);
  const counts = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));
  const groups = new Map<string, Compared['groups'][number]>();
  let total = 0;
  for (const [index, call] of before.entries()) {
    if (call.event === null) continue;
    total += 1;
    const now = after[index];
    const kind = classify(call.event, call, now);
    if (kind === null) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const why = renderWhy(kind, now?.event ?? null, reasons);
    const key = [kind, call.tool, why].join('\n');
    const known = groups.get(key);
    const example = known?.example ?? { at: call.event.n, text: `${call.tool} ${renderInput(call.input)}` };
    groups.set(key, { kind, what: call.tool, why, count: (known?.count ?? 0) + 1, example });
  }
  return {
    ...{ unit: 'call', run: 'session', total },
    counts: KINDS.map((kind) => ({ kind, count: counts.get(kind) ?? 0 })),
    groups: [...groups.values()],
    note: isObserving(would) ? `${WATCHES} ${NOTE}` : NOTE,
  };
}

function isObserving([genesis]: readonly EvidenceRecord[]): boolean {
  return readText(readField(genesis?.payload ?? null, 'policy'), 'mode') === 'observe';
}

/** What becomes of a call; null where it is as before. */
function classify(was: DecidedEvent, call: Call, now: Call | undefined): Kind | null {
  const event = now?.event ?? null;
  if (event === null) return was.t === 'denied' ? null : 'cannot be judged';
  if (event.why === 'unjudged' && (call.input === null || !isWhole(call.input))) return 'cannot be judged';
  if (event.t === was.t) return null;
  const isPerformed = was.t === 'asked' ? call.isApproved : was.t !== 'denied' && !call.isStopped;
  switch (event.t) {
    case 'denied':
      return isPerformed || (was.t === 'asked' && !call.isStopped) ? 'would now be refused' : null;
    case 'asked':
      return 'asked';
    default:
      return isPerformed ? null : 'newly performed';
  }
}

/** The calls of a run, in the order in which they were brought. */
function listCalls(records: readonly EvidenceRecord[]): readonly Call[] {
  const calls: Call[] = [];
  const numbered = new Map<number, Call>();
  const invitations = new Set<string>();
  for (const record of records as readonly DerivedRecord[]) {
    if (record.kind === 'genesis')
      for (const { request } of Object.values(record.payload.base?.snapshot?.open ?? {}))
        if (request.kind === 'call') invitations.add(request.id);
    if (record.kind === 'proposal' && invitations.has(record.payload.request_id)) {
      const { value } = record.payload;
      const call = { tool: readText(value, 'tool'), input: readField(value, 'input') };
      calls.push({ ...call, event: null, isApproved: false, isStopped: false });
    }
    if (record.kind !== 'decision') continue;
    for (const { kind, id } of record.payload.requests) if (kind === 'call') invitations.add(id);
    for (const event of record.payload.events as unknown as readonly GateEvent[])
      take(event, calls, numbered);
  }
  return calls;
}

function take(event: GateEvent, calls: readonly Call[], numbered: Map<number, Call>): void {
  const known = 'n' in event ? numbered.get(event.n) : undefined;
  switch (event.t) {
    case 'allowed':
    case 'asked':
    case 'denied':
    case 'watched': {
      const last = calls.at(-1);
      if (last === undefined) return;
      last.event = event;
      numbered.set(event.n, last);
      return;
    }
    case 'approved':
      if (known !== undefined) known.isApproved = true;
      return;
    case 'declined':
      if (known !== undefined) known.isStopped = true;
      return;
    case 'settled':
      if (known !== undefined && event.why === 'denied') known.isStopped = true;
      return;
    default:
      return;
  }
}

/** The reasons that the policy of a run gives, by the id of the rule. */
function listReasons([genesis]: readonly EvidenceRecord[]): ReadonlyMap<string, string> {
  const read = readPolicy(readField(genesis?.payload ?? null, 'policy'));
  return new Map(read._tag === 'Left' ? [] : read.right.rules.map(({ id, reason }) => [id, reason]));
}

function renderWhy(kind: Kind, event: DecidedEvent | null, reasons: ReadonlyMap<string, string>): string {
  if (event === null) return 'it is not taken up';
  if (kind === 'cannot be judged')
    return `its input is not recorded; needed by ${event.rules[0] ?? 'a rule'}`;
  const words = renderReason(event).map((piece) => (typeof piece === 'string' ? piece : piece.said));
  const reason = reasons.get(event.rules[0] ?? '') ?? '';
  return reason === '' ? words.join('') : `${words.join('')} (${reason})`;
}
