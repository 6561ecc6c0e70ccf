/**
 * The options of the verifier from those of the command, as any thread can read them.
 *
 * @module
 */
import type { VerifyOptions } from '@assay/verifier';
import { machinesFor } from '../../options/machines.js';
import {
  readChecks,
  readExpectations,
  readHead,
  readLimits,
  type VerifyFlags,
} from '../../options/verify.js';

/** What is read from text alone: everything but keys, evidence and what is kept outside. Raises `Stop`. */
export async function plainOptions(files: readonly string[], flags: VerifyFlags): Promise<VerifyOptions> {
  const { hashOnly, reference } = readChecks(flags);
  const { seconds: _seconds, ...limits } = readLimits(flags.limit);
  return {
    // Modules of the user run in threads, a new one for each ledger.
    machines: hashOnly || flags.machine.length > 0 ? [] : await machinesFor([], files),
    head: flags.head === undefined ? null : readHead(flags.head),
    expect: readExpectations(flags.expect),
    limits,
    hashOnly,
    keepIndex: files.length > 1 || flags.with !== undefined,
    ...(reference ? { reference: (await import('@assay/kernel/reference')).referenceEncode } : {}),
  };
}
