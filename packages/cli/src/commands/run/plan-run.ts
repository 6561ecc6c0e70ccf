/**
 * What a call of `run` decides, and deciding it.
 *
 * @module
 */
import type { JsonObject } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { memoryStore, type Identity } from '@assay/host';
import type { Context } from '../context.js';
import { identityOf } from '../../options/identity.js';
import { fileOfProposer, llmFiles, type ModelFlags } from '../../options/llm.js';
import { readPins } from '../../options/pins.js';
import { readPolicy } from '../../options/policy.js';
import { readProposers, type Miss } from '../../options/proposers.js';
import { readRequest } from '../../options/request.js';
import { modelOptions } from './live-drive.js';
import { show } from '../../terminal/shown.js';
import { misuse } from '../../problems/problem.js';
import { driveMachine, type Driving, type Ended } from './run-request.js';

/** What a run is made from, and how it is driven. */
export type RunRequest = Driving & {
  readonly identity: Identity;
  readonly policy: JsonObject;
  readonly input: JsonObject;
};

/** The options of `run` that say what is decided. */
export type PlanOptions = {
  readonly runId?: string;
  readonly tsBase?: string;
  readonly pin: readonly string[];
  readonly policy?: string;
  readonly proposer: readonly string[];
} & ModelFlags;

/**
 * A run planned. `from`: where its request comes from, in words. `misses`: what recordings had no answer to,
 * once the run is over. `units`: in which its language models are counted; empty where it has none.
 */
export type PlannedRun = Omit<RunRequest, 'store' | 'place'> & {
  readonly from: string;
  readonly text: string;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
};

/** What a drive is told of a plan: it takes no names but its own. */
export function requestIn({
  identity,
  policy,
  input,
  ports,
}: PlannedRun): Omit<RunRequest, 'store' | 'place'> {
  return { identity, policy, input, ports };
}

/** Every file that a call names to read from. */
export function inputsOf(
  given: string | undefined,
  { pin, policy, llm, proposer }: PlanOptions,
): readonly string[] {
  return [given, policy, ...llmFiles({ llm })]
    .filter((path) => path !== undefined)
    .concat(
      pin,
      proposer.flatMap((name) => fileOfProposer(name) ?? []),
    );
}

/**
 * Reads what a call of `run` is given. Raises `Stop`: `no_request`, `stdin`, and those of what it reads.
 */
export async function planRun(
  context: Context,
  given: string | undefined,
  options: PlanOptions,
): Promise<PlannedRun> {
  if ([given, ...options.pin, options.policy, ...llmFiles(options)].filter((path) => path === '-').length > 1)
    throw misuse('stdin', 'standard input can be read once', '-', 'give - once');
  if (given === undefined)
    throw misuse(
      'no_request',
      'there is nothing to decide',
      '',
      'name a file, quote a sentence, or give - for standard input',
    );
  if (given === '-' && options.proposer.includes('human'))
    throw misuse(
      'stdin',
      'standard input is the request, and the person answers on it too',
      '-',
      'name a file, or quote the request',
    );
  if (given === '-') context.output.progress(show`assay: reading the request from standard input`);
  const { text, from } = await readRequest(given);
  const pin = await readPins(options.pin);
  const policy = await readPolicy(options.policy);
  const person = options.proposer.includes('human') ? (await import('../person.js')).personOf(context) : null;
  const { slots, ports, misses, units } = await readProposers(options.proposer, policy.slots, {
    person,
    models: modelOptions(context, options),
  });
  const fields = { ...policy.fields, proposers: slots };
  const input = { seed_text: text, pin };
  return {
    identity: identityOf(options, input, fields),
    policy: fields,
    input,
    ports,
    from,
    text,
    misses,
    units,
  };
}

/** Drives the intent machine over a request to its end, and closes the store. Raises `Stop`. */
export async function runRequest({ identity, policy, input, ...driving }: RunRequest): Promise<Ended> {
  const kept = driving.store ?? memoryStore();
  const given = driving.store === null ? { ...driving, ...keepingNotes(driving.live) } : driving;
  try {
    return await driveMachine(intent, { ...identity, policy, input }, identity.run_id, kept, given);
  } finally {
    await kept.close();
  }
}

/**
 * A run that is tried in memory begins there; that the store has none is not said by it, so the notes beside
 * the store stay as they are.
 */
function keepingNotes(live: Driving['live']): Pick<Driving, 'live'> {
  const notes = live?.budget?.notes;
  return live?.budget === undefined || notes === undefined
    ? {}
    : { live: { ...live, budget: { ...live.budget, notes: { begin: (...call) => notes.begin(...call) } } } };
}
