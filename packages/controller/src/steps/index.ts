/**
 * The step language of executors, `assay/steps/1`: programs, what can be made of outputs, and the checks
 * that judge what came of them. Source: 003 §R2, §R3, §R4a.
 *
 * @packageDocumentation
 */
export { canonicalText, nameLine, bare, insidePath, makeOperand, operands } from './files.js';
export { parseCheck, type Check, type Look, type Want, wholesWanted, type Wholes } from './checks.js';
export {
  type StepFault,
  STEPS_FORMAT,
  type CallStep,
  type Derivation,
  type Operation,
  type Program,
} from './program.js';
export { judgeByRules } from './judge.js';
export { stepByRules } from './next.js';
export { UNITS, type Unit } from './numbers.js';
export { OPERATIONS, brief, derive } from './values.js';
