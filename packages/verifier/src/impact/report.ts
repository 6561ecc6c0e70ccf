/**
 * The impact of a change on many runs: a row for each, groups of equal flips, and what was expected of them.
 * What a change does to the single things that runs decide, told of many runs at once.
 */
import type { EvidenceRecord, Result } from '@assay/kernel';
import type {
  ImpactDocument,
  ImpactEnd,
  ImpactFlip,
  ImpactGroup,
  ImpactRow,
  ImpactCompared,
} from '@assay/kernel/schemas';
import type { Text, Viewable, Compared } from '@assay/kernel/view';
import { isEqual } from './change.js';
import type { RunEnd } from './compare.js';
import { IMPACT_CLASSES, type NotUsable, type RunImpact } from './impact.js';

/** What is expected: no flip at all, or those of an earlier report, run by run by its file; null if nothing is. */
export type Expected = 'none' | Pick<ImpactDocument, 'compared' | 'runs'> | null;

/** One run in a report. `file`: how it is named there. */
export function impactRow(file: string, judged: Result<NotUsable, RunImpact>): Omit<ImpactRow, 'expected'> {
  if (judged._tag === 'Left') {
    const { run_id, machine, code, record, detail } = judged.left;
    const none = { decisions: 0, decision: null, was: null, would_be: null, flip: null, unknown: null };
    return { file, run_id, machine, class: 'not_usable', code, record, detail, ...none, assumed: 0 };
  }
  const { run_id, machine, decisions, decision, was, would_be, unknown, assumed } = judged.right;
  const [first] = unknown;
  return {
    file,
    run_id,
    machine,
    class: judged.right.class,
    code: null,
    record: null,
    detail: null,
    decisions,
    decision,
    was: endRow(was),
    would_be: endRow(would_be),
    flip: flipRow(judged.right),
    unknown: first === undefined ? null : { id: first.id, kind: first.kind },
    assumed,
  };
}

function endRow({ status, reasons }: RunEnd): ImpactEnd {
  return { outcome: status, reasons };
}

function flipRow({ flip, sides, views }: RunImpact): ImpactFlip | null {
  if (flip === null) return null;
  const { turn, parts, figures, rests_on } = flip;
  const because = {
    was: explainRun(views.was, sides.was),
    would_be: explainRun(views.would_be, sides.would_be),
  };
  return { ...turn, parts, figures, because, rests_on };
}

/** The verdict of a machine's view and why, in one text. */
function explainRun(view: Viewable | null, records: readonly EvidenceRecord[]): string | null {
  const picture = view?.recall(records, ['overview']) ?? null;
  if (picture === null) return null;
  const { verdict, because } = picture;
  const why = plainText(because);
  return why === '' ? verdict : `${verdict}: ${why}`;
}

/** The counts, groups and rows of a report; refused runs that would be decided come first among the flips. */
export function impactReport(
  rows: readonly Omit<ImpactRow, 'expected'>[],
  expected: Expected,
  compared: readonly RunCompared[] = [],
): Pick<ImpactDocument, 'decisions' | 'counts' | 'compared' | 'groups' | 'runs'> {
  const accepted = expected === null || expected === 'none' ? null : expected;
  const before = new Map(accepted?.runs.map((row) => [row.file, row]));
  const odd = accepted === null ? new Set() : listOdd(accepted.compared, compared);
  const runs = rows
    .map((row): ImpactRow => {
      const isAsBefore = isExpected(row, expected === null, before.get(row.file));
      return { ...row, expected: isAsBefore && !odd.has(row.file) };
    })
    .map((row, index) => ({ row, index, rank: computeRank(row) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ row }) => row);
  const count = (name: ImpactRow['class']): number => runs.filter((row) => row.class === name).length;
  return {
    decisions: runs.reduce((sum, { decisions }) => sum + decisions, 0),
    counts: {
      flipped: count('flipped'),
      cannot_be_known: count('cannot_be_known'),
      not_usable: count('not_usable'),
      same_end: count('same_end'),
      same: count('same'),
    },
    compared: mergeCompared(compared),
    groups: groupRuns(runs),
    runs,
  };
}

/**
 * What a report comes to: `no` where a run flips that should not, or one does not that should; `unchecked` where one
 * is not usable or cannot be known and nothing says so, else `done`.
 */
export function impactVerdict({ runs }: Pick<ImpactDocument, 'runs'>): 'no' | 'unchecked' | 'done' {
  const odd = runs.filter((row) => !row.expected);
  if (odd.length === 0) return 'done';
  return odd.every(isUnknown) ? 'unchecked' : 'no';
}

function isUnknown(row: Pick<ImpactRow, 'class'>): boolean {
  return row.class === 'cannot_be_known' || row.class === 'not_usable';
}

/** Outcome and reasons in a word. */
export function endText(end: ImpactEnd | null): string {
  if (end === null) return '';
  const { outcome, reasons } = end;
  return reasons.length === 0 ? (outcome ?? 'open') : `${outcome ?? 'open'}: ${reasons.join(', ')}`;
}

/** Without an expectation a flip is what was asked for. What is not usable or not known is never expected then. */
function isExpected(
  row: Omit<ImpactRow, 'expected'>,
  isFree: boolean,
  before: ImpactRow | undefined,
): boolean {
  if (row.class === 'same' || row.class === 'same_end') return before?.class !== 'flipped';
  if (isFree) return row.class === 'flipped';
  if (before === undefined || before.class !== row.class) return false;
  if (row.class === 'flipped') return isSameFlip(before, row);
  return before.code === row.code && before.unknown?.id === row.unknown?.id;
}

/** Files of runs with a change of a single thing, such as a call, that was accepted another number of times. */
function listOdd(accepted: readonly ImpactCompared[], runs: readonly RunCompared[]): ReadonlySet<string> {
  const sums = new Map<string, { readonly count: number; readonly files: Set<string> }>();
  const add = (file: string, names: readonly string[], count: number): void => {
    const key = names.join('\n');
    const sum = sums.get(key) ?? { count: 0, files: new Set() };
    sums.set(key, { count: sum.count + count, files: sum.files.add(file) });
  };
  for (const { machine, groups } of accepted)
    for (const { kind, what, count, example } of groups) add(example.file, [machine, kind, what], -count);
  for (const { file, machine, compared } of runs)
    for (const { kind, what, count } of compared.groups) add(file, [machine, kind, what], count);
  return new Set([...sums.values()].flatMap(({ count, files }) => (count === 0 ? [] : [...files])));
}

/** The same flip: to the same end, of an artifact in the same field to the same value. */
function isSameFlip(
  before: Pick<ImpactRow, 'flip' | 'would_be'>,
  { flip, would_be }: Pick<ImpactRow, 'flip' | 'would_be'>,
): boolean {
  if (before.flip === null || flip === null || endText(before.would_be) !== endText(would_be)) return false;
  const { kind, name, field, would_be: to } = before.flip;
  return kind === flip.kind && name === flip.name && field === flip.field && isEqual(to, flip.would_be);
}

const KINDS: readonly ImpactFlip['kind'][] = ['outcome', 'effect', 'artifact', 'figures'];

function computeRank(row: ImpactRow): number {
  const { flip, was, would_be } = row;
  const isDecided = was?.outcome === 'refused' && would_be?.outcome === 'success';
  const inner = flip === null ? 0 : flip.kind === 'outcome' && isDecided ? 0 : 1 + KINDS.indexOf(flip.kind);
  return IMPACT_CLASSES.indexOf(row.class) * 8 + inner;
}

function groupRuns(runs: readonly ImpactRow[]): readonly ImpactGroup[] {
  const groups = new Map<string, ImpactGroup>();
  for (const row of runs) {
    const group = chooseGroup(row);
    if (group === null) continue;
    const key = [group.class, group.kind, group.machine, group.from, group.to].join('\n');
    groups.set(key, {
      ...group,
      runs: (groups.get(key)?.runs ?? 0) + 1,
      example: groups.get(key)?.example ?? row.file,
    });
  }
  return [...groups.values()];
}

function chooseGroup(row: ImpactRow): ImpactGroup | null {
  if (row.class === 'same' || row.class === 'same_end') return null;
  const { kind, name } = row.flip ?? { kind: 'outcome', name: '' };
  const what =
    row.class === 'not_usable'
      ? row.code
      : row.class === 'cannot_be_known'
        ? row.unknown?.kind
        : [kind, ...(name === '' ? [] : [name])].join(' ');
  const isOutcome = row.class === 'flipped' && kind === 'outcome';
  return {
    class: row.class,
    kind: what ?? '',
    machine: row.machine,
    from: isOutcome ? endText(row.was) : '',
    to: isOutcome ? endText(row.would_be) : '',
    runs: 1,
    example: row.file,
  };
}

/** A text without marks: what evidence says stands in it as it is. */
export function plainText(text: Text): string {
  return typeof text === 'string'
    ? text
    : text.map((piece) => (typeof piece === 'string' ? piece : piece.said)).join('');
}

/** The same of one run. `file`: how it is named in a report. */
export type RunCompared = { readonly file: string; readonly machine: string; readonly compared: Compared };

/** What the machine of a run tells of it; empty where it tells nothing. */
export function listCompared(file: string, judged: Result<NotUsable, RunImpact>): readonly RunCompared[] {
  if (judged._tag === 'Left' || judged.right.compared === null) return [];
  const { machine, compared } = judged.right;
  return [{ file, machine, compared }];
}

/** One for each machine. Groups: by kind, then the largest first, then as they were met. */
function mergeCompared(all: readonly RunCompared[]): readonly ImpactCompared[] {
  return [...new Set(all.map(({ machine }) => machine))].flatMap((machine) => {
    const own = all.filter((one) => one.machine === machine);
    const [first] = own;
    return first === undefined ? [] : [mergeRuns(machine, first.compared, own)];
  });
}

function mergeRuns(
  machine: string,
  { unit, run, note, counts }: Compared,
  own: readonly RunCompared[],
): ImpactCompared {
  const kinds = counts.map(({ kind }) => kind);
  const groups = new Map<string, ImpactCompared['groups'][number]>();
  for (const { file, compared } of own)
    for (const group of compared.groups) {
      const key = [group.kind, group.what, group.why].join('\n');
      const known = groups.get(key);
      const example = known?.example ?? { file, ...group.example };
      groups.set(key, { ...group, count: (known?.count ?? 0) + group.count, example });
    }
  return {
    ...{ machine, unit, run, note },
    runs: own.length,
    total: own.reduce((sum, { compared }) => sum + compared.total, 0),
    counts: kinds.map((kind) => ({
      kind,
      count: [...groups.values()].reduce((sum, group) => sum + (group.kind === kind ? group.count : 0), 0),
    })),
    groups: [...groups.values()].sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.count - a.count,
    ),
  };
}
