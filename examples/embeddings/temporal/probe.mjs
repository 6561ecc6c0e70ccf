/**
 * `node probe.mjs`: the SDK's replay of a history that was altered, and of one under changed code. Prints one
 * JSON document. The history is put together as `history.json` is: no Temporal service was at hand.
 */
import { join } from 'node:path';
import { ANSWERS, FROM, print, seen, TO, TOTAL, versionsOf } from '../testing/probe.mjs';
import { History } from './events.mjs';
import { replay } from './replay.mjs';

/** The history of the workflow of `probe/`, its second answer altered or not; the recorded result stays. */
function history(second) {
  const made = new History();
  made.start('total', [ANSWERS.length]);
  for (const [index, cents] of ANSWERS.entries())
    made.activity('answer', [index], cents === FROM ? second : cents);
  made.complete(TOTAL);
  return { events: made.events };
}

/** What the workflow ends with in a replay. */
async function ended(name, second = FROM) {
  const sums = [];
  const sinks = { probe: { ended: { fn: (_info, sum) => sums.push(sum), callDuringReplay: true } } };
  await replay(history(second), {
    workflowsPath: join(import.meta.dirname, 'probe', `${name}.workflow.mjs`),
    sinks,
  });
  return sums.at(-1);
}

print({
  host: 'Temporal',
  versions: versionsOf(import.meta.dirname, ['@temporalio/worker']),
  control: await seen(() => ended('as-recorded')),
  edited: await seen(() => ended('as-recorded', TO)),
  changed: await seen(() => ended('changed')),
  shape: await seen(() => ended('another-step')),
});
process.exit();
