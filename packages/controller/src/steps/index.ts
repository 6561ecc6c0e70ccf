/**
 * The step language of executors, `assay/steps/2`: programs, what can be made of outputs, and the checks
 * that judge what came of them. Source: 003 §R2, §R3, §R4a.
 *
 * @packageDocumentation
 */
export { canonicalText, insidePath, renderText } from './files.js';
export {
  STEPS_FORMAT,
  type CallStep,
  type Derivation,
  type Holds,
  type Operation,
  type Step,
  parseCheck,
  type Check,
  wholesWanted,
  type Wholes,
} from './program.js';
export { judgeByRules } from './judge.js';
export { stepByRules } from './next.js';
