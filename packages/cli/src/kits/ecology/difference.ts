/** Where a world and its what-if part, in a sentence: whose action ends otherwise, which auction, or who pays what. */
import type { EcologyEvent } from '@assay/ecology';
import { describeRefusal, followActions, formatScrip, type Followed } from '@assay/ecology/view';
import { runView, type DerivedRecord, type EvidenceRecord } from '@assay/kernel';
import { actionText } from './event-lines.js';

const NOTE = 'minds were not asked again: agents do what they did, and only the consequences differ';

/** The first difference, at a record of each; null where it can be said in no sentence. */
export function describeFork(
  run: readonly EvidenceRecord[],
  fork: readonly EvidenceRecord[],
  { was, would_be }: { readonly was: number | null; readonly would_be: number | null },
): { readonly sentence: string | null; readonly note: string } {
  const [before, after] = [followTo(run, was), followTo(fork, would_be)];
  const said = before === null || after === null ? null : nameDifference(before, after);
  return { sentence: said === null ? null : `difference: record ${was}, ${said}`, note: NOTE };
}

function followTo(records: readonly EvidenceRecord[], position: number | null): Followed | null {
  const read = runView(records);
  if (read._tag === 'Left' || position === null) return null;
  const rest = records.slice(1, position + 1);
  // What is erased cannot be followed.
  if (rest.some(({ payload }) => payload === undefined)) return null;
  return followActions(read.right.genesis, rest as unknown as readonly DerivedRecord[]);
}

function nameDifference(before: Followed, after: Followed): string | null {
  const [was, would] = [listEnds(before), listEnds(after)];
  for (const [at, [agent, end, action]] of was.entries()) {
    const other = would[at];
    if (other === undefined || (other[0] === agent && other[1] === end)) continue;
    return `${other[0]}: ${actionText(other[2] ?? action)}: ${other[1]} instead of ${end}`;
  }
  const [auction, instead] = [before, after].map(({ events }) => events.find(({ t }) => t === 'resolved'));
  if (auction?.t === 'resolved' && instead?.t === 'resolved') {
    const [one, two] = [nameAuction(auction), nameAuction(instead)];
    if (one !== two) return `auction ${instead.n} is ${two}, instead of ${one}`;
  }
  const at = before.moved.findIndex((one, k) => JSON.stringify(one) !== JSON.stringify(after.moved[k]));
  const [old, young] = [before.moved[at], at < 0 ? after.moved[before.moved.length] : after.moved[at]];
  if (young === undefined) return old === undefined ? null : `no longer ${nameMove(old)}`;
  return `${nameMove(young)}${old === undefined ? '' : `, instead of ${nameMove(old)}`}`;
}

/** How each action ended. */
function listEnds({
  events,
  actions,
}: Followed): readonly (readonly [agent: string, end: string, action: Followed['actions'][number]])[] {
  const ends = events.flatMap((event) =>
    event.t === 'did' || event.t === 'no' || event.t === 'waits' ? [event] : [],
  );
  return ends.map((event, at) => [event.a, nameEnd(event), actions[at] ?? null]);
}

function nameEnd(event: Extract<EcologyEvent, { readonly t: 'did' | 'no' | 'waits' }>): string {
  if (event.t === 'no') return `refused (${describeRefusal(event.m, event.d)})`;
  return event.t === 'did' ? 'done' : 'waiting';
}

function nameAuction({ v }: Extract<EcologyEvent, { readonly t: 'resolved' }>): string {
  const won = v.winners.map(({ principal }) => principal).join(', ');
  return won === '' ? 'won by no one' : `won by ${won} at ${formatScrip(v.price)} scrip`;
}

function nameMove({ from, to, resource, amount, why }: Followed['moved'][number]): string {
  const sum = resource === 'scrip' ? `${formatScrip(amount)} scrip` : `${amount} ${resource}`;
  return `${sum} from ${from ?? 'the mint'} to ${to} (${why})`;
}
