/**
 * `assay run`: a request decided, with evidence.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { loadRun } from '@assay/host';
import { field, isArray, isObject, type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import {
  areApart,
  defaultPolicy,
  intent,
  parsePin,
  PINS_MAX,
  renderAtom,
  type PinAtom,
} from '@assay/kernel/intent';
import type { Context } from '../../call/output.js';
import { openPerson } from '../../call/person.js';
import { parseJson, readJson } from '../../files/read.js';
import { answeringWith, openedUnder, settingFiles, slotNames } from '../../options/settings.js';
import { llmFiles, type ModelFlags } from '../../options/llm.js';
import { readRequest } from '../../options/request.js';
import { readProposers, type Asked, type Proposers } from '../../options/proposers.js';
import { misuse } from '../../problems/problem.js';
import { driveMachine, driveProblem } from '../../start/drive-machine.js';
import type { RunAt, Call, Kit, Opening, Play, ResumeFlags, AskFlags, Stored } from '../../start/kit.js';
import { liveDrive, modelOptions } from '../../start/model-failures.js';
import { listOpen } from '../../start/uncovered.js';
import { startWith, type Verb } from '../../start/start.js';
import { show, textIn, valueIn } from '../../terminal/shown.js';

type RunFlags = AskFlags & { readonly pin: readonly string[] };

/** Requests decided by the intent machine. */
export const intentKit: Kit<RunFlags> = {
  machine: intent,
  recorded: {
    what: 'slot',
    slots: ({ proposers }) => slotNames(proposers ?? null),
    slotOf: ({ body }) => textIn(body, 'slot'),
    again: ['assay', 'run', 'REQUEST'],
  },
  describeFork: (run, fork) => ({
    sentence: null,
    note: null,
    ...(readWords(run) === readWords(fork)
      ? {}
      : {
          unknown:
            'the recorded reading belongs to the old text, so nothing can be decided: run it anew with assay run',
        }),
  }),
  resumes: [],
  input,
  again,
};

function readWords([genesis]: readonly EvidenceRecord[]): string {
  return textIn(valueIn(genesis?.payload ?? null, 'input'), 'seed_text');
}

/** `assay run`. */
export const run: Verb = startWith(intentKit);

/** Raises `Stop`: `no_request`, `stdin`, and those of what it reads. */
async function input({ context, words: [given], flags }: Call<RunFlags>): Promise<Opening> {
  const { pin, proposer } = flags;
  const isTalking = proposer.includes('human');
  const read = [given, ...pin, ...settingFiles(flags.set), ...llmFiles(flags), isTalking ? '-' : ''];
  if (read.filter((path) => path === '-').length > 1)
    throw misuse(
      'stdin',
      'standard input can be read once, and a person answers on it',
      '-',
      'name a file, or quote the request',
    );
  if (given === undefined)
    throw misuse('no_request', 'no request was given', '', 'name a file, quote a sentence, or give -');
  if (given === '-') context.output.progress(show`assay: reading the request from standard input`);
  const { text, from } = await readRequest(given);
  const pins = await readPins(pin);
  const defaults: JsonObject = { ...defaultPolicy, proposers: [...defaultPolicy.proposers] };
  const whole = { policy: defaults, input: { seed_text: text, pin: pins } };
  const set = await openedUnder(whole, flags.set);
  const hasSlots = set.policy['proposers'] !== defaults['proposers'];
  const own = hasSlots ? slotNames(set.policy['proposers'] ?? null) : null;
  const asked = askedOf(context, flags, isTalking);
  const proposers = await readProposers(proposer, own, asked);
  return {
    policy: { ...set.policy, proposers: proposers.slots },
    input: set.input,
    with: await answeringWith(flags),
    play: (at) => Promise.resolve(played(at, flags, proposers, { isTalking, from, text })),
  };
}

/** Who answers is named again, where a slot's name does not say it. Raises `Stop`. */
async function again({ context, flags }: Call<ResumeFlags>, stored: Stored): Promise<Play> {
  const { begun, kept } = stored;
  const { run_id } = stored.identity;
  const [slots, text] = [field(begun.policy, 'proposers'), field(begun.input, 'seed_text')];
  const names = isArray(slots) ? slots.filter((slot) => typeof slot === 'string') : [];
  const { asksPerson, resumedProposers } = await import('../../options/proposers.js');
  const isTalking = asksPerson(flags.proposer, names);
  const proposers = await resumedProposers(flags.proposer, {
    slots: names,
    asked: askedOf(context, flags, isTalking),
    open: async () => {
      const loaded = await loadRun(intent, run_id, kept.store);
      if (loaded._tag === 'Left') throw driveProblem(loaded.left, run_id, kept.place);
      return new Set(
        [...loaded.right.run.open].flatMap(([, { request }]) => {
          const slot = isObject(request.body) ? field(request.body, 'slot') : null;
          return typeof slot === 'string' ? [slot] : [];
        }),
      );
    },
  });
  const said = { isTalking, from: 'the store', text: typeof text === 'string' ? text : '' };
  return played(stored, flags, proposers, said);
}

/** Who can be asked for readings. */
function askedOf(context: Context, flags: ModelFlags, isTalking: boolean): Asked {
  return {
    person: isTalking ? openPerson(context) : null,
    models: modelOptions(context, flags),
    tasks: async () => [(await import('@assay/kernel/intent-prompts')).interpretationsTask],
  };
}

function played(
  at: RunAt,
  flags: AskFlags,
  { ports, misses, units, slots }: Proposers,
  { isTalking, from, text }: { readonly isTalking: boolean; readonly from: string; readonly text: string },
): Play {
  const { journal } = at.kept;
  const live = liveDrive({ units, slots: isTalking ? 1 : slots.length, journal, flags });
  return {
    about: `request from ${from}, ${[...text].length} characters`,
    drive: (given) => driveMachine(intent, at, { ...given, ports, live }),
    isTalking,
    misses,
    tell: ({ artifacts }) => Promise.resolve({ lines: listOpen(text, artifacts, false) }),
    isUnanswered: ({ reasons }) => reasons.includes('insufficient_proposals'),
  };
}

const PAIR = /^([a-z0-9_.]{1,256})=(.*)$/s;

/**
 * All pins of a command line as one object, or null without one. A `key=value` whose value reads as a JSON
 * number, `true`, `false` or `null` is that, and one that begins with `{` a JSON object
 * (`{"op":…,"value":…,"unit":…}`); anything else is text. A name with no `=` in it is a JSON file holding an
 * object. The same key twice, however given, and two pins that cannot both hold are `bad_pin`, as is a pin that
 * is malformed. Both name both places.
 */
async function readPins(given: readonly string[]): Promise<Json> {
  if (given.length === 0) return null;
  const pins = new Map<string, PlacedPin>();
  for (const pin of given) {
    for (const [key, value] of await readEntries(pin)) {
      const earlier = pins.get(key);
      const place = pin.includes('=') ? `--pin ${pin}` : `${pin} (${key})`;
      if (earlier !== undefined)
        throw misuse(
          'bad_pin',
          `the pin ${key} is given twice`,
          `${earlier.place} and ${place}`,
          'give each pin once',
        );
      pins.set(key, { value, place });
    }
  }
  requireConsistent(pins);
  return Object.fromEntries([...pins].map(([key, { value }]) => [key, value]));
}

/** The value of a pin, and where it was given. */
type PlacedPin = { readonly value: Json; readonly place: string };

/**
 * Raises `Stop`, `bad_pin`, for the first two pins that cannot both hold, as the machine decides it: one key,
 * one kind of value, no value that both admit. A number and a flag of one key are two kinds, and never
 * compared (intent I9). Likewise for a `no_…` whose value is neither `true` nor `false`. Other pins that the
 * machine does not read are left to it.
 */
function requireConsistent(pins: ReadonlyMap<string, PlacedPin>): void {
  if (pins.size > PINS_MAX) return;
  const known: { readonly place: string; readonly atom: PinAtom }[] = [];
  for (const [key, { value, place }] of pins) {
    const parsed = parsePin({ [key]: value });
    if (parsed._tag === 'Left' && valueIn(parsed.left.detail, 'rule') === 'prohibition')
      throw misuse(
        'bad_pin',
        'a pin that starts with no_ takes only true or false',
        place,
        `to forbid it, write --pin ${key}=true; to fix a value, remove no_`,
      );
    const atom = parsed._tag === 'Right' ? parsed.right[0] : undefined;
    if (atom === undefined) continue;
    const rival = known.find((other) => areApart(other.atom, atom));
    if (rival !== undefined)
      throw misuse(
        'bad_pin',
        `these pins contradict each other: ${stated(rival.atom)}, and ${stated(atom)}`,
        `${rival.place} and ${place}`,
        'remove or change one of them',
      );
    known.push({ place, atom });
  }
}

function stated({ modality, atom }: PinAtom): string {
  return `${modality} ${renderAtom(atom)}`;
}

async function readEntries(pin: string): Promise<readonly (readonly [string, Json])[]> {
  const pair = PAIR.exec(pin);
  if (pair !== null) return [[pair[1] ?? '', parseValue(pair[2] ?? '', pin)]];
  if (pin.includes('='))
    throw misuse(
      'bad_pin',
      'a pin key may contain only lower-case letters, digits, _ and .',
      `--pin ${pin}`,
      'write it like --pin latency.p99="<= 200 ms"',
    );
  if (pin !== '-' && !existsSync(pin))
    throw misuse(
      'missing_file',
      'no such file, and not a pin: a pin contains =',
      `--pin ${pin}`,
      'write it like --pin no_card_data=true, or name a JSON file',
    );
  const file = await readJson(pin);
  if (!isObject(file))
    throw misuse(
      'bad_pin',
      'a file of pins must contain one JSON object',
      pin,
      'write it like {"no_card_data": true}',
    );
  return Object.entries(file);
}

function parseValue(text: string, pin: string): Json {
  return text.startsWith('{') ? parseJson(text, `--pin ${pin}`) : scalar(text);
}

function scalar(text: string): Json {
  if (text === 'true' || text === 'false' || text === 'null') return text === 'null' ? null : text === 'true';
  return /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?$/.test(text) ? Number(text) : text;
}
