/**
 * Looking up what an action names. Source: specs/ecology.md B7, B8.
 *
 * @module
 */
import type { Permission } from './permit.js';
import type { Draft } from '../world/draft.js';
import { refused, type Outcome } from '../world/outcome.js';
import { isLive, type Artifact } from '../world/state.js';

/** The artifact of an id, or why it cannot be acted on; when it was deleted is told for a while. */
export function find({ state, config }: Draft, id: string): Artifact | Outcome {
  const thing = state.things.get(id);
  if (thing === undefined) return refused('NOT_FOUND', 'there is no such artifact');
  if (isLive(thing)) return thing;
  const isTold = state.now_us < thing.deleted_us + config.store.tombstone_us;
  const details = isTold ? { deleted_us: thing.deleted_us } : {};
  return refused('DELETED', 'the artifact was deleted', details);
}

/** A permission as an outcome; null where it is given. */
export function refusalOf(permission: Permission): Outcome | null {
  if (permission === null) return null;
  return 'need' in permission
    ? { t: 'need', need: permission.need }
    : { t: 'no', refusal: permission.refusal };
}
