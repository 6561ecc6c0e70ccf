/**
 * Results, errors and names as they are recorded. Source: gate/G8.
 *
 * @module
 */
import { admit, cutText, hashText, tokenFault, type Digest, type Json, type JsonObject } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';

const MESSAGE_MAX = 1_024;

/** What a tool gave, as it is recorded: `result` is left out where it is long, or no JSON. */
export type RecordedResult = {
  readonly ok: boolean;
  readonly digest: Digest;
  readonly bytes: number;
  readonly result?: Json;
};

/** Records a result of at most `keep` bytes whole. What JSON leaves out of it (`undefined`, functions) is left out. */
export function recordResult(result: unknown, ok: boolean, keep: number): RecordedResult {
  const admitted = admitPlain(result);
  if (admitted === null) return { ok, digest: hashText('', nativeSha256), bytes: 0 };
  const { bytes, text, value } = admitted;
  const isKept = bytes <= keep && tokenFault(value) === null;
  return { ok, digest: hashText(text, nativeSha256), bytes, ...(isKept ? { result: value } : {}) };
}

type Admitted = { readonly bytes: number; readonly text: string; readonly value: Json };

function admitPlain(value: unknown): Admitted | null {
  const whole = tryAdmit(() => value ?? null);
  return whole ?? tryAdmit(() => JSON.parse(JSON.stringify(value)) as unknown);
}

function tryAdmit(read: () => unknown): Admitted | null {
  try {
    const admitted = admit(read());
    return admitted._tag === 'Left' ? null : admitted.right;
  } catch {
    // A cycle, a getter that throws, a number that JSON does not know.
    return null;
  }
}

/** What a tool raised, as a result. */
export function describeError(error: unknown): JsonObject {
  let message = 'an error that cannot be read';
  try {
    message = error instanceof Error ? error.message : String(error);
  } catch {
    // Whoever raised it hides it.
  }
  return { error: cutText(message.toWellFormed(), MESSAGE_MAX) };
}

/** A name as a proposer: of whatever characters it is. */
export function nameProposer(prefix: string, name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._~:/@+-]/g, '_');
  const named = prefix + (prefix === '' ? plain.replace(/^[^A-Za-z0-9]+/, '') : plain);
  return named.slice(0, 128) || 'person';
}
