/**
 * A controller's roles as ports: rules as perceiver, planner and validators, and an executor that carries out
 * the steps they write.
 *
 * @packageDocumentation
 */
export { CONTROL_RULES, controlRulesPort } from './roles/rules-port.js';
export { EXECUTOR, executorPort, type StepCall, type StepTools } from './executor/executor.js';
