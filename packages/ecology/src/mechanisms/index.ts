/**
 * Mechanisms of an ecology as plain functions: auction, basic income, rolling window. Usable without a ledger.
 *
 * @packageDocumentation
 */
export { resolveAuction, type Bid, type Resolution } from './auction.js';
export { bidIndependentIncome, equalIncome, type Income, type Settlement } from './ubi.js';
export { EMPTY_WINDOW, expire, fitsAt, useOf, type Window } from './window.js';
