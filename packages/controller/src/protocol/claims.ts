/**
 * Evidence rules: what an executor says is a claim, the calls it made are the truth; what a model says of a file that
 * a criterion names is no evidence of it. None of this is asked of a model. Source: 003 §R3 "Skills", §R4a "evidence
 * grounding rule"; calls/C6.
 */
import { isObject, type Digest } from '@assay/kernel';
import { closed, digest, integer, nullable, oneOf, sized, text, type Shape } from '@assay/kernel/shape';
import type { DecidingCall } from './requests.js';
import { CALL_STATUSES, TARGET_MAX, type CallStatus, type Target, type CallKind } from './tools.js';

/**
 * What the state keeps of a call; its place in the list is its number. `key`: digest of tool and input;
 * `triple`: that of tool, target and output; `shape`: the input without its values; `named`: the path that the
 * input names, where the target is another, as behind a link.
 */
export type CallSeen = Target & {
  readonly attempt: number;
  readonly kind: CallKind;
  readonly status: CallStatus;
  readonly code: string | null;
  readonly key: Digest;
  readonly triple: Digest;
  readonly shape: string;
  readonly named?: string;
};

/** Longest {@link CallSeen} shape, in UTF-16 units. */
export const SHAPE_MAX = 120;

const any = text();
const target = sized(0, TARGET_MAX);
const PLAIN = {
  attempt: integer(0),
  tool: any,
  target,
  kind: oneOf(['act', 'look', 'search']),
  status: oneOf(CALL_STATUSES),
  code: nullable(any),
  key: digest,
  triple: digest,
  shape: sized(0, SHAPE_MAX),
};
const SEEN = closed(PLAIN);
const SEEN_NAMED = closed({ ...PLAIN, named: target });
export const CALL_SEEN: Shape<CallSeen> = (call) =>
  (isObject(call) && 'named' in call ? SEEN_NAMED : SEEN)(call);

/** Why a claim does not stand. `call`: the number of the one that says otherwise. */
export type Contradiction = {
  readonly code: 'nothing_was_done' | 'primary_call_failed' | 'cut_without_completion' | 'file_not_shown';
  readonly call: number | null;
};

/**
 * The call that a sub-task rests on, by number: acts alone count where there are any. Of these the first that
 * went wrong and was not done again with success, else the last. Done again is the same tool on the same
 * target. What was denied was not tried. Null where no tool was called.
 */
export function primaryCall(calls: readonly CallSeen[]): number | null {
  const failed = failedActs(calls)[0];
  if (failed !== undefined) return failed;
  const last = calls.findLastIndex(({ kind }) => kind === 'act');
  return last >= 0 ? last : calls.length > 0 ? calls.length - 1 : null;
}

/**
 * Holds a claim against the calls: an act that failed stands against it until it is done again, whatever was
 * only looked at since; those of earlier attempts only until this one acted, since the correction asked for
 * another way. Of the acts that a claim rests on, else of the looks, one must have gone well. Null where the claim
 * may stand. Source: 003 §R4a; dec-B8; calls/C6.
 */
export function findContradiction(
  calls: readonly CallSeen[],
  {
    attempt,
    rests_on,
    words,
  }: { readonly attempt: number; readonly rests_on: readonly number[]; readonly words: boolean },
): Contradiction | null {
  if (rests_on.length === 0 && !words) return { code: 'nothing_was_done', call: null };
  const hasActed = calls.some(
    (call) => call.attempt === attempt && call.kind === 'act' && call.status === 'ok',
  );
  const [failed] = failedActs(calls).filter((n) => !hasActed || calls[n]?.attempt === attempt);
  if (failed !== undefined)
    return {
      code: calls[failed]?.status === 'truncated' ? 'cut_without_completion' : 'primary_call_failed',
      call: failed,
    };
  const acts = rests_on.filter((n) => calls[n]?.kind === 'act');
  const on = acts.length > 0 ? acts : rests_on;
  const stands = on.some((n) => calls[n] !== undefined && isGood(calls[n]));
  return stands || on.length === 0 ? null : { code: 'primary_call_failed', call: on[0] ?? null };
}

/** A look that was cut says what it says. */
function isGood({ kind, status }: CallSeen): boolean {
  return status === 'ok' || (status === 'truncated' && kind !== 'act');
}

/** Acts that failed and were not done again, by number. */
function failedActs(calls: readonly CallSeen[]): readonly number[] {
  return calls.flatMap((call, n) =>
    call.kind === 'act' &&
    call.status !== 'ok' &&
    call.status !== 'denied' &&
    !calls
      .slice(n + 1)
      .some(({ tool, target, status }) => status === 'ok' && tool === call.tool && target === call.target)
      ? [n]
      : [],
  );
}

/** A call as it is told to others. */
export function deciding(calls: readonly CallSeen[], numbers: readonly number[]): readonly DecidingCall[] {
  return numbers.slice(0, DECIDING_MAX).flatMap((n) => {
    const call = calls[n];
    if (call === undefined) return [];
    const { tool, target, status, code } = call;
    return [{ n, tool, target, status, code }];
  });
}

/** Calls that are told of one sub-task. */
const DECIDING_MAX = 8;

/** A word of a text: no white space, quotes, brackets or separators. */
const WORD = /[^\s"'`“”‘’()[\]{}<>,;]+/gu;
/** Addresses and calls of functions are no paths. */
const NO_WORD = /[A-Za-z][A-Za-z0-9+.-]*:\/\/\S*|\S+@\S+|[^\s()]+\(/g;
/** Names, then a name with an ending of at most 8 characters that begins with a letter. */
const PATH = /^\/?(?:[^/*?]+\/)*[^/*?]*[^/*?.]\.[A-Za-z][A-Za-z0-9]{0,7}$/;
/** Abbreviations, hosts, and products that are written like files. */
const NO_PATH =
  /^(?:[A-Za-z](?:\.[A-Za-z])+|[^/]+\.(?:com|org|net|NET)|(?:[Nn]ode|[Vv]ue|[Nn]ext|[Nn]uxt|[Tt]hree|[Ee]xpress)\.js)$/;

/**
 * The paths that stand in a text: words with a name and an ending, such as `report.md` or `docs/a.txt`. Not a
 * pattern, an address, a call of a function, an abbreviation or a name without an ending.
 */
export function filesNamed(text: string): readonly string[] {
  const words = text.replaceAll(NO_WORD, ' ').match(WORD) ?? [];
  const paths = words
    .map((word) => word.replace(/[.:!?…]+$/u, '').replace(/^(?:\.\/)+/, ''))
    .filter((word) => PATH.test(word) && !NO_PATH.test(word));
  return [...new Set(paths)];
}

/**
 * The first file that a text names and no call shows; null where each is shown. A file is shown by a call that
 * wrote or read it with success, by whatever link, unless a later call that acts on it went wrong. Searches
 * show nothing.
 */
export function fileNotShown(text: string, calls: readonly CallSeen[]): string | null {
  return filesNamed(text).find((file) => !isShown(file, text, calls)) ?? null;
}

function isShown(file: string, text: string, calls: readonly CallSeen[]): boolean {
  const names = (path: string): boolean => isSame(path, file, text);
  const behind = new Set(calls.flatMap(({ named, target }) => (named && names(named) ? [target] : [])));
  const last = calls.findLast(
    (call) =>
      call.kind !== 'search' &&
      (call.kind === 'act' ? call.status !== 'denied' : isRead(call)) &&
      (behind.has(call.target) || splitTarget(call.target).some(names)),
  );
  return last !== undefined && (last.kind === 'act' ? last.status === 'ok' : true);
}

function isRead({ status }: CallSeen): boolean {
  return status === 'ok' || status === 'truncated';
}

/** A file without a folder is also one in a folder that the same text names; of a name with spaces the last word is. */
function isSame(path: string, file: string, text: string): boolean {
  if (path.endsWith(` ${file}`) && text.includes(path)) return true;
  if (path === file || (file.startsWith('/') && file.endsWith(`/${path}`))) return true;
  const folder = path.slice(0, -file.length - 1);
  return folder !== '' && path === `${folder}/${file}` && text.includes(folder);
}

/** The paths that a target may name: itself, and its words, since it may be a line, a list or an input. */
export function splitTarget(target: string): readonly string[] {
  return [target, ...target.split(/[\s"'`,{}[\]:]+/u)];
}
