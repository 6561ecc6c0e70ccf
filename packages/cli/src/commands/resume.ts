/**
 * `assay resume`: a stored run taken up where it stands, and driven to its end, the same for all machines.
 */
import type { Context } from '../call/output.js';
import { claimedRun, type Claim } from '../files/claim.js';
import { realPath } from '../files/write.js';
import { findKit } from '../kits/kits.js';
import { takeSettings } from '../options/settings.js';
import { misuse, type ExitCode, badValue } from '../problems/problem.js';
import type { RunAt, Kit, ResumeFlags } from '../start/kit.js';
import { keepRun } from '../start/places.js';
import { playRun, requireFolder } from '../start/start.js';
import { runNamed, storedRun } from '../start/stored-run.js';

/**
 * Goes on with a kept run, `STORE#RUN` or the folder that `-o` named, and writes what the first call would have
 * written; of one that is over, only writes. Raises `Stop`, among them exit 3 where the kept ledger does not hold:
 * then nothing is changed.
 */
export async function resume(context: Context, given: string, given_: ResumeFlags): Promise<ExitCode> {
  const { claim, flags } = await claimNamed(given, takeChecks(given_));
  await requireFolder(flags);
  const { run_id } = claim;
  const workspace = flags.workspace === undefined ? null : realPath(flags.workspace);
  const work = async (kept: RunAt['kept']): Promise<ExitCode> => {
    const head = await kept.store.head(run_id);
    if (flags.store === undefined && head._tag === 'Right' && head.right === null)
      throw misuse(
        'no_run',
        `this folder belongs to run ${run_id}, and holds no record of it`,
        kept.place,
        'name it STORE#RUN if it is kept in a store; else give the call again that began it',
      );
    const begun = await storedRun(kept.store, run_id, kept.place);
    const kit = await startedBy(begun.machine, run_id);
    if (begun.by.version !== kit.machine.version)
      throw misuse(
        'machine_version',
        `version ${begun.by.version} of ${begun.machine} began this run; this is ${kit.machine.version}`,
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
async function claimNamed(
  given: string,
  flags: ResumeFlags,
): Promise<{ readonly claim: Claim; readonly flags: ResumeFlags }> {
  const { output } = flags;
  const { where, run_id } = await runNamed(given);
  if (where.output === undefined)
    return { claim: { run_id, workspace: null }, flags: { ...flags, ...where } };
  if (output !== undefined && realPath(output) !== realPath(given))
    throw misuse(
      'conflict',
      'the results of this run belong to its own folder',
      `-o ${output}`,
      'leave -o out',
    );
  return { claim: claimedRun(given), flags: { ...flags, ...where } };
}

async function startedBy(machine: string, runId: string): Promise<Kit<never>> {
  const kit = await findKit(machine);
  if (kit?.again !== undefined) return kit as Kit<never>;
  throw kit === null
    ? misuse(
        'other_machine',
        `this is a run of ${machine === '' ? 'no known machine' : machine}, which cannot be resumed here`,
        runId,
        'drive it with @assay/host, by the program that began it',
      )
    : misuse(
        'never_ends',
        kit.reopens === undefined
          ? `this is a ${machine}, which runs share and which never ends: it cannot be resumed`
          : `a ${machine} is not continued by resume`,
        runId,
        kit.reopens ?? 'look into it with assay show, or tell it something with assay answer',
      );
}

/** The options of `resume` that some machines' runs take, and others do not. */
const OWN = [
  ...(['workspace', 'check', 'confirm', 'memory', 'library'] as const),
  ...(['mind', 'until', 'records', 'step', 'inject', 'budget'] as const),
];

function requireOwn({ machine, resumes }: Kit<never>, flags: ResumeFlags): void {
  const foreign = OWN.find((name) => !resumes.includes(name) && [flags[name] ?? []].flat().length > 0);
  if (foreign === undefined) return;
  const option = foreign === 'check' ? '--set' : `--${foreign}`;
  throw misuse(
    'foreign_option',
    `a run of ${machine.name} takes no ${option}`,
    `${option} ${[flags[foreign]].flat().join(' ')}`,
    'leave it out',
  );
}

/** Raises `Stop`, `bad_value`, for a setting that is no check. */
function takeChecks(given: ResumeFlags): ResumeFlags {
  const flags = takeSettings(given, ['check']);
  const [foreign] = flags.set ?? [];
  if (foreign === undefined) return flags;
  throw badValue(
    'a stored run keeps its policy and its input; only the checks of a plan are given again',
    `--set ${foreign}`,
    'leave it out, or write it like --set check.unit="node --test"',
  );
}
