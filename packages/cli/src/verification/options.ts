/**
 * The options of `verify`, from text.
 *
 * @module
 */
import { parseHeadLine } from '@assay/kernel';
import { parseExpectation, type Expectation, type VerifyLimits, type VerifyOptions } from '@assay/verifier';
import { misuse } from '../problem.js';

/** Options as the command line gives them. */
export type VerifyFlags = {
  readonly head?: string;
  readonly expect: readonly string[];
  readonly with?: string;
  readonly hashOnly?: boolean;
  readonly reference?: boolean;
  readonly strict?: boolean;
  readonly allowUnchecked?: boolean;
  readonly limit: readonly string[];
  readonly junit?: string;
  readonly machine: readonly string[];
};

/** A head line. Raises `Stop`: `head_line`. */
export function readHead(text: string): NonNullable<VerifyOptions['head']> {
  const head = parseHeadLine(text.trim());
  if (head._tag === 'Right') return head.right;
  throw misuse('head_line', 'this is no head line', `--head ${text}`, 'paste the line that assay head printed: assay-head:1:COUNT:HASH');
}

/** Expectations. Raises `Stop`: `expectation`. */
export function readExpectations(texts: readonly string[]): readonly Expectation[] {
  return texts.map((text) => {
    const expectation = parseExpectation(text);
    if (expectation._tag === 'Right') return expectation.right;
    throw misuse('expectation', 'this is nothing to expect of a ledger', `--expect ${text}`, 'give machine=NAME@VERSION, policy=HASH, input=HASH or run=RUN_ID');
  });
}

/** The user's own limits. Raises `Stop`: `limit`. */
export function readLimits(texts: readonly string[]): Partial<VerifyLimits> {
  return Object.fromEntries(texts.map((text) => {
    const [, key, value] = /^(records|bytes)=([0-9]{1,15})$/.exec(text) ?? [];
    if (key === undefined || value === undefined) throw misuse('limit', 'this is no limit', `--limit ${text}`, 'give records=N or bytes=N');
    return [key, Number(value)];
  }));
}
