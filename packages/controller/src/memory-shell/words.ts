/**
 * The words of a memory's new rules: without a model, what most of the evidence says; or asked of a model, by
 * the host as every request is.
 *
 * @module
 */
import { err, headOf, ok, openRequests, type EvidenceRecord, type Head, type Result } from '@assay/kernel';
import { DISTIL_KIND, memory, type DistilBody, type MemoryEvent } from '../memory/index.js';
import { drive, type DriveError, type DriveOptions, type Port, type Store } from '@assay/host';
import { eventsIn, patiently, type TellError } from '@assay/host/shared-run';
import { tell, type Told } from './stored-memory.js';

/**
 * The name under which such words are proposed. The number rises whenever the same evidence could give
 * others.
 */
export const DISTIL_PROPOSER = 'distil-rules@1';

/**
 * One sentence: which way, about what, what was done most often, and in how many of the records. Records of
 * the same tools in the same order are one way, whatever their inputs. Source: calls/C11.
 */
export function distilByRules({ entity, evidence, polarity, space }: DistilBody): string {
  const ways = new Map<string, number>();
  for (const { content, count } of evidence)
    ways.set(wayIn(content), (ways.get(wayIn(content)) ?? 0) + count);
  const [first, ...others] = [...ways];
  const [way, count] = others.reduce((best, next) => (next[1] > best[1] ? next : best), first ?? ['', 0]);
  const total = evidence.reduce((sum, one) => sum + one.count, 0);
  const about = entity === 'env:local' ? space : `${space} ${entity}`;
  const said = way.trim() === '' ? '' : `: ${way.slice(0, SAID_MAX)}`;
  return `${polarity === 'constraint' ? 'Avoid' : 'Prefer'} ${about}${said}, ${count} of ${total}.`;
}

/** The tools of a record that tells how a task was done, without inputs and rounds; of another its text. */
function wayIn(content: string): string {
  const end = content.search(/; rounds: \d/);
  return end < 0 ? content : content.slice(0, end).replaceAll(/\([^()]*\)/g, '');
}

const SAID_MAX = 500;

/** Words every rule that a memory asks words for, by `distilByRules`. Codes: {@link TellError}. */
export async function wordByRules(store: Store, runId: string, told: Told): Promise<Result<TellError, Told>> {
  let last = told;
  for (;;) {
    const asked = openRequests(last.run).find(({ kind }) => kind === DISTIL_KIND);
    if (asked === undefined) return ok(last);
    const next = await tell(store, runId, () => ({
      kind: 'distil',
      request: asked.id,
      source: 'rule',
      proposer: DISTIL_PROPOSER,
      value: { text: distilByRules(asked.body as DistilBody) },
    }));
    if (next._tag === 'Left') return next;
    last = { ...next.right, events: [...last.events, ...next.right.events] };
  }
}

/** What came of it: the new records, the events of every answer, and where the ledger ends. */
export type Worded = {
  readonly records: readonly EvidenceRecord[];
  readonly events: readonly MemoryEvent[];
  readonly head: Head;
};

/**
 * Has a port word every rule that a stored memory asks words for; of its standing invitations nobody is
 * asked. A memory that another process holds is waited for before the port is asked. Codes: those of the host.
 */
export async function wordByPort(
  runId: string,
  port: Port,
  options: Omit<DriveOptions, 'ports' | 'invitationAttempts' | 'onEvent'>,
): Promise<Result<DriveError, Worded>> {
  const claimed = await patiently(async () => {
    const head = await options.store.head(runId);
    return head._tag === 'Left' || head.right === null ? head : options.store.append(runId, head.right, []);
  });
  if (claimed._tag === 'Left') return err({ code: 'store', error: claimed.left });
  const records: EvidenceRecord[] = [];
  const driven = await drive(memory, runId, {
    ...options,
    ports: ({ kind }) => (kind === DISTIL_KIND ? port : null),
    invitationAttempts: 0,
    onEvent: (event) => {
      if (event.type === 'append') records.push(...event.records);
    },
  });
  return driven._tag === 'Left'
    ? driven
    : ok({ records, events: eventsIn(records) as readonly MemoryEvent[], head: headOf(driven.right.run) });
}
