/**
 * An XState machine for the process, the kernel for the decisions: the actor waits and stops; what follows
 * from an answer is not its to say.
 */
import { fromPromise, setup } from 'xstate';

/**
 * `performs`: who answers each kind of request. `patienceMs`: how long an answer may take; then the actor
 * stops, and the ledger stays open.
 */
export function deskMachine(ledger, performs, patienceMs = 30_000) {
  let rejected = null;
  return setup({
    actors: { perform: fromPromise(async ({ input: request }) => performs[request.kind](request, rejected)) },
    guards: { isClosed: () => ledger.request() === undefined },
    // Durable before the next invocation starts: XState runs actions first.
    actions: { record: (_, { said }) => void (rejected = ledger.answer(ledger.request(), said)) },
    delays: { patience: patienceMs },
  }).createMachine({
    id: 'desk',
    initial: 'deciding',
    states: {
      deciding: { always: [{ guard: 'isClosed', target: 'closed' }, { target: 'asking' }] },
      asking: {
        invoke: {
          src: 'perform',
          input: () => ledger.request(),
          onDone: {
            target: 'deciding',
            actions: { type: 'record', params: ({ event }) => ({ said: event.output }) },
          },
          onError: 'stopped',
        },
        after: { patience: 'stopped' },
      },
      stopped: { type: 'final' },
      closed: { type: 'final' },
    },
  });
}
