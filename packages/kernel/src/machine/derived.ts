/**
 * Admission of what a machine hands out: its faults are defects, its size may be a limit.
 * Source: ledger format, "Numbers and keys", "Limits shrink inwards".
 */
import { admit, type Admitted } from '../canonical/admit.js';
import { hashText, type Sha256 } from '../hash/sha256.js';
import type { Json } from '../json.js';
import { isName, isReservedCode } from '../ledger/names.js';
import { isIntegral, locateTokenFault } from '../ledger/values.js';
import { InvariantError } from '../result.js';
import { Meter } from './meter.js';
import type { Context, Rejection } from './types.js';

/**
 * Admits a machine's free value: JSON, integers only, tokens well formed. Anything else is a defect with this
 * label.
 */
export function admitDerived(value: unknown, label: string): Admitted {
  const admitted = admit(value);
  if (admitted._tag === 'Left')
    throw new InvariantError(label, `inadmissible: ${admitted.left.code} at "${admitted.left.path}"`);
  if (!isIntegral(admitted.right.value)) throw new InvariantError(label, 'holds a number that is no integer');
  const token = locateTokenFault(admitted.right.value, admitted.right.text);
  if (token !== null) throw new InvariantError(label, `inadmissible: ${token.code} at "${token.path}"`);
  return admitted.right;
}

/** Admits a name a machine gives; anything else is a defect. */
export function requireName(name: string, label: string): string {
  if (!isName(name))
    throw new InvariantError(label, `expected [a-z][a-z0-9_.-]{0,63}, got ${JSON.stringify(name)}`);
  return name;
}

/** Admits a machine's rejection; a reserved code is a defect. */
export function admitRejection(
  rejection: Rejection,
  label: string,
): { readonly code: string; readonly detail: Admitted } {
  const code = requireName(rejection.code, `${label}/code`);
  if (isReservedCode(code)) throw new InvariantError(`${label}/code`, `${code} is reserved for the kernel`);
  return { code, detail: admitDerived(rejection.detail, `${label}/detail`) };
}

/** The context of the decision at `sequence`, answering the record with `inputHash`. */
export function makeContext(
  runId: string,
  sequence: number,
  inputHash: Context['input_hash'],
  sha256: Sha256,
  meter: Meter = new Meter(),
): Context {
  return Object.freeze({
    run_id: runId,
    sequence,
    input_hash: inputHash,
    meter,
    hash: (value: Json) => {
      const admitted = admit(value);
      if (admitted._tag === 'Left')
        throw new InvariantError(
          'context/hash',
          `inadmissible: ${admitted.left.code} at "${admitted.left.path}"`,
        );
      return hashText(admitted.right.text, sha256);
    },
  });
}
