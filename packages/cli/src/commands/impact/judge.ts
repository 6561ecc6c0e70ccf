/**
 * One ledger under a change: in this thread or in a worker.
 *
 * @module
 */
import type { ImpactRow } from '@assay/kernel/schemas';
import { nativeSha256 } from '@assay/host';
import { impact, impactRow, type Change } from '@assay/verifier/impact';
import { ownRedeciders, redecidersIn } from '../../options/machines.js';

/**
 * How ledgers are judged. `modules`: of the user's machines; `isInstead`: they are the change, and decide in
 * the place of who recorded.
 */
export type ImpactOrder = {
  readonly change: Change;
  readonly modules: readonly string[];
  readonly isInstead: boolean;
};

/** A row, whether the change itself was refused, and the names of `--without` by which somebody answered. */
export type JudgedRow = {
  readonly row: Omit<ImpactRow, 'expected'>;
  readonly isRefused: boolean;
  readonly leftOut: readonly string[];
};

/** Judges one ledger after another. Raises `Stop`: those of modules. */
export type Judge = (file: string, bytes: Uint8Array) => Promise<JudgedRow>;

/** Makes ready to judge. Raises `Stop`: those of modules. */
export async function makeJudge({ change, modules, isInstead }: ImpactOrder): Promise<Judge> {
  const own = await ownRedeciders(modules);
  return async (file, bytes) => {
    const ours = await redecidersIn(bytes);
    const judged = impact([bytes], {
      machines: isInstead ? ours : [...own, ...ours],
      ...(isInstead ? { instead: own } : {}),
      change,
      sha256: nativeSha256,
    });
    return {
      row: impactRow(file, judged),
      isRefused: judged._tag === 'Left' && judged.left.why === 'change',
      leftOut: judged._tag === 'Right' ? judged.right.left_out : [],
    };
  };
}

/** The row of a ledger that could not be read. */
export function unreadRow(file: string, code: string): Omit<ImpactRow, 'expected'> {
  const why = { why: 'ledger', code, record: null, detail: null, run_id: null, machine: null } as const;
  return impactRow(file, { _tag: 'Left', left: why });
}
