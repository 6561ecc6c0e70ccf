/**
 * What a change would have decided over a recorded run: its answers are given again to the run opened anew.
 * Nothing is performed, nobody is asked. Source: machine interface, fork and replay.
 */
import {
  err,
  isNamed,
  ok,
  replayable,
  type DerivedRecord,
  type EvidenceRecord,
  type Json,
  type KernelOptions,
  type Machine,
  type Rejection,
  type Replayable,
  type Request,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { reopenable, type Reopenable } from '@assay/kernel/fork';
import type { Account, Compare, Compared, Viewable } from '@assay/kernel/view';
import { answersIn, listNames, openIn, type Refed, refeed } from './refeed.js';
import {
  changedGiven,
  isEqual,
  type Change,
  type Given,
  type OverrideFault,
  type Overridden,
} from './change.js';
import { changedEffect, readEnd, firstDiffering, findTurn, type RunEnd, type Turn } from './compare.js';
import { asRecorded, derivedAgain, readSound, type DerivedParent, type Unusable } from './parent.js';
import { findParting, type Parting } from './parting.js';

/** A machine of which only this is known: it derives a ledger again, and decides one anew. */
export type Redecider = {
  readonly name: string;
  readonly version: number;
  readonly replays: Replayable;
  readonly reopens: Reopenable;
  /** What explains its decisions, where there is one. */
  readonly view: Viewable | null;
  /** What tells a change of the single things that it decides, where there is one. */
  readonly compare: Compare | null;
};

/** Makes a machine fit to decide recorded runs anew. */
export function redecider<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  options?: KernelOptions,
  view: Viewable | null = null,
): Redecider {
  return {
    name: machine.name,
    version: machine.version,
    replays: replayable(machine, options),
    reopens: reopenable(machine, options),
    view,
    compare: null,
  };
}

/** The classes a run falls into, in the order in which they are shown. */
export const IMPACT_CLASSES = ['flipped', 'cannot_be_known', 'not_usable', 'same_end', 'same'] as const;
/** One of {@link IMPACT_CLASSES}. */
export type ImpactClass = (typeof IMPACT_CLASSES)[number];

/** Who answered before the first decision that differs, and how often. */
export type RestsOn = { readonly source: string; readonly proposer: string; readonly answers: number };

/** What is known of a flip beside its class. `was`, `would_be`: the records on both sides. */
export type Flip = Parting & { readonly turn: Turn; readonly rests_on: readonly RestsOn[] };

/**
 * What a change does to one run. `decision`: the first that differs. `unknown`: what is asked and nobody
 * answered, the first request first. `assumed`: answers given before the input was changed. `left_out`: the
 * names of the change by which somebody answered. `sides`: the records that were compared.
 */
export type RunImpact = {
  readonly class: Exclude<ImpactClass, 'not_usable'>;
  readonly run_id: string;
  readonly machine: string;
  readonly decisions: number;
  readonly decision: number | null;
  readonly was: RunEnd;
  readonly would_be: RunEnd;
  readonly flip: Flip | null;
  readonly unknown: readonly Request[];
  readonly assumed: number;
  readonly left_out: readonly string[];
  readonly changed: readonly Overridden[];
  readonly sides: {
    readonly was: readonly EvidenceRecord[];
    readonly would_be: readonly EvidenceRecord[];
  };
  /** What becomes of the single things that it decides; null if its machine does not tell. */
  readonly compared: Compared | null;
  /** The views of both sides. */
  readonly views: { readonly was: Viewable | null; readonly would_be: Viewable | null };
};

/**
 * How a run is decided anew. `machines`: whose ledgers are derived again. `instead`: code that decides in the
 * place of the machine of that name; where only it is given, nobody has the code that recorded the run, and
 * its integrity has to do.
 */
export type ImpactOptions = {
  readonly machines: readonly Redecider[];
  readonly instead?: readonly Redecider[];
  readonly change: Change;
  readonly sha256: Sha256;
};

/** Why nothing can be said of a run: class `not_usable`. `why`: its ledger, or the change it does not take. */
export type NotUsable = Unusable & {
  readonly why: 'ledger' | 'change';
  readonly run_id: string | null;
  readonly machine: string | null;
};

/**
 * Judges one ledger, given as bytes; it is kept whole, and nothing of it stays. Errors: codes of integrity,
 * `foreign_chain`, `payload_erased`; `unknown_machine`; `continued`; `differs` and others of re-derivation;
 * `unknown_setting`, `ambiguous_setting` {path, near}; those of `openRun` (the machine refuses the policy).
 */
export function impact(chunks: Iterable<Uint8Array>, options: ImpactOptions): Result<NotUsable, RunImpact> {
  const sound = readSound(chunks, options.sha256);
  if (sound._tag === 'Left') return err({ ...sound.left, why: 'ledger', run_id: null, machine: null });
  const { genesis } = sound.right;
  const { name, version } = genesis.machine;
  const named = { run_id: genesis.run_id, machine: `${name}@${version}` };
  const fail = (
    why: NotUsable['why'],
    code: string,
    detail: Json,
    record: number | null = null,
  ): Result<NotUsable, never> => err({ ...named, why, code, record, detail });
  const own = options.machines.find(({ replays }) => isNamed(replays, genesis.machine));
  const others = (options.instead ?? []).filter((one) => one.name === name);
  const by =
    options.instead === undefined ? own : (others.find((one) => one.version === version) ?? others[0]);
  if (by === undefined) return fail('ledger', 'unknown_machine', { ...genesis.machine });
  if (genesis.base?.snapshot && isGivenAnew(options.change)) return fail('ledger', 'continued', {});
  const given = changedGiven(genesis, options.change, by.view ?? {});
  if (given._tag === 'Left') return fail('change', given.left.code, faultDetail(given.left));
  const derived = own === undefined ? ok(asRecorded(sound.right)) : derivedAgain(own.replays, sound.right);
  if (derived._tag === 'Left')
    return fail('ledger', derived.left.code, { field: derived.left.field }, derived.left.record);
  const parent = derived.right;
  const again = redecide(parent, by, given.right, options);
  if (again._tag === 'Left') return fail('change', again.left.code, again.left.detail);
  const views = { was: own?.view ?? null, would_be: by.view };
  const left_out = namedIn(parent, options.change.without);
  const account = (views.was ?? views.would_be)?.account ?? {};
  const compared = by.compare?.(parent.records, again.right.records) ?? null;
  return ok({
    ...named,
    ...judged(parent, again.right, given.right.changed, account),
    left_out,
    views,
    compared,
  });
}

/** Policy and input of a continuation are in the snapshot it began with: a change of them would change nothing. */
function isGivenAnew({ overrides, policy, input }: Change): boolean {
  return overrides.length > 0 || policy !== null || input !== undefined;
}

/** Those of the names by which somebody answered. */
function namedIn({ records }: DerivedParent, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const known = new Set(answersIn(records).flatMap(listNames));
  return names.filter((name) => known.has(name));
}

/** Decides a run anew with the policy and input given. Errors: those of `openRun` and of {@link refeed}. */
export function redecide(
  parent: DerivedParent,
  machine: Redecider,
  { policy, input }: Pick<Given, 'policy' | 'input'>,
  { change: { without }, sha256 }: Pick<ImpactOptions, 'change' | 'sha256'>,
): Result<Rejection, Refed> {
  const { run_id, ts_base, base, machine: by } = parent.genesis;
  return refeed(
    (count) =>
      machine.reopens({ run_id, ts_base, policy, input, base, engine: by.engine }, parent.records, count),
    parent,
    {
      input,
      isLeftOut: (one) => without.length > 0 && listNames(one).some((name) => without.includes(name)),
    },
    sha256,
  );
}

type Judged = Omit<RunImpact, 'run_id' | 'machine' | 'left_out' | 'views' | 'compared'>;

/** The class of a run that was decided anew. `account`: see `findTurn`. */
export function judged(
  parent: DerivedParent,
  again: Refed,
  changed: readonly Overridden[],
  account: Account,
): Judged {
  const { records } = parent;
  const decision = firstDiffering(records, again.records, changed);
  const missing = unanswered(records, again);
  const leftOver = new Set(again.left_over);
  const isGiven = (answer: number): boolean => !leftOver.has(answer);
  const turn =
    decision === null
      ? null
      : missing.length > 0
        ? changedEffect(records, again.records, isGiven)
        : findTurn(records, again.records, account, isGiven);
  const parting = turn === null ? null : findParting(records, again.records, inputFields(changed));
  return {
    class: classify(decision, missing, turn),
    decisions: records.filter(({ kind }) => kind === 'decision').length,
    decision,
    was: readEnd(records),
    would_be: readEnd(again.records),
    flip:
      turn === null || parting === null
        ? null
        : { ...parting, turn, rests_on: restsOn(records, parting.parts?.record.was ?? null) },
    unknown: missing,
    assumed: again.assumed.length,
    changed,
    sides: { was: records, would_be: again.records },
  };
}

function classify(
  decision: number | null,
  missing: readonly Request[],
  turn: Turn | null,
): RunImpact['class'] {
  if (turn !== null) return 'flipped';
  if (missing.length > 0) return 'cannot_be_known';
  return decision === null ? 'same' : 'same_end';
}

/** What the run decided anew waits for and the recorded one did not; standing invitations last. */
export function unanswered(records: readonly DerivedRecord[], again: Refed): readonly Request[] {
  if (again.outcome !== null) return [];
  const isOpen = records.at(-1)?.kind !== 'close';
  const waiting = isOpen ? [...openIn(records)] : [];
  const missing = again.unknown.filter((request) => {
    const at = waiting.findIndex(({ kind, body }) => kind === request.kind && isEqual(body, request.body));
    if (at !== -1) waiting.splice(at, 1);
    return at === -1;
  });
  return [
    ...missing.filter(({ attempts }) => attempts > 0),
    ...missing.filter(({ attempts }) => attempts === 0),
  ];
}

/** The answers taken up to a record; all of them where none is named. */
function restsOn(records: readonly DerivedRecord[], record: number | null): readonly RestsOn[] {
  const counted = new Map<string, RestsOn>();
  // One record more tells whether an answer was late.
  for (const { index, answer } of answersIn(record === null ? records : records.slice(0, record + 2))) {
    if (record !== null && index > record) break;
    const { source, proposer } = answer;
    const key = `${source} ${proposer}`;
    counted.set(key, { source, proposer, answers: (counted.get(key)?.answers ?? 0) + 1 });
  }
  return [...counted.values()];
}

/** The fields of the input among what was changed. */
export function inputFields(changed: readonly Overridden[]): readonly string[] {
  return changed.flatMap(({ path }) => (path.startsWith('input.') ? [path.split('.')[1] ?? ''] : []));
}

function faultDetail({ path, near }: OverrideFault): Json {
  return { path, near };
}
