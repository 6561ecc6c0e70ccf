/**
 * One ticket for every example: what the customer wrote, and a model that was written by hand, so its source
 * is `synthetic`.
 */
export const genesis = {
  run_id: 'ticket-81',
  ts_base: '2026',
  policy: { limit: 5_000, budget: 12_000 },
  input: {
    ticket: 'A-17 came broken, and B-2 never came.',
    paid: [
      ['A-17', 4_200],
      ['B-2', 9_900],
    ],
  },
};

const refund = (order, cents) => ({ tool: 'refund', order, cents });
/** What the model says next, by how many refunds are done and why its last call was rejected. */
const CALLS = {
  '0 ': refund('A-17', 42_000),
  '0 more_than_paid': refund('A-17', 4_200),
  '1 ': refund('B-2', 9_900),
  '1 over_budget': refund('B-2', 7_000),
  '1 already_declined': { tool: 'close' },
  '2 ': { tool: 'close' },
};

/**
 * The scripted model. `rejected`: the rejection of its last call for this request, null where there is none.
 */
export const scripted = ({ body }, rejected) => ({
  source: 'synthetic',
  proposer: 'fixture:refund-model',
  value: CALLS[`${body.done.length} ${rejected?.code ?? ''}`],
});

/** Whoever runs an example is the person: what they typed as an argument is their answer. */
export const typed = (word) => () => ({
  source: 'human',
  proposer: 'cli-user',
  value: { approved: word === 'yes' },
});

/** A till that prints what it pays; the request's id is its idempotency key. */
export const till = ({ id, body: { order, cents } }) => {
  console.log(`paid ${cents} for ${order}`);
  return { source: 'tool', proposer: 'till', value: { receipt: `till/${id}` } };
};

/** The same as ports of `@assay/host`, by the kind of the request. */
export const ports = (word, pay = till) => ({
  next: {
    source: 'synthetic',
    proposer: 'fixture:refund-model',
    perform: async (request, { rejected }) => ({
      value: scripted(request, (await rejected())?.rejection).value,
    }),
  },
  approval: {
    source: 'human',
    proposer: 'cli-user',
    perform: async (request) => ({ value: typed(word)(request).value }),
  },
  pay: { source: 'tool', proposer: 'till', perform: async (request) => ({ value: pay(request).value }) },
});
