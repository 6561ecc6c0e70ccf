/** A note of a call: a line, and what is wrong with one that is none. */
import { isName, type Spent } from '@assay/kernel';

/**
 * Why notes cannot be used. `unavailable`: they cannot be read or written, with the system's name of why.
 * `damaged`: a line (from 1) is no note, so that what its call cost is not known.
 */
export type CallNotesFault = { readonly code: 'notes'; readonly path: string } & (
  | { readonly reason: 'unavailable'; readonly errno: string }
  | { readonly reason: 'damaged'; readonly line: number }
);

/** Raised by {@link folderNotes}; `drive` gives it as its error. */
export class CallNotesError extends Error {
  override readonly name = 'CallNotesError';
  readonly fault: CallNotesFault;
  constructor(fault: CallNotesFault) {
    super(
      `call notes: ${fault.path}: ${fault.reason === 'damaged' ? `line ${fault.line} is no note` : fault.errno}`,
    );
    this.fault = fault;
  }
}

/** Bounds by the key they are noted under, in the order of their notes. */
export type Noted = Map<string, Spent[]>;

/** Ends a line that a crash cut. No note ends so. */
export const CUT_END = '~\n';

/**
 * Says that the first so many bytes of a file are notes of a run that was taken away. Nothing is removed:
 * another process that begins the same run at the same moment may have noted a call of its own behind them.
 * It ends as a line that was cut does, so that whoever does not know it passes it over.
 */
export function makeMark(bytes: number): string {
  return `anew ${bytes} ~`;
}

/**
 * How many bytes at the beginning of a file the last marks in a part of it take away; 0 where there is none.
 * `position`: where the part begins. A mark takes away nothing that stands behind it.
 */
export function takenAway(part: Buffer, position: number): number {
  let taken = 0;
  // Each byte as a character, so that what is found where is counted in bytes.
  for (const found of part.toString('latin1').matchAll(/^anew (\d{1,15}) ~\n/gm)) {
    const bytes = Number(found[1]);
    if (bytes <= position + found.index) taken = Math.max(taken, bytes);
  }
  return taken;
}

/** Takes back the last note under a key: its call cost nothing. It ends as a line that was cut does. */
export function makeRefundNote(key: string): string {
  return `${key} back ~`;
}

/** True for a line that {@link makeMark} makes. */
export function isMark(line: string): boolean {
  return MARK.test(line);
}

const MARK = /^anew (\d{1,15}) ~$/;

/** A note, without the end of its line. */
export function makeNote(key: string, bound: Spent): string {
  return `${key} ${JSON.stringify(bound)}`;
}

/**
 * Takes in the whole lines of a text, the first of them the `first`th from 0. Every one must be a note: one
 * that is none may be of any key. Raises {@link CallNotesError}, `damaged`, and has taken in nothing.
 */
export function takeIn(noted: Noted, text: string, first: number, path: string): number {
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  const notes = lines.flatMap(
    (line, index): readonly { readonly key: string; readonly bound: Spent | null }[] => {
      const [, back] = /^(\S+) back ~$/.exec(line) ?? [];
      if (back !== undefined) return [{ key: back, bound: null }];
      if (line.endsWith(CUT_END.trimEnd())) return [];
      const note = readNote(line);
      if (note === null)
        throw new CallNotesError({ code: 'notes', reason: 'damaged', path, line: first + index + 1 });
      return [note];
    },
  );
  for (const { key, bound } of notes) {
    const before = noted.get(key) ?? [];
    if (bound === null) before.pop();
    else before.push(bound);
    noted.set(key, before);
  }
  return lines.length;
}

/** A note; null for a line that is none. */
export function readNote(line: string): { readonly key: string; readonly bound: Spent } | null {
  const [, key, json] = /^(\S+) (\{.*\})$/.exec(line) ?? [];
  if (key === undefined || json === undefined) return null;
  try {
    const bound: unknown = JSON.parse(json);
    // As it was written: of a unit that stands there twice only one amount would count.
    return isSpent(bound) && JSON.stringify(bound) === json ? { key, bound } : null;
  } catch {
    return null;
  }
}

/**
 * Whole amounts from 0 by unit, as a ledger records them. What is none could not be charged, or would count
 * as nothing.
 */
export function isSpent(value: unknown): value is Spent {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([unit, amount]) => isName(unit) && Number.isSafeInteger(amount) && amount >= 0,
    )
  );
}
