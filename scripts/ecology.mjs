/**
 * `npm run campaign:ecology`: the mechanisms of an ecology over worlds that are too many for `npm test`. Which
 * deviations pay under each rule, exhaustively and over random auctions; every sequence of acts around offers to
 * depth 4; each hostile contract after each other one in one engine. Figures are in
 * docs/explanation/ecology.md. Exit 1 where a rule that claims to be truthful is not, an offer breaks a
 * law, or a contract ends otherwise.
 *
 *   npm run campaign:ecology [-- --auctions N] [-- --depth N] [-- --contracts N]
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';

const { values: given } = parseArgs({
  options: {
    auctions: { type: 'string', default: '100000' },
    depth: { type: 'string', default: '4' },
    contracts: { type: 'string', default: '1000' },
  },
});
prepare();
const mechanisms = await import('@assay/ecology/mechanisms');
const { deviations, everyDeviation, rulesOf } = await import('../packages/ecology/tools/auctions.mjs');
const { exploreOffers } = await import('../packages/ecology/tools/offers.mjs');
const { HOSTILE, hostilePairs } = await import('../packages/ecology/tools/hostile.mjs');
const { loadEngine } = await import('@assay/ecology/sandbox');

const SEED = 20_260_101;
/** Highest value of a random auction; bids go one higher. */
const TOP = 50;
const RULES = rulesOf(mechanisms);

const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
const say = (...cells) => console.log(`| ${cells.join(' | ')} |`);

console.log('Every profile of 4 principals with values 0 to 5, 1 to 3 slots: deviations that pay\n');
say('rule', '1 slot', '2 slots', '3 slots');
say('---', '---', '---', '---');
for (const [name, rule] of Object.entries(RULES)) sayExhaustive(name, rule, false);
sayExhaustive('bid_independent, one owner of two principals', RULES.bid_independent, true);

console.log(
  `\n${given.auctions} random auctions, seed ${SEED}, every bid from 0 to ${TOP + 1} of one principal\n`,
);
say('rule', 'deviations', 'that pay');
say('---', '---', '---');
for (const [name, rule] of Object.entries(RULES)) sayRandom(name, rule);

const { states, transitions, violations } = exploreOffers(mechanisms, Number(given.depth));
console.log(
  `\nOffers to depth ${given.depth}: ${states} states, ${transitions} transitions, violations ${JSON.stringify(violations)}`,
);
if (Object.keys(violations).length > 0) process.exitCode = 1;

const names = Object.keys(HOSTILE).slice(0, Number(given.contracts));
const { pairs, differing, slowest } = hostilePairs(freshEngine, names);
console.log(
  `\n${names.length} hostile contracts, ${pairs} ordered pairs in one engine: ${differing.length} end otherwise`,
);
for (const pair of differing) console.log(`  ${pair}`);
console.log(`slowest, in CPU: ${slowest.map(([name, ms]) => `${name} ${Math.round(ms)} ms`).join(', ')}`);
if (differing.length > 0) process.exitCode = 1;

function freshEngine() {
  const bytes = readFileSync(new URL('../packages/ecology/dist/engine.wasm', import.meta.url));
  const loaded = loadEngine(bytes, (data) => createHash('sha256').update(data).digest('hex'));
  if (loaded._tag === 'Left') throw new Error(loaded.left.code);
  return loaded.right;
}

function sayExhaustive(name, rule, isJoint) {
  const found = [1, 2, 3].map((slots) => everyDeviation(rule, slots, isJoint));
  say(name, ...found.map(({ profitable, all }) => `${profitable} of ${all} (${percent(profitable, all)})`));
  if (name === 'bid_independent' && found.some(({ profitable }) => profitable > 0)) process.exitCode = 1;
}

function sayRandom(name, rule) {
  const draw = drawsOf(SEED);
  const bids = Array.from({ length: TOP + 2 }, (_, bid) => bid);
  // The other rules are there to fail: a tenth of the auctions shows how often.
  const auctions = Number(given.auctions) / (name === 'bid_independent' ? 1 : 10);
  let [profitable, all] = [0, 0];
  for (let auction = 0; auction < auctions; auction += 1) {
    const members = Array.from({ length: 2 + draw(7) }, (_, index) => `p${index}`);
    const values = members.map(() => draw(TOP + 1));
    const found = deviations(rule, {
      values,
      slots: 1 + draw(4),
      members,
      index: draw(members.length),
      bids,
    });
    profitable += found.profitable;
    all += found.all;
  }
  say(name, all, `${profitable} (${percent(profitable, all)})`);
  if (name === 'bid_independent' && profitable > 0) process.exitCode = 1;
}

/** Whole numbers below a bound, by xorshift. */
function drawsOf(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
