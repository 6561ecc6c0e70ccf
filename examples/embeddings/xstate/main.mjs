/**
 * `node main.mjs LEDGER yes|no`: the desk of the scenario, or what is left of it; the last word is what the
 * person says.
 */
import { createActor, toPromise } from 'xstate';
import { openLedger } from '../own-loop/ledger.mjs';
import { refunds } from '../refunds/machine.mjs';
import { genesis, scripted, till, typed } from '../refunds/scenario.mjs';
import { deskMachine } from './desk.mjs';

const [, , path = 'desk.ledger.jsonl', word = 'no'] = process.argv;
const ledger = openLedger(refunds, genesis, path);
const actor = createActor(deskMachine(ledger, { next: scripted, approval: typed(word), pay: till })).start();
await toPromise(actor);
console.log(actor.getSnapshot().value, ledger.run().outcome);
ledger.close();
