/**
 * The one table of machines: each with its view, loaded where a ledger names it. A new machine is a row here.
 *
 * @packageDocumentation
 */
import type { EvidenceRecord, Failed, Json, KernelOptions, Machine, Result } from '@assay/kernel';
import { viewable, type Viewable, type Viewer } from '@assay/kernel/view';

/** A machine by what a genesis says of it. */
export type MachineName = {
  readonly name: string;
  readonly version: number;
  readonly engine: string | null;
};

/** What is made of any machine, such as `replayable` or `forkable`. */
export type Use<T> = <S, I, E extends Json, A extends Json>(machine: Machine<S, I, E, A>) => T;

/**
 * One row: what is made of the machine alone, and the machine with its view. Each is loaded only where it is
 * called for.
 */
export type MachineRow = MachineName & {
  readonly machine: <T>(use: Use<T>) => Promise<T>;
  readonly view: (options?: KernelOptions) => Promise<Viewable>;
};

/** Every machine of Assay that is released. */
export const MACHINES: readonly MachineRow[] = [
  {
    name: 'intent',
    version: 1,
    engine: null,
    machine: async (use) => use((await import('@assay/kernel/intent')).intent),
    view: async (options) => {
      const [{ intent }, { intentView }] = await Promise.all([
        import('@assay/kernel/intent'),
        import('@assay/kernel/intent-view'),
      ]);
      return viewable(intentView, intent, options);
    },
  },
  {
    name: 'controller',
    version: 1,
    engine: null,
    machine: async (use) => use((await import('@assay/controller')).controller),
    view: async (options) => {
      const [{ controller }, { controllerView }] = await Promise.all([
        import('@assay/controller'),
        import('@assay/controller/view'),
      ]);
      return viewable(controllerView, controller, options);
    },
  },
  {
    name: 'memory',
    version: 1,
    engine: null,
    machine: async (use) => use((await import('@assay/controller/memory')).memory),
    view: async (options) => {
      const [{ memory }, { memoryView }] = await Promise.all([
        import('@assay/controller/memory'),
        import('@assay/controller/memory-view'),
      ]);
      return viewable(memoryView, memory, options);
    },
  },
];

/** The row of the machine a genesis names, or undefined. */
export function rowOf(
  { name, version, engine }: MachineName,
  rows: readonly MachineRow[] = MACHINES,
): MachineRow | undefined {
  return rows.find((row) => row.name === name && row.version === version && row.engine === engine);
}

/** The viewer at the end of a run whose integrity holds, or where it does not re-derive. */
export function viewRecords(
  view: Viewable,
  [genesis, ...rest]: readonly [EvidenceRecord, ...EvidenceRecord[]],
): Result<Failed, Viewer> {
  let seen = view.begin(genesis, { checked: true });
  for (const record of rest) {
    if (seen._tag === 'Left') break;
    seen = seen.right.feed(record);
  }
  return seen;
}
