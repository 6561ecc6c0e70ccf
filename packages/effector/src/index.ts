/**
 * Tools a run may use on this machine, denied unless allowed: search, files of one workspace, and a shell
 * that reads.
 *
 * @packageDocumentation
 */
export { openWorkspace, type Workspace, type WorkspaceError } from './workspace/open.js';
export {
  toolset,
  type Allow,
  type RunOptions,
  type ToolRequest,
  type Toolset,
  type ToolsetError,
  type ToolsetOptions,
} from './tools/toolset.js';
export {
  TOOL_CHAIN,
  TOOL_NAMES,
  isToolName,
  type Network,
  type Place,
  type Tool,
  type ToolClass,
  type ToolName,
  type WhyNot,
} from './catalogue.js';
export { COMMAND_NAMES, isCommandName, type CommandName } from './commands.js';
export { DEFAULT_LIMITS, LIMIT_MAXIMA, type Limits } from './limits.js';
export { OUTPUT_CHARACTERS, headTail } from './output.js';
export type { ToolCall, ToolStatus } from './tool-call.js';
export type { DeniedCode, ErrorCode, ToolCode, TruncatedCode } from './refusal.js';
