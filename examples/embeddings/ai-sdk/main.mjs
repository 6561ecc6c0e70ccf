/**
 * `node main.mjs LEDGER yes|no`: the SDK's own test double in the place of a model, with calls that were
 * written by hand.
 */
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { openLedger } from '../own-loop/ledger.mjs';
import { refunds } from '../refunds/machine.mjs';
import { genesis, till, typed } from '../refunds/scenario.mjs';
import { gatedRefund } from './gate.mjs';
import { script } from './script.mjs';

const [, , path = 'gate.ledger.jsonl', word = 'no'] = process.argv;
const ledger = openLedger(refunds, genesis, path);
const model = { source: 'synthetic', proposer: 'fixture:refund-model' };
const refund = gatedRefund(ledger, { model, approval: typed(word), pay: till });
const { steps, text } = await generateText({
  model: new MockLanguageModelV3({ doGenerate: script() }),
  tools: { refund },
  stopWhen: stepCountIs(10),
  prompt: genesis.input.ticket,
});
for (const { output } of steps.flatMap(({ toolResults }) => toolResults)) console.log(JSON.stringify(output));
ledger.answer(ledger.request(), { ...model, value: { tool: 'close' } });
console.log(`${ledger.run().outcome}: ${text}`);
ledger.close();
