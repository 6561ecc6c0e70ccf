/**
 * `assay run`: a request decided, with evidence.
 *
 * @module
 */
import { loadRun } from '@assay/host';
import { field, isArray, isObject, type JsonObject } from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { openPerson } from '../../call/person.js';
import { answeringWith, openedUnder, settingFiles, slotNames } from '../../options/settings.js';
import { llmFiles } from '../../options/llm.js';
import { readPins, readRequest } from '../../options/request.js';
import { readProposers, type Proposers } from '../../options/proposers.js';
import { misuse } from '../../problems/problem.js';
import { driveMachine, driveProblem } from '../../start/drive-machine.js';
import type { At, Call, Kit, Opening, Play, ResumeFlags, AskFlags, Stored } from '../../start/kit.js';
import { liveDrive, modelOptions } from '../../start/model-failures.js';
import { listOpen } from '../../start/uncovered.js';
import { startWith, type Verb } from '../../start/start.js';
import { show, textIn } from '../../terminal/shown.js';

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
  resumes: [],
  input,
  again,
};

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
  const asked = { person: isTalking ? openPerson(context) : null, models: modelOptions(context, flags) };
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
    asked: { person: isTalking ? openPerson(context) : null, models: modelOptions(context, flags) },
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

function played(
  at: At,
  flags: AskFlags,
  { ports, misses, units, slots }: Proposers,
  { isTalking, from, text }: { readonly isTalking: boolean; readonly from: string; readonly text: string },
): Play {
  const { notes } = at.kept;
  const live = liveDrive({ units, slots: isTalking ? 1 : slots.length, notes, flags });
  return {
    about: `request from ${from}, ${[...text].length} characters`,
    drive: (given) => driveMachine(intent, at, { ...given, ports, live }),
    isTalking,
    misses,
    tell: ({ artifacts }) => Promise.resolve({ lines: listOpen(text, artifacts, false) }),
    isUnanswered: ({ reasons }) => reasons.includes('insufficient_proposals'),
  };
}
