/**
 * For tests of your own machines and ledgers: the laws of every machine, generators, and `tally`, the
 * worked example they are held against. Pure; what reads files is in `@assay/testing/node`.
 *
 * @packageDocumentation
 */
export { tally } from './machines/tally.js';
export type { BallotBody, NoticeBody, TallyAnswer, TallyEvent, TallyState } from './machines/tally-state.js';
export { admittedJson, digestText, hostileVariant, integralJson } from './generators/json.js';
export {
  failingProposal,
  goodProposal,
  lostProposal,
  plainProposal,
  strangerProposal,
} from './generators/proposals.js';
export { type TallyLedger, openPoll, tallyLedger } from './machines/tally-arbitraries.js';
export { type Draw, entropy, LAW_SEED, type LawName, registerLaws, type Suite } from './laws/law.js';
export { type MachineArbitraries } from './laws/setup.js';
export { machineLaws, foldOpenTable } from './laws/machine-laws.js';
export { viewLaws } from './laws/view-laws.js';
