/**
 * A real inference runtime (node-llama-cpp, CPU, one thread) behind the port, on a model file of random
 * weights that is made here. What it says has no meaning; that it is loaded, streamed, seeded, held to a
 * schema, cancelled and recorded is real. Run by `npm run check:llama`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, ok, orThrow, replayable, type JsonObject } from '@assay/kernel';
import { drive, memoryStore } from '@assay/host';
import type { Task } from '@assay/kernel/prompt';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { llmPort, type LlmOptions } from '@assay/models';
import { DEFAULT_PARAMETERS } from '../../src/parameters.ts';
import { tally } from '@assay/testing';
import { verify } from '@assay/verifier';
import { runWith } from '../tools/runs.ts';
import { tinyModel } from './gguf.ts';
import { loadModel, type Loaded } from './llama-model.ts';

const NAME = 'random-weights';
const folder = mkdtempSync(join(tmpdir(), 'assay-llama-'));
let loaded: Loaded;
beforeAll(async () => {
  writeFileSync(join(folder, 'tiny.gguf'), tinyModel(20_261_122));
  loaded = await loadModel(process.env['ASSAY_LLAMA'] ?? '', join(folder, 'tiny.gguf'), NAME);
}, 120_000);
afterAll(async () => {
  await loaded.close();
  rmSync(folder, { recursive: true, force: true });
});

const OPTIONS = ['soup', 'salad'];
/** A task of its own for a machine that is not ours to change: a vote for one of the options. */
const ballot: Task = {
  kind: 'ballot',
  prompt: {
    name: 'ballot',
    version: 1,
    system: 'Vote for one of the options.',
    again: 'That was no option. Vote again.',
  },
  schema: {
    type: 'object',
    properties: { option: { type: 'string', enum: OPTIONS } },
    required: ['option'],
    additionalProperties: false,
  },
  data: (body) => body,
  read: (answer) => ok({ value: answer, confidence: null }),
};
const portOf = (
  seed: number,
  given: Partial<LlmOptions> = {},
  max_output_tokens = 256,
): ReturnType<typeof llmPort> =>
  llmPort({
    model: loaded.model,
    provider: 'llama',
    name: NAME,
    tasks: [interpretationsTask],
    parameters: { ...DEFAULT_PARAMETERS, max_output_tokens, temperature: 1, seed },
    ...given,
  });

/** A poll of three voters, all of them the model. */
async function poll(
  seed: number,
): Promise<{ readonly end: string; readonly text: string; readonly proposals: readonly JsonObject[] }> {
  const port = portOf(seed, { tasks: [ballot], now: () => 0 });
  const store = memoryStore();
  const genesis = {
    run_id: 'poll',
    ts_base: 't',
    policy: { voters: 3, quorum: 3, attempts: 2 },
    input: { question: 'Lunch?', options: OPTIONS },
  };
  const { end } = orThrow(
    await drive(tally, genesis, { store, ports: ({ kind }) => (kind === 'ballot' ? port : null) }),
  );
  const lines: string[] = [];
  for await (const line of store.read('poll')) lines.push(Buffer.from(line).toString('utf8'));
  const payloads = lines.map(
    (line) => JSON.parse(line) as { readonly kind: string; readonly payload: JsonObject },
  );
  return {
    end,
    text: `${lines.join('\n')}\n`,
    proposals: payloads
      .filter(({ kind, payload }) => kind === 'proposal' && payload['source'] === 'live_model')
      .map(({ payload }) => payload),
  };
}

describe('a poll', () => {
  test('is decided on what the runtime says under the grammar of the schema, and verified', async () => {
    const { end, text, proposals } = await poll(7);
    expect([end, proposals.length]).toEqual(['success', 3]);
    for (const { value, proposer, spent, provenance } of proposals) {
      expect([
        OPTIONS.includes(String(isObject(value ?? null) ? (value as JsonObject)['option'] : '')),
        proposer,
        isObject(provenance ?? null) && (provenance as JsonObject)['model'],
      ]).toEqual([true, `llm:llama/${NAME}`, NAME]);
      expect((spent as JsonObject)['output_tokens']).toBeGreaterThan(0);
    }
    const { checks } = verify('poll', Buffer.from(text), { machines: [replayable(tally)] }).document;
    expect([checks.integrity.verdict, checks.rederivation.verdict]).toEqual(['held', 'held']);
  });

  test('with the same seed has the same bytes; another seed says something else', async () => {
    expect((await poll(7)).text).toBe((await poll(7)).text);
    const said = new Set<string>();
    for (const seed of [1, 2, 3, 4])
      said.add(
        (await poll(seed)).proposals
          .map(({ provenance }) => String((provenance as JsonObject)['raw_response']))
          .join(),
      );
    expect(said.size).toBeGreaterThan(1);
  });
});

describe('an intent run', () => {
  test('records what noise says, attempt by attempt, and refuses: nothing of it stands in the request', async () => {
    const port = portOf(7);
    const run = await runWith(() => port, { slots: ['llm'] });
    expect([run.end, run.reasons]).toEqual(['refused', ['insufficient_proposals']]);
    for (const { failure, provenance, source } of run.proposals) {
      expect([
        source,
        (failure as JsonObject)['code'],
        String((provenance as JsonObject)['raw_response']).length > 0,
      ]).toEqual(['live_model', 'malformed', true]);
    }
  });

  test('a deadline stops the runtime while it generates', async () => {
    const port = portOf(7, {}, 4_000);
    const run = await runWith(() => port, { slots: ['llm'], drive: { deadlines: { call: 100 } } });
    expect(run.proposals.map(({ failure }) => (failure as JsonObject)['code'])).toEqual([
      'timeout',
      'timeout',
    ]);
    // It is free again: the next answer comes.
    expect((await poll(7)).end).toBe('success');
  });
});
