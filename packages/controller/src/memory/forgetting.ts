/**
 * A person's tombstone. What was remembered leaves the state; the ledger keeps that it was there, and who had
 * it removed. Source: dec-M11.
 *
 * @module
 */
import { err, ok, type Rejection, type Result } from '@assay/kernel';
import type { MemoryAnswer } from './answers.js';
import type { Aftermath, MemoryStep } from './asks.js';
import { megramOf, tagOn } from './shelf.js';
import { withdrawDistilling } from './distilling.js';

/**
 * Forgets a tag, or one Megram of it. Error `unknown_target`. A promotion at that tag is withdrawn: its
 * evidence changed.
 */
export function forget(
  step: MemoryStep,
  { at_us, entity, id, space, why }: Extract<MemoryAnswer, { readonly t: 'forget' }>,
): Result<Rejection, Aftermath> {
  const tag = tagOn(step.state.shelf, { space, entity });
  if (tag === null || (id !== null && megramOf(tag, id) === null))
    return err({ code: 'unknown_target', detail: { space, entity, id } });
  const withdrawn = withdrawDistilling(step, tag, 'forgotten');
  step.emit({
    t: 'forgotten',
    space,
    entity,
    id,
    count: id === null ? tag.count + tag.rules.length : 1,
    why,
    at_us,
  });
  return ok({ withdraw: withdrawn });
}
