/**
 * The results of a run in a few lines.
 *
 * @module
 */
import {
  keyOfPin,
  measureOf,
  renderAtom,
  type Atom,
  type Blueprint,
  type OpenQuestion,
  type RefusalReport,
  type VerificationPack,
} from '@assay/kernel/intent';
import { cut } from '../../terminal/cut.js';
import { show, styled, type Shown } from '../../terminal/shown.js';
import type { Ended } from './run-request.js';

const TEXT_POINTS = 60;
const LISTED = 3;
/** Questions of a refusal shown one by one: each is something to answer in the request. */
const QUESTIONS = 6;

/** What kind of answer settles a question, in words. */
const SETTLED_BY: Readonly<Record<OpenQuestion['settled_by'], string>> = {
  measure_and_threshold: 'a measure and a threshold',
  calendar_date: 'a calendar date',
  which_one: 'which one is meant',
  bound: 'a bound',
  translation: 'the request in English',
  how_far: 'how far it reaches',
  which_side: 'which side holds',
  statement: 'a statement',
};

/**
 * What a run decided, or why it did not, from its results. Empty where they are none of the intent machine's.
 */
export function resultLines({ artifacts }: Ended): readonly Shown[] {
  const blueprint = artifacts.get('blueprint') as Blueprint | undefined;
  const pack = artifacts.get('verification_pack') as VerificationPack | undefined;
  const refusal = artifacts.get('refusal_report') as RefusalReport | undefined;
  return [
    ...(blueprint === undefined ? [] : blueprintLines(blueprint)),
    ...(pack === undefined ? [] : [packLine(pack)]),
    ...(refusal === undefined ? [] : refusalLines(refusal)),
  ];
}

function blueprintLines({
  intent,
  decisions,
  claims,
  questions,
  coverage,
  uncovered,
  pin,
}: Blueprint): readonly Shown[] {
  const losers = decisions.flatMap((decision) => decision.losers);
  const rest = losers.map(
    ({ name, reason, total, vetoes }) =>
      `${name} ${total === null ? `${reason} (${vetoes.map(({ code }) => code).join(', ')})` : points(total)}`,
  );
  const counted = counts(claims.filter(({ kind }) => kind !== 'question').map(({ modality }) => modality));
  return [
    show`committed   ${styled('good', show`${intent.name}`)}  ${points(intent.total)}   ${rest.length === 0 ? 'no other reading was proposed' : `before ${listed(rest, '; ')}`}`,
    show`claims      ${counted}; ${questions.length} open ${questions.length === 1 ? 'question' : 'questions'}${questions.length === 0 ? '' : `: ${quoted(questions.map(({ raised_by }) => raised_by?.text ?? '(no words)'))}`}`,
    ...pin
      .filter((one) => isBeside(one, claims))
      .map(
        ({ atom }) =>
          show`pinned      ${renderAtom(atom)}: compares with no claim of the request: ${listed(
            statedOf(atom, claims).map((claimed) => renderAtom(claimed)),
            '; ',
          )}; it is a constraint of its own`,
      ),
    ...pin
      .filter(({ mentioned }) => !mentioned)
      .map(
        ({ atom }) =>
          show`pinned      ${atom.key}: the request does not speak of it; it is a constraint of its own`,
      ),
    show`covered     ${coverage.covered} of ${coverage.units} units of the request${uncovered.length === 0 ? '' : `; not: ${quoted(uncovered.map(({ text }) => text))}`}`,
  ];
}

/**
 * A pin of a measure that the request speaks of in another unit or kind: neither holds the other to anything.
 */
function isBeside({ atom, mentioned }: Blueprint['pin'][number], claims: Blueprint['claims']): boolean {
  return mentioned && statedOf(atom, claims).every((claimed) => !isComparable(claimed, atom));
}

function statedOf({ key }: Atom, claims: Blueprint['claims']): readonly Atom[] {
  return claims.flatMap(({ kind, provenance, atom }) =>
    kind !== 'question' && provenance !== 'pin' && atom?.key === key ? [atom] : [],
  );
}

function isComparable(a: Atom, b: Atom): boolean {
  return typeof a.value === typeof b.value && measureOf(a.unit).dimension === measureOf(b.unit).dimension;
}

function packLine({ checks }: VerificationPack): Shown {
  const waiting = checks.filter(({ waits_for }) => waits_for.length > 0).length;
  return show`checks      ${counts(checks.map(({ method }) => method))}${waiting === 0 ? '' : `; ${waiting} wait for an answer`}`;
}

function refusalLines({
  reason_codes,
  policy_suggestions,
  readings,
  questions,
}: RefusalReport): readonly Shown[] {
  return [
    show`refused     ${styled('open', show`${reason_codes.join(', ')}`)}   ${
      readings.length === 0
        ? 'no reading was proposed'
        : `readings: ${listed(
            readings.map(
              ({ name, vetoes }) =>
                `${name}${vetoes.length === 0 ? '' : ` (${vetoes.map(({ code }) => code).join(', ')})`}`,
            ),
            '; ',
          )}`
    }`,
    ...policy_suggestions.map((suggestion) => show`to settle   ${suggestion}`),
    ...conflictLines(readings),
    ...questions.slice(0, QUESTIONS).map((question) => show`asked       ${asked(question)}`),
    ...(questions.length <= QUESTIONS
      ? []
      : [show`            and ${String(questions.length - QUESTIONS)} more`]),
  ];
}

/** Each pin that vetoed a reading, as it is written, with the first statement it conflicts with. */
function conflictLines(readings: RefusalReport['readings']): readonly Shown[] {
  const conflicts = readings.flatMap(({ name, vetoes }) =>
    vetoes.flatMap((veto) =>
      veto.code === 'pin_conflict' ? [{ name, ...veto, key: keyOfPin(veto.pinned) }] : [],
    ),
  );
  const firsts = conflicts.filter(
    ({ key }, index) => conflicts.findIndex((other) => other.key === key) === index,
  );
  return [
    ...firsts
      .slice(0, LISTED)
      .map(
        ({ name, key, claimed, pinned }) =>
          show`conflict    the pin ${key} (${pinned.modality} ${renderAtom(pinned.atom)}): "${name}" says ${claimed.modality} ${renderAtom(claimed.atom)}`,
      ),
    ...(firsts.length <= LISTED ? [] : [show`            and ${String(firsts.length - LISTED)} more`]),
  ];
}

function asked({ raised_by, settled_by }: OpenQuestion): string {
  return (
    `${raised_by === null ? '(no words)' : `"${cut(raised_by.text, TEXT_POINTS)}"`}: ` +
    `${SETTLED_BY[settled_by]} would settle it`
  );
}

/** Parts per million as a share of one. */
export function points(ppm: number): string {
  return `${Math.floor(ppm / 1_000_000)}.${String(ppm % 1_000_000)
    .padStart(6, '0')
    .slice(0, 3)}`;
}

function counts(words: readonly string[]): string {
  const known = [...new Set(words)];
  return known.length === 0
    ? 'none'
    : known.map((word) => `${words.filter((other) => other === word).length} ${word}`).join(', ');
}

function quoted(texts: readonly string[]): string {
  return listed(
    texts.map((text) => `"${cut(text, TEXT_POINTS)}"`),
    ', ',
  );
}

function listed(items: readonly string[], separator: string): string {
  return `${items.slice(0, LISTED).join(separator)}${items.length <= LISTED ? '' : ` and ${items.length - LISTED} more`}`;
}
