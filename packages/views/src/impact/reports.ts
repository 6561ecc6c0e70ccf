/** The impact of a change as JUnit XML, GitHub annotations and Markdown for a pull request. */
import type { ImpactCompared, ImpactDocument, ImpactRow } from '@assay/kernel/schemas';
import { endText } from '@assay/verifier/impact';
import { forGithubMessage, forGithubProperty, forMarkdown, forXml, safeJson } from '../escape/escape.js';

const ANNOTATIONS_MAX = 10;
const ROWS_MAX = 50;
const VALUE_MAX = 80;

/** One run in a sentence: from what to what, or why nothing can be said of it. */
export function impactSentence(row: ImpactRow): string {
  const { flip, was, would_be, unknown } = row;
  switch (row.class) {
    case 'same':
      return 'every decision is the same';
    case 'same_end':
      return `another path from decision ${row.decision ?? 0} on, the same end`;
    case 'not_usable':
      return `not usable: ${row.code ?? ''}${row.record === null ? '' : ` at record ${row.record}`}`;
    case 'cannot_be_known':
      return `cannot be known: no answer is recorded to ${unknown?.kind ?? 'what it asks'}${
        unknown === null ? '' : ` (${unknown.id})`
      }`;
    case 'flipped': {
      if (flip === null || flip.kind === 'outcome') return `${endText(was)} → ${endText(would_be)}`;
      if (flip.kind === 'effect')
        return flip.would_be === null
          ? `${flip.name} ${shortJson(flip.was)} is no longer requested`
          : `${flip.name} ${shortJson(flip.would_be)} is requested anew`;
      const figures = flip.kind === 'figures' ? ', figures alone' : '';
      return `${flip.name}${flip.field}: ${shortJson(flip.was)} → ${shortJson(flip.would_be)}${figures}`;
    }
  }
}

/** What becomes of the single things that runs decide, in a sentence: all of them, then each kind of change. */
export function comparedSentence({ unit, run, runs, total, counts }: ImpactCompared): string {
  const each = counts.map(({ kind, count }) => `${countText(count)} ${kind}`).join(', ');
  return `Of ${pluralText(total, unit)} in ${pluralText(runs, run)}: ${each}.`;
}

/** The same for a pull request: what changes alone. */
function comparedHeadline({ unit, total, counts }: ImpactCompared): string {
  const [none] = counts;
  const found = counts.filter(({ count }) => count > 0);
  return (found.length === 0 && none !== undefined ? [none] : found)
    .map(({ kind, count }, index) =>
      index === 0
        ? `${countText(count)} of ${pluralText(total, unit)} ${kind}`
        : `${countText(count)} ${kind}`,
    )
    .join(', ');
}

function countText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function pluralText(count: number, unit: string): string {
  return `${countText(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** The counts in a line, those that are 0 left out. */
export function impactCounts({ counts }: Pick<ImpactDocument, 'counts'>): string {
  const all = [
    [counts.flipped, 'flipped'],
    [counts.cannot_be_known, 'cannot be known'],
    [counts.not_usable, 'not usable'],
    [counts.same_end, 'same end by another path'],
    [counts.same, 'same'],
  ] as const;
  return all
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(', ');
}

function isUnknown({ class: name }: ImpactRow): boolean {
  return name === 'not_usable' || name === 'cannot_be_known';
}

/** JUnit XML: one case a run. A run that is not as expected is a failure; what is not usable or not known, an error. */
export function renderImpactJunit({ runs }: ImpactDocument): string {
  const chooseKind = (row: ImpactRow): 'failure' | 'error' | null =>
    row.expected ? null : isUnknown(row) ? 'error' : 'failure';
  const count = (kind: string): number => runs.filter((row) => chooseKind(row) === kind).length;
  const cases = runs.map((row) => {
    const open = `    <testcase classname="${forXml(row.machine ?? '')}" name="${forXml(row.file)}"`;
    const kind = chooseKind(row);
    if (kind === null) return `${open}/>\n`;
    const message = `type="${row.class}" message="${forXml(impactSentence(row))}"`;
    return `${open}>\n      <${kind} ${message}></${kind}>\n    </testcase>\n`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay impact">\n' +
    `  <testsuite name="assay impact" tests="${runs.length}" failures="${count('failure')}" ` +
    `errors="${count('error')}" skipped="0">\n${cases.join('')}  </testsuite>\n</testsuites>\n`
  );
}

/** Workflow commands for GitHub, at most ten lines: unexpected runs; the tenth counts the rest. */
export function renderImpactAnnotations({ runs }: ImpactDocument): readonly string[] {
  const odd = runs.filter((row) => !row.expected);
  const lines = odd.map((row) => {
    const level = isUnknown(row) ? 'warning' : 'error';
    const record = row.flip?.parts?.record.was ?? row.record;
    const line = record === null ? '' : `,line=${record + 1}`;
    return (
      `::${level} file=${forGithubProperty(row.file)}${line},title=assay impact ${row.class}::` +
      forGithubMessage(impactSentence(row))
    );
  });
  if (lines.length <= ANNOTATIONS_MAX) return lines;
  const shown = lines.slice(0, ANNOTATIONS_MAX - 1);
  return [...shown, `::error title=assay impact::and ${lines.length - shown.length} more`];
}

/** Markdown for a pull request: the counts, the groups, and the runs that are not the same, unexpected first. */
export function renderImpactMarkdown(document: ImpactDocument): string {
  const { runs, decisions, compared } = document;
  // What flips where a machine tells each change of its own is told there.
  const isTold = (row: Pick<ImpactRow, 'class' | 'machine'>): boolean =>
    row.class === 'flipped' && compared.some(({ machine }) => machine === row.machine);
  const groups = document.groups.filter((group) => !isTold(group));
  const isSame = ({ expected, class: name }: ImpactRow): boolean =>
    expected && (name === 'same' || name === 'same_end');
  const odd = runs.filter((row) => !isSame(row) && !isTold(row));
  const rows = [...odd.filter((row) => !row.expected), ...odd.filter((row) => row.expected)];
  const cells = (row: ImpactRow): string =>
    [
      forMarkdown(row.file),
      row.expected ? row.class : `**${row.class}**`,
      forMarkdown(impactSentence(row)),
      forMarkdown(reasonText(row)),
    ].join(' | ');
  return [
    `### assay impact: ${changeText(document)}`,
    '',
    ...compared.flatMap(renderCompared),
    `${runs.length} runs, ${decisions} decisions: ${impactCounts(document)}`,
    '',
    ...(groups.length === 0
      ? []
      : [
          '| class | what | from | to | runs | example |',
          '| --- | --- | --- | --- | --- | --- |',
          ...groups.map(
            (group) =>
              `| ${[group.class, group.kind, group.from, group.to, String(group.runs), group.example]
                .map(forMarkdown)
                .join(' | ')} |`,
          ),
          '',
        ]),
    ...(rows.length === 0
      ? []
      : [
          '| run | class | what | why |',
          '| --- | --- | --- | --- |',
          ...rows.slice(0, ROWS_MAX).map((row) => `| ${cells(row)} |`),
          ...(rows.length > ROWS_MAX ? ['', `and ${rows.length - ROWS_MAX} more`] : []),
          '',
        ]),
    'Only recorded answers were used; a model might have answered otherwise.',
    '',
  ].join('\n');
}

function renderCompared(compared: ImpactCompared): readonly string[] {
  const { unit, groups, note } = compared;
  const rows = groups.slice(0, ROWS_MAX).map(({ kind, what, why, count, example }) => {
    const at = `${example.file}, ${unit} ${example.at}`;
    return `| ${[kind, countText(count), what, why, example.text, at].map(forMarkdown).join(' | ')} |`;
  });
  return [
    `**${comparedHeadline(compared)}**`,
    '',
    ...(rows.length === 0
      ? []
      : [`| change | ${unit}s | of | by | such as | in |`, '| --- | --- | --- | --- | --- | --- |', ...rows]),
    ...(groups.length > ROWS_MAX ? ['', `and ${groups.length - ROWS_MAX} more`] : []),
    ...(rows.length === 0 ? [] : ['']),
    note,
    '',
  ];
}

/** Which half of a decision is changed, the settings or the code, and that the other is as recorded. */
function changeText({ change }: ImpactDocument): string {
  const { set, unset, without, policy, input, machine } = change;
  const named = [
    ...(policy === null ? [] : [`policy ${policy}`]),
    ...(input === null ? [] : [`input ${input}`]),
    ...set.map(({ path, value }) => `${path} = ${shortJson(value)}`),
    ...unset.map((path) => `without ${path}`),
    ...without.map((name) => `without answers of ${name}`),
  ];
  return named.length > 0
    ? forMarkdown(`${named.join(', ')}; the code is unchanged`)
    : forMarkdown(`code ${machine.join(', ')}; policies are as recorded`);
}

/** Why a run flips: what its machine says of both ends, or the first figure or field that differs; who answered. */
function reasonText({ flip }: ImpactRow): string {
  if (flip === null) return '';
  const { because, figures, parts, rests_on } = flip;
  const turn = ({ was, would_be }: { readonly was: unknown; readonly would_be: unknown }): string =>
    `${shortJson(was)} → ${shortJson(would_be)}`;
  const [figure] = figures;
  const why =
    because.was !== null || because.would_be !== null
      ? `was: ${because.was ?? 'not said'}; would be: ${because.would_be ?? 'not said'}`
      : figure !== undefined
        ? `${figure.field} ${turn(figure)}`
        : parts === null
          ? ''
          : `decision ${parts.decision}, ${parts.field === '' ? 'the whole record' : `${parts.field} ${turn(parts)}`}`;
  const by = rests_on.map(({ source, proposer }) => `${proposer} (${source})`).join(', ');
  return [why, ...(by === '' ? [] : [`rests on ${by}`])].filter((part) => part !== '').join('; ');
}

function shortJson(value: unknown): string {
  const text = safeJson(value);
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX - 1)}…`;
}
