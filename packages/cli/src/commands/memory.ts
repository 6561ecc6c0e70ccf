/**
 * `assay memory`: what a memory holds, why, and what a person or the Dreamer does to it.
 *
 * @module
 */
import { isDigest, type EvidenceRecord, type Json } from '@assay/kernel';
import {
  CONTENT_UNITS_MAX,
  ENTITY_UNITS_MAX,
  LOCAL,
  SPACE_UNITS_MAX,
  tagOn,
  tagsOf,
  type MemoryEvent,
  type MemoryPolicy,
  type Shelf,
} from '@assay/controller/memory';
import { maskedAddress } from '@assay/host';
import { forCsv, safeJson } from '@assay/views';
import type { Context } from './context.js';
import { EXIT, worst, type ExitCode } from '../problems/exit.js';
import { soundLedger } from '../files/ledger.js';
import { nameOf } from '../files/read.js';
import { shownModel } from '../options/shown-model.js';
import {
  forkedFrom,
  handOn,
  MEMORY_RUN,
  megramRows,
  tagRow,
  tagRows,
  wordByRules,
  writesIn,
  type MegramRow,
  type Told,
} from '@assay/agent/memory';
import { dated, momentOf, tellingMoment } from '../options/moment.js';
import type { ModelFlags } from '../options/llm.js';
import {
  inStore,
  isStoreUrl,
  memoryAt,
  memoryMade,
  memoryTold,
  tellProblem,
  type Opened,
} from './memory/memory-store.js';
import { orStop } from '../problems/or-stop.js';
import { misuse, Stop } from '../problems/problem.js';
import type { Output } from './output.js';
import { padded, show, styled, type Shown } from '../terminal/shown.js';

/** Which memory, and when. */
export type MemoryFlags = { readonly runId?: string; readonly at?: string };

/**
 * A memory at a moment. `at_us`: the one given, else the latest that is recorded: a reading needs no clock.
 */
type Looked = {
  readonly shelf: Shelf;
  readonly policy: MemoryPolicy;
  readonly at_us: number;
  readonly count: number;
  readonly place: string;
  readonly run_id: string;
};

/**
 * Shows a memory: its tags, those of one space, or one tag with its Megrams; with `--to` every Megram as JSON
 * or CSV. Exit 1 if a tag is named and nothing is remembered there. Nothing is changed.
 */
export async function inspect(
  { output }: Context,
  where: string,
  space: string | undefined,
  entity: string | undefined,
  flags: MemoryFlags & { readonly to?: 'json' | 'csv' },
): Promise<ExitCode> {
  const looked = await lookedAt(where, flags);
  if (flags.to !== undefined) return exported(output, looked, flags.to, { space, entity });
  if (space !== undefined && entity !== undefined) return inspectTag(output, looked, { space, entity });
  const { at_us, count, place, policy, run_id, shelf } = looked;
  const rows = tagRows(shelf, policy, at_us).filter((row) => space === undefined || row.space === space);
  output.document({ memory: place, run_id, records: count, at_us, tags: rows });
  const widths = {
    tag: widest(rows.map(({ entity, space }) => `${space} ${entity}`)),
    attention: widest(rows.map(({ attention_nano }) => nanoText(attention_nano))),
  };
  for (const row of rows) {
    const layers = [
      `M ${row.m}`,
      ...(row.k > 0 ? [`K ${row.k}`] : []),
      ...(row.c > 0 ? [`C ${row.c}`] : []),
    ].join('  ');
    output.line(
      show`${padded(show`${row.space} ${row.entity}`, widths.tag)}  attention ${padded(show`${nanoText(row.attention_nano)}`, widths.attention)}  decision ${padded(show`${nanoText(row.decision_nano)}`, 10)}  ${padded(actionShown(row.action), 7)}  ${layers}`,
    );
  }
  output.line(
    rows.length === 0
      ? show`nothing is remembered${space === undefined ? '' : ' there'} at ${dated(at_us)}`
      : show`${rows.length} tags at ${dated(at_us)}`,
  );
  return EXIT.done;
}

/** One tag: the Megrams that make up its numbers, each with what is left of it. */
function inspectTag(
  output: Output,
  { at_us, policy, shelf }: Looked,
  name: { readonly space: string; readonly entity: string },
): ExitCode {
  const tag = tagOn(shelf, name);
  if (tag === null) {
    output.document({ ...name, at_us, tag: null, megrams: [] });
    output.data(show`nothing is remembered under ${name.space} ${name.entity}`);
    return EXIT.no;
  }
  const row = tagRow(tag, policy, at_us);
  const megrams = megramRows(tag, at_us);
  output.document({ ...name, at_us, tag: row, thresholds: thresholdsOf(policy), megrams });
  output.line(show`${name.space} ${name.entity} at ${dated(at_us)}: ${actionShown(row.action)}`);
  output.line(
    show`  attention ${nanoText(row.attention_nano, 9)}  (ignored below ${nanoText(policy.ignore_below_ppm * 1_000, 3)})`,
  );
  output.line(
    show`  decision  ${nanoText(row.decision_nano, 9)}  (exploit above ${nanoText(policy.act_beyond_ppm * 1_000, 3)}, avoid below -${nanoText(policy.act_beyond_ppm * 1_000, 3)})`,
  );
  for (const megram of megrams) for (const line of megramLines(megram)) output.line(line);
  return EXIT.done;
}

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
      'this is no id of a Megram',
      flags.id,
      'assay memory inspect WHERE SPACE ENTITY lists the ids of a tag',
    );
  if (!SAYS_SOMETHING.test(flags.why))
    throw misuse(
      'bad_value',
      'a tombstone says why, and this is no reason; nothing was forgotten',
      '--why',
      'say why it is to be forgotten, such as --why "that was another machine"',
    );
  for (const [place, value, most] of [
    ['--why', flags.why, CONTENT_UNITS_MAX],
    ['the space', space, SPACE_UNITS_MAX],
    ['the entity', entity ?? LOCAL, ENTITY_UNITS_MAX],
  ] as const) {
    if (value.length > most)
      throw misuse(
        'bad_value',
        `this has ${value.length} UTF-16 units, and a memory takes ${most} here; nothing was forgotten`,
        place,
        'say it in fewer',
      );
  }
  const told = await changed(url, flags, (run) => ({
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
      'nobody words rules under this name',
      `--words ${shownModel(flags.words, context.env)}`,
      'give rules, none or llm:PROVIDER/MODEL',
    );
  const told = await changed(url, flags, (run) => ({
    kind: 'dream',
    source: 'human',
    proposer: 'human',
    value: { at_us: tellingMoment(flags.at, run.state.clock_us) },
  }));
  const byRules =
    flags.words === 'rules' && told.rejection === null
      ? await inMemory(url, flags, async ({ store, place }, runId) =>
          orStop(await wordByRules(store, runId, told), (error) => tellProblem(error, runId, place)),
        )
      : told;
  const worded =
    isModel && told.rejection === null
      ? await (await import('./memory/word-by-model.js')).wordByModel(
          context,
          url,
          flags.runId ?? MEMORY_RUN,
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

/**
 * Hands on to a memory what the solver of a controller's run told it; makes the memory where there is none.
 * Exit 3 where the ledger does not hold. Raises `Stop`: `fork`, for a run that was fed from another.
 */
export async function learn(
  { output }: Context,
  url: string,
  ledger: string,
  flags: MemoryFlags,
): Promise<ExitCode> {
  if (!isStoreUrl(url))
    throw misuse(
      'store_url',
      'a memory is kept in a store',
      url,
      'give the address of its store, such as file:./runs',
    );
  const { records, run_id } = await derivedAgain(ledger);
  const runId = flags.runId ?? MEMORY_RUN;
  await requireMoment(url, runId, flags.at);
  return inStore(url, async (opened) => {
    const { store, place } = opened;
    const isNew = await memoryMade(opened, runId);
    const {
      known,
      rejected,
      taken: count,
    } = orStop(
      await handOn(store, runId, writesIn(run_id, records), (clock_us) => tellingMoment(flags.at, clock_us)),
      (error) => tellProblem(error, runId, place),
    );
    output.document({ memory: place, run_id: runId, is_new: isNew, taken: count, known, rejected });
    output.line(
      show`${count} writes of ${run_id} remembered, ${known} known before${isNew ? '; the memory is new' : ''}`,
    );
    for (const code of rejected) output.data(show`rejected: ${code}`);
    return rejected.length === 0 ? EXIT.done : EXIT.no;
  });
}

/**
 * That a memory could be told something at this moment, asked before one is made. The clock of one that is
 * there may be ahead of ours. Raises `Stop`: `bad_value`, `at_ahead`.
 */
async function requireMoment(url: string, runId: string, at: string | undefined): Promise<void> {
  try {
    tellingMoment(at, 0);
  } catch (error) {
    if (
      !(error instanceof Stop) ||
      error.problem.code !== 'at_ahead' ||
      (await headIn(url, runId).catch(() => null)) === null
    )
      throw error;
    tellingMoment(at, (await memoryAt(url, runId)).run.state.clock_us);
  }
}

/** Prints every Megram of the tags that are named with what is left of it, as one JSON document or as CSV. */
function exported(
  output: Output,
  { at_us, count, place, run_id, shelf }: Looked,
  to: 'json' | 'csv',
  { space, entity }: { readonly space: string | undefined; readonly entity: string | undefined },
): ExitCode {
  if (output.isJson && to === 'csv')
    throw misuse('conflict', 'one JSON document is no CSV', '--json --to csv', 'leave one of them out');
  const megrams = tagsOf(shelf)
    .filter((tag) => (space ?? tag.space) === tag.space && (entity ?? tag.entity) === tag.entity)
    .flatMap((tag) => megramRows(tag, at_us));
  const document = { memory: place, run_id, records: count, at_us, megrams };
  const print = (text: string): void => output.data({ parts: [{ text, style: null }] });
  output.document(document);
  if (to === 'json') print(safeJson(document));
  else for (const line of [COLUMNS.join(','), ...megrams.map(csvRow)]) print(line);
  return EXIT.done;
}

/**
 * A controller's ledger that holds and derives, of a run that was lived. What a forged one has for a memory is
 * not remembered, nor what a fork did.
 */
async function derivedAgain(
  path: string,
): Promise<{ readonly records: readonly EvidenceRecord[]; readonly run_id: string }> {
  const [{ records, summary }, { derivedTask }, { notEnded }] = await Promise.all([
    soundLedger(path),
    import('@assay/agent'),
    import('./control/after.js'),
  ]);
  orStop(derivedTask(records), (error) => notEnded(error, path));
  const parent = forkedFrom(records);
  if (parent !== null)
    throw misuse(
      'fork',
      `this is a what-if of ${parent}: nothing of it happened`,
      path,
      `name the ledger of ${parent}`,
    );
  return { records, run_id: summary.run_id ?? '' };
}

async function lookedAt(where: string, flags: MemoryFlags): Promise<Looked> {
  const { head, run } = await memoryAt(where, flags.runId ?? MEMORY_RUN);
  const { clock_us, policy, shelf } = run.state;
  return {
    at_us: flags.at === undefined ? clock_us : momentOf(flags.at),
    policy,
    shelf,
    count: head.count,
    place: isStoreUrl(where) ? maskedAddress(where) : nameOf(where),
    run_id: head.run_id,
  };
}

function headIn(url: string, runId: string): Promise<string | null> {
  return inStore(
    url,
    async ({ store }) => {
      const head = await store.head(runId);
      return head._tag === 'Right' ? (head.right?.hash ?? null) : null;
    },
    { mustExist: true, readsOnly: true },
  );
}

function changed(url: string, flags: MemoryFlags, telling: Parameters<typeof memoryTold>[2]): Promise<Told> {
  return inMemory(url, flags, (opened, runId) => memoryTold(opened, runId, telling));
}

/** Opens the store of a memory that is there. Raises `Stop`: `store_url`, and those of the store. */
async function inMemory<T>(
  url: string,
  flags: MemoryFlags,
  work: (opened: Opened, runId: string) => Promise<T>,
): Promise<T> {
  if (!isStoreUrl(url))
    throw misuse(
      'store_url',
      'a memory is changed where it is stored',
      url,
      'give the address of its store, such as file:./runs; a ledger file is only read',
    );
  return inStore(url, (opened) => work(opened, flags.runId ?? MEMORY_RUN), { mustExist: true });
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

function dreamLine(event: MemoryEvent): Shown | null {
  switch (event.t) {
    case 'dreamt':
      return show`dreamt at ${dated(event.at_us)}: ${event.tags} tags looked at, ${event.changed} cleared${event.put_off > 0 ? `, ${event.put_off} put off to the next dream` : ''}`;
    case 'faded':
      return show`faded: ${event.count} under ${event.space} ${event.entity}, attention ${nanoText(event.attention_nano, 9)}`;
    case 'demoted':
      return show`${styled('bad', show`demoted`)}: rule ${event.id.slice(0, 8)} under ${event.space} ${event.entity}; all else there says ${nanoText(event.others_nano, 9)}`;
    case 'distilling':
      return show`${event.polarity.replace('_', ' ')} under ${event.space} ${event.entity}: attention ${nanoText(event.attention_nano)}, decision ${nanoText(event.decision_nano)}; words are asked for`;
    case 'undistilled':
      return show`no rule under ${event.space} ${event.entity}: ${event.why}${event.code === null ? '' : ` (${event.code})`}`;
    case 'remembered':
      return event.megram.level === 'C'
        ? show`${styled('good', show`promoted`)}: ${event.megram.content}`
        : null;
    default:
      return null;
  }
}

function actionShown(action: string): Shown {
  return action === 'exploit'
    ? styled('good', show`${action}`)
    : action === 'avoid'
      ? styled('bad', show`${action}`)
      : action === 'caution'
        ? styled('open', show`${action}`)
        : styled('faint', show`${action}`);
}

function megramLines({
  age_us,
  attention_nano,
  content,
  created_at_us,
  decay_nano,
  decision_nano,
  f_ppm,
  id,
  k_ppm_per_day,
  last_recalled_at_us,
  level,
  sequence,
  sigma_ppm,
  source_count,
  state,
}: MegramRow): readonly Shown[] {
  const days = nanoText(Math.floor((age_us / 86_400_000_000) * 1e9), 2);
  const notes = [
    ...(source_count > 0 ? [`from ${source_count} Megrams`] : []),
    ...(last_recalled_at_us === null ? [] : [`last recalled ${dated(last_recalled_at_us)}`]),
  ];
  return [
    show`  ${level} ${padded(show`${state}`, 15)}  attention ${nanoText(attention_nano, 9)}  decision ${nanoText(decision_nano, 9)}  ${styled('faint', show`record ${sequence}, ${id.slice(0, 16)}`)}`,
    show`    f ${nanoText(f_ppm * 1_000, 2)} × sigma ${nanoText(sigma_ppm * 1_000, 2)} × ${nanoText(decay_nano, 9)} left after ${days} days at k ${nanoText(k_ppm_per_day * 1_000, 2)}, since ${dated(created_at_us)}${notes.map((note) => `; ${note}`).join('')}`,
    ...(content === '' ? [] : [show`    ${content}`]),
  ];
}

function thresholdsOf({ act_beyond_ppm, ignore_below_ppm }: MemoryPolicy): {
  readonly ignore_below_ppm: number;
  readonly act_beyond_ppm: number;
} {
  return { ignore_below_ppm, act_beyond_ppm };
}

const COLUMNS = [
  'id',
  'level',
  'space',
  'entity',
  'state',
  'content',
  'created_at_us',
  'last_recalled_at_us',
  'f_ppm',
  'sigma_ppm',
  'k_ppm_per_day',
  'age_us',
  'decay_nano',
  'attention_nano',
  'decision_nano',
  'sequence',
  'upto',
  'source_count',
] as const satisfies readonly (keyof MegramRow)[];

function csvRow(row: MegramRow): string {
  return COLUMNS.map((column) => {
    const value = row[column];
    return value === null ? '' : forCsv(String(value));
  }).join(',');
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

/**
 * A number of units of 10^-9, for a person: to so many decimals, cut and not rounded, so that nothing reads
 * as a threshold it did not reach.
 */
export function nanoText(nano: number, decimals: number = 6): string {
  const size = Math.abs(nano);
  const whole = Math.floor(size / 1e9);
  const rest = String(size % 1e9)
    .padStart(9, '0')
    .slice(0, decimals);
  return `${nano < 0 ? '-' : ''}${whole}.${rest}`;
}
