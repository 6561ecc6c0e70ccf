/**
 * What a criterion of the rules says for their own validators to check: closed JSON in `check`. Source: 003
 * §R2 "concrete, checkable assertions", §R4a.
 *
 * @module
 */
import {
  admit,
  isObject,
  parseShape,
  type Json,
  err,
  hashText,
  ok,
  utf8Length,
  type Digest,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { closed, integer, list, nullable, text, type Shape } from '@assay/kernel/shape';
import { DERIVATION, type Derivation, type StepFault } from './program.js';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';

/** Which calls are meant: those of a tool, with this input; null: with any. */
export type Look = { readonly tool: string; readonly input: Json };
/** What must stand somewhere: a text, or what is made of the outputs of some calls. */
export type Want = {
  readonly text: string | null;
  readonly looks: readonly { readonly id: string; readonly look: Look }[];
  readonly value: Derivation;
};

/**
 * One check. `ran`: the last such call went well. `claim`: what is handed on is what that call's output
 * makes. `shown`: what is handed on is what that call shows, or its size and digest. `stands`: a tool said
 * that it wrote a file at this path, a later look shows the same bytes, and they are what is wanted. `there`,
 * `gone`: a look at a path finds it, or does not. `handed_on`:
 * outputs of two sub-tasks agree, after operations on the first.
 */
export type Check =
  | { readonly is: 'ran'; readonly look: Look }
  | {
      readonly is: 'claim';
      readonly look: Look;
      readonly do: readonly (readonly Json[])[];
    }
  | { readonly is: 'shown'; readonly look: Look }
  | { readonly is: 'stands'; readonly path: string; readonly look: Look; readonly want: Want | null }
  | { readonly is: 'there'; readonly look: Look }
  | { readonly is: 'gone'; readonly look: Look }
  | {
      readonly is: 'handed_on';
      readonly from: number;
      readonly to: number;
      readonly do: readonly (readonly Json[])[];
    }
  | { readonly is: 'present'; readonly at: number };

const any = text(() => true);
const LOOK = closed({ tool: any, input: (value) => (admit(value)._tag === 'Right' ? null : '') });
const OPERATIONS: Shape = (value) => DERIVATION({ from: 'x', do: value });
const WANT = closed({ text: nullable(any), looks: list(closed({ id: any, look: LOOK })), value: DERIVATION });
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['ran', closed({ is: any, look: LOOK })],
  ['claim', closed({ is: any, look: LOOK, do: OPERATIONS })],
  ['shown', closed({ is: any, look: LOOK })],
  ['stands', closed({ is: any, path: any, look: LOOK, want: nullable(WANT) })],
  ['there', closed({ is: any, look: LOOK })],
  ['gone', closed({ is: any, look: LOOK })],
  ['handed_on', closed({ is: any, from: integer(0), to: integer(0), do: OPERATIONS })],
  ['present', closed({ is: any, at: integer(0) })],
]);

/** Reads a check; null for one of another planner, which these validators cannot judge. */
export function parseCheck(value: Json): Check | null {
  const shape = isObject(value) && typeof value['is'] === 'string' ? SHAPES.get(value['is']) : undefined;
  if (shape === undefined) return null;
  const shaped = parseShape<Check>(shape, value);
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
