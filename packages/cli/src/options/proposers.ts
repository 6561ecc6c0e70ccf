/**
 * Who answers: `rules`, a person at the terminal, recorded answers from files, and language models.
 *
 * @module
 */
import type { Dialogue, Ports } from '@assay/host';
import { isObject, type Json, type Limits } from '@assay/kernel';
import type { Task } from '@assay/kernel/prompt';
import {
  describeMiss,
  humanPort,
  lookUp,
  parseRecording,
  portsBySlot,
  recordedPorts,
  rulesPort,
  type Recording,
  type RecordingError,
} from '@assay/proposers';
import { readJson } from '../files/read.js';
import { misuse, badValue, needsOption } from '../problems/problem.js';
import { fileOfProposer, shownModel, type ModelOptions, type Proposer } from './llm.js';

/**
 * The slots of a run in order, who answers each, and what the recordings had no answer to, once the run is
 * over. `units`: in which language models among them are counted; empty where there is none.
 */
export type Proposers = {
  readonly slots: readonly string[];
  readonly ports: Ports;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
};

/** What a recording had no answer to, in words. `isEmpty`: it has no answer to anything. */
export type Miss = { readonly file: string; readonly said: string; readonly isEmpty: boolean };

/** A recording holds many proposals; each is measured again when it is given. */
const RECORDING_LIMITS: Limits = { depth: 128, bytes: 16_777_216, values: 2_097_152, keyBytes: 1_024 };

/**
 * Who is there to be asked. `person`: who `human` is, null where nobody is at a terminal. `models`: how
 * language models are asked; `tasks`: what.
 */
export type Asked = {
  readonly person: Dialogue | null;
  readonly models: ModelOptions;
  readonly tasks?: () => Promise<readonly Task[]>;
};

/**
 * Reads `--proposer` options; none is `rules`. Each takes one slot of the run, a recording of several all of
 * those. Without slots in the policy these are named `rules`, `human` and `llm`, and for a recording those
 * its entries were asked for, or `recorded`; a name that is taken gets a number. A policy's own slots are
 * served in their order. Raises `Stop`: `bad_value`, `no_terminal`, `recording`, and those of reading
 * a file and of opening a model.
 */
export async function readProposers(
  given: readonly string[],
  policySlots: readonly string[] | null,
  asked: Asked,
): Promise<Proposers> {
  const misses = new Map<string, Miss>();
  const proposers: Proposer[] = [];
  // One after the other: what they say of themselves stands in their order.
  for (const name of given.length === 0 ? ['rules'] : given)
    proposers.push(await openProposer(name, misses, asked));
  const isByOption = policySlots !== null && policySlots.length === proposers.length;
  const served = isByOption
    ? proposers
    : proposers.flatMap((proposer) => proposer.slots.map((slot) => ({ ...proposer, slots: [slot] })));
  const slots = policySlots ?? numbered(served.flatMap(({ slots: [slot = ''] }) => [slot]));
  if (slots.length !== served.length)
    throw badValue(
      `the policy has ${slots.length} slots (${slots.join(', ')}), but ${served.length} proposers are given`,
      '--proposer',
      'give one --proposer for each slot, in the order of the policy',
    );
  const table = new Map(served.map(({ ports }, index) => [slots[index] ?? '', ports]));
  return {
    slots,
    ports: portsBySlot(table),
    misses,
    units: new Set(proposers.flatMap(({ units }) => units)),
  };
}

/**
 * One proposer by its name. Notes in `misses` what a recording has no answer to. Raises `Stop` as
 * {@link readProposers}.
 */
export async function openProposer(name: string, misses: Map<string, Miss>, asked: Asked): Promise<Proposer> {
  if (name === 'rules') return { slots: ['rules'], ports: () => rulesPort, units: [] };
  if (name === 'human') return { slots: ['human'], ports: portsOfPerson(asked.person), units: [] };
  // What speaks with models is loaded only where one is named.
  if (name.startsWith('llm:')) {
    const { portOf, units } = await (await import('./models.js')).modelNamed(name, asked.models);
    const port = portOf((await asked.tasks?.()) ?? []);
    return { slots: ['llm'], ports: () => port, units };
  }
  if (name.startsWith('mcp:'))
    throw badValue(
      'an MCP tool cannot propose readings of a request',
      `--proposer ${shownModel(name, asked.models.env)}`,
      'use MCP tools in a machine of your own: docs/guides/mcp.md',
    );
  const path = fileOfProposer(name);
  if (path === null)
    throw badValue(
      'unknown proposer',
      `--proposer ${shownModel(name, asked.models.env)}`,
      'give rules, human, recorded:FILE or llm:PROVIDER/MODEL',
    );
  const recording = parseRecording(await readJson(path, RECORDING_LIMITS));
  if (recording._tag === 'Left')
    throw misuse(
      'recording',
      `not a valid recording: ${recording.left.code} at ` +
        `${recording.left.path === '' ? 'its root' : recording.left.path}`,
      path,
      REMEDIES[recording.left.code],
    );
  return {
    slots: listSlots(recording.right),
    ports: telling(path, recording.right, misses),
    units: [],
    holds: ({ kind, body }) => lookUp(recording.right, { kind, body })._tag === 'Right',
    kinds: proposersByKind(recording.right),
  };
}

const REMEDIES: Readonly<Record<RecordingError['code'], string>> = {
  shape: 'a recording is {"format":"assay-recorded/0","entries":[…]}',
  ask_hash: 'ask_hash is the hash of {"t":"ask","kind":…,"body":…}; record the answer again',
  duplicate: 'keep one answer to each ask',
  provenance:
    'an answer of a model names provider, model, date (a day) and raw_response_hash, the ' +
    'SHA-256 of its raw_response; record the answer again',
  source:
    'a clock or another run speaks now or not at all, and no person has the provenance of a ' +
    'model; record the answer again',
  proposer:
    'what was written by hand has the source synthetic and a proposer like fixture:NAME, and nothing else has',
};

/** The person is asked for only where one can answer: a run that waits for nobody would never end. */
function portsOfPerson(person: Dialogue | null): Ports {
  if (person === null)
    throw misuse(
      'no_terminal',
      'the run asks a person, but this is not a terminal',
      '--proposer human',
      'run it in a terminal, without redirecting standard input or standard error, or give recorded:FILE',
    );
  const port = humanPort(person);
  return () => port;
}

/** The ports of a recording, which note what they have no answer to: a miss is loud. */
function telling(file: string, recording: Recording, misses: Map<string, Miss>): Ports {
  const ports = recordedPorts(recording);
  return (request) => {
    const found = lookUp(recording, { kind: request.kind, body: request.body });
    if (found._tag === 'Left')
      misses.set(`${file} ${found.left.ask_hash ?? ''}`, {
        file,
        said: describeMiss(found.left),
        isEmpty: recording.entries.length === 0,
      });
    return ports(request);
  };
}

/** Who answered in a recording, by the kind of what was asked. */
function proposersByKind({ entries }: Recording): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const { ask, answer } of entries)
    found.set(ask.kind, new Set([...(found.get(ask.kind) ?? []), answer.proposer]));
  return found;
}

/** The slots that the entries were asked for, or the one slot `recorded`. */
function listSlots({ entries }: Recording): readonly string[] {
  const slots = [...new Set(entries.map(({ ask }) => slotIn(ask.body)))];
  return slots.length === 0 || slots.includes('') ? ['recorded'] : slots;
}

function slotIn(body: Json): string {
  const slot = isObject(body) ? body['slot'] : undefined;
  return typeof slot === 'string' ? slot : '';
}

/** Names of slots: one that is taken gets a number. */
export function numbered(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name}-${before + 1}`;
  });
}

/** A proposer given now: `slot`, the one it is given for; null where the option names none. */
type Given = { readonly slot: string | null; readonly name: string };

/** `open`: the slots that still wait for an answer; asked only where somebody is missing. */
type Resumed = {
  readonly slots: readonly string[];
  readonly asked: Asked;
  readonly open: () => Promise<ReadonlySet<string>>;
};

/**
 * Each slot of the policy is answered by what is given for it now; else a slot named `rules` or `human` (or
 * that with a number) by those; else it must have its answer already. `SLOT=NAME` gives one for a slot; as
 * many as there are slots, without slots, are taken in the policy's order, as `run` does; fewer take the
 * slots that `run` would have named for them, a single one the only slot that nobody else serves. Raises
 * `Stop`: `bad_value`, `option_needed`, `no_terminal`, and those of {@link openProposer}.
 */
export async function resumedProposers(
  given: readonly string[],
  { slots, asked, open }: Resumed,
): Promise<Proposers> {
  const misses = new Map<string, Miss>();
  const table = new Map<string, Ports>();
  const units = new Set<string>();
  const bind = (
    slot: string,
    { ports, units: own }: Pick<Proposer, 'ports' | 'units'>,
    option: string,
  ): void => {
    if (!slots.includes(slot))
      throw badValue(
        `this run has no slot ${slot}; its slots are ${slots.join(', ')}`,
        `--proposer ${option}`,
        'give --proposer SLOT=NAME for one of them',
      );
    if (table.has(slot))
      throw badValue(`slot ${slot} has two proposers`, `--proposer ${option}`, 'give one for each slot');
    table.set(slot, ports);
    for (const unit of own) units.add(unit);
  };
  const plain: { readonly option: string; readonly slot: string; readonly proposer: Proposer }[] = [];
  for (const option of given) {
    const { slot, name } = parsed(option);
    const proposer = await openProposer(name, misses, asked);
    if (slot === null) plain.push(...proposer.slots.map((each) => ({ option, slot: each, proposer })));
    else bind(slot, proposer, option);
  }
  const own = numbered(plain.map(({ slot }) => slot));
  const free = slots.filter((slot) => !table.has(slot) && nameFor(slot) === null);
  const isWhole = plain.length === slots.length;
  const [first] = free;
  for (const [index, { option, proposer }] of plain.entries()) {
    const named = own[index] ?? '';
    const isOnly = !slots.includes(named) && plain.length === 1 && free.length === 1;
    bind((isWhole ? slots[index] : isOnly ? first : named) ?? named, proposer, option);
  }
  const missing: string[] = [];
  for (const slot of slots) {
    const name = table.has(slot) ? '' : nameFor(slot);
    if (name === null || (name === 'human' && asked.person === null)) missing.push(slot);
    else if (name !== '') table.set(slot, (await openProposer(name, misses, asked)).ports);
  }
  const waiting = missing.length === 0 ? new Set<string>() : await open();
  const needed = missing.find((slot) => waiting.has(slot));
  if (needed !== undefined) throw wanted(needed);
  return { slots, ports: portsBySlot(table), misses, units };
}

/** True where one of the slots, or of the options, is answered by a person. */
export function asksPerson(given: readonly string[], slots: readonly string[]): boolean {
  return (
    slots.some((slot) => nameFor(slot) === 'human') || given.some((option) => parsed(option).name === 'human')
  );
}

/** `SLOT=NAME` or `NAME`, which may be `recorded:FILE` with any character in it. */
function parsed(option: string): Given {
  const found = /^([^=:]+)=(.+)$/s.exec(option);
  return found === null ? { slot: null, name: option } : { slot: found[1] ?? '', name: found[2] ?? '' };
}

/** The proposer that a slot is named for. */
function nameFor(slot: string): 'rules' | 'human' | null {
  const name = slot.replace(/-[0-9]+$/, '');
  return name === 'rules' || name === 'human' ? name : null;
}

function wanted(slot: string): Error {
  if (nameFor(slot) === 'human')
    return misuse(
      'no_terminal',
      `slot ${slot} waits for a person, but this is not a terminal`,
      `--proposer ${slot}=human`,
      `resume it in a terminal, or give --proposer ${slot}=recorded:FILE`,
    );
  return needsOption(
    `slot ${slot} waits for an answer, and nothing says who gives it`,
    slot,
    `give --proposer ${slot}=recorded:FILE or ${slot}=llm:PROVIDER/MODEL, as in the first call`,
  );
}
