/**
 * Mechanisms of an ecology as plain functions: auction, basic income, offers, rolling window. Usable without a ledger.
 *
 * @packageDocumentation
 */
export {
  byRank,
  computePayment,
  resolveAuction,
  type Bid,
  type Resolution,
  bidIndependentIncome,
  equalIncome,
  type Income,
  type Settlement,
} from './auction.js';
export { given, type Exit, type Good, type Legs, type Move, type Offer } from './offers.js';
export { EMPTY_WINDOW, expire, recordUse, type Window } from './window.js';
