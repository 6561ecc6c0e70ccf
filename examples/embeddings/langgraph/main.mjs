/**
 * `node main.mjs LEDGER yes|no`: the desk of the scenario, or what is left of it; the last word is what the
 * person says.
 */
import { openLedger } from '../own-loop/ledger.mjs';
import { refunds } from '../refunds/machine.mjs';
import { genesis, scripted, till, typed } from '../refunds/scenario.mjs';
import { deskGraph } from './desk.mjs';

const [, , path = 'desk.ledger.jsonl', word = 'no'] = process.argv;
const ledger = openLedger(refunds, genesis, path);
await deskGraph(ledger, { next: scripted, approval: typed(word), pay: till }).invoke(
  {},
  { recursionLimit: 100 },
);
console.log(ledger.run().outcome);
ledger.close();
