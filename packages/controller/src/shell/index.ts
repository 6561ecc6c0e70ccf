/**
 * Doing a task for the controller: its roles as ports, who plays and who confirms, the tools that it may call,
 * and finished runs as earlier turns.
 *
 * @packageDocumentation
 */
export { driveTask, JUDGED_KINDS, TASK_CONCURRENCY, type Task } from './drive-task.js';
export type { Cause } from './ended/cause.js';
export {
  EARLIER_RUNS_MAX,
  earlierTurn,
  requireEnded,
  type NotEnded,
} from './ended/earlier-turn.js';
export { endedTask, type EndedTask } from './ended/ended-task.js';
export type { StoppedAt } from './ended/stopped-at.js';
export { callPort } from './executor/call-port.js';
export { effectorTools } from './executor/effector-tools.js';
export { mcpTools, type McpError } from './executor/mcp-tools.js';
export { folderOutputs, memoryOutputs, type Outputs } from './executor/outputs.js';
export { declared, type TaskTool, type ToolAnswer } from './executor/tool.js';
export { keptEvidence } from './evidence-kept.js';
export { rolesAgain, sameFolder, toolsAgain } from './resume.js';
export type { RolesError, ToolsAgainError } from './resume.js';
export { actionOf } from './roles/confirming.js';
export { CONTROL_RULES, type RoleContext, type RolePorts } from './roles/context.js';
export type { Miscast } from './roles/casting.js';
export { namedPlayer, playersOf, recordedPlayer } from './roles/players.js';
export type { Player, Players } from './roles/players.js';
export { playedPolicy, policyOver, type PolicyError } from './roles/policy.js';
export type { Confirmations } from './roles/confirming.js';
export { openTaskTools, type TaskTools } from './tools.js';
