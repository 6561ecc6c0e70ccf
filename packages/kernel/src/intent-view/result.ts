/**
 * What an intent run came to: the request as it was read, claims with their checks, or why it
 * was refused.
 */
import type { Blueprint, BlueprintClaim, OpenQuestion } from '../intent/blueprint.js';
import { WEIGHT_MAX, CRITERIA, PPM, type Policy } from '../intent/policy.js';
import type { Block, Branch, Fact, Knob, Panel, Piece, Row, Stretch, Text, Tone } from '../view/picture.js';
import type { IntentFold } from './fold.js';
import { lonePinsPanel } from './pins.js';
import { adviseOn, adviseOnQuestion, phraseOfVeto, showAtom, stated } from './vetoes.js';

const MODALITIES: Readonly<Record<BlueprintClaim['modality'], Tone>> = {
  must: 'plain',
  must_not: 'bad',
  should: 'faint',
  may: 'faint',
};

/** The request with what was claimed of it, and what nobody claimed. */
export function requestPanels({ request, blueprint, refusal }: IntentFold): readonly Panel[] {
  if (request === null) return [];
  const claimed = (blueprint?.content.claims ?? []).flatMap(
    ({ id, kind, modality, quote }): readonly Stretch[] =>
      quote === null
        ? []
        : kind === 'question'
          ? [{ ...quote, label: nameQuestion(findQuestion(blueprint?.content, id)), tone: 'open' }]
          : [{ ...quote, label: modality.replace('_', ' '), tone: MODALITIES[modality] }],
  );
  const gaps = (blueprint?.content.uncovered ?? []).map(
    ({ start, end, kind }): Stretch => ({ start, end, label: `not covered: ${kind}`, tone: 'open' }),
  );
  const asked = (refusal?.content.questions ?? []).flatMap((question): readonly Stretch[] =>
    question.raised_by === null
      ? []
      : [
          {
            start: question.raised_by.start,
            end: question.raised_by.end,
            label: nameQuestion(question),
            tone: 'open',
          },
        ],
  );
  return [
    {
      id: 'request',
      title: 'The request, as it was read',
      says: 'Each marked stretch became a claim or a question, or was not covered.',
      page: 'overview',
      left_out: 0,
      block: { t: 'passage', text: request, spans: [...claimed, ...gaps, ...asked] },
    },
  ];
}

function findQuestion(blueprint: Blueprint | undefined, claim: string): OpenQuestion | undefined {
  return blueprint?.questions.find((question) => question.claim === claim);
}

/** A question as rows name it: a sentence that was not read is asked about too. */
function nameQuestion(question: Pick<OpenQuestion, 'class'> | undefined): string {
  return question?.class === 'unread' ? 'not read' : 'open question';
}

/** Claims with their checks, or reasons and questions. */
export function resultPanels(seen: IntentFold): readonly Panel[] {
  const { blueprint, refusal } = seen;
  const panel = (id: string, title: string, says: string, block: Block | null): readonly Panel[] =>
    block === null ? [] : [{ id, title, says, page: 'result', left_out: 0, block }];
  const contradicting =
    blueprint === null || blueprint.content.contradictions.length === 0
      ? null
      : contradictionsBlock(blueprint.content, blueprint.record);
  return [
    ...panel(
      'claims',
      'Claims and their checks',
      'A line for each claim, with its threshold and its check.',
      claimsBlock(seen),
    ),
    ...lonePinsPanel(blueprint),
    ...panel(
      'contradictions',
      'Contradictions',
      'Claims that cannot both hold, and what settled them.',
      contradicting,
    ),
    ...panel(
      'refusal',
      'Why it was refused',
      'Each reason and each question with what to do.',
      refusal === null ? null : refusalBlock(seen),
    ),
  ];
}

/** The claims as a tree, each under the one it refines; null without a blueprint. */
export function claimsBlock({ blueprint, pack }: IntentFold): Block | null {
  if (blueprint === null) return null;
  const { claims } = blueprint.content;
  const checks = new Map((pack?.content.checks ?? []).map((check) => [check.claim, check] as const));
  const known = new Set(claims.map(({ id }) => id));
  const under = (parent: string | null): readonly BlueprintClaim[] =>
    claims.filter(({ id, refines }) => {
      const above = refines !== null && refines !== id && known.has(refines) ? refines : null;
      return above === parent;
    });
  const branch = (claim: BlueprintClaim): Branch => {
    const check = checks.get(claim.id);
    const isQuestion = claim.kind === 'question';
    const tag = nameQuestion(findQuestion(blueprint.content, claim.id));
    const note: readonly Piece[] = [
      ...(claim.quote === null ? [`${claim.provenance} · `] : []),
      ...(claim.atom === null || tag === 'not read'
        ? []
        : [
            { said: isQuestion ? showAtom(claim.atom).replace(/^question = /, '') : showAtom(claim.atom) },
            ' · ',
          ]),
      ...(check === undefined
        ? []
        : [
            `${check.id} ${check.method.replace('_', ' ')}`,
            ...(check.waits_for.length === 0 ? [] : [', waits for an answer']),
          ]),
    ];
    return {
      record: blueprint.record,
      label: [{ said: check?.text ?? claim.text }],
      tag: isQuestion ? tag : claim.modality.replace('_', ' '),
      tone: isQuestion ? 'open' : MODALITIES[claim.modality],
      note,
      under: under(claim.id).map(branch),
    };
  };
  return { t: 'tree', roots: under(null).map(branch) };
}

function contradictionsBlock({ claims, contradictions }: Blueprint, record: number): Block {
  const renderText = (id: string): Row['cells'][number] => {
    const claim = claims.find((one) => one.id === id);
    return claim === undefined ? null : [{ said: claim.text }];
  };
  const rows = contradictions.map(
    ({ a, b, basis, why, state, by, rejected }): Row => ({
      record,
      cells: [
        renderText(a),
        rejected === null ? renderText(b) : [{ said: rejected.text }],
        `${basis}: ${why}`,
        by === null ? state : `${state} by ${by}`,
      ],
      tone: state === 'open' ? 'open' : 'faint',
    }),
  );
  return { t: 'table', columns: ['this', 'against', 'why', 'state'], rows };
}

/** Reasons with advice, what each reading is vetoed for, and the questions of a refused run. */
export function refusalBlock({ refusal }: IntentFold): Block {
  if (refusal === null) return { t: 'facts', rows: [] };
  const { content, record } = refusal;
  const { reasons, questions, readings } = content;
  const fact = (name: string, value: Text, tone: Tone = 'bad'): Fact => ({ record, name, value, tone });
  return {
    t: 'facts',
    rows: [
      ...reasons.map(({ code }, at) => fact(code, [adviseOn(content, at)])),
      ...readings.flatMap(({ name, vetoes }) =>
        vetoes.map((veto) =>
          veto.code === 'pin_conflict'
            ? fact('conflict', [
                ...['pinned is ', ...stated(veto.pinned), ', and ', { said: name }, ' says '],
                ...stated(veto.claimed),
              ])
            : fact('vetoed', [{ said: name }, ': ', ...phraseOfVeto(veto)]),
        ),
      ),
      ...questions.map((question) =>
        fact(
          nameQuestion(question),
          [
            question.raised_by === null ? '(no words)' : { said: question.raised_by.text },
            ` · ${adviseOnQuestion(question)}`,
          ],
          'open',
        ),
      ),
    ],
  };
}

/** Weights and the least score, as the policy has them. */
export function listKnobs(policy: Policy): readonly Knob[] {
  const knob = (id: string, label: string, at: number, max: number): Knob => {
    return { id, label, unit: 'ppm', at, min: 0, max, step: 10_000 };
  };
  return [
    ...CRITERIA.map((criterion) =>
      knob(`weights.${criterion}`, `weight of ${criterion}`, policy.weights[criterion], WEIGHT_MAX),
    ),
    knob('min_score', 'least score', policy.min_score, PPM),
  ];
}
