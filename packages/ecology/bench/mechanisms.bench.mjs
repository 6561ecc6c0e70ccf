/** The mechanisms as plain functions: the rolling window, and an auction of 10,000 bids with its income. CPU time. */
import {
  bidIndependentIncome,
  EMPTY_WINDOW,
  expire,
  resolveAuction,
  recordUse,
} from '@assay/ecology/mechanisms';
import { atLeast, atMost, machine } from '../../../bench/lib/targets.mjs';

const WIDTH = 60_000_000;
const OPERATIONS = 2_000_000;
const BIDS = 10_000;

function seconds(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function median(work) {
  return Array.from({ length: 5 }, () => seconds(work)).toSorted((a, b) => a - b)[2];
}

/** Uses of a window that holds about 13,000 of them. */
function windows() {
  let [window, now] = [EMPTY_WINDOW, 0];
  for (let n = 0; n < OPERATIONS; n += 1) {
    now += 1 + ((n * 7_919) % 9_000);
    window = expire(window, now, WIDTH);
    if (window.used + 5 <= 100_000) window = recordUse(window, now, 5);
  }
  if (window.used === 0) throw new Error('nothing was used');
}

const bids = Array.from({ length: BIDS }, (_, seq) => ({
  principal: `p${seq}`,
  amount: 1 + ((seq * 7_919) % 100_003),
  seq,
}));
const members = bids.map(({ principal }) => principal);

function auction() {
  const { winners, price } = resolveAuction(bids, 100, 0);
  const { shares, carry } = bidIndependentIncome({
    bids,
    slots: 100,
    reserve: 0,
    valid: winners.length,
    members,
  });
  const out = shares.reduce((sum, share) => sum + share, carry);
  if (out !== price * winners.length) throw new Error('the income is not what winners paid');
}

const figures = {
  windows: Math.round(OPERATIONS / median(windows)),
  auction: Number((1_000 * median(auction)).toFixed(1)),
};
console.log(
  JSON.stringify({
    bench: 'ecology-mechanisms',
    node: process.version,
    machine: machine(),
    figures,
    targets: [
      atLeast(
        'ecology-window',
        'the rolling window as a plain function, a second of CPU',
        figures.windows,
        1_000_000,
        'operations/s',
      ),
      atMost(
        'ecology-auction',
        'an auction of 10,000 bids with the income of 10,000 members',
        figures.auction,
        50,
        'ms of CPU',
      ),
    ],
  }),
);
