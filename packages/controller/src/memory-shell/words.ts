/**
 * The words of a memory's new rules without a model: what most of the evidence says.
 *
 * @module
 */
import { ok, openRequests, type Result } from '@assay/kernel';
import { DISTIL_KIND, type DistilBody } from '../memory/index.js';
import type { Port, Store } from '@assay/host';
import type { TellError } from '@assay/host/shared-run';
import { tell, type Told } from './stored-memory.js';

/**
 * The name under which such words are proposed. The number rises whenever the same evidence could give
 * others.
 */
const DISTIL_PROPOSER = 'distil-rules@1';

/**
 * One sentence: which way, about what, what was done most often, and in how many of the records. Records of
 * the same tools in the same order are one way, whatever their inputs. Source: calls/C11.
 */
function distilByRules({ entity, evidence, polarity, space }: DistilBody): string {
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

/** Those words as the port of such a request. */
export const distilPort: Port = {
  source: 'rule',
  proposer: DISTIL_PROPOSER,
  perform: ({ body }) => Promise.resolve({ value: { text: distilByRules(body as DistilBody) } }),
};
