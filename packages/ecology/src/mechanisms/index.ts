/**
 * Mechanisms of an ecology as plain functions: auction, basic income, offers, rolling window. Usable without a ledger.
 *
 * @packageDocumentation
 */
export {
  resolveAuction,
  type Bid,
  type Resolution,
  bidIndependentIncome,
  equalIncome,
  type Income,
  type Settlement,
} from './auction.js';
export {
  buyOffer,
  cancelOffer,
  given,
  makeHoldId,
  isDue,
  openOffer,
  type Exit,
  type Good,
  type Holdings,
  type Legs,
  type Move,
  type Offer,
  type OfferFault,
} from './offers.js';
export { EMPTY_WINDOW, expire, fitsAt, recordUse, type Window } from './window.js';
