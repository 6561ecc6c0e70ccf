/**
 * `node probe.mjs`: XState's persisted snapshot, restored after an edit and into a changed machine. Prints
 * one JSON document.
 */
import { assign, createActor, setup } from 'xstate';
import { add, ANSWERS, changed, FROM, print, seen, TO, versionsOf } from '../testing/probe.mjs';

/** Sums the answers; `reduce` is what may have changed. `state`: the name of its one state. */
const machine = (reduce, state = 'adding') =>
  setup({}).createMachine({
    initial: state,
    context: { total: 0, answers: [] },
    states: {
      [state]: {
        on: {
          answer: {
            actions: assign(({ context, event }) => ({
              total: reduce(context.total, event.cents),
              answers: [...context.answers, event.cents],
            })),
          },
        },
      },
    },
  });

/** The snapshot after two answers, as text. */
function persisted() {
  const actor = createActor(machine(add)).start();
  for (const cents of ANSWERS.slice(0, 2)) actor.send({ type: 'answer', cents });
  return JSON.stringify(actor.getPersistedSnapshot());
}

/** Restores a snapshot and gives the third answer. */
function restored(text, reduce, state) {
  const actor = createActor(machine(reduce, state), { snapshot: JSON.parse(text) });
  actor.subscribe({ error: () => undefined }); // looked at below
  actor.start().send({ type: 'answer', cents: ANSWERS[2] });
  const { status, error, context } = actor.getSnapshot();
  if (status === 'error') throw error;
  return context.total;
}

const text = persisted();
print({
  host: 'XState',
  versions: versionsOf(import.meta.dirname, ['xstate']),
  control: await seen(() => restored(text, add)),
  edited: await seen(() => restored(text.replace(`"total":${4_200 + FROM}`, `"total":${4_200 + TO}`), add)),
  changed: await seen(() => restored(text, changed)),
  shape: await seen(() => restored(text, add, 'another')),
});
