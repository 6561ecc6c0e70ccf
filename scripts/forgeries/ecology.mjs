/**
 * Forgeries of what an ecology decides: a verdict, a balance, an auction, a window, a refund. Every hash is
 * computed again, so that only running the machine, contracts included, on the recorded answers tells.
 *
 * @module
 */
import { forger, goldenTwin, is } from './golden.mjs';

const RUNS = [
  ['twin-ecology-signatures', 'two of three sign before a treasury pays', 'ecology-22-signatures'],
  ['twin-ecology-buyers', 'two buyers want one listing', 'ecology-2-two-buyers'],
  ['twin-ecology-price', 'an auction of three slots', 'ecology-3-price'],
  ['twin-ecology-rate', 'a rate is used and then sold', 'ecology-14-rate'],
  ['twin-ecology-void', 'a score that is void, and its refund', 'ecology-6-void'],
];

/** Forgeries of an ecology. */
export function ecologyForgeries() {
  const [signatures, buyers, price, rate, voided] = RUNS.map(([twin, , from]) => forger(from, twin));
  return [
    signatures.event(
      'ecology-verdict-turned',
      'a contract that refused shown as one that allowed',
      is('verdict', ({ y }) => !y),
      (event) => void (event.y = true),
    ),
    buyers.event(
      'ecology-payment-shrunk',
      'a buyer that pays a tenth of the price',
      is('mv', ({ x }) => x === 300),
      (event) => void (event.x = 30),
    ),
    price.event(
      'ecology-price-lowered',
      'the price of an auction halved',
      is('resolved'),
      (event) => void (event.v.price = 20),
    ),
    rate.event(
      'ecology-window-emptied',
      'less of a rate shown as used, so that more could be sold',
      is('use', ({ r }) => r === 'cpu'),
      (event) => void (event.x = 1),
    ),
    voided.event(
      'ecology-refund-kept',
      'a tenth of a refund',
      is('mv', ({ x }) => x === 50),
      (event) => void (event.x = 5),
    ),
  ];
}

/** The honest runs. */
export function ecologyTwins() {
  return RUNS.map((run) => goldenTwin(...run));
}
