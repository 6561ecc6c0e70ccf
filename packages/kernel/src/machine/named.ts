/** Which machine a genesis names. */
import type { Genesis } from '../ledger/payloads.js';

/** A machine by its names. Without an `engine` it stands for its version on any. */
export type MachineName = {
  readonly name: string;
  readonly version: number;
  readonly engine?: string | null | undefined;
};

/** True if a genesis names this machine. */
export function isNamed(machine: MachineName, by: Genesis['machine']): boolean {
  return (
    machine.name === by.name &&
    machine.version === by.version &&
    (machine.engine === undefined || machine.engine === by.engine)
  );
}
