/**
 * Plans as pure functions: what they cost, whether they fit, the least change that makes them fit; every
 * answer with a choice or a certificate. Usable without a ledger.
 *
 * @packageDocumentation
 */
export {
  type Approach,
  type Choice,
  type Estimate,
  type Held,
  type Plan,
  type Task,
  namedChoice,
  type PlanLimits,
} from '../plan/plan.js';
export { describeFault, type PlanFault } from '../plan/reader.js';
export { countAmount, findCountUnit, readAmount, type Amount } from '../plan/amount.js';
export { readDeadlineText, readPlanFile } from '../plan/notation.js';
export { parsePlan } from '../plan/parse.js';
export { readPsplib } from '../psplib/psplib.js';
export { readForeign } from '../project/project.js';
export { listLinks, schedule, type NetworkTask, type Schedule } from '../network/schedule.js';
export type { Status, Rollup, RollupLine } from '../rollup/rollup.js';
export {
  type Certificate,
  type Claim,
  type Question,
  checkCertificate,
  makeQuestion,
  type Bounds,
  type Objective,
} from '../question/question.js';
export { type CoreNow, coreQuestion, type Core, coreBest } from '../cores/core.js';
export { repair, type Repair, type Suggestion, findFit } from '../repair/repair.js';
export { checkRaise, type Raise } from '../question/raise.js';
export { leastOverrun, leastRaise } from '../repair/raise.js';
export { checkPlan, type PlanReport } from '../report/report.js';
