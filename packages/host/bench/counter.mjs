/**
 * What the benches of the host drive: a machine that counts answers, ports that answer at once, a store that
 * forgets.
 */
import { encodeLine } from '@assay/kernel';
import { headAfter } from '@assay/host';

const ask = { kind: 'tick', body: { say: 'a number' }, accepts: ['rule'], attempts: 2 };
const ok = (right) => ({ _tag: 'Right', right });

/** Counts to `input.to`, one answer a step, and closes. */
export const counter = {
  name: 'counter',
  version: 1,
  open: ({ input }) =>
    ok({ state: { n: 0, to: input.to }, decision: { events: [{ t: 'start', to: input.to }], asks: [ask] } }),
  parse: (value) => ok(value),
  decide: (state) =>
    ok(
      state.n + 1 === state.to
        ? { events: [{ t: 'tick' }], outcome: { status: 'success', reasons: [] } }
        : { events: [{ t: 'tick' }], asks: [ask] },
    ),
  evolve: (state, event) => (event.t === 'start' ? { n: 0, to: event.to } : { ...state, n: state.n + 1 }),
  encode: ({ n, to }) => ({ n, to }),
  decode: (json) => ok(json),
};

/** The genesis of a count. */
export const genesisOf = (to) => ({ run_id: 'bench', ts_base: 't', policy: {}, input: { to } });

/** Answers at once. */
export const ports = () => ({
  source: 'rule',
  proposer: 'bench',
  perform: async () => ({
    value: { note: 'A sentence of the length that people write when they answer.' },
    spent: { tokens: 12 },
  }),
});

/** Bytes of the canonical text of what {@link answering} answers. */
export const ANSWER_BYTES = 468;

/** Answers at once, each time another value of {@link ANSWER_BYTES}. */
export const answering = () => ({
  source: 'rule',
  proposer: 'bench',
  perform: async ({ id }) => ({ value: answerTo(id), spent: { tokens: 12 } }),
});

/** The answer to a request: its id, and text. */
export function answerTo(id) {
  const frame = JSON.stringify({ to: id, words: '' }).length;
  return {
    to: id,
    words: 'an answer of the length that models give '.repeat(12).slice(0, ANSWER_BYTES - frame),
  };
}

/** A store that encodes what it is given, as every store must, and keeps only the head. */
export function forgetfulStore() {
  let head = null;
  let bytes = 0;
  return {
    append: async (runId, expected, records) => {
      head = headAfter(runId, expected, records);
      for (const record of records) bytes += Buffer.byteLength(encodeLine(record)) + 1;
      return ok(head);
    },
    read: async function* () {},
    head: async () => ok(head),
    list: async () => ok([]),
    close: async () => undefined,
    bytes: () => bytes,
  };
}
