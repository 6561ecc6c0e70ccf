/**
 * What is said of a plan and of a run, as JSON. Source: dec-K79, dec-K80; 000 v1 "What to Test First".
 *
 * @module
 */
import type { Json, JsonObject } from '@assay/kernel';
import type { Core } from '../cores/core.js';
import type { PlanReport } from '../report/report.js';
import type { RollupLine } from '../rollup/rollup.js';

/** The lines of a roll-up: status, totals, slack in the unit of the row. */
export function splitLines(lines: readonly RollupLine[]): readonly JsonObject[] {
  return lines.map(({ id, kind, status, total, slack, isExposed, isHopeless, held }) => ({
    id,
    kind,
    status,
    unit: held.unit,
    op: held.op,
    bound: held.bound,
    hard: held.isHard,
    total,
    slack,
    exposed: isExposed,
    hopeless: isHopeless,
  }));
}

/** A report of a plan. Certificates stand where they prove something. */
export function makeReport(report: PlanReport): JsonObject {
  const { before, after, cores, survey, missing, exits, next, isNextComplete, raise, coreBest } = report;
  const { length, barrier } = report.schedule;
  const core = ({ isMinimal, ...rest }: Core): JsonObject => ({ ...rest, minimal: isMinimal });
  return {
    status: before.status,
    before: splitLines(before.lines),
    length,
    barrier,
    cores: cores.map(core),
    survey,
    missing: missing.slice(0, 256),
    exits,
    repair: findRepair(report.repair),
    after: after === null ? null : splitLines(after.lines),
    next: next.map(({ key }) => key),
    next_complete: isNextComplete,
    least_raise:
      raise === null
        ? null
        : {
            total: raise.total,
            by: raise.by,
            proven: raise.isProven,
            bound: raise.bound,
            certificate: raise.certificate,
          },
    core_best: coreBest === null ? null : core(coreBest),
  };
}

function findRepair(found: PlanReport['repair']): Json {
  if (found === null) return null;
  const { proofs } = found;
  if (!('key' in found)) return { label: found.label, proofs };
  const { key, label, unfinished, bound } = found;
  return { label, ...key, unfinished, bound, proofs };
}
