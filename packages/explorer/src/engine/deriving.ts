/**
 * Re-derivation beside integrity: a second worker runs the machine over bytes that the first one has judged, and
 * tells what its view makes of them. Source: explorer/X7.
 */
import type { Replayable, RunSummary } from '@assay/kernel';
import {
  watched,
  type Knob,
  type NextMove,
  type Picture,
  type Viewable,
  type Viewer,
  type ViewFile,
} from '@assay/kernel/view';
import { RederiveStream, type Verdict } from '@assay/verifier';
import { pageSha256 } from './sha256.js';
import { Told } from './told.js';

/** Machines of this shell: those with a view, and those without. */
export type Parts = { readonly views: readonly Viewable[]; readonly machines: readonly Replayable[] };

/** Chunks that may wait for the second worker, each in memory that is used again. */
const WAITING_MAX = 6;

/** What is drawn of a run that holds. `view`: its place among the views of the shell. */
export type Shown = {
  readonly view: number;
  readonly picture: Picture;
  readonly knobs: readonly Knob[];
  readonly files: readonly Pick<ViewFile, 'name' | 'json'>[];
  readonly next: readonly NextMove[];
};

/** What re-derivation came to. `shown`: null where nothing may be drawn, or no view is at hand. */
export type Derived = {
  readonly due: number | null;
  readonly rederivation: Verdict;
  readonly shown: Shown | null;
};

type Task =
  | { readonly t: 'chunk'; readonly buffer: ArrayBuffer; readonly size: number; readonly sound: number }
  | { readonly t: 'end'; readonly summary: RunSummary | null };
type Answer =
  | { readonly t: 'taken'; readonly pages: readonly string[]; readonly buffer: ArrayBuffer }
  | { readonly t: 'ended'; readonly pages: readonly string[]; readonly derived: Derived }
  | { readonly t: 'defect'; readonly says: string };

/** An end of a channel between two workers. */
export type Port = {
  readonly postMessage: (message: unknown, given: ArrayBuffer[]) => void;
  readonly addEventListener: (type: 'message', heard: (event: { readonly data: never }) => void) => void;
  readonly start: () => void;
};

/** What a viewer shows. */
export function showAll(viewer: Viewer, view: number): Shown {
  return {
    view,
    picture: viewer.show(),
    knobs: viewer.knobs(),
    files: viewer.files().map(({ name, json }) => ({ name, json })),
    next: viewer.next(),
  };
}

/** Answers another worker: takes its chunks in order, and gives each one's memory back. */
export function deriveSent(parts: Promise<Parts>, port: Port): void {
  const made = parts.then((all) => new Deriving(all));
  port.addEventListener('message', ({ data }: { readonly data: Task }) => {
    void made
      .then((deriving) => deriving.answer(data))
      .catch((error: unknown): [Answer, ArrayBuffer[]] => [{ t: 'defect', says: String(error) }, []])
      .then(([answer, given]) => port.postMessage(answer, given));
  });
  port.start();
}

class Deriving {
  private readonly stream: RederiveStream;
  private readonly told = new Told();
  private seen: { readonly viewer: Viewer; readonly view: number } | null = null;

  constructor({ views, machines }: Parts) {
    const seen = views.flatMap((view, at) =>
      watched(view, (viewer) => {
        this.seen = { viewer, view: at };
        this.told.add(viewer.described);
      }),
    );
    this.stream = new RederiveStream({ machines: [...seen, ...machines], sha256: pageSha256 });
  }

  answer(task: Task): [Answer, ArrayBuffer[]] {
    if (task.t === 'chunk') {
      const { buffer, size, sound } = task;
      this.stream.push(new Uint8Array(buffer, 0, size), sound);
      return [{ t: 'taken', pages: this.told.takePages(false), buffer }, [buffer]];
    }
    const ended = this.stream.end(task.summary);
    const { seen } = this;
    const mayDraw = task.summary !== null && ended.rederivation.verdict === 'held' && seen !== null;
    const shown = mayDraw ? showAll(seen.viewer, seen.view) : null;
    return [{ t: 'ended', pages: this.told.takePages(true), derived: { ...ended, shown } }, []];
  }
}

/** The way to the second worker. */
export class SecondWorker {
  private readonly port: Port;
  private readonly told: Told;
  private readonly free: ArrayBuffer[] = [];
  private waiting = 0;
  private derived: Derived | null = null;
  private defect: string | null = null;
  private wake: () => void = () => undefined;

  /** `told`: where it puts what the view says of each record. */
  constructor(port: Port, told: Told) {
    this.port = port;
    this.told = told;
    port.addEventListener('message', ({ data }: { readonly data: Answer }) => this.take(data));
    port.start();
  }

  /** The next bytes, as far as they were judged. `sound`: records of the file found sound so far. */
  async send(chunk: Uint8Array, sound: number): Promise<void> {
    while (this.waiting === WAITING_MAX) await this.nextAnswer();
    const free = this.free.pop();
    const buffer =
      free !== undefined && free.byteLength >= chunk.length ? free : new ArrayBuffer(chunk.length);
    new Uint8Array(buffer).set(chunk);
    this.waiting += 1;
    const task: Task = { t: 'chunk', buffer, size: chunk.length, sound };
    this.port.postMessage(task, [buffer]);
  }

  /** What it came to. `summary`: null where integrity failed. */
  async end(summary: RunSummary | null): Promise<Derived> {
    const task: Task = { t: 'end', summary };
    this.port.postMessage(task, []);
    while (this.derived === null) await this.nextAnswer();
    return this.derived;
  }

  private async nextAnswer(): Promise<void> {
    if (this.defect === null)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.defect !== null) throw new Error(this.defect);
  }

  private take(answer: Answer): void {
    if (answer.t === 'defect') this.defect = answer.says;
    else {
      this.told.addPages(answer.pages);
      if (answer.t === 'ended') this.derived = answer.derived;
      else {
        this.waiting -= 1;
        this.free.push(answer.buffer);
      }
    }
    this.wake();
  }
}
