/**
 * What a change does to the single things that runs decide, told of many runs at once.
 *
 * @module
 */
import type { Result } from '@assay/kernel';
import type { ImpactCompared } from '@assay/kernel/schemas';
import type { Compared } from '@assay/kernel/view';
import type { NotUsable, RunImpact } from './impact.js';

/** The same of one run. `file`: how it is named in a report. */
export type RunCompared = { readonly file: string; readonly machine: string; readonly compared: Compared };

/** What the machine of a run tells of it; empty where it tells nothing. */
export function listCompared(file: string, judged: Result<NotUsable, RunImpact>): readonly RunCompared[] {
  if (judged._tag === 'Left' || judged.right.compared === null) return [];
  const { machine, compared } = judged.right;
  return [{ file, machine, compared }];
}

/** One for each machine. Groups: by kind, then the largest first, then as they were met. */
export function mergeCompared(all: readonly RunCompared[]): readonly ImpactCompared[] {
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
