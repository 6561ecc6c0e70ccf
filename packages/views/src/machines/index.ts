/**
 * The one table of machines: each with its view, loaded where a ledger names it. A new machine is a row here.
 *
 * @packageDocumentation
 */
import type { EvidenceRecord, Failed, Json, KernelOptions, Machine, Result } from '@assay/kernel';
import type { AnswerDeriver } from '@assay/verifier';
import { ENGINE_ID } from '@assay/ecology/sandbox/id';
import { viewable, type Compare, type View, type Viewable, type Viewer } from '@assay/kernel/view';

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
  /** What a change does to the single things that a run decides, where that is told. */
  readonly compare?: () => Promise<Compare>;
};

/** Every machine of Assay that is released. */
export const MACHINES: readonly MachineRow[] = [
  row(
    'intent',
    async () => (await import('@assay/kernel/intent')).intent,
    async () => (await import('@assay/kernel/intent-view')).intentView,
  ),
  {
    ...row(
      'gate',
      async () => (await import('@assay/gate/machine')).gate,
      async () => (await import('@assay/gate/view')).gateView,
    ),
    compare: async () => (await import('@assay/gate/view')).compareCalls,
  },
  row(
    'controller',
    async () => (await import('@assay/controller')).controller,
    async () => (await import('@assay/controller/view')).controllerView,
  ),
  row(
    'planner',
    async () => (await import('@assay/planner')).planner,
    async () => (await import('@assay/planner/view')).plannerView,
  ),
  row(
    'library',
    async () => (await import('@assay/planner/library')).library,
    async () => (await import('@assay/planner/library-view')).libraryView,
  ),
  row(
    'memory',
    async () => (await import('@assay/controller/memory')).memory,
    async () => (await import('@assay/controller/memory-view')).memoryView,
  ),
  row(
    'ecology',
    async () => (await import('@assay/ecology')).ecology,
    async () => (await import('@assay/ecology/view')).ecologyView,
    { version: 2 },
  ),
  row(
    'ecology',
    async () => {
      const [{ ecologyMachine }, { nodeEngine }] = await Promise.all([
        import('@assay/ecology'),
        import('@assay/ecology/sandbox/node'),
      ]);
      return ecologyMachine(await nodeEngine());
    },
    async () => (await import('@assay/ecology/view')).ecologyView,
    { version: 2, engine: ENGINE_ID },
  ),
];

function row<S, F, I, E extends Json, A extends Json>(
  name: string,
  machine: () => Promise<Machine<S, I, E, A>>,
  view: () => Promise<View<S, F>>,
  { version = 1, engine = null }: { readonly version?: number; readonly engine?: string | null } = {},
): MachineRow {
  return {
    name,
    version,
    engine,
    machine: async (use) => use(await machine()),
    view: async (options) => viewable(...(await Promise.all([view(), machine()])), options),
  };
}

/**
 * What answers of source `run` say by the ledgers they cite, by the machine that takes them. A machine that is
 * not here takes none, or its answers are compared by their heads alone.
 */
export async function answerDerivers(): Promise<readonly AnswerDeriver[]> {
  const [planner, controller] = await Promise.all([
    import('@assay/planner/library'),
    import('@assay/controller/memory'),
  ]);
  return [
    { name: 'planner', version: 1, derive: planner.derivePlannerAnswer },
    { name: 'library', version: 1, derive: planner.deriveLibraryWrite },
    { name: 'controller', version: 1, derive: controller.deriveRecall },
    { name: 'memory', version: 1, derive: controller.deriveMemoryAnswer },
  ];
}

/** The row of the machine a genesis names, or undefined. */
export function findRow(
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
