/**
 * What a call of `run` decides: a request of its own, or a recorded run under changes.
 *
 * @module
 */
import type { Context } from '../context.js';
import { identityOf } from '../../options/identity.js';
import { llmFiles, llmGiven, type ModelFlags } from '../../options/llm.js';
import type { ModelOptions } from '../../options/models.js';
import { readPins } from '../../options/pins.js';
import { readPolicy } from '../../options/policy.js';
import { fileOfProposer, readProposers, type Miss } from '../../options/proposers.js';
import { readRequest } from '../../options/request.js';
import { show } from '../../terminal/shown.js';
import { misuse } from '../../problems/problem.js';
import type { ChangeOptions } from '../whatif/changes.js';
import type { Names } from '../whatif/plan.js';
import type { RunRequest } from './run-request.js';

/** How language models are asked in a call. Raises `Stop`: `llm`. */
export function modelOptions({ env, output }: Context, { llm }: Pick<ModelFlags, 'llm'>): ModelOptions {
  return { env, ...llmGiven(llm), say: (line) => output.note(show`assay: ${line}`) };
}

/** The options of `run` that say what is decided. */
export type PlanOptions = Names &
  ChangeOptions & {
    readonly from?: string;
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
  { from, pin, policy, llm, proposer }: PlanOptions,
): readonly string[] {
  return [given, from, policy, ...llmFiles({ llm })]
    .filter((path) => path !== undefined)
    .concat(
      pin,
      proposer.flatMap((name) => fileOfProposer(name) ?? []),
    );
}

/**
 * Reads what a call of `run` is given. Raises `Stop`: `no_request`, `two_requests`, `needs_from`, `conflict`,
 * `stdin_twice`, and those of what it reads.
 */
export async function planRun(
  context: Context,
  given: string | undefined,
  options: PlanOptions,
): Promise<PlannedRun> {
  if (
    [given, options.from, ...options.pin, options.policy, ...llmFiles(options)].filter((path) => path === '-')
      .length > 1
  )
    throw misuse('stdin_twice', 'standard input can be read once', '-', 'give - once');
  // Its modules are loaded only where they are asked for.
  if (options.from !== undefined)
    return (await import('../whatif/plan-recorded.js')).planRecorded(given, options.from, options);
  const change = changeOption(options);
  if (change !== null)
    throw misuse(
      'needs_from',
      'this changes a recorded run, and none is named',
      change,
      'name its ledger with --from, as assay explain does',
    );
  if (given === undefined)
    throw misuse(
      'no_request',
      'there is nothing to decide',
      '',
      'name a file, quote a sentence, give - for standard input, or --from LEDGER for a recorded run',
    );
  if (given === '-' && options.proposer.includes('human'))
    throw misuse(
      'stdin_twice',
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

/** The first option given that only a recorded run takes. */
function changeOption({ weight, unpin, without, drop }: ChangeOptions): string | null {
  const found = Object.entries({ weight, unpin, without, drop }).find(([, values]) => values.length > 0);
  return found === undefined ? null : `--${found[0]} ${found[1][0] ?? ''}`;
}
