/**
 * Inputs of steps, with what they are to hold of earlier outputs.
 *
 * @module
 */
import { isArray, isObject, ok, type Json, type Result, type Sha256 } from '@assay/kernel';
import type { StepFault } from './fault.js';
import { derivationIn } from './program.js';
import { derive, type Outputs } from './values.js';

type Filled = Result<StepFault, Json>;

/** An input with its derivations made. Codes: those of {@link derive}. */
export function filledIn(value: Json, outputs: Outputs, sha256: Sha256): Filled {
  const derivation = derivationIn(value);
  if (derivation !== null) return derive(derivation, outputs, sha256);
  if (isArray(value)) return filledList(value, outputs, sha256);
  if (!isObject(value)) return ok(value);
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const filled = filledIn(item, outputs, sha256);
    if (filled._tag === 'Left') return filled;
    entries.push([key, filled.right]);
  }
  return ok(Object.fromEntries(entries));
}

function filledList(items: readonly Json[], outputs: Outputs, sha256: Sha256): Filled {
  const list: Json[] = [];
  for (const item of items) {
    const spread =
      isObject(item) && Object.keys(item).length === 1 && Object.hasOwn(item, 'spread')
        ? derivationIn(item['spread'] ?? null)
        : null;
    const filled = spread === null ? filledIn(item, outputs, sha256) : derive(spread, outputs, sha256);
    if (filled._tag === 'Left') return filled;
    list.push(...(spread !== null && isArray(filled.right) ? filled.right : [filled.right]));
  }
  return ok(list);
}
