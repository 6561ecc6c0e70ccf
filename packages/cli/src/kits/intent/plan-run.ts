/**
 * What a call of `run` decides.
 *
 * @module
 */
import type { JsonObject } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import type { Identity, Ports } from '@assay/host';
import type { Context } from '../../commands/context.js';
import { answeringWith, identityOf, type Named } from '../../options/identity.js';
import { llmFiles, type ModelFlags } from '../../options/llm.js';
import { readPins } from '../../options/pins.js';
import { readPolicy } from '../../options/policy.js';
import { readProposers, type Miss } from '../../options/proposers.js';
import { readRequest } from '../../options/request.js';
import { modelOptions } from '../../start/live-drive.js';
import { show } from '../../terminal/shown.js';
import { misuse } from '../../problems/problem.js';

/** The options of `run` that say what is decided. */
export type PlanOptions = {
  readonly pin: readonly string[];
  readonly policy?: string;
  readonly proposer: readonly string[];
} & Named &
  ModelFlags;

/**
 * A run planned. `from`: where its request comes from, in words. `misses`: what recordings had no answer to,
 * once the run is over. `units`: in which its language models are counted; empty where it has none.
 */
export type PlannedRun = {
  readonly identity: Identity;
  readonly policy: JsonObject;
  readonly input: JsonObject;
  readonly ports: Ports;
  readonly from: string;
  readonly text: string;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
};

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
  const person = options.proposer.includes('human') ? (await import('../../commands/person.js')).personOf(context) : null;
  const { slots, ports, misses, units } = await readProposers(options.proposer, policy.slots, {
    person,
    models: modelOptions(context, options),
  });
  const fields = { ...policy.fields, proposers: slots };
  const input = { seed_text: text, pin };
  return {
    identity: identityOf(options, {
      machine: { name: intent.name, version: intent.version },
      policy: fields,
      input,
      with: await answeringWith(options),
    }),
    policy: fields,
    input,
    ports,
    from,
    text,
    misses,
    units,
  };
}
