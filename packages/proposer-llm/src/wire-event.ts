/**
 * What one event of the wire formats of Anthropic, OpenAI and OpenAI-compatible servers says of its counts, read from the event itself:
 * the packages that speak them write 0 where a server reported nothing.
 *
 * @module
 */

/** Whether an event states a count as a number. */
export type StatedCounts = { readonly input: boolean; readonly output: boolean };

/** Reads an event; null for one of no format known here. */
export function statedCounts(raw: unknown): StatedCounts | null {
  const type = at(raw, 'type');
  if (Array.isArray(at(raw, 'choices'))) return stated(at(raw, 'usage'), 'prompt_tokens', 'completion_tokens');
  if (typeof type !== 'string') return null;
  if (type.startsWith('response.')) return stated(at(at(raw, 'response'), 'usage'), 'input_tokens', 'output_tokens');
  // Its count of what is written is of the first token only.
  if (type === 'message_start') return { ...stated(at(at(raw, 'message'), 'usage'), 'input_tokens', 'output_tokens'), output: false };
  return type === 'message_delta' ? stated(at(raw, 'usage'), 'input_tokens', 'output_tokens') : null;
}

function stated(usage: unknown, input: string, output: string): StatedCounts {
  return { input: typeof at(usage, input) === 'number', output: typeof at(usage, output) === 'number' };
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.getOwnPropertyDescriptor(value, key)?.value : undefined;
}
