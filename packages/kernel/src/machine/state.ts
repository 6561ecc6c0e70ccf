/**
 * The State a hash covers: machine, open requests, artifacts. Source: ledger format, "State hash".
 *
 * @module
 */
import type { Admitted } from '../canonical/admit.js';
import { admit } from '../canonical/admit.js';
import { composeObject, composeScalar, type Part } from '../canonical/compose.js';
import type { PersistentMap } from '../collections/persistent-map.js';
import type { Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';
import { InvariantError } from '../result.js';
import { admitDerived } from './derived.js';
import type { OpenTable } from './request-table.js';

/** The admitted State of a machine's encoding, an open table and the artifacts so far. Linear in all three. */
export function stateOf(machine: Json, open: OpenTable, artifacts: PersistentMap<Digest>): Admitted {
  return composeObject([
    ['artifacts', composeTable(artifacts, (hash) => composeScalar(hash))],
    ['machine', admitDerived(machine, 'encode')],
    ['open', composeTable(open, kernelValue)],
    ['t', composeScalar('state')],
  ]);
}

function composeTable<V>(map: PersistentMap<V>, toAdmitted: (value: V) => Admitted): Admitted {
  return composeObject(map.sorted().map(([key, value]): Part => [key, toAdmitted(value)]));
}

/** Admits what the kernel itself built. */
export function kernelValue(value: Json): Admitted {
  const admitted = admit(value);
  if (admitted._tag === 'Left') throw new InvariantError('kernel', `inadmissible: ${admitted.left.code} at "${admitted.left.path}"`);
  return admitted.right;
}
