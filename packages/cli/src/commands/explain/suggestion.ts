/**
 * The command that has another reading win: found among the flips, and tried before it is printed.
 *
 * @module
 */
import { FLIP_FAMILIES, type Blueprint, type Flip, type FlipFamily, type Flips } from '@assay/kernel/intent';
import type { DerivedRun } from './derived.js';
import { Stop } from '../../problems/problem.js';
import { runRequest } from '../run/run-request.js';
import { changesOf, optionsOf } from '../whatif/changes.js';
import { planFrom } from '../whatif/plan.js';

/**
 * A command, as words, and what came of trying it: `wins` where the other reading was committed, else why
 * that run is refused.
 */
export type Suggestion = {
  readonly family: FlipFamily;
  readonly flip: Flip;
  readonly words: readonly string[];
  readonly wins: boolean;
  readonly reasons: readonly string[];
};

/**
 * The command of the first family, in the order weight, pin, proposal, commit, whose smallest flip has
 * another reading committed; where each ends in a refusal, the first. Null without any flip. Each is tried in
 * memory.
 */
export async function suggestionFor(
  run: DerivedRun,
  path: string,
  flips: Flips | null,
): Promise<Suggestion | null> {
  let second: Suggestion | null = null;
  for (const family of FLIP_FAMILIES) {
    const flip = flips?.[family].flip ?? null;
    if (flip === null) continue;
    const found = await tried(run, path, family, flip);
    if (found?.wins === true) return found;
    second ??= found;
  }
  return second;
}

async function tried(
  run: DerivedRun,
  path: string,
  family: FlipFamily,
  flip: Flip,
): Promise<Suggestion | null> {
  try {
    const plan = planFrom(run, changesOf(flip.change), {});
    const ended = await runRequest({ ...plan, store: null, place: '' });
    const blueprint = ended.artifacts.get('blueprint') as Blueprint | undefined;
    const wins =
      blueprint?.intent.name === flip.winner.name &&
      blueprint.intent.supporters.some(({ slot }) => slot === flip.winner.slot);
    // Readings equal in total and name are told apart by ids that hold the name of the run: another run,
    // another first.
    if (!wins && ended.status === 'success') return null;
    // A file whose name begins with a hyphen would pass for an option.
    const file = path.startsWith('-') && path !== '-' ? `./${path}` : path;
    return {
      family,
      flip,
      words: ['assay', 'run', '--from', file, ...optionsOf(flip.change), '-o', plan.identity.run_id],
      wins,
      reasons: ended.reasons,
    };
  } catch (error) {
    // What the machine would not open (all weights 0, one pin against another) is no command to print.
    if (error instanceof Stop) return null;
    throw error;
  }
}
