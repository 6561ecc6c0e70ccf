/**
 * The AI SDK's own loop and tool execution; the model is the SDK's test double with a script, no provider is
 * called.
 */
import assert from 'node:assert';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openLedger } from '../own-loop/ledger.mjs';
import { refunds } from '../refunds/machine.mjs';
import { genesis } from '../refunds/scenario.mjs';
import { needs } from '../testing/needs.mjs';
import { records, verify, workplace } from '../testing/runs.mjs';

const framework = needs(import.meta.dirname, 'ai');
const folder = workplace();
const SEED = 20_261_122;
const model = { source: 'synthetic', proposer: 'fixture:refund-model' };
const person = (approved) => () => ({ source: 'human', proposer: 'ada', value: { approved } });

/**
 * One conversation of the SDK with a scripted model; gives what was paid and what the tool told the model.
 */
async function conversation(path, steps, options = {}) {
  const [{ generateText, stepCountIs }, { MockLanguageModelV3 }, { gatedRefund }, { script }] =
    await Promise.all([import('ai'), import('ai/test'), import('./gate.mjs'), import('./script.mjs')]);
  const paid = [];
  const pay = ({ id, body: { order, cents } }) => {
    paid.push([order, cents]);
    return { source: 'tool', proposer: 'till', value: { receipt: `till/${id}` } };
  };
  const ledger = openLedger(refunds, genesis, path);
  const tools = { refund: gatedRefund(ledger, { model, approval: person(true), pay, ...options }) };
  const { steps: seen } = await generateText({
    model: new MockLanguageModelV3({ doGenerate: script(steps) }),
    tools,
    stopWhen: stepCountIs(20),
    prompt: genesis.input.ticket,
  });
  if (ledger.request() !== undefined) ledger.answer(ledger.request(), { ...model, value: { tool: 'close' } });
  ledger.close();
  return {
    paid,
    told: seen.flatMap(({ content }) =>
      content.flatMap((part) =>
        part.type === 'tool-result' ? [part.output] : part.type === 'tool-error' ? ['error'] : [],
      ),
    ),
  };
}

/** What the ledger has asked the till for. */
const asked = (path) =>
  records(path)
    .flatMap(({ kind, payload }) => (kind === 'decision' ? payload.requests : []))
    .flatMap(({ kind, body }) => (kind === 'pay' ? [[body.order, body.cents]] : []));

void test(
  'what the kernel allows is paid, what it refuses is told to the model, and the ledger verifies',
  framework,
  async () => {
    const path = join(folder, 'whole.jsonl');
    const { paid, told } = await conversation(path);
    assert.deepEqual(paid, [
      ['A-17', 4_200],
      ['B-2', 7_000],
    ]);
    assert.deepEqual(
      told.map(({ refused, receipt }) => refused ?? receipt),
      ['more_than_paid', 'till/5.0', 'over_budget', 'till/13.0'],
    );
    assert.equal(verify(path), 'success, integrity held, rederivation held');
  },
);

void test(
  'no call without a decision: whatever calls come, alone or at once, only what the ledger asks for is paid',
  framework,
  async () => {
    const call = fc.tuple(
      fc.constantFrom('A-17', 'B-2', 'C-3', '__proto__'),
      fc.constantFrom(1, 4_200, 5_001, 7_801, 9_900, 42_000),
    );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        fc.boolean(),
        async (steps, approved) => {
          const path = join(folder, `random-${(runs += 1)}.jsonl`);
          const { paid, told } = await conversation(path, steps, { approval: person(approved) });
          assert.deepEqual(paid, asked(path));
          assert.equal(paid.length, told.filter((output) => output?.receipt !== undefined).length);
          assert.ok(paid.reduce((sum, [, cents]) => sum + cents, 0) <= genesis.policy.budget);
          assert.ok(approved || paid.every(([, cents]) => cents <= genesis.policy.limit));
        },
      ),
      { seed: SEED, numRuns: 100 },
    );
    assert.equal(runs, 100);
  },
);

void test(
  'a till that fails leaves its request open: the next call settles it first, with the same key',
  framework,
  async () => {
    const path = join(folder, 'failing.jsonl');
    const keys = [];
    const pay = ({ id }) => {
      keys.push(id);
      if (keys.length === 1) throw new Error('the till is closed');
      return { source: 'tool', proposer: 'till', value: { receipt: `till/${id}` } };
    };
    const { told } = await conversation(path, [[['A-17', 4_200]], [['A-17', 4_200]]], { pay });
    assert.deepEqual(keys, ['3.0', '3.0']);
    assert.deepEqual(told, ['error', { refused: 'already_refunded', detail: null }]);
    assert.equal(verify(path), 'success, integrity held, rederivation held');
  },
);
