/**
 * The formats of traces, told by what their rows hold. Source: gate/G18.
 *
 * @module
 */
import { claudeCode } from './claude-code.js';
import { inspect } from './inspect.js';
import { langsmith } from './langsmith.js';
import { openaiAgents } from './openai-agents.js';
import { openaiItems } from './openai-items.js';
import { otel } from './otel.js';
import type { Format } from './session.js';

/** Every format, the first that knows a row reads its file. Items are the plainest, so they come last. */
export const FORMATS: readonly Format[] = [claudeCode, openaiAgents, langsmith, otel, inspect, openaiItems];
