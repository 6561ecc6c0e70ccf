/** The claim of a folder of results: one run owns the folder from before its first record on. */
import { lstatSync, readFileSync, readdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { canonicalize, isRunId, orThrow } from '@assay/kernel';
import { Stop, misuse, needsOption } from '../problems/problem.js';
import { jsonIn, textIn, valueIn, commandLine, show } from '../terminal/shown.js';
import { writeNew } from './write.js';

/** Name of the file that claims a folder. */
export const CLAIM_FILE = '.assay-run';

/** What the ledger in a folder of results is called by its store. */
export const LEDGER_NAME = 'run';

/** Name of the ledger in a folder of results. */
export const LEDGER_FILE: string = `${LEDGER_NAME}.ledger.jsonl`;

const CLAIM_BYTES_MAX = 65_536;

/** Who owns a folder. `workspace`: where that run works, as it was given; null if it works in none. */
export type Claim = { readonly run_id: string; readonly workspace: string | null };

/** A folder that this call claimed. `release`: gives it back; nothing if an earlier call claimed it. */
export type Held = { readonly release: () => void };

/** The claim of a folder, null if there is none. Raises `Stop`, `exists`, for a file that is no claim. */
export function readClaim(folder: string): Claim | null {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const path = join(folder, CLAIM_FILE);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  const claim = found.isFile() && found.size <= CLAIM_BYTES_MAX ? jsonIn(readFileSync(path, 'utf8')) : null;
  const [run_id, workspace] = [textIn(claim, 'run_id'), valueIn(claim, 'workspace')];
  if (isRunId(run_id) && (workspace === null || typeof workspace === 'string')) return { run_id, workspace };
  throw misuse(
    'exists',
    'a file with this name is no claim of a run; nothing was done',
    path,
    'name another folder with -o',
  );
}

/** The same; raises `option_needed` too, where there is none. */
export function claimedRun(folder: string): Claim {
  const claim = readClaim(folder);
  if (claim !== null) return claim;
  throw needsOption(
    'no folder of a run has this name',
    folder,
    'give STORE#RUN, or the folder that an earlier call named with -o',
  );
}

/**
 * Claims a folder for a run, before anything else is done. `names`: paths that the run may write; one that exists
 * in an unclaimed folder is somebody else's, and so is a link in a claimed one. Raises `Stop`: `exists`,
 * `other_workspace`, and those of writing.
 */
export async function claimFolder(folder: string, claim: Claim, names: readonly string[]): Promise<Held> {
  if (isOwner(folder, claim)) {
    requireNoLink(names);
    return { release: () => undefined };
  }
  const taken = names.find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (taken !== undefined)
    throw misuse(
      'exists',
      'this file is in the way: the run writes one with this name; nothing was done',
      taken,
      'name another folder with -o',
    );
  const path = join(folder, CLAIM_FILE);
  const above = missingAbove(folder);
  try {
    await writeNew([{ path, bytes: orThrow(canonicalize(claim)) }]);
  } catch (error) {
    // Another call was faster: it may be one of the same run.
    if (error instanceof Stop && error.problem.code === 'exists' && isOwner(folder, claim))
      return { release: () => undefined };
    throw error;
  }
  return {
    release() {
      rmSync(path, { force: true });
      removeEmpty(folder, above);
    },
  };
}

/** A run makes no link: one in its folder was put there by somebody, and would lead what is written elsewhere. */
function requireNoLink(paths: readonly string[]): void {
  for (const path of paths) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true || (found?.isFile() === true && found.nlink > 1))
      throw misuse('exists', 'this is a link, and no run made it; nothing was done', path, 'remove the link');
    if (found?.isDirectory() === true) requireNoLink(readdirSync(path).map((name) => join(path, name)));
  }
}

/** Raises `Stop` if another run owns the folder, or this one works elsewhere. */
function isOwner(folder: string, { run_id, workspace }: Claim): boolean {
  const owner = readClaim(folder);
  if (owner === null) return false;
  if (owner.run_id !== run_id)
    throw misuse(
      'exists',
      `this folder belongs to run ${owner.run_id}; nothing was done`,
      folder,
      show`name another folder with -o; ${commandLine(['assay', 'resume', folder])} continues that run if it is open`,
    );
  if (workspace !== null && workspace !== owner.workspace)
    throw misuse(
      'other_workspace',
      'this task started in another folder',
      `--workspace ${workspace}`,
      owner.workspace === null
        ? 'no workspace is recorded here: start the task again with another -o'
        : show`if you trust this folder, type: ${commandLine(['--workspace', owner.workspace])}`,
    );
  return true;
}

/** How many folders of a path do not exist yet. */
function missingAbove(folder: string): number {
  let [missing, path] = [0, resolve(folder)];
  for (; lstatSync(path, { throwIfNoEntry: false }) === undefined; path = dirname(path)) missing += 1;
  return missing;
}

function removeEmpty(folder: string, levels: number): void {
  let path = resolve(folder);
  try {
    for (let level = 0; level < levels; level += 1, path = dirname(path)) rmdirSync(path);
  } catch {
    // Somebody has put something there.
  }
}
