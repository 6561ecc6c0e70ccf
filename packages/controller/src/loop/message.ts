/**
 * A message with its route. Source: dec-B1, dec-B2.
 *
 * @module
 */
import { InvariantError } from '@assay/kernel';
import { isRouted, type Party } from '../protocol/roles.js';
import type { MessageOf, Messages } from './events.js';

/**
 * A message from one party to another. A defect where the routing table has no such route: no rule of this
 * machine may speak past it.
 */
export function message<K extends keyof Messages>(
  from: Party,
  to: Party,
  kind: K,
  body: Messages[K],
): MessageOf<K> {
  if (!isRouted(from, to, kind))
    throw new InvariantError('controller/route', `${from} to ${to}: ${kind} has no route`);
  return { t: 'message', from, to, kind, body };
}
