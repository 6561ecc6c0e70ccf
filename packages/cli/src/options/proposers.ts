/**
 * Who answers: `rules`, a person at the terminal, recorded answers from files, and language models.
 *
 * @module
 */
import type { Dialogue, Ports } from '@assay/host';
import { isObject, type Json, type Limits } from '@assay/kernel';
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
import { readJson } from '../files/json-file.js';
import { misuse } from '../problems/problem.js';
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
 * language models are asked.
 */
export type Asked = { readonly person: Dialogue | null; readonly models: ModelOptions };

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
    throw misuse(
      'bad_value',
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
  if (name.startsWith('llm:')) return (await import('./models.js')).modelNamed(name, asked.models);
  if (name.startsWith('mcp:'))
    throw misuse(
      'bad_value',
      'an MCP tool cannot propose readings of a request',
      `--proposer ${shownModel(name, asked.models.env)}`,
      'use MCP tools in a machine of your own: docs/guides/mcp.md',
    );
  const path = fileOfProposer(name);
  if (path === null)
    throw misuse(
      'bad_value',
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
