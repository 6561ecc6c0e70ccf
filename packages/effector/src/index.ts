/**
 * Tools a run may use on this machine, denied unless allowed: search, files of one workspace, and
 * declared checks.
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
export { headTail, type ToolCall } from './tool-call.js';
