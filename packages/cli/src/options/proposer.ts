/**
 * One who answers.
 *
 * @module
 */
import type { Ports } from '@assay/host';

/**
 * Who answers, and how the slots are called where nothing else names them: one, but for a recording of
 * several. `units`: in which a language model is counted; empty for everybody else. `kinds`: of the asks that
 * a recording answers, each with the proposers of its answers; absent for everybody else.
 */
export type Proposer = {
  readonly slots: readonly string[];
  readonly ports: Ports;
  readonly units: readonly string[];
  readonly kinds?: ReadonlyMap<string, ReadonlySet<string>>;
};
