/**
 * `assay resume`: a stored run taken up where it stands, and driven to its end, the same for all machines.
 *
 * @module
 */
import type { Context } from '../call/context.js';
import { claimedRun, type Claim } from '../files/claim.js';
import { STORED } from '../files/report-file.js';
import { realPath } from '../files/write.js';
import { misuse, type ExitCode } from '../problems/problem.js';
import type { At, Kit, ResumeFlags } from '../start/kit.js';
import { keepRun } from '../start/places.js';
import { playRun, requireFolder } from '../start/start.js';
import { storedRun } from '../start/stored-run.js';

/** The machines whose runs are gone on with by their kits, by the name in the first record. */
const KITS: { readonly [machine: string]: () => Promise<Kit<never>> } = {
  intent: async () => (await import('../kits/intent/kit.js')).intentKit,
  controller: async () => (await import('../kits/controller/kit.js')).controllerKit,
  ecology: async () => (await import('../kits/ecology/kit.js')).ecologyKit,
  planner: async () => (await import('../kits/planner/kit.js')).plannerKit,
};

/**
 * Goes on with a kept run, `STORE#RUN` or the folder that `-o` named, and writes what the first call would have
 * written; of one that is over, only writes. Raises `Stop`, among them exit 3 where the kept ledger does not hold:
 * then nothing is changed.
 */
export async function resume(context: Context, given: string, given_: ResumeFlags): Promise<ExitCode> {
  const { claim, flags } = runNamed(given, given_);
  await requireFolder(flags);
  const { run_id } = claim;
  const workspace = flags.workspace === undefined ? null : realPath(flags.workspace);
  const work = async (kept: At['kept']): Promise<ExitCode> => {
    const head = await kept.store.head(run_id);
    if (flags.store === undefined && head._tag === 'Right' && head.right === null)
      throw misuse(
        'no_run',
        `this folder belongs to run ${run_id}, and holds no record of it`,
        kept.place,
        'give --store if the run is kept in one; else give the call again that began it',
      );
    const begun = await storedRun(kept.store, run_id, kept.place);
    const kit = await kitOf(begun.machine, run_id);
    if (begun.version !== kit.machine.version)
      throw misuse(
        'machine_version',
        `version ${JSON.stringify(begun.version)} of ${begun.machine} began this run; this is ${kit.machine.version}`,
        run_id,
        'go on with the version of Assay that began it',
      );
    requireOwn(kit, flags);
    const at = { identity: begun.identity, start: run_id, kept };
    const stored = { ...at, begun, workspace: claim.workspace };
    return playRun(context, flags, at, () => kit.again({ context, words: [given], flags }, stored));
  };
  return keepRun(flags, { run_id, workspace }, work, { mustExist: true });
}

/** Which run is meant. Raises `Stop`: `option_needed`, `conflict`. */
function runNamed(given: string, flags: ResumeFlags): { readonly claim: Claim; readonly flags: ResumeFlags } {
  const { store, output } = flags;
  const [, url, run] = (store === undefined ? STORED.exec(given) : null) ?? [];
  if (url !== undefined && run !== undefined)
    return { claim: { run_id: run, workspace: null }, flags: { ...flags, store: url } };
  if (store !== undefined) return { claim: { run_id: given, workspace: null }, flags };
  const claim = claimedRun(given);
  if (output !== undefined && realPath(output) !== realPath(given))
    throw misuse(
      'conflict',
      'the results of this run belong to its own folder',
      `-o ${output}`,
      'leave -o out',
    );
  return { claim, flags: { ...flags, output: given } };
}

async function kitOf(machine: string, runId: string): Promise<Kit<never>> {
  const load = Object.hasOwn(KITS, machine) ? KITS[machine] : undefined;
  if (load !== undefined) return load();
  throw machine === 'memory' || machine === 'library'
    ? misuse(
        'never_ends',
        `this is a ${machine}, which runs share and which never ends: there is nothing to go on with`,
        runId,
        `look into it with assay ${machine} inspect`,
      )
    : misuse(
        'other_machine',
        `this is a run of ${machine === '' ? 'no known machine' : machine}, and nobody here answers for it`,
        runId,
        'drive it with @assay/host, by the program that began it',
      );
}

/** The options of `resume` that some machines' runs take, and others do not. */
const OWN = ['workspace', 'shell', 'confirm', 'memory', 'library', 'check'] as const;

function requireOwn({ machine, resumes }: Kit<never>, flags: ResumeFlags): void {
  const foreign = OWN.find((name) => !resumes.includes(name) && (flags[name] ?? []).length > 0);
  if (foreign !== undefined)
    throw misuse(
      'foreign_option',
      `a run of ${machine.name} takes no --${foreign}`,
      `--${foreign} ${[flags[foreign]].flat().join(' ')}`,
      'leave it out',
    );
}
