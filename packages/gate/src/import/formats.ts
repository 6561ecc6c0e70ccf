/**
 * The formats of traces, told by what their rows hold. Source: gate/G18.
 *
 * @module
 */
import { claudeCode } from './claude-code.js';
import type { Format } from './session.js';

/** Every format, the first that knows a row reads its file. */
export const FORMATS: readonly Format[] = [claudeCode];
