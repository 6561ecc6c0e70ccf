/**
 * Doing a task for the controller: its roles as ports, who plays and who confirms, an executor that carries
 * out the steps of a plan, and finished runs as earlier turns.
 *
 * @packageDocumentation
 */
export { driveTask, JUDGED_KINDS, TASK_CONCURRENCY, type Task } from './drive-task.js';
export type { Cause } from './ended/cause.js';
export {
  derivedTask,
  EARLIER_RUNS_MAX,
  earlierTurn,
  requireEnded,
  type NotEnded,
} from './ended/earlier-turn.js';
export { endedTask, type EndedTask } from './ended/ended-task.js';
export type { StoppedAt } from './ended/stopped-at.js';
export { executorPort } from './executor/executor.js';
export { awaitedConfirmation, rolesAgain, sameFolder, toolsAgain } from './resume.js';
export type { RolesError, ToolsAgainError } from './resume.js';
export { castOf, type Miscast } from './roles/casting.js';
export { namedPlayer, playersOf, recordedPlayer, ROLES, rulesPlayer } from './roles/players.js';
export type { Player, Players } from './roles/players.js';
export { playedPolicy, policyOver, type PolicyError } from './roles/policy.js';
export type { Confirmations } from './roles/confirming.js';
export { controlRulesPort } from './roles/rules-port.js';
export { openTaskTools, type TaskTools } from './tools.js';
