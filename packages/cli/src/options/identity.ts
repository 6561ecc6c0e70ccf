/**
 * Names of a run: given, or derived from what it is given, so that the same call writes the same bytes.
 *
 * @module
 */
import { isRunId, isTsBase, type Json } from '@assay/kernel';
import { derivedIdentity, type Identity } from '@assay/host';
import { misuse } from '../problems/problem.js';

/**
 * Checks what is given and derives what is not: {@link derivedIdentity}. Raises `Stop`: `bad_value`.
 */
export function identityOf(
  given: { readonly runId?: string; readonly tsBase?: string },
  input: Json,
  policy: Json,
): Identity {
  const { runId, tsBase } = given;
  if (runId !== undefined && !isRunId(runId))
    throw misuse(
      'bad_value',
      'not a valid run id',
      `--run-id ${runId}`,
      'use up to 128 of A-Z a-z 0-9 . _ -, starting with a letter or digit; device names such as CON are not allowed',
    );
  if (runId?.includes('~') === true)
    throw misuse(
      'bad_value',
      'a run id with ~ is reserved for child runs',
      `--run-id ${runId}`,
      'use up to 128 of A-Z a-z 0-9 . _ -',
    );
  if (tsBase !== undefined && !isTsBase(tsBase))
    throw misuse(
      'ts_base',
      'not a valid base of logical time',
      `--ts-base ${tsBase}`,
      'use up to 64 printable ASCII characters, without spaces and #',
    );
  const derived = derivedIdentity(input, policy);
  return { run_id: runId ?? derived.run_id, ts_base: tsBase ?? derived.ts_base };
}
