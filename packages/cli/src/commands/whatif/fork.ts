/** A recorded run, derived again and forked under changes. */
import { nativeSha256 } from '@assay/host';
import {
  err,
  replayable,
  runView,
  utf8Bytes,
  type EvidenceRecord,
  type Genesis,
  type Rejection,
} from '@assay/kernel';
import { forkable } from '@assay/kernel/fork';
import {
  answersIn,
  changedGiven,
  derivedAgain,
  listNames,
  refeed,
  type Change,
  type DerivedParent,
  type Overridden,
  type Refed,
} from '@assay/verifier/impact';
import { underivable } from '../../files/ledger.js';
import { requireNames } from '../../options/settings.js';
import { chooseMachine } from '../../options/machines.js';
import { describeFault, overrideProblem } from '../../options/override.js';
import { EXIT, Stop, misuse, badValue } from '../../problems/problem.js';
import { rejected } from '../../start/drive-machine.js';
import { textIn, jsonShown, show } from '../../terminal/shown.js';

/** What is asked for. `run_id`: the name of the fork. */
export type Changes = Change & { readonly run_id?: string };

/** The recorded run, what was changed, and its fork. */
export type Forked = {
  readonly parent: DerivedParent;
  readonly changed: readonly Overridden[];
  readonly fork: Refed;
};

const OPTIONS = { sha256: nativeSha256 };
/** So much of the run's name that the fork's is one too. */
const ROOT_POINTS = 100;
const VALUE_POINTS = 120;

/**
 * Forks a run whose integrity holds. `file`: how messages name it; `view`: of the machine's view. Raises
 * `Stop`: exit 3 and 4 where it does not re-derive, 2 for a change that names nothing or that the machine does not
 * take, and those of modules.
 */
export async function makeFork(
  records: readonly EvidenceRecord[],
  changes: Changes,
  modules: readonly string[],
  file: string,
  view: Parameters<typeof changedGiven>[2],
): Promise<Forked> {
  const { genesis } = requireGenesis(records, file);
  const machine = await chooseMachine(modules, genesis, (one) => ({
    replays: replayable(one, OPTIONS),
    forks: forkable(one, OPTIONS),
  }));
  if (machine === null) throw unknownMachine(genesis, file);
  const derived = derivedAgain(machine.replays, { genesis, records });
  if (derived._tag === 'Left') throw underivable(derived.left.code, derived.left.record, file, modules);
  const parent = derived.right;
  const given = changedGiven(genesis, changes, view);
  if (given._tag === 'Left') throw overrideProblem(given.left);
  requireNamed(parent, changes.without);
  const { policy, input, changed } = given.right;
  const run_id =
    changes.run_id ?? forkName(genesis.run_id, [records.at(-1), { policy, input }, changes.without]);
  requireNames(run_id);
  const fork = refeed(
    (count) => {
      const last = parent.records[count - 1];
      const at = { run_id: genesis.run_id, count };
      if (last === undefined) return err({ code: 'base_mismatch', detail: at });
      const base = { ...at, hash: last.record_hash, snapshot: null };
      const { ts_base, machine: by } = genesis;
      return machine.forks({ run_id, ts_base, policy, input, base, engine: by.engine }, parent.records);
    },
    parent,
    { input, isLeftOut: (one) => listNames(one).some((name) => changes.without.includes(name)) },
    nativeSha256,
  );
  if (fork._tag === 'Left') throw refused(fork.left, changed, changes, file);
  return { parent, changed, fork: fork.right };
}

/** The genesis of a run that began by itself. Raises `Stop`: `foreign_chain`, `continued`. */
export function requireGenesis(
  records: readonly EvidenceRecord[],
  file: string,
): { readonly genesis: Genesis } {
  const view = runView(records);
  if (view._tag === 'Left')
    throw misuse(
      'foreign_chain',
      'this chain was not written by a run of ours',
      file,
      'name a ledger of assay',
    );
  if (view.right.genesis.base?.snapshot)
    throw misuse(
      'continued',
      'this run continues another one, which holds its start',
      file,
      'name the ledger it began in',
    );
  return view.right;
}

/** What is told of a ledger whose machine nobody has: exit 4. */
export function unknownMachine({ machine }: Genesis, file: string): Stop {
  return new Stop({
    code: 'unknown_machine',
    message: `the machine of this ledger is not available: ${machine.name}@${machine.version}`,
    place: file,
    remedy: 'name the module that exports it with --machine FILE, or update assay',
    exit: EXIT.unchecked,
  });
}

function requireNamed({ records }: DerivedParent, without: readonly string[]): void {
  const known = [...new Set(answersIn(records).flatMap(listNames))];
  const unknown = without.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw badValue(
      'no proposer, slot or source of this name answered in the recorded run',
      `--without ${unknown}`,
      `it has ${known.join(', ')}`,
    );
}

/**
 * The name of a fork: of its run, and of what it goes on from and under which changes. JSON text, since a
 * value given may be one that no ledger takes.
 */
function forkName(parent: string, from: unknown): string {
  const hash = nativeSha256(utf8Bytes(JSON.stringify(from)));
  const root = parent.replace(/-what-if-[0-9a-f]{8}$/, '').replaceAll('~', '-');
  return `${root.slice(0, ROOT_POINTS)}-what-if-${hash.slice(0, 8)}`;
}

function refused(
  { code, detail }: Rejection,
  changed: readonly Overridden[],
  { overrides, policy }: Changes,
  file: string,
): Stop {
  if (code === 'genesis_shape' && textIn(detail, 'path') === '/base/run_id')
    return misuse(
      'run_exists',
      'the fork would have the name of the run that it comes from',
      file,
      'give another --set run_id=',
    );
  if (code === 'base_mismatch')
    return misuse(
      'run_open',
      'this run has not begun: it ends before its first answer',
      file,
      'resume it first',
    );
  const at = textIn(detail, 'field') || textIn(detail, 'path') || textIn(detail, 'key');
  const index = Math.max(
    0,
    overrides.findIndex(({ path }) => readLast(path, '.') === readLast(at, '/')),
  );
  const [change, given] = [changed[index], overrides[index]];
  const isPlaced = textIn(detail, 'expected') !== '';
  const rule =
    textIn(detail, 'rule') ||
    (isPlaced ? describeFault(detail) : `the machine does not take ${at || 'this'}`);
  if (change === undefined || given === undefined)
    return rejected(code, { rule }, [], policy === null ? { place: file } : POLICY_FILE);
  return rejected(code, { rule }, [], {
    place: `--set ${given.path}`,
    remedy: show`in the recorded run ${change.path} is ${jsonShown(change.was, VALUE_POINTS)}; give a value like it`,
  });
}

const POLICY_FILE = { place: '--policy', remedy: 'give a policy that the machine takes' };

function readLast(path: string, mark: string): string {
  return path.slice(path.lastIndexOf(mark) + 1);
}
