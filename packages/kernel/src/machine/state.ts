/** The State a hash covers: machine, open requests, artifacts. Source: ledger format, "State hash". */
import { admit, type Admitted } from '../canonical/admit.js';
import { encodeData } from '../canonical/data.js';
import { encodeJson } from '../canonical/encode.js';
import type { PersistentMap } from '../collections/persistent-map.js';
import type { Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';
import { STATE, type State } from '../ledger/payloads.js';
import { parseShape } from '../ledger/shape.js';
import { tokenFault } from '../ledger/values.js';
import { InvariantError } from '../result.js';
import { admitDerived } from './derived.js';
import type { OpenTable } from './request-table.js';

/**
 * The canonical text of a State: of a machine's encoding, an open table and the artifacts so far. Linear in
 * all three; nothing is copied.
 */
export function stateText(machine: Json, open: OpenTable, artifacts: PersistentMap<Digest>): string {
  const encoded = encodeData(machine, (value) => tokenFault(value) === null);
  if ('fault' in encoded) throw new InvariantError('encode', `inadmissible: ${encoded.fault}`);
  const rows = open.sorted().map(([id, row]) => `"${id}":${encodeJson(row)}`);
  const hashes = artifacts.sorted().map(([name, hash]) => `"${name}":"${hash}"`);
  return `{"artifacts":{${hashes.join(',')}},"machine":${encoded.text},"open":{${rows.join(',')}},"t":"state"}`;
}

/** The State itself, owned and frozen: what a snapshot holds. */
export function makeState(machine: Json, open: OpenTable, artifacts: PersistentMap<Digest>): State {
  const state = {
    t: 'state',
    machine: admitDerived(machine, 'encode').value,
    open: Object.fromEntries(open),
    artifacts: Object.fromEntries(artifacts),
  } as const;
  const parsed = parseShape<State>(STATE, kernelValue(state).value);
  if (parsed._tag === 'Left') throw new InvariantError('state', `misshapen at "${parsed.left.path}"`);
  return parsed.right;
}

/** Admits what the kernel itself built. */
export function kernelValue(value: Json): Admitted {
  const admitted = admit(value);
  if (admitted._tag === 'Left')
    throw new InvariantError('kernel', `inadmissible: ${admitted.left.code} at "${admitted.left.path}"`);
  return admitted.right;
}
