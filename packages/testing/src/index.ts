/**
 * For tests of your own machines and ledgers: the laws of every machine, generators, and `tally`, the
 * worked example they are held against. Pure; what reads files is in `@assay/testing/node`.
 *
 * @packageDocumentation
 */
export {
  type BallotBody,
  type NoticeBody,
  type TallyAnswer,
  type TallyInput,
  type TallyPolicy,
  tally,
} from './machines/tally.js';
export { knownMachines } from './machines/known.js';
export type { TallyEvent, TallyState } from './machines/tally-state.js';
export {
  type JsonOptions,
  TRICKY_KEYS,
  TRICKY_TEXTS,
  admittedJson,
  anyKey,
  anyNumber,
  anyText,
  blobToken,
  digestText,
  hostilePart,
  hostileVariant,
  integralJson,
  objectOf,
  sealedToken,
} from './generators/json.js';
export {
  type Attendant,
  anyAttendant,
  anyFailure,
  anySpent,
  failingProposal,
  goodProposal,
  inadmissibleProposal,
  lostProposal,
  misshapenProposal,
  plainProposal,
  strangerProposal,
} from './generators/proposals.js';
export {
  type TallyLedger,
  openPoll,
  tallyAnswer,
  tallyArbitraries,
  tallyGenesis,
  tallyLedger,
} from './machines/tally-arbitraries.js';
export { entropy, type Draw } from './laws/draw.js';
export {
  LAW_NAMES,
  LAW_RUNS,
  LAW_SEED,
  LawViolation,
  VIEW_LAW_NAMES,
  registerLaws,
  type Law,
  type LawName,
  type ViewLawName,
  type Suite,
} from './laws/law.js';
export { KERNEL, type Kernel, type LawOptions, type MachineArbitraries } from './laws/setup.js';
export { machineLaws } from './laws/machine-laws.js';
export { viewLaws } from './laws/view-laws.js';
export { foldOpenTable } from './laws/open-table.js';
