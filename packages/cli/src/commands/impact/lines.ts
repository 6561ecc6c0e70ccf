/** An impact on one screen: the change, the counts, and each kind of flip with one example. */
import { isDeepStrictEqual } from 'node:util';
import { parseShape, type Json } from '@assay/kernel';
import type { ImpactCompared, ImpactDocument, ImpactGroup, ImpactRow } from '@assay/kernel/schemas';
import type { Expected } from '@assay/verifier/impact';
import { comparedSentence, impactCounts, impactSentence } from '@assay/views';
import { readText } from '../../files/read.js';
import { misuse } from '../../problems/problem.js';
import { jsonShown, show, styled, type Shown } from '../../terminal/shown.js';

const GROUPS_MAX = 12;
const FIGURES_MAX = 3;
const VALUE_POINTS = 40;
const ODD_MAX = 8;

/** The lines of the screen. */
export function impactLines(document: ImpactDocument): readonly Shown[] {
  const { runs, decisions, interrupted, compared } = document;
  const groups = document.groups.filter(
    (group) => group.class !== 'flipped' || !compared.some(({ machine }) => machine === group.machine),
  );
  const more = groups.length - GROUPS_MAX;
  return [
    ...changeLines(document),
    ...compared.flatMap(comparedLines),
    show`runs        ${runs.length} with ${decisions} decisions: ${impactCounts(document)}`,
    ...(interrupted ? [show`interrupted this is what was found so far`] : []),
    ...groups.slice(0, GROUPS_MAX).flatMap((group) => groupLines(group, runs)),
    ...(more > 0 ? [show`            and ${more} more kinds: --json`] : []),
    ...oddLines(document),
  ];
}

function changeLines({ change }: ImpactDocument): readonly Shown[] {
  const lines = [
    ...change.set.map(({ path, value }) => show`${path} = ${jsonShown(value, VALUE_POINTS)}`),
    ...change.unset.map((path) => show`without the field ${path}`),
    ...change.without.map((name) => show`without the answers of ${name}`),
    ...(change.policy === null ? [] : [show`policy of ${change.policy}`]),
    ...(change.input === null ? [] : [show`input of ${change.input}`]),
    ...change.machine.map((path) => show`machine of ${path}`),
  ];
  return lines.map((line, index) => show`${(index === 0 ? 'change' : '').padEnd(12)}${line}`);
}

/** What becomes of the single things that runs decide: all, then by kind, each with one example. */
function comparedLines(compared: ImpactCompared): readonly Shown[] {
  const { unit, groups, note } = compared;
  const more = groups.length - GROUPS_MAX;
  return [
    show`${`${unit}s`.padEnd(12)}${styled('strong', show`${comparedSentence(compared)}`)}`,
    ...groups
      .slice(0, GROUPS_MAX)
      .flatMap(({ kind, what, why, count, example }) => [
        show`            ${count} × ${what} ${kind}: ${why}`,
        show`              such as ${unit} ${example.at} of ${example.file}: ${example.text}`,
      ]),
    ...(more > 0 ? [show`            and ${more} more kinds: --json`] : []),
    show`            ${note}`,
  ];
}

function groupLines(group: ImpactGroup, runs: readonly ImpactRow[]): readonly Shown[] {
  const name =
    group.class === 'flipped' ? 'flipped' : group.class === 'not_usable' ? 'not usable' : 'unknown';
  const turn = group.from === '' && group.to === '' ? group.kind : `${group.from} → ${group.to}`;
  const example = runs.find(({ file }) => file === group.example);
  const head = show`${styled(group.class === 'flipped' ? 'strong' : 'bad', show`${name.padEnd(12)}`)}${String(
    group.runs,
  )} × ${group.machine ?? ''} ${turn}`;
  return [
    head,
    show`            such as ${group.example}`,
    ...(example === undefined ? [] : exampleLines(example)),
  ];
}

function exampleLines({ flip, class: name, unknown }: ImpactRow): readonly Shown[] {
  if (name === 'cannot_be_known')
    return unknown === null ? [] : [show`            never answered: ${unknown.kind} (${unknown.id})`];
  if (flip === null) return [];
  const { parts, figures, because, rests_on } = flip;
  return [
    ...(flip.kind === 'outcome'
      ? []
      : [show`            ${flip.name}${flip.field}: ${value(flip.was)} → ${value(flip.would_be)}`]),
    ...(parts === null
      ? []
      : [
          show`            decision ${parts.decision}, record ${parts.record.was ?? 'none'}, ${
            parts.field === '' ? 'the whole record' : parts.field
          }: ${value(parts.was)} → ${value(parts.would_be)}`,
        ]),
    ...figures
      .slice(0, FIGURES_MAX)
      .map((one) => show`            ${one.field}  ${value(one.was)} → ${value(one.would_be)}`),
    ...(because.was === null ? [] : [show`            was       ${because.was}`]),
    ...(because.would_be === null ? [] : [show`            would be  ${because.would_be}`]),
    ...(rests_on.length === 0
      ? []
      : [
          show`            rests on ${rests_on
            .map(({ source, proposer, answers }) => `${proposer} (${source}, ${answers})`)
            .join(', ')}`,
        ]),
  ];
}

function value(given: unknown): Shown {
  return jsonShown(given, VALUE_POINTS);
}

/** With an expectation: the runs that it does not name. */
function oddLines({ expect, runs }: ImpactDocument): readonly Shown[] {
  if (expect === null) return [];
  const odd = runs.filter((row) => !row.expected);
  if (odd.length === 0)
    return [show`expected    ${expect === 'none' ? 'no run flips' : `as ${expect} says`}`];
  return [
    show`unexpected  ${odd.length} ${odd.length === 1 ? 'run' : 'runs'}`,
    ...odd.slice(0, ODD_MAX).map((row) => show`            ${row.file}: ${impactSentence(row)}`),
    ...(odd.length > ODD_MAX ? [show`            and ${odd.length - ODD_MAX} more: --json`] : []),
  ];
}

/**
 * What is expected of a change. Raises `Stop`: `expect` where the file is no report, or one of another change, and
 * those of reading.
 */
export async function readExpected(given: string | undefined, change: Change): Promise<Expected> {
  if (given === undefined) return null;
  if (given === 'none') return 'none';
  const report = await reportIn(given);
  const { set, unset, without } = report.change;
  if (!isDeepStrictEqual([set, unset, without], [change.set, change.unset, change.without]))
    throw misuse(
      'expect',
      'this is the report of another change',
      given,
      'give the report of this one, or none',
    );
  return report;
}

type Change = Pick<ImpactDocument['change'], 'set' | 'unset' | 'without'>;

async function reportIn(path: string): Promise<ImpactDocument> {
  const text = await readText(path);
  const { impactDocumentSchema } = await import('@assay/kernel/schemas');
  try {
    const read = parseShape<ImpactDocument>(impactDocumentSchema, JSON.parse(text) as Json);
    if (read._tag === 'Right') return read.right;
  } catch {
    // Falls through to the one message for both.
  }
  throw misuse(
    'expect',
    'this is no report of assay impact',
    path,
    'give none, or a file that assay impact --json printed',
  );
}
