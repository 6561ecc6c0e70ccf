/**
 * The options of `assay control`.
 *
 * @module
 */
import type { ModelFlags } from '../run/plan-run.js';

/** What a call of `assay control` is given beside the task. */
export type ControlOptions = ModelFlags & {
  readonly workspace?: string;
  readonly proposer: readonly string[];
  readonly allow: readonly string[];
  readonly shell: readonly string[];
  readonly confirm: readonly string[];
  readonly set: readonly string[];
  readonly policy?: string;
  readonly after: readonly string[];
  readonly memory?: string;
  readonly store?: string;
  readonly runId?: string;
  readonly tsBase?: string;
  readonly clock: boolean;
  readonly output?: string;
  readonly force?: boolean;
};
