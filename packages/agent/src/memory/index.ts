/**
 * Between a controller's run and a memory: what is recalled, and what a run told.
 *
 * @packageDocumentation
 */
export { recallPort } from './recall-port.js';
export { forkedFrom, writesIn, type MemoryWrite } from './writes.js';
