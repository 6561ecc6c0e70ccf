/**
 * Whole outputs of calls, of which records show head and tail.
 *
 * @module
 */
import { err, hashText, ok, utf8Length, type Digest, type Result, type Sha256 } from '@assay/kernel';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';
import type { StepFault } from './fault.js';

/** Whole outputs by their digests, as far as they are kept. */
export type Wholes = ReadonlyMap<Digest, string>;

/** Digests of the outputs that the records do not show whole: what {@link Wholes} should hold. */
export function wholesWanted(of: SubTaskEvidence, sha256: Sha256): readonly Digest[] {
  return [
    ...new Set(
      callsIn(of).flatMap((call) =>
        call.digest === null || isWhole(call.output, call, sha256) ? [] : [call.digest],
      ),
    ),
  ];
}

/**
 * The whole output of a call, said exactly: bytes that are no text look like text that was never there, and
 * are `not_whole`. `output_gone`: its digest is known, and nobody kept it.
 */
export function wholeOf(call: EvidenceCall, wholes: Wholes, sha256: Sha256): Result<StepFault, string> {
  const { n, output, output_bytes, digest } = call;
  if (isWhole(output, call, sha256)) return ok(output);
  const kept = digest === null ? '' : wholes.get(digest);
  if (kept === undefined)
    return err({ code: 'output_gone', detail: `that of call ${n}, ${output_bytes} bytes` });
  return isWhole(kept, call, sha256)
    ? ok(kept)
    : err({ code: 'not_whole', detail: `${output_bytes} bytes, or not all of them text` });
}

function isWhole(text: string, { output_bytes, digest }: EvidenceCall, sha256: Sha256): boolean {
  return utf8Length(text) === output_bytes && (digest === null || hashText(text, sha256) === digest);
}
