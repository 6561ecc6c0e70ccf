/**
 * One who answers.
 *
 * @module
 */
import type { Request } from '@assay/kernel';
import type { Ports } from '@assay/host';

/**
 * Who answers, and how the slots are called where nothing else names them: one, but for a recording of
 * several. `units`: in which a language model is counted; empty for everybody else. `kinds`: of the asks that
 * a recording answers, each with the proposers of its answers; absent for everybody else. `holds`: whether it
 * has the answer to a request.
 */
export type Proposer = {
  readonly slots: readonly string[];
  readonly ports: Ports;
  readonly units: readonly string[];
  readonly holds?: (request: Request) => boolean;
  readonly kinds?: ReadonlyMap<string, ReadonlySet<string>>;
};
