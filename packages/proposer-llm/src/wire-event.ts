/**
 * What one event of the wire formats of Anthropic, OpenAI and OpenAI-compatible servers says, read from the event itself: the packages
 * that speak them write 0 where a server reported nothing, and lose a whole answer over the count at its end.
 *
 * @module
 */

/**
 * An event. `input`, `output`: whether it states that count as a number. `isUsageAmiss`: it has a count that is neither a number nor null, and
 * no text of the answer. `finish`: why the model stopped, as it is written; null where it does not say.
 */
export type WireEvent = { readonly input: boolean; readonly output: boolean; readonly isUsageAmiss: boolean; readonly finish: string | null };

/** Reads an event; null for one of no format known here. */
export function wireEvent(raw: unknown): WireEvent | null {
  const type = at(raw, 'type');
  const choices = at(raw, 'choices');
  if (Array.isArray(choices)) return chunk(at(raw, 'usage'), choices[0]);
  if (typeof type !== 'string') return null;
  if (type.startsWith('response.')) return event(at(at(raw, 'response'), 'usage'), 'input_tokens', 'output_tokens');
  // Its count of what is written is of the first token only.
  if (type === 'message_start') return { ...event(at(at(raw, 'message'), 'usage'), 'input_tokens', 'output_tokens'), output: false, isUsageAmiss: false };
  if (type !== 'message_delta') return null;
  return { ...event(at(raw, 'usage'), 'input_tokens', 'output_tokens'), finish: textOf(at(at(raw, 'delta'), 'stop_reason')) };
}

/** A reason as the AI SDK writes it. */
export function unifiedFinish(raw: string): string {
  return FINISHES.get(raw) ?? 'other';
}

const FINISHES: ReadonlyMap<string, string> = new Map([
  ...['stop', 'end_turn', 'stop_sequence', 'tool_use'].map((raw) => [raw, 'stop'] as const),
  ...['length', 'max_tokens'].map((raw) => [raw, 'length'] as const),
  ...['content_filter', 'refusal'].map((raw) => [raw, 'content-filter'] as const),
]);

function chunk(usage: unknown, choice: unknown): WireEvent {
  const { isUsageAmiss, ...read } = event(usage, 'prompt_tokens', 'completion_tokens');
  const delta = at(choice, 'delta');
  const hasText = [at(delta, 'content'), at(delta, 'refusal'), at(delta, 'tool_calls')].some((each) => each !== undefined && each !== null && each !== '');
  return { ...read, isUsageAmiss: isUsageAmiss && !hasText, finish: textOf(at(choice, 'finish_reason')) };
}

function event(usage: unknown, input: string, output: string): WireEvent {
  const counts = [at(usage, input), at(usage, output)];
  return { input: typeof counts[0] === 'number', output: typeof counts[1] === 'number', isUsageAmiss: counts.some((count) => count !== undefined && count !== null && typeof count !== 'number'), finish: null };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.getOwnPropertyDescriptor(value, key)?.value : undefined;
}
