/**
 * A stored memory: read, told and worded; what a run recalls from it, and what a run has for it.
 *
 * @packageDocumentation
 */
export {
  handOn,
  nowAfter,
  recallPort,
  forkedFrom,
  writesIn,
  createMemory,
  MEMORY_RUN,
  readMemory,
  tell,
  type MemoryRun,
  type ReadMemory,
  type Telling,
  type Told,
  distilPort,
  wordByRules,
} from './hand-on.js';
