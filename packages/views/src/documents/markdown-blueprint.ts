/** A blueprint as a Markdown document for people: about a line for each claim. Source: intent I16, I17. */
import {
  type Blueprint,
  type BlueprintClaim,
  type BlueprintContradiction,
  type VerificationPack,
} from '@assay/kernel/intent';
import { showAtom } from '@assay/kernel/intent-view';
import { loserLines } from './markdown-refusal.js';
import {
  PLACES,
  proposed,
  questionLine,
  quoted,
  said,
  section,
  share,
  uncoveredLines,
  type AnsweredBy,
} from './markdown.js';

/**
 * Renders a blueprint with its pack. Every line on the request points at words of it, or is marked assumption
 * or pin; what nobody claimed is listed. `answeredBy`: who answered each slot, so that losers written by hand
 * say so. Takes what fits `blueprintSchema` and `verificationPackSchema`. Pure; ends in a line feed.
 */
export function renderBlueprintMarkdown(
  blueprint: Blueprint,
  pack: VerificationPack,
  answeredBy: readonly AnsweredBy[] = [],
): string {
  const { claims, questions, decisions, contradictions, intent } = blueprint;
  const checks = checksByClaim(pack);
  const demands = claims.filter(({ kind }) => kind !== 'question');
  const losers = decisions.flatMap((decision) => decision.losers);
  return [
    ...renderHead(blueprint),
    ...section(
      'Claims',
      [...demands.map((claim) => claimLine(claim, claims, checks)), ...pinLines(blueprint)],
      demands.length,
    ),
    ...section(
      'Assumed by the proposer',
      intent.assumptions.map((text) => `- assumption · ${said(text)}`),
    ),
    ...section(
      'Contradictions',
      contradictions.map((one) => contradictionLine(one, claims)),
    ),
    ...section(
      'Open questions',
      questions.map((question) => questionLine(question, checks.get(question.claim))),
    ),
    ...section(
      'Not covered: nobody claimed it',
      uncoveredLines(blueprint.uncovered),
      blueprint.uncovered.length,
    ),
    ...section('Not chosen', loserLines(losers, answeredBy), losers.length),
    '',
  ].join('\n');
}

function renderHead({ intent, seed_hash, decisions, coverage, pin }: Blueprint): readonly string[] {
  const others = decisions.reduce((sum, { losers }) => sum + losers.length, 0);
  return [
    `# Blueprint: ${said(intent.name)}`,
    '',
    `Committed with ${share(intent.total)}, ` +
      `${others === 0 ? 'the only reading' : `before ${others} other${others === 1 ? '' : 's'}`}, ` +
      `as proposed by ${intent.supporters.map(proposed).join(' and ')}. ${coverage.covered} of ` +
      `${coverage.units} parts of the request are covered: a claim or a question quotes them. ${pin.length} ` +
      `${pin.length === 1 ? 'pin holds' : 'pins hold'}.`,
    `The proposer's note, which decided nothing: ${said(intent.summary)}. Request: sha-256 ` +
      `${said(seed_hash)}. ${PLACES}`,
  ];
}

/** ` · check …` by the claim it checks. */
function checksByClaim({ checks }: VerificationPack): ReadonlyMap<string, string> {
  return new Map(
    checks.map(
      ({ id, claim, method, waits_for }) =>
        [
          claim,
          ` · ${said(id)} ` +
            `${method}${waits_for.length === 0 || waits_for.includes(claim) ? '' : ', waits for an answer'}`,
        ] as const,
    ),
  );
}

function claimLine(
  claim: BlueprintClaim,
  all: readonly BlueprintClaim[],
  checks: ReadonlyMap<string, string>,
): string {
  const { id, kind, modality, atom, scope, provenance, quote, text } = claim;
  const words = quote === null ? `${provenance} · ${said(text)}` : quoted({ text, ...quote });
  const parts = [
    kind === 'requirement' || kind === 'constraint' ? '' : ` · ${kind}`,
    quote === null || atom === null ? '' : ` · ${said(showAtom(atom))}`,
    scope.actor === null ? '' : ` · who: ${quoted(scope.actor)}`,
    scope.condition === null ? '' : ` · if: ${quoted(scope.condition)}`,
    scope.exception === null ? '' : ` · except: ${quoted(scope.exception)}`,
    checks.get(id) ?? '',
  ];
  return `${'  '.repeat(measureDepth(claim, all))}- **${modality}** ${words}${parts.join('')}`;
}

const DEPTH_SHOWN = 3;

/**
 * How deep a claim stands below those it refines, at most three steps; a question above it does not count.
 */
function measureDepth({ refines }: BlueprintClaim, all: readonly BlueprintClaim[]): number {
  const above = new Map(all.map((claim) => [claim.id, claim] as const));
  let depth = 0;
  for (
    let up = refines === null ? undefined : above.get(refines), steps = 0;
    up !== undefined && steps < DEPTH_SHOWN;
    up = up.refines === null ? undefined : above.get(up.refines), steps += 1
  ) {
    if (up.kind !== 'question') depth += 1;
  }
  return depth;
}

/** Pins that claims speak of; the others are claims of their own. */
function pinLines({ pin }: Blueprint): readonly string[] {
  return pin
    .filter(({ mentioned }) => mentioned)
    .map(
      ({ modality, atom, affirmed }) =>
        `- pin · ${modality} ${said(showAtom(atom))} · ` +
        `${affirmed ? 'affirmed' : 'mentioned, and not affirmed'} by the claims`,
    );
}

function contradictionLine(
  { a, b, basis, why, state, by, rejected }: BlueprintContradiction,
  claims: readonly BlueprintClaim[],
): string {
  const side = (id: string): string => {
    const claim = claims.find((one) => one.id === id);
    return claim === undefined
      ? said(id)
      : `**${claim.modality}** ` +
          (claim.quote === null
            ? `${claim.provenance} · ${said(claim.text)}`
            : quoted({ text: claim.text, ...claim.quote }));
  };
  const dropped =
    rejected === null
      ? side(b)
      : `**${rejected.modality}** ` +
        `${
          rejected.quote === null
            ? `assumption · ${said(rejected.text)}`
            : quoted({ text: rejected.text, ...rejected.quote })
        }, ` +
        `rejected with the reading ${said(rejected.reading)}`;
  const state_ = state === 'open' ? 'open' : `settled by ${by ?? 'nothing'}`;
  return `- ${state_} (${basis}, ${why}): ${side(a)} · against ${dropped}`;
}
