/** Three answerers vote on which draft is sent; the machine `tally` decides. Nothing here calls a model. */
import { tally } from '@assay/testing/tally';
import { drive } from './loop.mjs';

const genesis = {
  run_id: 'drafts',
  ts_base: '2026',
  policy: { voters: 3, quorum: 2, attempts: 2 },
  input: { question: 'Which draft is sent?', options: ['short', 'long'] },
};

// Where you would call your model. Written by hand, so the source is `synthetic` and the proposer
// `fixture:…`.
const said = ['I would say the short one!', { option: 'short' }, { option: 'long' }, { option: 'short' }];
const perform = async () => ({ source: 'synthetic', proposer: 'fixture:voters', value: said.shift() });

const run = await drive(tally, genesis, perform, process.argv[2] ?? 'drafts.ledger.jsonl');
console.log(`${run.outcome}, ${run.count} records`);
