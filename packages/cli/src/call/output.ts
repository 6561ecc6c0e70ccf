/** Where a command says what it found: data on stdout, everything else on stderr. */
import { safeJson } from '@assay/views';
import type { Problem } from '../problems/problem.js';
import { fitted, paint, show, styled, wantsColor, type Shown } from '../terminal/shown.js';
import type { Interruption } from '../terminal/signals.js';
import { Live, type LiveMode } from '../terminal/live.js';

/** Options every command takes. */
export type CommonOptions = {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
};

/** The streams of a process, as far as output needs them. */
export type Streams = {
  readonly out: { readonly write: (text: string) => unknown; readonly isTTY?: boolean };
  readonly err: { readonly write: (text: string) => unknown; readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  /** The next line a person types, null once there is none. Absent where no person is at a terminal. */
  readonly readLine?: () => Promise<string | null>;
  /** Raised by the signals of the process. Absent where nobody sends any. */
  readonly interruption?: Interruption;
};

/** The output of one command: with `--json` one document, else lines. */
export class Output {
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  private readonly isQuiet: boolean;
  private readonly streams: Streams;
  private readonly colors: { readonly out: boolean; readonly err: boolean };

  constructor(options: CommonOptions, streams: Streams) {
    this.isJson = options.json === true;
    this.isQuiet = options.quiet === true;
    this.isVerbose = options.verbose === true;
    this.streams = streams;
    const wants = (isTty: boolean | undefined): boolean => wantsColor(streams.env, isTty === true);
    this.colors = { out: wants(streams.out.isTTY), err: wants(streams.err.isTTY) };
  }

  /** A line of the answer. Nothing with `--json` or `--quiet`. */
  line(shown: Shown = show``): void {
    if (!this.isJson && !this.isQuiet) this.streams.out.write(`${render(shown, this.colors.out)}\n`);
  }

  /** The answer as one JSON document, only with `--json`. */
  document(value: unknown): void {
    if (this.isJson) this.streams.out.write(`${safeJson(value)}\n`);
  }

  /** A JSON document that another program reads, whatever the options. */
  reply(value: unknown, indent: number = 0): void {
    this.streams.out.write(`${safeJson(value, indent)}\n`);
  }

  /** The one line a command exists for, such as a head line: printed with `--quiet` too. */
  data(shown: Shown): void {
    if (!this.isJson) this.streams.out.write(`${render(shown, this.colors.out)}\n`);
  }

  /** What is left of the answer with `--quiet`, and printed only then. */
  brief(shown: Shown): void {
    if (this.isQuiet) this.data(shown);
  }

  /** What happens meanwhile, for a person: on stderr, only where one may be looking. */
  progress(shown: Shown): void {
    if (!this.isQuiet && (this.streams.err.isTTY === true || this.isVerbose))
      this.streams.err.write(`${render(shown, this.colors.err)}\n`);
  }

  /**
   * How far something is, as states come: a line rewritten on a terminal, else a plain one now and then, with
   * `--verbose` one for each state, with `--quiet` none. `isTalking`: a person is being asked meanwhile, and
   * sees none either.
   */
  live<T>(
    line: (state: T, elapsedMs: number, columns: number) => Shown,
    isTalking: boolean = false,
  ): Live<T> {
    const { err, env } = this.streams;
    const isTerminal = err.isTTY === true && env['TERM'] !== 'dumb';
    const mode: LiveMode =
      this.isQuiet || isTalking ? 'none' : isTerminal ? 'line' : this.isVerbose ? 'each' : 'lines';
    return new Live({
      mode,
      write: (text) => err.write(text),
      line: (state, elapsedMs) =>
        render(
          mode === 'line'
            ? fitted(line(state, elapsedMs, LIVE_COLUMNS), LIVE_COLUMNS)
            : line(state, elapsedMs, Infinity),
          false,
        ),
    });
  }

  /** What a person should know beside the answer: on stderr. */
  note(shown: Shown): void {
    if (!this.isQuiet) this.streams.err.write(`${render(shown, this.colors.err)}\n`);
  }

  /**
   * A line of a dialogue with a person, on stderr: also with `--quiet`, since without it nothing could be
   * answered. `isOpen`: a prompt, without line end.
   */
  dialogue(shown: Shown, isOpen: boolean = false): void {
    this.streams.err.write(`${render(shown, this.colors.err)}${isOpen ? '' : '\n'}`);
  }

  /**
   * A workflow command for GitHub, which reads both streams: on stderr, so that stdout stays one answer.
   * Escaped by who made it.
   */
  command(line: string): void {
    this.streams.err.write(`${line}\n`);
  }

  /**
   * Why a command ended: on stderr, and as the document with `--json`. `trace` is shown with `--verbose`
   * only.
   */
  problem(problem: Problem, trace: string | null = null): void {
    const { code, message, place, remedy } = withoutKeys(problem);
    this.document({ error: { code, message, place: place === '' ? null : place, remedy } });
    this.complaint(problem, trace);
  }

  /** A problem that does not end the command: on stderr alone, so that stdout stays one answer. */
  complaint(problem: Problem, trace: string | null = null): void {
    const { code, message, place, remedy, typed } = withoutKeys(problem);
    const lines = [
      show`${styled('bad', show`assay: ${code}`)}: ${message}`,
      ...(place === '' ? [] : [show`  place   ${place}`]),
      show`  remedy  ${typed ?? remedy}`,
      ...(this.isVerbose && trace !== null
        ? withoutKey(trace)
            .split('\n')
            .map((line) => show`  ${line}`)
        : []),
    ];
    for (const line of lines) this.streams.err.write(`${render(line, this.colors.err)}\n`);
  }
}

/** A line that is rewritten must not wrap: a terminal of 80 columns keeps the last one free. */
const LIVE_COLUMNS = 79;

/** Arguments are quoted in problems, and somebody gives a secret key for one. */
function withoutKeys(problem: Problem): Problem {
  return {
    ...problem,
    message: withoutKey(problem.message),
    place: withoutKey(problem.place),
    remedy: withoutKey(problem.remedy),
  };
}

function withoutKey(text: string): string {
  return text.replaceAll(/assay-secret-key:[^\s"']*/gi, 'assay-secret-key:…');
}

function render(shown: Shown, isColored: boolean): string {
  return shown.parts
    .map(({ text, style }) => (style === null || text === '' || !isColored ? text : paint(style, text)))
    .join('');
}

/** The surroundings of a command: tests give others. */
export type Context = {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  /** The next line a person types; null where no person is at a terminal. */
  readonly readLine: (() => Promise<string | null>) | null;
  readonly interruption: Interruption;
};
