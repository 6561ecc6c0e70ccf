/**
 * What a tool is given, in which form, and how it ends; what is read in pieces and needed whole. What a call
 * is about, as it is found while the call acts, and whether that is blocked. Source: calls/C3.
 */
import * as z from 'zod';
import { createHash, hash } from 'node:crypto';
import { admit, type Digest, err, type Json, orThrow, type Result, cutText } from '@assay/kernel';
import type { Limits, Watch } from '../limits.js';
import { denied, type Refusal, type ToolCode } from '../refusal.js';
import type { ToolStatus } from '../tool-call.js';
import { type Made, type InsidePath, pathLine } from '../workspace/path.js';
import type { Workspace } from '../workspace/open.js';

/**
 * What somebody agreed that this very call loses: digest and target that it said when it was held. Null: nothing.
 */
export type Confirmed = { readonly loses: Digest | null; readonly target: string | null } | null;

/** What can hold a program here; each empty where this machine does not let us. */
export type Means = {
  /** Words that put it into a network of its own, without devices. */
  readonly isolation: readonly string[];
  /**
   * Words that have the kernel kill it when the thread that started it ends. The signal outlives what is started
   * in its place; what is set before a new user comes is forgotten, so these stand behind the isolation.
   */
  readonly tying: readonly string[];
  /** Words that leave no core, and take further bounds; without them only time and output are bounded. */
  readonly bounding: readonly string[];
};

/** All a tool may use. */
export type CallContext = {
  readonly workspace: Workspace;
  readonly limits: Limits;
  readonly watch: Watch;
  /** What the call is about; asked before anything is done. */
  readonly aim: Aim;
  readonly confirmed: Confirmed;
  readonly made: Made;
  /** What holds a check, and the checks that were declared, by name: a program and its words. */
  readonly means: Means;
  readonly checks: ReadonlyMap<string, readonly string[]>;
};

/**
 * How a call ended. `output`: all that is kept of it; `whole`: what it is in all if that is more, else null.
 * `why`: of a `truncated` call, what could not be looked into; null if a limit says it. `loses`: SHA-256 of
 * the file that is lost or added to, or would be; null if none is, or it was not looked at.
 */
export type Ended = {
  readonly status: ToolStatus;
  readonly code: ToolCode | null;
  readonly output: Uint8Array;
  readonly whole: Whole | null;
  readonly irreversible: boolean;
  readonly loses: Digest | null;
  readonly why: string | null;
};

/**
 * A call whose input was understood. `input`: the same thing said in one way only, as text. `about`: what it
 * names.
 */
export type Understood = {
  readonly input: string;
  readonly about: About;
  readonly act: (context: CallContext) => Promise<Ended>;
};

/** Done, with this as the whole output. */
export function done(output: string | Uint8Array, irreversible = false): Ended {
  return {
    status: 'ok',
    code: null,
    output: encodeOutput(output),
    whole: null,
    irreversible,
    loses: null,
    why: null,
  };
}

/** Ended without success; `before`: what came until then. */
export function ended(
  refusal: Refusal,
  {
    irreversible = false,
    before = '',
  }: { readonly irreversible?: boolean; readonly before?: string | Uint8Array } = {},
): Ended {
  const reason = `${refusal.code}: ${refusal.message}`;
  const output =
    before.length === 0
      ? encodeOutput(reason)
      : Buffer.concat([encodeOutput(before), encodeOutput(`\n${reason}`)]);
  return {
    status: refusal.status,
    code: refusal.code,
    output,
    whole: null,
    irreversible,
    loses: null,
    why: null,
  };
}

/** What an action gave, or why it gave nothing. */
export function endedBy(result: Result<Refusal, Ended>): Ended {
  return result._tag === 'Left' ? ended(result.left) : result.right;
}

function encodeOutput(output: string | Uint8Array): Uint8Array {
  return typeof output === 'string' ? Buffer.from(output, 'utf8') : output;
}

/**
 * A tool as it is told what to do. `schema`: JSON Schema of the input, an object; it uses no more than the
 * keywords of calls/C15. `understand` refuses with `bad_input` what does not fit it.
 */
export type ToolForm = {
  readonly schema: Json;
  readonly understand: (input: Json) => Result<Refusal, Understood>;
};

/**
 * The form of a tool that is told `shape`. A plain string stands for an object with the one field `text`.
 * Nothing is coerced and no key is ignored. Code: `bad_input`, with a JSON pointer in the message.
 */
export function toolForm<T>(
  shape: z.ZodType<T>,
  text: string,
  understand: (asked: T) => Result<Refusal, Understood>,
): ToolForm {
  return {
    schema: makeSchema(shape),
    understand: (input) => {
      const parsed = shape.safeParse(typeof input === 'string' ? { [text]: input } : input);
      return parsed.success ? understand(parsed.data) : err(badInput(parsed.error.issues));
    },
  };
}

function badInput([issue]: readonly z.core.$ZodIssue[]): Refusal {
  const pointer = (issue?.path ?? []).map((part) => `/${String(part)}`).join('');
  return denied('bad_input', `at ${pointer === '' ? 'the input' : pointer}: ${issue?.code ?? 'unknown'}`);
}

/** The schema of a shape: an object, without `anyOf` at the top, which some providers refuse. */
function makeSchema(shape: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.const === undefined) return;
      jsonSchema.enum = [jsonSchema.const];
      delete jsonSchema.const;
    },
  });
  return orThrow(admit(schema)).value;
}

/**
 * An output that is not kept whole. `digest`: its SHA-256; null where it was not read to its end, and then
 * `bytes` is what was seen of it.
 */
export type Whole = { readonly bytes: number; readonly digest: Digest | null };

/** Takes in an output piece by piece. */
export type Sum = {
  readonly add: (piece: Uint8Array) => void;
  /** How much came. */
  readonly bytes: () => number;
  /** True where what comes counts no more: more came than is read for a digest, or nobody waits. */
  readonly isOver: () => boolean;
  /** Nobody waits for the rest. */
  readonly leave: () => void;
  /** What came in all; asked once. */
  readonly whole: () => Whole;
};

/** A sum of nothing. `most`: bytes that are read for a digest. */
export function sumUpTo(most: number): Sum {
  const hash = createHash('sha256');
  let bytes = 0;
  let isLeft = false;
  const isOver = (): boolean => isLeft || bytes > most;
  return {
    add: (piece) => {
      bytes += piece.length;
      if (!isOver()) hash.update(piece);
    },
    bytes: () => bytes,
    isOver,
    leave: () => void (isLeft = true),
    whole: () => ({ bytes, digest: isOver() ? null : (hash.digest('hex') as Digest) }),
  };
}

/**
 * What an input names, before anything was looked at. `sought`: its words in their order; a null path for a
 * word that is none. `follow`: a link at the end of a path is followed. `say`: the target, of what each word
 * was found to be, null where it was not found.
 */
export type About = {
  readonly sought: readonly Sought[];
  readonly follow: boolean;
  readonly say: (found: readonly (string | null)[]) => string;
};

/** A word of an input: the path it is, or null. */
export type Sought = InsidePath | null;

/** What one call is about. */
export type Aim = {
  /** Notes which path a word was found to be. Gives `blocked_target` where {@link Aim.refusal} does. */
  readonly at: (index: number) => (path: InsidePath) => Refusal | null;
  /** `blocked_target` once every word was found and what they say together is blocked; else null. */
  readonly refusal: () => Refusal | null;
  /** The same of what was found by the end. */
  readonly verdict: () => Refusal | null;
  /** Words that were not found yet. */
  readonly missing: () => readonly number[];
  /** What the call is about as far as it was found; the rest as it was asked. */
  readonly target: () => string;
};

/** The aim of a call. `not`: targets that it must not have. */
export function makeAim({ sought, say }: About, not: readonly string[]): Aim {
  const known = new Map<number, string>();
  const target = (): string => shownTarget(say(sought.map((_, index) => known.get(index) ?? null)));
  const verdict = (): Refusal | null =>
    not.length > 0 && not.includes(target()) ? denied('blocked_target', target()) : null;
  const refusal = (): Refusal | null => (known.size === sought.length ? verdict() : null);
  return {
    at: (index) => (path) => {
      known.set(index, path.text);
      return refusal();
    },
    refusal,
    verdict,
    missing: () => [...sought.keys()].filter((index) => !known.has(index)),
    target,
  };
}

/** An input that names these paths: one says itself as a line, several a list. */
export function aboutPaths(paths: readonly InsidePath[], follow: boolean): About {
  return {
    sought: paths,
    follow,
    say: (found) => {
      const texts = paths.map(({ text }, index) => found[index] ?? text);
      const [first, ...more] = texts;
      return first !== undefined && more.length === 0 ? pathLine(first) : canonicalInput(texts);
    },
  };
}

/** An input that names no path and says this. */
export function aboutText(text: string): About {
  return { sought: [], follow: false, say: () => text };
}

/** Code units of a target that are shown; a longer one is cut there and ends in its SHA-256. */
const TARGET_UNITS = 200;

/** A target as it is recorded and compared: different ones stay different. */
export function shownTarget(text: string): string {
  return text.length <= TARGET_UNITS
    ? text
    : `${cutText(text, TARGET_UNITS)}… sha256 ${hash('sha256', text, 'hex')}`;
}

/**
 * An input that is one text, as that text; one that could be taken for an object, as the object it stands
 * for.
 */
export function plainInput(key: string, text: string): string {
  return text.startsWith('{') ? canonicalInput({ [key]: text }) : text;
}

/** An input of several parts, as canonical JSON. */
export function canonicalInput(input: Json): string {
  return orThrow(admit(input)).text;
}
