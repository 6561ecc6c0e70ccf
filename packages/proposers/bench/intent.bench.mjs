/**
 * A request from text to closed ledger: the `rules` proposer and the intent machine, as text grows. Run after
 * a build:
 *
 *   node packages/proposers/bench/intent.bench.mjs [--json]
 *
 * Texts are a real request repeated with other numbers, so that sentences differ as they do in a long
 * document. Median of the rounds, wall time in this process. Targets: 300 words in 300 ms, 1 MiB in 2 s, no
 * quadratic step (ten times the text in at most 12 times the time); an answer of 8 readings of 450 commits,
 * each quoting 1 MiB whole, in 2 s.
 */
import { hash } from 'node:crypto';
import { orThrow } from '@assay/kernel';
import { defaultPolicy, runEngine } from '@assay/kernel/intent';
import { rulesProposer } from '@assay/proposers/language';
import { atMost, machine } from '../../../bench/lib/targets.mjs';
import { textOf, wordsOf } from '../../../bench/lib/texts.mjs';

const ROUNDS = 5;
const options = { sha256: (bytes) => hash('sha256', bytes, 'hex') };
/** Plays an answer that quotes the whole text 3,600 times. */
function quoting(text) {
  const quote = { start: 0, end: text.length };
  const commit = (n) => ({
    kind: 'requirement',
    modality: 'must',
    quote,
    atom: { key: 'a.b', op: '<=', value: { n, scale: 0 }, unit: 's' },
    scope: { actor: null, condition: null, exception: null },
  });
  const value = Array.from({ length: 8 }, (_, place) => ({
    name: `r${place}`,
    assumptions: [],
    intent_summary: '',
    commits: Array.from({ length: 450 }, (_each, index) => commit(place * 450 + index)),
  }));
  return { proposer: 'fixture:quoting', proposeInterpretations: () => ({ source: 'synthetic', value }) };
}

function measure(text, proposer = rulesProposer) {
  const taken = [];
  let outcome = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const { artifacts } = orThrow(
      runEngine(
        'bench',
        text,
        null,
        { ...defaultPolicy, contradiction_budget: 1_000_000, max_nodes: 1_000_000 },
        proposer,
        't',
        options,
      ),
    );
    taken.push(performance.now() - start);
    outcome =
      artifacts.refusal_report === undefined ? 'decided' : artifacts.refusal_report.reason_codes.join(',');
  }
  return { bytes: text.length, ms: taken.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)], outcome };
}

const threeHundred = wordsOf(300);
measure(threeHundred);
const report = {
  bench: 'intent',
  node: process.version,
  machine: machine(),
  rounds: ROUNDS,
  words_300: measure(threeHundred),
  sizes: [1_000, 10_000, 100_000, 1_000_000, 1_048_576].map((bytes) => measure(textOf(bytes))),
};
report.quoted = measure(textOf(1_048_576), quoting(textOf(1_048_576)));
report.growth = report.sizes.slice(1, 4).map(({ ms }, index) => ms / report.sizes[index].ms);
report.targets = [
  atMost('intent-words', 'a request of 300 words from text to closed ledger', report.words_300.ms, 300, 'ms'),
  atMost(
    'intent-mib',
    'a request of 1 MiB, decided or refused by a stated limit',
    report.sizes.at(-1).ms,
    2_000,
    'ms',
  ),
  atMost(
    'intent-quoted',
    'an answer that quotes a request of 1 MiB whole 8 x 450 times',
    report.quoted.ms,
    2_000,
    'ms',
  ),
  atMost(
    'intent-growth',
    'ten times the text, up to 1,000,000 bytes',
    Math.max(...report.growth),
    12,
    'times the time',
  ),
];
console.log(process.argv.includes('--json') ? JSON.stringify(report) : JSON.stringify(report, null, 2));
