/** The view of the intent machine. Who answered in an intent run. */
import type { OpenQuestion } from '../intent/blueprint.js';
import type { IntentEvent, IntentState } from '../intent/state.js';
import { field, isObject, type Json } from '../json.js';
import { CRITERIA } from '../intent/policy.js';
import type { Rejection } from '../machine/types.js';
import type { DerivedRecord } from '../records/run-view.js';
import { err, ok, type Result } from '../result.js';
import type { Described, Page, Picture, Piece, Turned, ViewFile, Panel, Row } from '../view/picture.js';
import type { View } from '../view/view.js';
import { decisionPanels } from './decision.js';
import { fold, start, type IntentFold } from './fold.js';
import { claimsBlock, listKnobs, refusalBlock, requestPanels, resultPanels } from './result.js';

/** Every recorded answer. */
export function answersPanel({ replies }: IntentFold): Panel {
  const rows = replies.map(
    ({ record, slot, proposer, source, readings, code, exceeded }): Row => ({
      record,
      cells: [
        slot === null ? null : [{ said: slot }],
        [{ said: proposer }],
        source === 'synthetic' ? 'synthetic, written by hand' : source,
        readings === null ? null : { n: readings, unit: 'count', exact: null },
        code === null
          ? null
          : [FAILED.get(code) ?? code, ...(exceeded === null ? [] : [': ', { said: exceeded }])],
      ],
      tone: code === null ? 'plain' : 'bad',
    }),
  );
  return {
    id: 'answers',
    title: 'Who answered',
    says: 'Every recorded answer, in order.',
    page: 'course',
    left_out: 0,
    block: { t: 'table', columns: ['slot', 'by', 'source', 'readings', 'not accepted'], rows },
  };
}

/** Words for the codes of failures that a reader can do something about; any other stands as it is. */
const FAILED: ReadonlyMap<string, string> = new Map([
  ['recording_miss', 'the recording has no answer to this'],
  ['left_out', 'left out'],
  ['too_long', 'the text is too long'],
  ['refusal', 'the model refuses'],
  ['truncated', 'the answer is longer than it may be'],
  ['answer_too_long', 'the answer is longer than it may be'],
  ['cut_off', 'the connection broke in the middle of the answer'],
  ['not_in_request', 'the answer quotes words that are not in the request'],
  ['budget', 'the budget does not cover it'],
  ['nothing_found', 'no sentence says what must, should or must not be'],
]);

/** What the intent machine shows: the request as read, readings and scores, answers, claims and checks. */
export const intentView: View<IntentState, IntentFold> = {
  machine: 'intent',
  versions: [1],
  account: {
    blueprint: ['/decisions', '/intent/total', '/intent/supporters'],
    refusal_report: ['/readings', '/answers', '/evidence_record_hashes'],
  },
  start,
  fold,
  describe,
  show,
  knobs: (_, { setup }) => (setup === null ? [] : listKnobs(setup.policy)),
  turn,
  files,
  next: ({ status }) =>
    status === null ? [] : ['verify', 'show'].map((command) => ({ command, args: ['{ledger}'] })),
};

function show(seen: IntentFold, state: IntentState, pages: readonly Page[]): Picture {
  const { status, request } = seen;
  const headline =
    status === 'success' ? decided(seen) : status === 'refused' ? refused(seen) : stillOpen(state);
  return {
    ...headline,
    asked: request === null ? 'asked in the ledger that this run continues' : [{ said: request }],
    panels: [
      ...requestPanels(seen),
      // Flips are found by deciding again, up to 512 times for each kind.
      ...(pages.includes('decision') ? decisionPanels(seen, state) : []),
      answersPanel(seen),
      ...resultPanels(seen),
    ],
  };
}

type Headline = Pick<Picture, 'tone' | 'verdict' | 'subject' | 'because'>;

function decided({ blueprint }: IntentFold): Headline {
  const {
    intent,
    claims = [],
    questions = [],
    coverage,
    uncovered = [],
    decisions = [],
  } = blueprint?.content ?? {};
  const count = (modality: string): number =>
    claims.filter((claim) => claim.kind !== 'question' && claim.modality === modality).length;
  const because = [
    ...['must', 'must_not', 'should', 'may']
      .filter((modality) => count(modality) > 0)
      .map((modality) => `${count(modality)} ${modality.replace('_', ' ')}`),
    renderOpen(questions),
    ...(coverage === undefined || coverage.units === 0
      ? []
      : [`${coverage.covered} of ${coverage.units} parts covered`]),
  ].join(' · ');
  const unread = renderUnread(questions);
  const losers = decisions.flatMap((decision) => decision.losers);
  return {
    tone: 'good',
    verdict: 'Decided',
    subject: ['the reading ', { said: intent?.name ?? '' }, ...(unread === null ? [] : [`; ${unread}`])],
    because: [
      ...(losers.length === 0
        ? ['no other reading']
        : ['ahead of ', ...listed(losers.map(({ name }) => name))]),
      ` · ${because}`,
      ...(uncovered.length === 0 ? [] : ['; not covered: ', ...listed(uncovered.map(({ text }) => text))]),
    ],
  };
}

/** How many questions are open; a sentence that was not read is asked about too, and counted by itself. */
function renderOpen(questions: readonly OpenQuestion[]): string {
  const open = questions.filter((question) => question.class !== 'unread').length;
  return `${open} open question${open === 1 ? '' : 's'}`;
}

/** How many sentences were not read, or null where all were. */
function renderUnread(questions: readonly OpenQuestion[]): string | null {
  const unread = questions.filter((question) => question.class === 'unread').length;
  if (unread === 0) return null;
  return unread === 1 ? '1 sentence was not read' : `${unread} sentences were not read`;
}

/** The first of what evidence says, and how many more there are. */
function listed(texts: readonly string[]): readonly Piece[] {
  const left = texts.length - LISTED;
  return [
    ...texts
      .slice(0, LISTED)
      .flatMap((said, index): readonly Piece[] => (index === 0 ? [{ said }] : [', ', { said }])),
    ...(left > 0 ? [` and ${left} more`] : []),
  ];
}

const LISTED = 3;

function refused({ refusal, replies }: IntentFold): Headline {
  const { reason_codes = [], questions = [] } = refusal?.content ?? {};
  const accepted = replies.filter(({ readings }) => (readings ?? 0) > 0).length;
  const unread = renderUnread(questions);
  const because = [
    `${accepted} of ${replies.length} answers brought a reading`,
    renderOpen(questions),
    ...(unread === null ? [] : [unread]),
  ];
  const codes = reason_codes.join(', ');
  const why = reason_codes.length === 1 ? WHY.get(codes) : undefined;
  return {
    tone: 'bad',
    verdict: 'Refused',
    subject: why === undefined ? codes : `${codes}: ${why}`,
    because: because.join(' · '),
  };
}

/** Words for the reasons that stand alone and that a newcomer meets. */
const WHY: ReadonlyMap<string, string> = new Map([
  ['empty_seed', 'the request holds no words'],
  ['no_valid_interpretation', 'every reading was vetoed'],
  ['nothing_actionable', 'no words of the request say what must be'],
]);

function stillOpen({ waiting }: IntentState): Headline {
  const slots = waiting.sorted().map(([, slot]) => slot);
  return {
    tone: 'open',
    verdict: 'Still open',
    subject: `${slots.length} ${slots.length === 1 ? 'answer is' : 'answers are'} awaited`,
    because: slots.flatMap((slot, index): readonly Piece[] =>
      index === 0 ? [{ said: slot }] : [', ', { said: slot }],
    ),
  };
}

function describe(record: DerivedRecord): Described {
  switch (record.kind) {
    case 'genesis': {
      const { input } = record.payload;
      const text = isObject(input) ? field(input, 'seed_text') : undefined;
      return { text: ['asked: ', { said: typeof text === 'string' ? text : '' }], tone: 'plain' };
    }
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const what = failure === null ? 'answer' : `failure ${failure.code}`;
      return { text: [`${what} to ${request_id} by `, { said: proposer }, ` (${source})`], tone: 'plain' };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision':
      return {
        text: (record.payload.events as readonly IntentEvent[]).flatMap(eventText),
        tone: 'plain',
      };
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close': {
      const { status, reasons } = record.payload;
      return {
        text: [status, ...reasons].join(', '),
        tone: status === 'success' ? 'good' : 'bad',
      };
    }
  }
}

function eventText(event: IntentEvent, index: number): readonly Piece[] {
  const lead = index === 0 ? '' : '; ';
  switch (event.t) {
    case 'seeded':
      return [`${lead}begun`];
    case 'asked':
      return [`${lead}asks `, { said: event.slot }];
    case 'answered':
      return [`${lead}takes the answer of `, { said: event.answer.slot }];
    case 'vetoed':
      return [`${lead}vetoes `, { said: event.name }, ` (${event.vetoes[0]?.code ?? ''})`];
    case 'scored':
      return [`${lead}scores `, { said: event.name }, ` ${Math.trunc(event.total / 10_000)} %`];
    case 'chosen':
      return [`${lead}chooses `, { said: event.name }];
    case 'committed':
      return [`${lead}commits ${event.claims.length} claims`];
    case 'refused':
      return [`${lead}refuses: ${event.reasons.map(({ code }) => code).join(', ')}`];
  }
}

function turn(policy: Json, changes: readonly Turned[]): Result<Rejection, Json> {
  let turned = policy;
  for (const { id, to } of changes) {
    const weights = isObject(turned) ? (field(turned, 'weights') ?? null) : null;
    const criterion = CRITERIA.find((known) => id === `weights.${known}`);
    if (!isObject(turned) || !isObject(weights) || (criterion === undefined && id !== 'min_score'))
      return err({ code: 'unknown_knob', detail: { id } });
    turned =
      criterion === undefined
        ? { ...turned, min_score: to }
        : { ...turned, weights: { ...weights, [criterion]: to } };
  }
  return ok(turned);
}

function files(seen: IntentFold): readonly ViewFile[] {
  const claims = claimsBlock(seen);
  const agreed = claims === null ? [] : [claims];
  const results = [
    ['blueprint', seen.blueprint, agreed],
    ['verification-pack', seen.pack, agreed],
    ['refusal', seen.refusal, [refusalBlock(seen)]],
  ] as const;
  return results.flatMap(([name, result, blocks]) =>
    result === null ? [] : [{ name: `${name}.json`, json: result.content, blocks }],
  );
}
