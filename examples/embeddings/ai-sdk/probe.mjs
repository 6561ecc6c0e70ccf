/**
 * `node probe.mjs`: the AI SDK has no journal of its own: messages are yours to keep. Here they are kept as
 * JSON, altered, and given back; and the tool that made their results has changed. The total is the sum of
 * the results that the model is shown. Prints one JSON document.
 */
import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
import { ANSWERS, FROM, print, seen, TO, versionsOf } from '../testing/probe.mjs';

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const said = (content, unified) => ({
  content,
  finishReason: { unified, raw: unified },
  usage,
  warnings: [],
});
const call = (index, name) =>
  said(
    [{ type: 'tool-call', toolCallId: `call-${index}`, toolName: name, input: JSON.stringify({ index }) }],
    'tool-calls',
  );
const answer = (times) =>
  tool({
    inputSchema: z.object({ index: z.number() }),
    execute: async ({ index }) => ({ cents: times * ANSWERS[index] }),
  });

/**
 * A conversation that goes on from `messages` with the calls of a script; what the model was shown last, and
 * all messages.
 */
async function conversation(messages, indexes, times, name = 'answer') {
  const script = [
    ...indexes.map((index) => call(index, name)),
    said([{ type: 'text', text: 'done' }], 'stop'),
  ];
  const model = new MockLanguageModelV3({ doGenerate: async () => script.shift() });
  const { response } = await generateText({
    model,
    messages,
    tools: { [name]: answer(times) },
    stopWhen: stepCountIs(9),
  });
  return { shown: model.doGenerateCalls.at(-1).prompt, messages: [...messages, ...response.messages] };
}

/** Two answers, the messages kept as text, perhaps altered, and the third. */
async function wentOn(times, alter = (text) => text, name = 'answer') {
  const { messages } = await conversation([{ role: 'user', content: 'add up' }], [0, 1], 1);
  const { shown } = await conversation(JSON.parse(alter(JSON.stringify(messages))), [2], times, name);
  return shown
    .flatMap(({ role, content }) => (role === 'tool' ? content : []))
    .reduce((sum, { output }) => sum + output.value.cents, 0);
}

print({
  host: 'AI SDK',
  versions: versionsOf(import.meta.dirname, ['ai']),
  control: await seen(() => wentOn(1)),
  edited: await seen(() => wentOn(1, (text) => text.replace(String(FROM), String(TO)))),
  changed: await seen(() => wentOn(2)),
  shape: await seen(() => wentOn(1, (text) => text.replace('"tool-result"', '"tool-answer"'))),
});
