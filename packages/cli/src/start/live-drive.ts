/**
 * How a run with language models is driven: its slots at once, within its budget, with notes of the calls
 * begun.
 *
 * @module
 */
import { folderNotes, Later, type DriveOptions, type Port } from '@assay/host';
import type { Request } from '@assay/kernel';
import { readBudget } from '../options/budget.js';
import { llmGiven, type ModelFlags, type ModelOptions } from '../options/llm.js';
import { show } from '../terminal/shown.js';
import type { Context } from '../call/context.js';

/** How language models are asked in a call. Raises `Stop`: `bad_value`. */
export function modelOptions({ env, output }: Context, { llm }: Pick<ModelFlags, 'llm'>): ModelOptions {
  return { env, ...llmGiven(llm), say: (line) => output.note(show`assay: ${line}`) };
}

/** What a run with language models is driven with beside the rest. */
export type LiveDrive = Pick<DriveOptions, 'budget' | 'concurrency' | 'order' | 'deadlines'>;

/**
 * `units`: in which models are counted. `slots`: how many are asked at once; 1 where a person is asked too.
 * `notes`: the folder of the run's journals, null for none.
 */
export type LiveOptions = {
  readonly units: ReadonlySet<string>;
  readonly slots: number;
  readonly notes: string | null;
  readonly flags: ModelFlags;
};

/**
 * Slots are asked at once and recorded by turn, so that who answers sooner does not show. Without models, the
 * notes of calls that were lost before. Raises `Stop`: `bad_value`.
 */
export function liveDrive({ units, slots, notes: folder, flags: { budget, llm } }: LiveOptions): LiveDrive {
  const limits = readBudget(budget, units);
  const { timeoutMs: call } = llmGiven(llm);
  const notes = folder === null ? {} : { notes: folderNotes(folder) };
  // A model may have been asked for this run before, and killed over it: that is charged, whoever answers
  // now.
  if (units.size === 0) return { budget: { limits, ...notes } };
  return {
    budget: { limits, ...notes },
    concurrency: slots,
    order: 'turn',
    ...(call === null ? {} : { deadlines: { call } }),
  };
}

/** What nobody here can answer waits for somebody who can. */
export function laterPort({ accepts: [source = 'human'] }: Request): Port {
  return { source, proposer: 'nobody', perform: () => Promise.reject(new Later()) };
}
