/**
 * Messages held against the routing table. The ledger is the bus, so a message that passes it by cannot be
 * seen; one that stands in it and has no route can. Source: 003 §R6, §7; dec-B1, dec-B2, dec-B6; law-G12,
 * law-M6.
 *
 * @module
 */
import { isRouted } from '../protocol/roles.js';
import { shown } from './reading.js';
import { boundary, type Seen } from './window.js';

/** Route of a message as a ledger has it: any texts. */
export type RouteSeen = { readonly from: string; readonly to: string; readonly kind: string };

/**
 * Judges the route of a message; of several faults the first in this order: no names, R6 speaks, not from R7,
 * no route.
 */
export function checkRoute(seen: Seen, { from, to, kind }: RouteSeen): Seen {
  const route = `${shown(from)} to ${shown(to)}: ${shown(kind)}`;
  if (from === '' || to === '' || kind === '')
    return boundary(seen, 'malformed_message', 'a message names no sender, no receiver or no kind');
  if (from === 'R6')
    return boundary(
      seen,
      'auditor_speaks',
      `${route}; the auditor speaks to the operator alone, and in no run`,
    );
  if ((kind === 'FinalResult' || kind === 'Megram') && from !== 'R7')
    return boundary(seen, 'not_from_r7', `${route}; only R7 sends it`);
  return isRouted(from, to, kind)
    ? seen
    : boundary(seen, 'unrouted_message', `${route}; there is no such route`);
}
