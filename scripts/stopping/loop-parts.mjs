/**
 * What the controller's loop is made of, from its built files: the package exports the loop as a whole.
 *
 * @module
 */
export { evaluateGgs } from '../../packages/controller/dist/ggs/evaluate.js';
export { initialGgsHistory } from '../../packages/controller/dist/ggs/input.js';
export { defaultGgsPolicy, literalGgsPolicy } from '../../packages/controller/dist/ggs/policy.js';
export { isTerminal } from '../../packages/controller/dist/ggs/table.js';
export {
  defaultGuardPolicy,
  isNoOpLoop,
  NO_ROUNDS,
  patternIn,
  roundEnded,
} from '../../packages/controller/dist/guard/trail.js';
