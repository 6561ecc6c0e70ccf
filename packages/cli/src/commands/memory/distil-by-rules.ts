/**
 * The words of a rule without a model: what most of its evidence says.
 *
 * @module
 */
import type { DistilBody } from '@assay/controller/memory';

/**
 * The name under which such words are proposed. The number rises whenever the same evidence could give
 * others.
 */
export const DISTIL_PROPOSER = 'distil-rules@1';

/**
 * One sentence: which way, about what, the most frequent text of the evidence and how often it stands there.
 */
export function distilByRules({ entity, evidence, polarity, space }: DistilBody): string {
  const [first, ...others] = evidence;
  const most = others.reduce((best, next) => (next.count > (best?.count ?? 0) ? next : best), first);
  const total = evidence.reduce((sum, { count }) => sum + count, 0);
  const about = entity === 'env:local' ? space : `${space} ${entity}`;
  const said = most === undefined || most.content.trim() === '' ? '' : `: ${most.content.slice(0, SAID_MAX)}`;
  return (
    `${polarity === 'constraint' ? 'Avoid' : 'Prefer'} ${about}${said} (${most?.count ?? 0} ` +
    `of ${total} records say so).`
  );
}

const SAID_MAX = 500;
