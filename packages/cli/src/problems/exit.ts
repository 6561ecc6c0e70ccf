/**
 * Exit codes. Source: design §8.
 *
 * @module
 */

/**
 * What the process ends with. `done`: what was asked was checked and held, or a run ended with success. `no`:
 * the answer is no. `use`: wrong use or configuration. `failed`: a check failed. `unchecked`: something asked
 * for could not be checked. `unreachable`: a proposer or store. `waiting`: something outside must answer first.
 * `defect`: an internal error. `interrupted`: by a signal.
 */
export const EXIT = {
  done: 0,
  no: 1,
  use: 2,
  failed: 3,
  unchecked: 4,
  unreachable: 5,
  waiting: 6,
  defect: 70,
  interrupted: 130,
} as const;
/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const PRECEDENCE: readonly ExitCode[] = [
  EXIT.defect,
  EXIT.interrupted,
  EXIT.use,
  EXIT.unreachable,
  EXIT.failed,
  EXIT.no,
  EXIT.waiting,
  EXIT.unchecked,
  EXIT.done,
];

/** Of several exit codes the one that counts: 70, 130, 2, 5, 3, 1, 6, 4, 0 in that order. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.done;
}
