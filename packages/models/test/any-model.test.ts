/**
 * Whatever the AI SDK gives as a model is one: its own test double, and a model behind its middleware. No
 * model is behind either.
 */
import { simulateReadableStream, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, test } from 'vitest';
import { isObject } from '@assay/kernel';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { llmPort } from '@assay/models';
import { runWith } from './tools/runs.ts';
import { said } from './tools/synthetic.ts';

const NONE = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

function double(text: string): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    provider: 'synthetic',
    modelId: 'double',
    doStream: async () =>
      Promise.resolve({
        stream: simulateReadableStream({
          chunks: [
            {
              type: 'stream-start',
              warnings: [
                { type: 'unsupported', feature: 'seed' },
                { type: 'other', message: 'anything' },
              ],
            },
            { type: 'text-start', id: '0' },
            { type: 'reasoning-delta', id: 'r', delta: '{"readings":"thought"}' },
            { type: 'text-delta', id: '0', delta: text },
            { type: 'text-end', id: '0' },
            {
              type: 'finish',
              finishReason: { unified: 'stop', raw: 'stop' },
              usage: {
                inputTokens: NONE,
                outputTokens: { total: undefined, text: undefined, reasoning: undefined },
              },
            },
          ],
        }),
      }),
  });
}

test.each([
  ['its test double', double(said())],
  [
    'a model behind middleware',
    wrapLanguageModel({ model: double(said()), middleware: { specificationVersion: 'v3' } }),
  ],
])('%s: an intent run is decided on its answer', async (_, model) => {
  const port = llmPort({ model, provider: 'synthetic', name: 'double', tasks: [interpretationsTask] });
  const run = await runWith(() => port, { slots: ['llm'] });
  const provenance = run.proposals[0]?.['provenance'] ?? null;
  expect([run.end, run.proposals[0]?.['spent']]).toEqual(['success', {}]);
  // What a server ignores is said: a seed that was not used is no seed. Thoughts are not part of the answer.
  expect(
    isObject(provenance) ? [provenance['model'], provenance['warnings'], provenance['raw_response']] : [],
  ).toEqual(['double', ['unsupported:seed', 'other'], said()]);
});

test('a model that throws what no class is known of is tried again, and its words are not told', async () => {
  const model = new MockLanguageModelV3({ doStream: () => Promise.reject(new Error('sk-nothing')) });
  const run = await runWith(
    () => llmPort({ model, provider: 'synthetic', name: 'double', tasks: [interpretationsTask] }),
    {
      slots: ['llm'],
    },
  );
  expect([run.end, run.proposals.length, run.errors.map(String)]).toEqual([
    'refused',
    2,
    ['Error: the model was not reached', 'Error: the model was not reached'],
  ]);
});
