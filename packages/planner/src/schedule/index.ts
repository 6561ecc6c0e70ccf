/**
 * Plans as pure functions: what they cost, whether they fit, the least change that makes them fit; every
 * answer with a choice or a certificate. Usable without a ledger.
 *
 * @packageDocumentation
 */
export type {
  Approach,
  Choice,
  Estimate,
  Held,
  Plan,
  Task,
} from '../plan/plan.js';
export { namedChoice } from '../plan/plan.js';
export { planLimits, type PlanLimits } from '../plan/limits.js';
export type { PlanFault } from '../plan/reader.js';
export { parsePlan } from '../plan/parse.js';
export { readPsplib } from '../psplib/psplib.js';
export { schedule, type NetworkTask, type Schedule } from '../network/schedule.js';
export type { Status } from '../rollup/status.js';
export { rollup, waterfall, type Rollup, type RollupLine } from '../rollup/rollup.js';
export type { Certificate, Claim, Question } from '../question/question.js';
export { questionOf, type Bounds, type Objective } from '../question/of-plan.js';
export { checkCertificate } from '../question/check.js';
export { coresNow, type CoreNow } from '../cores/now.js';
export { coreBest } from '../cores/best.js';
export { coreQuestion, type Core } from '../cores/core.js';
export { repair, type Repair, type Suggestion } from '../repair/repair.js';
export { nextRepairs } from '../repair/next.js';
export { findFit } from '../repair/fit.js';
export { leastRaise, type Raise } from '../repair/raise.js';
export { checkPlan, type PlanReport } from '../report/report.js';
