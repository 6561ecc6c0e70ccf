/**
 * The machines this command can run again and show: those of the table, and those of modules the user names.
 *
 * @module
 */
import { open, stat } from 'node:fs/promises';
import { nativeSha256 } from '@assay/host';
import {
  field,
  isNamed,
  isObject,
  replayable,
  type EvidenceRecord,
  type Genesis,
  type Replayable,
  type Status,
} from '@assay/kernel';
import {
  viewable,
  type Knob,
  type NextMove,
  type Page,
  type Picture,
  type Viewable,
} from '@assay/kernel/view';
import type { Verdict } from '@assay/verifier';
import { redecider, type Redecider } from '@assay/verifier/impact';
import {
  MACHINES,
  findRow,
  viewRecords,
  type MachineName,
  type MachineRow,
  type Use,
} from '@assay/views/machines';
import { CHANGED, isPage, isStored, ledgerFile } from '../files/ledger.js';
import { misuse, badMachine } from '../problems/problem.js';
import { textIn } from '../terminal/shown.js';
import { deciding, leavingSignals } from '../terminal/signals.js';
import { userModule, type AnyMachine, type UserModule } from './user-machines.js';

const PEEK_BYTES = 65_536;
const OPTIONS = { sha256: nativeSha256 };

/** The table, and the worked example, which the table's package may not import. */
const ROWS: readonly MachineRow[] = [
  ...MACHINES,
  {
    name: 'tally',
    version: 1,
    engine: null,
    machine: async (use) => use((await import('@assay/testing/tally')).tally),
    view: async (options) => {
      const [{ tally }, { tallyView }] = await Promise.all([
        import('@assay/testing/tally'),
        import('@assay/testing/tally-view'),
      ]);
      return viewable(tallyView, tally, options);
    },
  },
];

/** The machine of a row. While it decides, signals are the system's. */
function machineIn<T>(row: MachineRow, use: Use<T>): Promise<T> {
  return row.machine((machine) => use(leavingSignals(machine)));
}

/** A machine that runs contracts is none where its engine is not there: such a ledger is then not checked. */
async function withEngine<T>(row: MachineRow, use: Use<T>): Promise<readonly T[]> {
  try {
    return [await machineIn(row, use)];
  } catch (error) {
    if (row.engine !== null && error instanceof Error && error.name === 'EngineError') return [];
    throw error;
  }
}

/**
 * The machines of `modules`, and of ours each that one of the files may name. A module is code of the user's
 * and is run: nobody else's file names one.
 */
export async function machinesFor(
  modules: readonly string[],
  files: readonly string[],
): Promise<readonly Replayable[]> {
  const own = await ownModules(modules);
  const ours = await Promise.all(
    ROWS.map(async (row) =>
      (await mayName(row, files)) ? withEngine(row, (machine) => replayable(machine, OPTIONS)) : [],
    ),
  );
  return [
    ...own.flatMap(({ machines }) => machines.map((machine) => replayable(machine, OPTIONS))),
    ...ours.flat(),
  ];
}

/** The machines of these modules, fit to decide recorded runs anew. */
export async function ownRedeciders(modules: readonly string[]): Promise<readonly Redecider[]> {
  return (await ownModules(modules)).flatMap(({ machines, views }) =>
    machines.map((machine) => {
      const view = views.find(
        (one) => one.machine === machine.name && one.versions.includes(machine.version),
      );
      return redecider(machine, OPTIONS, view === undefined ? null : viewable(view, machine, OPTIONS));
    }),
  );
}

/** Of the first module that has the machine, else ours; null where nobody has it. */
export async function redeciderFrom(modules: readonly string[], by: MachineName): Promise<Redecider | null> {
  const own = (await ownRedeciders(modules)).find(({ replays }) => isNamed(replays, by));
  const row = findRow(by, ROWS);
  return own ?? (row === undefined ? null : openRedecider(row));
}

const loaded = new Map<MachineRow, Promise<Redecider>>();

/** Our machines that the first line of a ledger may name, likewise. */
export async function redecidersIn(bytes: Uint8Array): Promise<readonly Redecider[]> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PEEK_BYTES));
  const end = start.indexOf('\n');
  const line = end === -1 ? start : start.subarray(0, end);
  return Promise.all(
    ROWS.filter((row) => end === -1 || isIn(row, line)).map((row) => {
      const known = loaded.get(row) ?? openRedecider(row);
      loaded.set(row, known);
      return known;
    }),
  );
}

async function openRedecider(row: MachineRow): Promise<Redecider> {
  const [view, compare = null] = await Promise.all([row.view(OPTIONS), row.compare?.()]);
  return machineIn(row, (machine) => ({ ...redecider(machine, OPTIONS, view), compare }));
}

/** The modules, none of which may take the place of a released machine: nobody would see whose it was. */
async function ownModules(modules: readonly string[]): Promise<readonly UserModule[]> {
  const loaded = await Promise.all(modules.map(userModule));
  for (const { path, machines } of loaded)
    for (const { name, version, engine = null } of machines)
      if (findRow({ name, version, engine }) !== undefined)
        throw badMachine(
          `${name}@${version} is a machine of Assay, and no module may take its place`,
          path,
          'give your machine a name or a version of its own',
        );
  return loaded;
}

/** The options of a command that name these modules. */
export function machineWords(modules: readonly string[]): readonly string[] {
  return modules.flatMap((path) => ['--machine', path]);
}

/** What a view makes of a ledger: its picture, or the place where it does not re-derive. */
export type Viewed =
  | {
      readonly t: 'viewed';
      readonly outcome: Status | null;
      readonly picture: Picture;
      readonly knobs: readonly Knob[];
      readonly next: readonly NextMove[];
    }
  | { readonly t: 'underivable'; readonly code: string; readonly record: number };

/**
 * Views a run whose integrity holds, with the machine its genesis names; null where nobody has a view of it.
 * `pages`: of the picture; all of them unless told.
 * Raises `Stop`: `machine_file`, and `other_machine` where modules are named and none has that machine.
 */
export async function openView(
  modules: readonly string[],
  { machine: by }: Genesis,
  records: readonly EvidenceRecord[],
  pages?: readonly Page[],
): Promise<Viewed | null> {
  const own = await ownMachine(modules, by);
  const view = own?.views.find((one) => one.machine === by.name && one.versions.includes(by.version));
  if (own !== null) {
    const seen = view === undefined ? null : viewed(viewable(view, own.machine, OPTIONS), records, pages);
    if (seen?.t !== 'viewed') return seen;
    return {
      ...seen,
      next: seen.next.map(({ command, args }) => ({ command, args: [...args, ...machineWords(modules)] })),
    };
  }
  const row = findRow(by, ROWS);
  return row === undefined ? null : viewed(await row.view(OPTIONS), records, pages);
}

/**
 * What is made of the machine that a genesis names; null where nobody has it. Raises `Stop` as {@link openView}.
 */
export async function chooseMachine<T>(
  modules: readonly string[],
  { machine: by }: { readonly machine: MachineName },
  use: Use<T>,
): Promise<T | null> {
  const own = await ownMachine(modules, by);
  if (own !== null) return use(own.machine);
  const row = findRow(by, ROWS);
  return row === undefined ? null : machineIn(row, use);
}

/** The machine of a genesis in the user's modules; null where none is named. Raises `Stop`: `other_machine`. */
async function ownMachine(
  modules: readonly string[],
  by: MachineName,
): Promise<(Pick<UserModule, 'path' | 'views'> & { readonly machine: AnyMachine }) | null> {
  const loaded = await ownModules(modules);
  for (const { path, machines, views } of loaded) {
    const machine = machines.find((one) => isNamed(one, by));
    if (machine !== undefined) return { path, machine, views };
  }
  const [first] = loaded;
  if (first === undefined) return null;
  throw misuse(
    'other_machine',
    otherMachine(first, by),
    first.path,
    `export the machine of the ledger: export const machines = [your ${by.name}@${by.version}];`,
  );
}

function otherMachine({ machines }: UserModule, by: Pick<MachineName, 'name' | 'version'>): string {
  const names = machines.map(({ name, version }) => `${name}@${version}`).join(', ');
  return `this module has ${names}; the ledger is of ${by.name}@${by.version}`;
}

/** What to do about a re-derivation that was not made, or that differs; null where nothing can be told. */
export async function machineAdvice(
  modules: readonly string[],
  { code, detail }: Pick<Verdict, 'code' | 'detail'>,
): Promise<string | null> {
  const [path] = modules;
  if (code === 'differs' && path !== undefined) return CHANGED;
  if (code !== 'unknown_machine') return null;
  const by = isObject(detail) ? field(detail, 'got') : undefined;
  if (path === undefined || by === undefined || !isObject(by))
    return 'give its machine with --machine FILE.mjs, or update assay';
  const version = field(by, 'version');
  return `${path}: ${otherMachine(await userModule(path), { name: textIn(by, 'name'), version: Number(version) })}`;
}

/** The machine with its view: of the first module that has both, else ours; null where nobody has it. */
export async function viewableFor(modules: readonly string[], by: MachineName): Promise<Viewable | null> {
  for (const { machines, views } of await ownModules(modules)) {
    const machine = machines.find((one) => isNamed(one, by));
    const view = views.find((one) => one.machine === by.name && one.versions.includes(by.version));
    if (machine !== undefined && view !== undefined) return viewable(view, machine, OPTIONS);
  }
  return findRow(by, ROWS)?.view(OPTIONS) ?? null;
}

function viewed(
  view: Viewable,
  [genesis, ...rest]: readonly EvidenceRecord[],
  pages?: readonly Page[],
): Viewed | null {
  if (genesis === undefined) return null;
  deciding();
  const seen = viewRecords(view, [genesis, ...rest]);
  if (seen._tag === 'Left') return { t: 'underivable', code: seen.left.code, record: seen.left.record };
  const viewer = seen.right;
  const picture = viewer.show(pages);
  const tried = picture.panels.flatMap(({ block }) =>
    block.t === 'facts' ? block.rows.flatMap(({ move }) => move ?? []) : [],
  );
  return {
    t: 'viewed',
    outcome: viewer.follower.outcome,
    picture,
    knobs: viewer.knobs(),
    next: [...viewer.next(), ...tried],
  };
}

/**
 * True where the first line of one of the files may name this machine: a machine is loaded only where it may
 * be needed.
 */
async function mayName(row: MachineRow, files: readonly string[]): Promise<boolean> {
  return (await Promise.all(files.map((path) => mayNameIn(path, row)))).includes(true);
}

/** True where the start of a ledger names a machine, and its engine where it has one. */
function isIn({ name, engine }: MachineName, start: Buffer): boolean {
  return start.includes(`"name":"${name}"`) && (engine === null || start.includes(`"engine":"${engine}"`));
}

/** True where the first line of a file may name a machine, and where it cannot be looked at beforehand. */
async function mayNameIn(path: string, row: MachineRow): Promise<boolean> {
  if (path === '-' || isStored(path)) return true;
  try {
    const file = ledgerFile(path);
    // A pipe gives each byte once, and who writes to it would find it closed.
    if (!(await stat(file)).isFile()) return true;
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEK_BYTES), 0, PEEK_BYTES, 0);
      const start = buffer.subarray(0, bytesRead);
      // Behind a long input or base the machine's name lies beyond what was looked at.
      if (isPage(start)) return true;
      return isIn(row, start) || (bytesRead === PEEK_BYTES && !start.includes('\n'));
    } finally {
      await handle.close();
    }
  } catch {
    // Whoever reads the file says what is wrong with it.
    return false;
  }
}
