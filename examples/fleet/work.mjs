/** What a worker drives: polls. Voter 0 is a person, who answers whenever they like; a rule answers for the others. */
import { tally } from '@assay/testing/tally';

export const machines = [tally];

/** Called for each run that the worker takes up. Keys come from its environment, and are stored nowhere. */
export function ports({ inbox }) {
  const rule = {
    source: 'rule',
    proposer: 'first-option',
    perform: async ({ body }) => ({ value: { option: body.options[0] } }),
  };
  return ({ kind, body }) => (kind !== 'ballot' ? null : body.voter === 0 ? inbox : rule);
}
