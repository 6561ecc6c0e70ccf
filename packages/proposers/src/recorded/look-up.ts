/** Finding a recorded answer; a miss names the nearest entry and the first field that differs. */
import { compareText, err, isArray, isObject, ok, type Digest, type Json, type Result } from '@assay/kernel';
import { askHash, type RecordedAnswer, type RecordedAsk, type Recording } from './recording.js';

/**
 * The first difference between two asks: a JSON pointer, and both sides, each cut to 120 units of text around
 * the place where they part.
 */
type AskDifference = { readonly path: string; readonly asked: string; readonly recorded: string };

/** No entry answers what was asked. `nearest`: the entry that agrees longest, null in an empty recording. */
type RecordingMiss = {
  readonly code: 'recording_miss';
  readonly ask_hash: Digest | null;
  readonly nearest: (AskDifference & { readonly ask_hash: Digest }) | null;
};

/** The recorded answer to what is asked. Error `recording_miss`. Linear in the recording. */
export function lookUp(recording: Recording, ask: RecordedAsk): Result<RecordingMiss, RecordedAnswer> {
  const hash = askHash(ask);
  const entry = recording.entries.find(({ askHash: known }) => known === hash);
  if (entry !== undefined) return ok(entry.answer);
  return err({ code: 'recording_miss', ask_hash: hash, nearest: nearestTo(recording, ask) });
}

/** A miss as lines for people. */
export function describeMiss({ ask_hash, nearest }: RecordingMiss): string {
  const asked = `No recorded answer to ask ${ask_hash ?? '(no admitted JSON)'}.`;
  if (nearest === null) return `${asked} The recording is empty.`;
  return (
    `${asked} Nearest: ${nearest.ask_hash}; first difference at ` +
    `${nearest.path === '' ? '(root)' : nearest.path}: asked ${nearest.asked}, recorded ` +
    `${nearest.recorded}.`
  );
}

function nearestTo({ entries }: Recording, ask: RecordedAsk): RecordingMiss['nearest'] {
  let best: { readonly agreed: number; readonly difference: AskDifference; readonly hash: Digest } | null =
    null;
  for (const { ask: recorded, askHash: hash } of entries) {
    const compared = compare(
      { kind: ask.kind, body: ask.body },
      { kind: recorded.kind, body: recorded.body },
      '',
    );
    if (compared.difference === null || (best !== null && best.agreed >= compared.agreed)) continue;
    best = { agreed: compared.agreed, difference: compared.difference, hash };
  }
  return best === null ? null : { ...best.difference, ask_hash: best.hash };
}

type Compared = { readonly agreed: number; readonly difference: AskDifference | null };

/**
 * How many leaves agree, and the first place that does not. `kind` comes first, then the body by keys, hashes
 * last: they say that something differs, not what.
 */
function compare(asked: Json, recorded: Json, path: string): Compared {
  const pairs = matchPairs(asked, recorded);
  if (pairs === null)
    return asked === recorded
      ? { agreed: 1, difference: null }
      : { agreed: 0, difference: differenceAt(path, asked, recorded) };
  let [agreed, difference]: [number, AskDifference | null] = [0, null];
  for (const [key, left, right] of pairs) {
    const below = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found =
      left === undefined || right === undefined
        ? { agreed: 0, difference: differenceAt(below, left, right) }
        : compare(left, right, below);
    agreed += found.agreed;
    difference ??= found.difference;
  }
  return { agreed, difference };
}

type Pair = readonly [key: string, asked: Json | undefined, recorded: Json | undefined];

function matchPairs(asked: Json, recorded: Json): readonly Pair[] | null {
  if (isArray(asked) && isArray(recorded))
    return Array.from(
      { length: Math.max(asked.length, recorded.length) },
      (_, index) => [String(index), asked[index], recorded[index]] as const,
    );
  if (!isObject(asked) || !isObject(recorded)) return null;
  const keys = [...new Set([...Object.keys(asked), ...Object.keys(recorded)])].sort(
    (a, b) => computeRank(a) - computeRank(b) || compareText(a, b),
  );
  return keys.map(
    (key) =>
      [
        key,
        Object.hasOwn(asked, key) ? asked[key] : undefined,
        Object.hasOwn(recorded, key) ? recorded[key] : undefined,
      ] as const,
  );
}

function computeRank(key: string): number {
  return key === 'kind' ? 0 : key.endsWith('_hash') ? 2 : 1;
}

const SHOWN_UNITS_MAX = 120;
/** Units shown before the place where two long values part. */
const LEAD_UNITS = 40;

function differenceAt(path: string, asked: Json | undefined, recorded: Json | undefined): AskDifference {
  const [left, right] = [rendered(asked), rendered(recorded)];
  let same = 0;
  while (same < left.length && left.charCodeAt(same) === right.charCodeAt(same)) same += 1;
  const from = Math.max(left.length, right.length) <= SHOWN_UNITS_MAX ? 0 : Math.max(0, same - LEAD_UNITS);
  return { path, asked: excerpt(left, from), recorded: excerpt(right, from) };
}

function rendered(value: Json | undefined): string {
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}

function excerpt(text: string, from: number): string {
  const lead = from > 0 ? '…' : '';
  const rest = text.slice(from);
  return (
    rest.length + lead.length <= SHOWN_UNITS_MAX
      ? `${lead}${rest}`
      : `${lead}${rest.slice(0, SHOWN_UNITS_MAX - 1 - lead.length)}…`
  ).toWellFormed();
}
