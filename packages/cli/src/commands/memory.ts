/**
 * `assay memory forget` and `dream`: what a person or the Dreamer does to a memory.
 *
 * @module
 */
import {
  CONTENT_UNITS_MAX,
  ENTITY_UNITS_MAX,
  LOCAL,
  SPACE_UNITS_MAX,
  type MemoryEvent,
} from '@assay/controller/memory';
import { wordByRules, type Told } from '@assay/controller/memory-shell';
import { isDigest, type Json } from '@assay/kernel';
import { safeJson } from '@assay/views';
import type { ModelFlags } from '../options/llm.js';
import { tellingMoment } from '../options/moment.js';
import { shownModel } from '../options/shown-model.js';
import { EXIT, misuse, orStop, worst, type ExitCode } from '../problems/problem.js';
import { show, type Shown } from '../terminal/shown.js';
import type { Context } from '../call/context.js';
import { dreamLine } from './memory/lines.js';
import {
  inStore,
  memoryTold,
  storedMemory,
  tellProblem,
  type MemoryFlags,
  type Opened,
} from '../files/memory-store.js';
import type { Output } from '../call/output.js';

/** Something in it is seen: spaces, line ends and marks of no width say no reason. */
const SAYS_SOMETHING = /[^\p{C}\p{Z}\s]/u;

/**
 * Records a person's tombstone on a tag, or on one Megram of it. Exit 1 where the memory rejects it: nothing
 * is there. Raises `Stop`: `bad_value`, `store_url`.
 */
export async function forget(
  { output }: Context,
  url: string,
  space: string,
  entity: string | undefined,
  flags: MemoryFlags & { readonly id?: string; readonly why: string },
): Promise<ExitCode> {
  if (flags.id !== undefined && !isDigest(flags.id))
    throw misuse(
      'bad_value',
      'not a Megram id',
      flags.id,
      'assay memory inspect WHERE SPACE ENTITY lists the ids of a tag',
    );
  if (!SAYS_SOMETHING.test(flags.why))
    throw misuse(
      'bad_value',
      '--why needs a reason; nothing was forgotten',
      '--why',
      'give a reason, such as --why "that was another machine"',
    );
  for (const [place, value, most] of [
    ['--why', flags.why, CONTENT_UNITS_MAX],
    ['the space', space, SPACE_UNITS_MAX],
    ['the entity', entity ?? LOCAL, ENTITY_UNITS_MAX],
  ] as const) {
    if (value.length > most)
      throw misuse(
        'bad_value',
        `this has ${value.length} UTF-16 units; the maximum is ${most}; nothing was forgotten`,
        place,
        'shorten it',
      );
  }
  const told = await changed(url, (run) => ({
    kind: 'forget',
    source: 'human',
    proposer: 'human',
    value: {
      space,
      entity: entity ?? LOCAL,
      id: flags.id ?? null,
      why: flags.why,
      at_us: tellingMoment(flags.at, run.state.clock_us),
    },
  }));
  return settled(output, told, (event) =>
    event.t === 'forgotten'
      ? show`forgotten: ${event.count} under ${event.space} ${event.entity}; the ledger keeps that they were there`
      : null,
  );
}

/**
 * Lets the memory dream, and gives the rules it asks for their words: from the evidence, by a language model,
 * or not at all. Exit 5 where a model was not reached. Raises `Stop`: `bad_value`, and those of models.
 */
export async function dream(
  context: Context,
  url: string,
  flags: MemoryFlags & ModelFlags & { readonly words: string },
): Promise<ExitCode> {
  const { output } = context;
  const isModel = flags.words.startsWith('llm:');
  if (!isModel && !['rules', 'none'].includes(flags.words))
    throw misuse(
      'bad_value',
      'unknown writer of rules',
      `--words ${shownModel(flags.words, context.env)}`,
      'give rules, none or llm:PROVIDER/MODEL',
    );
  const told = await changed(url, (run) => ({
    kind: 'dream',
    source: 'human',
    proposer: 'human',
    value: { at_us: tellingMoment(flags.at, run.state.clock_us) },
  }));
  const byRules =
    flags.words === 'rules' && told.rejection === null
      ? await inMemory(url, async ({ store, place }, runId) =>
          orStop(await wordByRules(store, runId, told), (error) => tellProblem(error, runId, place)),
        )
      : told;
  const worded =
    isModel && told.rejection === null
      ? await (await import('./memory/word-by-model.js')).wordByModel(
          context,
          storedMemory(url),
          flags.words,
          flags,
        )
      : null;
  for (const problem of worded?.problems ?? []) output.complaint(problem);
  const ended = settled(
    output,
    {
      ...byRules,
      events: [...byRules.events, ...(worded?.events ?? [])],
      head: worded?.head ?? byRules.head,
      rejection: told.rejection,
    },
    dreamLine,
  );
  return worst([ended, ...(worded?.problems ?? []).map(({ exit }) => exit)]);
}

function changed(given: string, telling: Parameters<typeof memoryTold>[2]): Promise<Told> {
  return inMemory(given, (opened, runId) => memoryTold(opened, runId, telling));
}

/** Opens the store of a memory that is there. Raises `Stop`: `store_url`, and those of the store. */
function inMemory<T>(given: string, work: (opened: Opened, runId: string) => Promise<T>): Promise<T> {
  const { url, run } = storedMemory(given);
  return inStore(url, (opened) => work(opened, run), { mustExist: true });
}

/** Says what came of an answer: its events, or the rejection, which is recorded too. */
function settled(
  output: Output,
  { events, head, rejection }: Told,
  line: (event: MemoryEvent) => Shown | null,
): ExitCode {
  const seen = events.filter(({ t }) => t !== 'invited');
  output.document({ head, rejection, events: seen });
  if (rejection !== null) {
    output.data(show`rejected: ${rejection.code} ${safeJson(rejection.detail satisfies Json)}`);
    return EXIT.no;
  }
  for (const event of seen) {
    const shown = line(event);
    if (shown !== null) output.line(shown);
  }
  return EXIT.done;
}
