/**
 * Doing a task for the controller: its roles as ports, who plays and who confirms, the tools that it may call,
 * and finished runs as earlier turns.
 *
 * @packageDocumentation
 */
export { driveTask, JUDGED_KINDS, TASK_CONCURRENCY, type Task } from './drive-task.js';
export {
  EARLIER_RUNS_MAX,
  earlierTurn,
  type NotEnded,
  endedTask,
  type EndedTask,
  type StoppedAt,
} from './ended.js';
export { callPort } from './executor/call-port.js';
export {
  mcpTools,
  type McpError,
  effectorTools,
  type TaskTool,
  type ToolAnswer,
} from './executor/mcp-tools.js';
export { rolesAgain, sameFolder, toolsAgain, openTaskTools, type TaskTools } from './resume.js';
export type { RolesError, ToolsAgainError } from './resume.js';
export { readTarget } from './roles/confirming.js';
export {
  CONTROL_RULES,
  type RoleContext,
  type RolePorts,
  namedPlayer,
  choosePlayers,
  recordedPlayer,
  type Player,
  type Players,
  type Miscast,
  playedPolicy,
  policyOver,
  type PolicyError,
} from './roles/players.js';
export type { Confirmations } from './roles/confirming.js';
