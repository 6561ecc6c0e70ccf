/**
 * What the verifier says of a forged copy: of the file alone, and beside a head kept from the original.
 *
 * @module
 */
import type { HeadLine } from '@assay/kernel';
import type { CheckName, Checks } from '../verify/document.js';
import { verify } from '../verify/verify.js';
import type { Attack } from './forge.js';
import type { ForgeOptions } from './forged.js';

/** The checks that a file alone allows, then those with the head. */
export type Judged = { readonly alone: Checks; readonly withHead: Checks };

/** Verifies a forged copy twice. */
export function judgeForged(file: string, bytes: Uint8Array, head: HeadLine, options: ForgeOptions): Judged {
  return {
    alone: verify(file, bytes, options).document.checks,
    withHead: verify(file, bytes, { ...options, head }).document.checks,
  };
}

/**
 * Which check is announced to catch an attack: one that a file alone allows, or completeness, which needs the
 * head.
 */
export const CAUGHT_BY: { readonly [attack in Attack]: CheckName } = {
  edit: 'integrity',
  drop: 'integrity',
  swap: 'integrity',
  truncate: 'completeness',
  rehash: 'rederivation',
  rederive: 'completeness',
};

/** True where an attack ended as announced: caught by its check and by no check before it. */
export function isAsAnnounced(attack: Attack, { alone, withHead }: Judged): boolean {
  switch (CAUGHT_BY[attack]) {
    case 'integrity':
      return alone.integrity.verdict === 'failed';
    case 'rederivation':
      return alone.integrity.verdict === 'held' && alone.rederivation.verdict === 'failed';
    default:
      return (
        alone.integrity.verdict === 'held' &&
        alone.rederivation.verdict === 'held' &&
        withHead.completeness.verdict === 'failed'
      );
  }
}
