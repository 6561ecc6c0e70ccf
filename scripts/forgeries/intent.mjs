/**
 * Forgeries of what the intent machine decides: scores, winner, claims, the pack. Every hash is computed
 * again, so that only running the machine on the recorded readings tells.
 *
 * @module
 */
import { advance, openRun, orThrow } from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { chain, changed, draftsOf, fileOf, linesOf, made, reclosed } from './forge.mjs';
import { differs } from './decisions.mjs';
import { headLine, pair, rewritten } from './rewrites.mjs';

const SEED =
  'Keep audit logs at least 6 months. Do not store card data. Reports go to the auditor within 10 days.';
const TWIN = 'twin-intent';
/** Positions in the ledger of {@link decided}. */
const AT = { opening: 1, readings: 2, decision: 3, blueprint: 4, pack: 5, close: 6 };

/** A claim with a quote of the seed. */
function claim(kind, modality, words, atom) {
  const start = SEED.indexOf(words);
  return {
    kind,
    modality,
    quote: { start, end: start + words.length },
    atom,
    scope: { actor: null, condition: null, exception: null },
  };
}

const RETENTION = claim('requirement', 'must', 'Keep audit logs at least 6 months', {
  key: 'audit_log.retention',
  op: '>=',
  value: { n: 6, scale: 0 },
  unit: 'month',
});
const CARDS = claim('constraint', 'must_not', 'Do not store card data', null);
/** Readings written by hand. */
const READINGS = [
  { name: 'both', assumptions: [], intent_summary: 'two demands', commits: [RETENTION, CARDS] },
  {
    name: 'retention-only',
    assumptions: ['Card data is another project.'],
    intent_summary: 'one demand',
    commits: [RETENTION],
  },
];

/** One request decided on readings written by hand: its records. */
function decided(readings = READINGS) {
  const first = orThrow(
    openRun(intent, {
      run_id: 'intent',
      ts_base: '2026-11-22',
      policy: { ...defaultPolicy, proposers: ['by-hand'] },
      input: { seed_text: SEED, pin: null },
    }),
  );
  const answer = {
    request_id: '1.0',
    source: 'synthetic',
    proposer: 'fixture:by-hand',
    confidence: null,
    value: readings,
    failure: null,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
  };
  return [...first.records, ...orThrow(advance(first.run, answer)).records];
}

/** Forgeries of an intent run. */
export function intentForgeries() {
  const honest = decided();
  const drafts = draftsOf(honest);
  const at = (index, change) => fileOf(chain(reclosed(changed(drafts, index, change))));
  const [winner, loser] = READINGS.map(({ name }) => name);
  const swapped = (text) =>
    text
      .replaceAll(`"${winner}"`, '"\u0000"')
      .replaceAll(`"${loser}"`, `"${winner}"`)
      .replaceAll('"\u0000"', `"${loser}"`);
  const scored = (payload) => payload.events.filter((event) => typeof event.total === 'number');
  return [
    differs(
      'intent-score-raised',
      'the score of the losing reading raised',
      at(AT.decision, (payload) => void (scored(payload).at(-1).total += 400_000)),
      AT.decision,
      TWIN,
    ),
    differs(
      'intent-winner-swapped',
      'another reading shown as the winner, in the decision and in the blueprint',
      fileOf(
        chain(
          reclosed(
            remade(
              drafts.map((draft, index) =>
                index === AT.decision
                  ? { ...draft, text: eventsSwapped(draft.text, swapped) }
                  : index === AT.blueprint
                    ? { ...draft, text: swapped(draft.text) }
                    : draft,
              ),
            ),
          ),
        ),
      ),
      AT.decision,
      TWIN,
    ),
    differs(
      'intent-claim-dropped',
      'a prohibition left out of the blueprint',
      at(AT.blueprint, ({ name, content }) => made(name, { ...content, claims: content.claims.slice(0, 1) })),
      AT.blueprint,
      TWIN,
    ),
    differs(
      'intent-check-softened',
      'a check of the pack turned from must into may',
      at(AT.pack, ({ name, content }) =>
        made(name, {
          ...content,
          checks: content.checks.map((check, index) => (index === 0 ? { ...check, modality: 'may' } : check)),
        }),
      ),
      AT.pack,
      TWIN,
    ),
    differs(
      'intent-part-inflated',
      'one criterion of the losing reading inflated, its total left as it was',
      at(AT.decision, (payload) => void (scored(payload).at(-1).parts[0].num += 1)),
      AT.decision,
      TWIN,
    ),
    differs(
      'intent-tie-break-changed',
      'what decided between the first two shown as something else',
      at(AT.decision, (payload) => void (payload.events.find(({ t }) => t === 'chosen').tie_break = 'name')),
      AT.decision,
      TWIN,
    ),
    differs(
      'intent-uncovered-hidden',
      'words that nobody claimed left out of the blueprint',
      at(AT.blueprint, ({ name, content }) =>
        made(name, {
          ...content,
          uncovered: [],
          coverage: { ...content.coverage, covered: content.coverage.units },
        }),
      ),
      AT.blueprint,
      TWIN,
    ),
    differs(
      'intent-loser-forgotten',
      'a reading that lost left out of the blueprint',
      at(AT.blueprint, ({ name, content }) =>
        made(name, { ...content, decisions: content.decisions.map((one) => ({ ...one, losers: [] })) }),
      ),
      AT.blueprint,
      TWIN,
    ),
    ...pair(
      rewritten(
        'intent-reading-left-out',
        'the winning reading never proposed, everything derived again',
        decided(READINGS.slice(1)),
        honest,
        TWIN,
      ),
    ),
  ];
}

/** The honest run. */
export function intentTwins() {
  const honest = decided();
  return [
    {
      name: TWIN,
      what: 'a request decided on readings written by hand',
      bytes: fileOf(linesOf(honest)),
      head: headLine(honest),
    },
  ];
}

/** A decision with other events; its requests and graph stay, so that every id still follows. */
function eventsSwapped(text, swapped) {
  const payload = JSON.parse(text);
  const events = JSON.stringify(payload.events);
  return text.replace(events, () => swapped(events));
}

/** Drafts whose artifacts have the hash of their content again. */
function remade(drafts) {
  return drafts.map((draft, index) =>
    draft.kind === 'artifact'
      ? changed(drafts, index, ({ name, content }) => made(name, content))[index]
      : draft,
  );
}
