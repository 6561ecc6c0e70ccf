/** A view of a machine: a run folded into a picture, and both behind one type. */
import type { Json, JsonObject } from '../json.js';
import type { EvidenceRecord } from '../ledger/record.js';
import type { KernelOptions } from '../machine/run.js';
import type { Machine, Rejection } from '../machine/types.js';
import type { DerivedRecord } from '../records/run-view.js';
import type { Failed } from '../replay/failed.js';
import { follow, type FollowOptions, type Follower, type RunFollower } from '../replay/follower.js';
import type { Replayable } from '../replay/replay.js';
import { err, ok, type Result } from '../result.js';
import { boundedBlocks } from './bounds.js';
import {
  PAGES,
  type Described,
  type Knob,
  type NextMove,
  type Page,
  type Picture,
  type Tried,
  type Turned,
  type ViewFile,
} from './picture.js';
import { recall, showPages, tryOut } from './try-out.js';
import type { Account, View } from './view.js';

/** A ledger that is followed and viewed, so far: `feed` gives the next one. */
export type Viewer = {
  readonly feed: (record: EvidenceRecord, lineBytes?: number) => Result<Failed, Viewer>;
  /** Where it stands; without `feed`, which would leave the view behind. */
  readonly follower: Omit<Follower, 'feed'>;
  /** The last record fed, in a line. */
  readonly described: Described;
  /** The panels of some pages: all of them unless told. */
  readonly show: (pages?: readonly Page[]) => Picture;
  readonly knobs: () => readonly Knob[];
  readonly files: () => readonly ViewFile[];
  readonly next: () => readonly NextMove[];
};

/** A machine with its view, of which only pictures are known. */
export type Viewable = {
  readonly machine: string;
  /** As of the machine; where it is left out, any. */
  readonly engine?: string | null | undefined;
  readonly versions: readonly number[];
  readonly account?: Account | undefined;
  readonly completePolicy?: ((file: JsonObject, isRecorded?: boolean) => Json) | undefined;
  readonly begin: (genesisRecord: EvidenceRecord, options?: FollowOptions) => Result<Failed, Viewer>;
  /**
   * The picture at the end of records that were derived: their events are folded, and nothing is decided or hashed
   * again. Null: the machine does not open the genesis.
   */
  readonly recall: (records: readonly EvidenceRecord[], pages?: readonly Page[]) => Picture | null;
  /**
   * What a recorded run would have been with knobs turned: its answers are given again to a fork. Positions
   * of records are null: what is shown stands in no file. Errors: `underivable` {code, record}, `continued`
   * where the run goes on from another one, and those of the view and of `openRun`.
   */
  readonly tryOut: (
    records: Iterable<EvidenceRecord>,
    changes: readonly Turned[],
  ) => Result<Rejection, Tried>;
};

/**
 * Puts a view and its machine behind one type, as `replayable` does with a machine. Pictures are held to
 * the bounds of view data: at most 16 panels, 2,000 rows, spans, points or nodes a block, 4,000 units a
 * piece; the rest is counted in `left_out`.
 */
export function viewable<S, F, I, E extends Json, A extends Json>(
  view: View<S, F>,
  machine: Machine<S, I, E, A>,
  defaults: KernelOptions = {},
): Viewable {
  return {
    machine: view.machine,
    engine: machine.engine,
    versions: view.versions,
    account: view.account,
    completePolicy: view.completePolicy,
    begin: (genesisRecord, options) => {
      const followed = follow(machine, genesisRecord, { ...defaults, ...options });
      if (followed._tag === 'Left') return followed;
      return ok(
        new Viewing(view, {
          followed: followed.right,
          fold: view.start(followed.right.genesis),
          last: genesisRecord as DerivedRecord,
          position: 0,
        }),
      );
    },
    recall: (records, pages = PAGES) => recall(view, machine, records, pages, defaults),
    tryOut: (records, changes) => tryOut(view, machine, records, changes, defaults),
  };
}

/**
 * A view as a machine to verify with: `look` is given the viewer after each record, so that one derivation
 * serves both. It cannot be resumed. Source: explorer/X7.
 */
export function watched(view: Viewable, look: (viewer: Viewer) => void): readonly Replayable[] {
  const looked = (seen: Result<Failed, Viewer>): Result<Failed, Follower> => {
    if (seen._tag === 'Left') return seen;
    look(seen.right);
    return ok(new Watched(seen.right, looked));
  };
  return view.versions.map((version) => ({
    name: view.machine,
    version,
    engine: view.engine,
    begin: (genesisRecord, options) => looked(view.begin(genesisRecord, options)),
    resume: () => err({ code: 'not_resumable', detail: null }),
  }));
}

type Standing<S, F, I, E extends Json, A extends Json> = {
  readonly followed: RunFollower<S, I, E, A>;
  readonly fold: F;
  readonly last: DerivedRecord;
  readonly position: number;
};

/** One for each record of a ledger, so it is a class: closures and getters made anew cost a fifth of the reading. */
class Viewing<S, F, I, E extends Json, A extends Json> implements Viewer {
  private readonly view: View<S, F>;
  private readonly at: Standing<S, F, I, E, A>;

  constructor(view: View<S, F>, at: Standing<S, F, I, E, A>) {
    this.view = view;
    this.at = at;
  }

  get follower(): Omit<Follower, 'feed'> {
    return this.at.followed;
  }

  feed(record: EvidenceRecord, lineBytes?: number): Result<Failed, Viewer> {
    const { followed, fold, position } = this.at;
    // What is derived may be erased in the file; an answer that was taken is not.
    const whole = (followed.due[0] ?? record) as DerivedRecord;
    const next = followed.feed(record, lineBytes);
    if (next._tag === 'Left') return next;
    return ok(
      new Viewing(this.view, {
        followed: next.right,
        fold: this.view.fold(fold, whole, position + 1),
        last: whole,
        position: position + 1,
      }),
    );
  }

  get described(): Described {
    return this.view.describe(this.at.last, this.at.fold);
  }

  show(pages: readonly Page[] = PAGES): Picture {
    return showPages(this.view, this.at.fold, this.state, pages);
  }

  knobs(): readonly Knob[] {
    return this.view.knobs(this.at.fold, this.state);
  }

  files(): readonly ViewFile[] {
    return this.view
      .files(this.at.fold, this.state)
      .map((file) => ({ ...file, blocks: boundedBlocks(file.blocks) }));
  }

  next(): readonly NextMove[] {
    return this.view.next(this.at.fold, this.state);
  }

  private get state(): S {
    return this.at.followed.run.state;
  }
}

/** A follower whose every step is looked at; it gives what the one inside gives. */
class Watched implements Follower {
  private readonly viewer: Viewer;
  private readonly looked: (seen: Result<Failed, Viewer>) => Result<Failed, Follower>;

  constructor(viewer: Viewer, looked: (seen: Result<Failed, Viewer>) => Result<Failed, Follower>) {
    this.viewer = viewer;
    this.looked = looked;
  }

  feed(record: EvidenceRecord, lineBytes?: number): Result<Failed, Follower> {
    return this.looked(this.viewer.feed(record, lineBytes));
  }
  get due(): Follower['due'] {
    return this.viewer.follower.due;
  }
  get next(): Follower['next'] {
    return this.viewer.follower.next;
  }
  get head(): Follower['head'] {
    return this.viewer.follower.head;
  }
  get genesis(): Follower['genesis'] {
    return this.viewer.follower.genesis;
  }
  get outcome(): Follower['outcome'] {
    return this.viewer.follower.outcome;
  }
  get dag(): Follower['dag'] {
    return this.viewer.follower.dag;
  }
  get artifacts(): Follower['artifacts'] {
    return this.viewer.follower.artifacts;
  }
  get summary_hash(): Follower['summary_hash'] {
    return this.viewer.follower.summary_hash;
  }
  snapshot(): ReturnType<Follower['snapshot']> {
    return this.viewer.follower.snapshot();
  }
}
