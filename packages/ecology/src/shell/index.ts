/**
 * Who plays in a world: scripted minds in virtual time, and the ports of minds that are asked.
 *
 * @packageDocumentation
 */
export {
  commitSecret,
  makeMindRecording,
  openPorts,
  parseMindRecording,
  parseVault,
  readBody,
  watchWorld,
  WORLD_TASKS,
  type MindRecording,
  type Outside,
  type Vault,
  type Watched,
  type WorldPorts,
} from './ports/index.js';
export { stampPort, virtualClock, wallClock } from './clocks.js';
export { Builtins } from './builtins.js';
export { makeDraw, type Draw } from './draw.js';
export { readMinds, readScore, type Minds } from './minds.js';
export { DOOR_TOOLS, OutsideDoor, readToolCall } from './outside-door.js';
export { ResponseLog } from './response-log.js';
export { playScripted, type Bounds, type Injected, type Scripted, type ScriptedEnd } from './scripted.js';
export { WorldRun, type Decided, type WorldAnswer } from './world-run.js';
