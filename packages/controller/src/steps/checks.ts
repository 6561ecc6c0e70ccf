/**
 * What a criterion of the rules says for their own validators to check: closed JSON in `check`. Source: 003 §R2
 * "concrete, checkable assertions", §R4a; language/P1.
 *
 * @module
 */
import {
  err,
  hashText,
  isObject,
  ok,
  parseShape,
  utf8Length,
  type Digest,
  type Json,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { closed, free, list, oneOf, text, type Shape } from '@assay/kernel/shape';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';
import { DERIVATION, HOLDS, type Derivation, type Holds, type StepFault } from './program.js';

/**
 * One check; `step`, `by`: ids of steps. `ran`: the step's calls went well. `there`, `gone`: a look at a path
 * finds it, or does not. `stands`: a tool said at `step` that it wrote, the look `by` shows the same bytes, and
 * they are `want`, a text or a derivation. `holds`: see `Holds`. `claim`: what is handed on is this value. `all`:
 * each of these. Of a task, `present`: there is an outcome, which is an answer or what a tool said last.
 */
export type Check =
  | { readonly is: 'ran' | 'there' | 'gone'; readonly step: string }
  | { readonly is: 'stands'; readonly step: string; readonly by: string; readonly want: Json }
  | { readonly is: 'holds'; readonly that: Holds }
  | { readonly is: 'claim'; readonly value: Derivation }
  | { readonly is: 'all'; readonly of: readonly Check[] }
  | { readonly is: 'present'; readonly as: 'answer' | 'word' };

const any = text(() => true);
const BY_STEP = closed({ is: any, step: any });
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['ran', BY_STEP],
  ['there', BY_STEP],
  ['gone', BY_STEP],
  ['stands', closed({ is: any, step: any, by: any, want: free })],
  ['holds', closed({ is: any, that: HOLDS })],
  ['claim', closed({ is: any, value: DERIVATION })],
  ['all', closed({ is: any, of: list((value) => readShape(value)(value)) })],
  ['present', closed({ is: any, as: oneOf(['answer', 'word']) })],
]);

function readShape(value: unknown): Shape {
  const is = isObject(value as Json) ? (value as { readonly is?: unknown }).is : undefined;
  return (typeof is === 'string' ? SHAPES.get(is) : undefined) ?? (() => '');
}

/** Reads a check; null for one of another planner, which these validators cannot judge. */
export function parseCheck(value: Json): Check | null {
  const shaped = parseShape<Check>(readShape(value), value);
  return shaped._tag === 'Left' ? null : shaped.right;
}

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
export function findWhole(call: EvidenceCall, wholes: Wholes, sha256: Sha256): Result<StepFault, string> {
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
