/**
 * Tools a run may use on this machine, denied unless allowed: search, files of one workspace, and a shell
 * that reads.
 *
 * @packageDocumentation
 */
export { openWorkspace, type Workspace } from './workspace/open.js';
export {
  toolset,
  type RunOptions,
  type Toolset,
  type ToolsetOptions,
} from './tools/toolset.js';
export { isStartedByItself } from './workspace/path.js';
export { TOOL_NAMES, isToolName } from './catalogue.js';
export { COMMAND_NAMES, isCommandName } from './commands.js';
export { headTail, type ToolCall } from './tool-call.js';
