/**
 * Prompts as data, and the messages of a call. Instructions are constant text; what somebody else wrote
 * stands in messages of its own, as JSON between marks that it cannot hold.
 *
 * @module
 */
import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { hashCanonical, orThrow, type Digest, type Json } from '@assay/kernel';

/**
 * A versioned prompt. `system`: the instructions, sent as they are. `again`: what is said of a rejected
 * answer before the data that says why; empty where the data itself says why. Both are constants: nothing is
 * ever put into them.
 */
export type Prompt = {
  readonly name: string;
  readonly version: number;
  readonly system: string;
  readonly again: string;
};

/**
 * Why the last answer was not accepted: the code and detail as recorded, and the raw text if there was any.
 */
export type Feedback = { readonly code: string; readonly detail: Json; readonly text: string };

/** UTF-16 units of a rejected answer that are sent back. */
export const FEEDBACK_UNITS_MAX = 8_192;

/** H({t: "prompt", name, version, system, again}). */
export function promptHash({ name, version, system, again }: Prompt): Digest {
  return hashOf({ t: 'prompt', name, version, system, again });
}

/** The messages of a call: instructions, data, and after a rejected answer that answer and why. */
export function messagesOf(
  { system, again }: Prompt,
  data: Json,
  feedback: Feedback | null,
): LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = [{ role: 'system', content: system }, said(delimited(data))];
  if (feedback === null || again === '') return messages;
  const { code, detail, text } = feedback;
  if (text !== '') messages.push({ role: 'assistant', content: [{ type: 'text', text }] });
  return [...messages, said(`${again}\n${delimited({ code, detail })}`)];
}

/** Data as it is shown: a text as it stands, anything else as one line of JSON. */
export function shownData(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/**
 * Data between two marks. The digits are of its own hash, so no text can hold the mark it stands in.
 */
function delimited(data: Json): string {
  const mark = hashOf({ t: 'data', data }).slice(0, 16);
  return `BEGIN ${mark}\n${shownData(data)}\nEND ${mark}`;
}

/** H of what is admitted JSON by construction. */
export function hashOf(value: Json): Digest {
  return orThrow(hashCanonical(value));
}

function said(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
