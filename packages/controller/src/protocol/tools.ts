/**
 * Tools as data: the catalogue of a run, in order of priority, and what one call of a tool left behind.
 * Source: 003 §R3 "Tool Priority Chain"; dec-G21.
 *
 * @module
 */
import { closed, digest, flag, integer, list, nullable, oneOf, text, type Shape } from '@assay/kernel/shape';
import type { Digest } from '@assay/kernel';
import { isLonePath } from './paths.js';

/**
 * What a tool does with the world: looks for things, looks at one thing, changes something, runs a command,
 * drives an application.
 */
export const TOOL_CLASSES = ['search', 'read', 'write', 'shell', 'app'] as const;
/** One of {@link TOOL_CLASSES}. */
export type ToolClass = (typeof TOOL_CLASSES)[number];

/**
 * A tool of a run. `reversible`: false where a call may not be undone, so that a person must confirm it (Law
 * 1).
 */
export type Tool = {
  readonly name: string;
  readonly class: ToolClass;
  readonly reversible: boolean;
  readonly available: boolean;
};

/** One tool and one input of it, in the tool's canonical text. Source: dec-G21. */
export type Target = { readonly tool: string; readonly target: string };

/** How a call ended. `truncated`: cut before its completion; `interrupted`: stopped from outside. */
export const CALL_STATUSES = ['ok', 'error', 'denied', 'timeout', 'interrupted', 'truncated'] as const;
/** One of `CALL_STATUSES`. */
export type CallStatus = (typeof CALL_STATUSES)[number];

/**
 * One call of a tool, as the executor saw it. `output` holds head and tail of what came, `output_bytes` and
 * `digest` speak of all of it. `irreversible`: what this call did cannot be undone.
 */
export type ToolCall = {
  readonly tool: string;
  readonly input: string;
  readonly output: string;
  readonly status: CallStatus;
  readonly output_bytes: number;
  readonly digest: Digest | null;
  readonly irreversible: boolean;
};

/** Most tools of a run. */
export const TOOLS_MAX = 64;
/** Most calls in one result. */
export const CALLS_MAX = 64;
/** Longest input of a tool, in UTF-16 units. */
export const TARGET_MAX = 4_000;

/** Shape of a {@link Tool}. */
export const TOOL: Shape = closed({
  name: text(isToolName),
  class: oneOf(TOOL_CLASSES),
  reversible: flag,
  available: flag,
});
/** Shape of a {@link Target}. */
export const TARGET: Shape = closed({ tool: text(isToolName), target: text(isTarget) });
/** Shape of a list of {@link Target}. */
export const TARGETS: Shape = list(TARGET);

/** Shape of a {@link ToolCall} whose output is at most `outputMax` long. */
export function toolCall(outputMax: number): Shape {
  return closed({
    tool: text(isToolName),
    input: text(isTarget),
    output: text((value) => value.length <= outputMax),
    status: oneOf(CALL_STATUSES),
    output_bytes: integer(0),
    digest: nullable(digest),
    irreversible: flag,
  });
}

/** A name of a tool: `[a-z][a-z0-9_.-]{0,63}`. */
function isToolName(value: string): boolean {
  return /^[a-z][a-z0-9_.-]{0,63}$/.test(value);
}

function isTarget(value: string): boolean {
  return value.length <= TARGET_MAX;
}

/** True where an action stands in a list, with the same input. */
export function isAmong({ tool, target }: Target, list: readonly Target[]): boolean {
  return list.some((other) => other.tool === tool && other.target === target);
}

/** A lone path without `./` and doubled slashes: the same file, said in one way. Any other input as it is. */
export function plainPath(target: string): string {
  return isLonePath(target) ? target.replace(/\/{2,}/g, '/').replace(/^(?:\.\/)+(?=.)/, '') : target;
}
