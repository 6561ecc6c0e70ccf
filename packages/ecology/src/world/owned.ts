/** Who owns what: an index beside the state, made when a state is read and kept by the fold; it is not hashed. */
import { PersistentMap } from '@assay/kernel';
import type { Offer } from '../mechanisms/offers.js';

/** Ids by owner; nobody without artifacts is there. */
export type Owned = PersistentMap<PersistentMap<true>>;

/** The index after an artifact went from one owner to another; null for none. */
export function moveOwned(owned: Owned, id: string, from: string | null, to: string | null): Owned {
  if (from === to) return owned;
  const rest = from === null ? null : owned.get(from)?.delete(id);
  const after = from === null || !rest ? owned : rest.size === 0 ? owned.delete(from) : owned.set(from, rest);
  return to === null ? after : after.set(to, (after.get(to) ?? PersistentMap.empty()).set(id, true));
}

/** Ids of the artifacts that somebody owns, in ascending order. O(n log n) in their number, whatever else there is. */
export function listOwned({ owned }: { readonly owned: Owned }, owner: string): readonly string[] {
  const ids = owned.get(owner);
  return ids === undefined ? [] : ids.sorted().map(([id]) => id);
}

/** True while an offer holds an artifact. */
export function isHeld({ owner }: { readonly owner: string }): boolean {
  return owner.startsWith('offer:');
}

/** Whom contracts see as the owner: of what an offer holds, its maker. */
export function findOwner(
  { offers }: { readonly offers: PersistentMap<Offer> },
  { owner }: { readonly owner: string },
): string {
  return offers.get(owner.replace(/^offer:/, ''))?.maker ?? owner;
}
