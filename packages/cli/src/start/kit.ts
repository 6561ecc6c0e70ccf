/** What starts a run of a machine: what the driver of all machines is given by each. */
import type { DriveEvent, Identity, Journal, Ports } from '@assay/host';
import type { EvidenceRecord, Genesis, GenesisInput, Json, JsonObject, Request } from '@assay/kernel';
import type { WhatIfDocument } from '@assay/kernel/schemas';
import type { Page, Picture } from '@assay/kernel/view';
import type { Overridden, Override } from '@assay/verifier/impact';
import type { Context } from '../call/output.js';
import type { Named } from '../options/settings.js';
import type { ModelFlags } from '../options/llm.js';
import type { Miss } from '../options/proposers.js';
import type { ExitCode, Problem, Stop } from '../problems/problem.js';
import type { Shown } from '../terminal/shown.js';
import type { Driving } from './drive-machine.js';
import type { Ended } from './results.js';
import type { LiveDrive } from './model-failures.js';
import type { OpenedRun } from './places.js';
import type { StartedRun } from './stored-run.js';

/** Options of every verb that starts a run or goes on with one. */
export type StartFlags = Named & {
  readonly set?: readonly string[];
  readonly workspace?: string;
  readonly memory?: string;
  readonly library?: string;
};

/** The same where somebody is asked. */
export type AskFlags = StartFlags & ModelFlags & { readonly proposer: readonly string[] };

/** How far a world goes, and who lives in it. */
export type LifeFlags = {
  readonly mind?: string;
  readonly until?: string;
  readonly records?: string;
  readonly step?: boolean;
  readonly inject?: string;
  readonly budget?: readonly string[];
};

/** Options of `resume`: what the first record of a run does not hold is given again. */
export type ResumeFlags = AskFlags &
  LifeFlags & { readonly check?: readonly string[]; readonly confirm: readonly string[] };

/** One call: its surroundings, and what was typed. */
export type Call<F> = {
  readonly context: Context;
  readonly words: readonly (string | undefined)[];
  readonly flags: F;
};

/**
 * A run that is to begin. `with`: what decides it besides, such as files that are read. `named`: the input that its
 * name is derived from, where that says more. `workspace`: the folder it works in. `isRepeatable`: the same call gives
 * the same bytes, so its name is the same too. `engine`: what executes the machine's step, where it has one.
 */
export type Opening = {
  readonly policy: JsonObject;
  readonly input: JsonObject;
  readonly with: Json;
  readonly named?: JsonObject;
  readonly workspace?: string | null;
  readonly isRepeatable?: boolean;
  readonly engine?: string | null;
  readonly play: (at: RunAt) => Promise<Play>;
};

/** Where a run is played. `start`: its first record, or the id of a stored one. */
export type RunAt = {
  readonly identity: Identity;
  readonly start: GenesisInput | string;
  readonly kept: OpenedRun;
};

/** A stored run that is gone on with. `workspace`: that its folder was claimed with. */
export type Stored = RunAt & { readonly begun: StartedRun; readonly workspace: string | null };

/** Options of the line that resumes a run, where they differ from those of the call. */
export type ResumeWords = { readonly [option: string]: readonly string[] | string | undefined };

/**
 * What a run waits for. `again`: null where `resume` would not do. `asks`: what a person types behind `assay answer
 * RUN`, a line each. `isShown`: how far the run is, is shown first.
 */
export type Waiting = {
  readonly said: string;
  readonly place: string;
  readonly again: ResumeWords | null;
  readonly asks?: readonly (readonly string[])[];
  readonly isShown?: boolean;
};

/**
 * What is told of a run that ended. `picture`: instead of what its view shows. `because`: why, where more is known
 * than that says. `lines` stand below it. `answer`: lines that `--quiet` prints too. `exit`: if it says more than the
 * run's status. `fault`: stops the command once all is told.
 */
export type EndReport = {
  readonly picture?: Picture;
  readonly because?: string | null;
  readonly lines?: readonly Shown[];
  readonly answer?: readonly Shown[];
  readonly more?: Readonly<Record<string, unknown>>;
  readonly exit?: ExitCode;
  readonly fault?: Stop | null;
};

/**
 * Who plays a run. `about`: the run in words. `drive`: to its end, with the machine and who answers. `waits`: why
 * nothing goes on by itself. `onEvent` replaces the live line. `who`: is asked by a request, in words. `end`: told
 * last, when everything is written; null where the run did not end.
 */
export type Play = {
  readonly about: string;
  readonly drive: (given: Omit<Driving, 'ports'>) => Promise<Ended>;
  readonly isTalking?: boolean;
  readonly misses?: ReadonlyMap<string, Miss>;
  readonly again?: ResumeWords;
  readonly waits?: (open: readonly Request[], records: readonly EvidenceRecord[]) => Waiting;
  readonly onEvent?: (event: DriveEvent) => void;
  readonly pages?: readonly Page[];
  readonly who?: (request: Request) => string;
  readonly isUnanswered?: (ended: Ended) => boolean;
  readonly tell?: (ended: Ended) => Promise<EndReport>;
  readonly end?: (
    ended: Ended | null,
  ) => Promise<{ readonly problem: Problem | null; readonly more?: object }>;
};

/** Words of a person. `usage`: what to type; `form`: how it is read; `state`: of the machine, as it is encoded. */
export type Words = {
  readonly usage: string;
  readonly form: RegExp;
  readonly value: (said: Readonly<Record<string, string | undefined>>, body: JsonObject, state: Json) => Json;
};

/**
 * How a request of a kind is put to a person, and how words become an answer; JSON always does. `check` raises `Stop`
 * for an answer that the machine takes and a person hardly means. `named`: what the request is about, which names it
 * too. `absent`: why nothing of this name is asked, in a sentence; null where nothing has it. `line`: what a person
 * types behind `assay answer RUN`.
 */
export type Asking = {
  readonly asks: (body: JsonObject) => string;
  readonly named?: (body: JsonObject) => string;
  readonly absent?: (name: string, state: Json) => string | null;
  readonly line?: (body: JsonObject) => readonly string[];
  /** What is shown in the place of the request's body. */
  readonly shows?: (body: JsonObject, records: readonly EvidenceRecord[]) => Json;
  readonly words: readonly Words[];
  readonly check?: (value: Json, state: Json) => void;
};

/** Who answers what follows from an answer, without anybody named. */
export type Rest = { readonly ports: Ports; readonly live?: LiveDrive };

/** What is told of one record beside it. */
export type PartTold = { readonly document: object; readonly lines: readonly Shown[] };

/**
 * Overrides by whole paths, where a kit has short names for some. `said`: what the short names among them change, as it
 * is told in the place of `fields`, with the words of each. `tell`: how a run and its fork differ, in a sentence; null
 * where one of them has nothing to tell. Raises `Stop`: `bad_value`.
 */
export type ReadPaths = (
  genesis: Pick<Genesis, 'input'>,
  records: readonly EvidenceRecord[],
  overrides: readonly Override[],
) => Promise<{
  readonly overrides: readonly Override[];
  readonly said: readonly (Overridden & { readonly words: string })[];
  readonly fields: readonly string[];
  readonly tell: (run: readonly EvidenceRecord[], fork: readonly EvidenceRecord[]) => string | null;
}>;

/** Who was asked in a run, as a recording names them. `slots`: by its policy. `again`: what is given a recording. */
export type Recorded = {
  readonly what: string;
  readonly slots: (policy: JsonObject) => readonly string[];
  readonly slotOf: (request: Request) => string | null;
  readonly again: readonly string[];
};

/**
 * What the command knows of a machine beside its view. `told`: how
 * the decision at a position came about, instead of its record.
 */
export type Shell = {
  readonly machine: { readonly name: string; readonly version: number };
  readonly answers?: { readonly [kind: string]: Asking };
  /** How its runs are continued instead of by `resume`. */
  readonly reopens?: string;
  /** Leaves an answer for the process that holds the run, and says so; absent where `answer` records it. */
  readonly leave?: (
    run: { readonly journal: Journal | null; readonly run_id: string; readonly by?: string | undefined },
    request: Request,
    value: Json,
  ) => Promise<string>;
  readonly rest?: (context: Context, flags: AskFlags, journal: Journal | null) => Promise<Rest>;
  readonly recorded?: Recorded;
  readonly paths?: ReadPaths;
  /** Panels whose rows a what-if compares, and how many cells say what a row is about. */
  readonly compares?: { readonly [panel: string]: number };
  /** Results that are shown as the panel of their name. */
  readonly pictured?: readonly string[];
  /**
   * What a what-if says besides places: the first difference as a sentence, null for none, and a note for people.
   * `effect`: what is done outside otherwise, in words; `unknown`: why nothing can be decided.
   */
  readonly describeFork?: (
    run: readonly EvidenceRecord[],
    fork: readonly EvidenceRecord[],
    record: { readonly was: number | null; readonly would_be: number | null },
    flip: WhatIfDocument['flip'],
  ) => {
    readonly sentence: string | null;
    readonly note: string | null;
    readonly effect?: string | null;
    readonly unknown?: string;
  };
  /** The statement of account of somebody. Raises `Stop` where there is nobody of that name. */
  readonly account?: (
    records: readonly EvidenceRecord[],
    holder: string,
    ledger: string,
  ) => Promise<PartTold>;
  readonly told?: (
    records: readonly EvidenceRecord[],
    position: number,
    ledger: string,
  ) => Promise<PartTold | null>;
};

/**
 * A machine's way to start. `settings`: names that `--set` gives to the kit, not to policy or input. `resumes`: the
 * options of `resume` that its runs take besides who answers. `worksIn`: whether a run needs its workspace again.
 */
export type Kit<F extends StartFlags> = Shell & {
  readonly settings?: readonly string[];
  readonly worksIn?: (begun: StartedRun) => boolean;
  readonly resumes: readonly (keyof ResumeFlags)[];
  readonly input: (call: Call<F>) => Promise<Opening>;
  readonly again: (call: Call<ResumeFlags>, stored: Stored) => Promise<Play>;
};
